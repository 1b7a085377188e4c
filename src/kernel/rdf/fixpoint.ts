/**
 * Rules over a graph, to a fixpoint. Rules that follow from the graph itself (one per axiom, one per property where a
 * pattern leaves the property open) are made for what the graph holds; when a run finds new axioms, properties or classes,
 * rules are made for those too and the run is repeated. The schema is closed first, on its own: it is small, and afterwards
 * one run over the data is nearly always enough.
 */
import { checkProgram, evaluate } from '../datalog/index.ts'
import type { Budget, DatalogRule, Fact, Model, RuleFault } from '../datalog/index.ts'
import type { Term } from '../term.ts'
import { RESOURCE, classOf, factTriple, guard, isMade, meaningOf } from './partition.ts'
import type { Quad } from './quad.ts'
import { OWL, RDF, RDFS, RDF_TYPE } from './quad.ts'
import { supportFor } from './support.ts'

/** What a graph holds, as far as rules are made from it. */
export interface GraphView {
  /** the triples with this property, derived ones included; for rdf:type those of every class */
  triples(property: string): readonly Quad[]
  instances(cls: Term): readonly Term[]
  readonly properties: ReadonlySet<string>
  readonly classes: readonly Term[]
}

export interface ReasonInput {
  readonly facts: readonly Fact[]
  readonly rules: readonly DatalogRule[]
  /** the rules for what a graph holds; more axioms give more rules, and the same axiom gives the same id */
  readonly specialise?: (graph: GraphView) => readonly DatalogRule[]
  readonly budget?: Budget
}

export interface Reasoned {
  readonly model: Model
  readonly program: readonly DatalogRule[]
  /** the facts given, and those that support them */
  readonly base: readonly Fact[]
  readonly notices: readonly string[]
}

/** Throws on rules that cannot run together: ask `faultsOver` first where they come from people. */
export function reasonOver({ facts, rules, specialise = () => [], budget }: ReasonInput): Reasoned {
  const schema = facts.filter(isSchema)
  const inData = predicatesOf(facts)
  let made = specialise(viewOf(schema, inData))
  // the schema alone: cheap rounds that find the axioms which follow from axioms
  for (let known = -1; known < made.length && schema.length > 0; ) {
    known = made.length
    // what the data would deny or count is not there yet
    const { model } = run(schema, [...rules, ...made].filter(isMonotone), budget)
    if (model.stopped !== null) break
    made = specialise(viewOf(schemaFacts(model), new Set([...inData, ...model.predicates])))
  }
  for (;;) {
    const done = run(facts, [...rules, ...made], budget)
    const said = done.notices ?? []
    if (done.model.stopped !== null) return { ...done, notices: said }
    const next = specialise(viewOfModel(done.model))
    if (next.length <= made.length) return { ...done, notices: said }
    const [fault] = checkProgram({ relations: [], rules: assemble(facts, [...rules, ...next], done.model).program, mayGrow: true })
    if (fault !== undefined) return { ...done, notices: [...said, `axioms that were derived are not applied: ${fault.message}`] }
    made = next
  }
}

const isMonotone = ({ body }: DatalogRule): boolean => body.every(({ kind }) => kind !== 'not' && kind !== 'aggregate')

/** What keeps the rules from running together over these facts. */
export function faultsOver({ facts, rules, specialise = () => [] }: ReasonInput): RuleFault[] {
  const made = specialise(viewOf(facts.filter(isSchema), predicatesOf(facts)))
  return checkProgram({ relations: [], rules: assemble(facts, [...rules, ...made]).program, mayGrow: true })
}

/** More than any graph that fits into memory needs; a caller with a smaller budget sets it. */
const MOST_FACTS = 50_000_000

function run(facts: readonly Fact[], rules: readonly DatalogRule[], budget: Budget = {}): Assembled & { readonly model: Model; readonly notices?: readonly string[] } {
  let assembled = assemble(facts, rules)
  for (;;) {
    const { program, base } = assembled
    const model = evaluate({ relations: [], rules: program, mayGrow: true }, base, { maxFacts: MOST_FACTS, ...budget })
    if (model.stopped !== null) return { model, program, base }
    if (!rules.some(({ head }) => isMade(head.predicate))) return { model, program, base }
    // a made triple may have a property or a class that no rule hands on yet
    const next = assemble(facts, rules, model)
    if (next.program.length === program.length) return { model, program, base }
    const [fault] = checkProgram({ relations: [], rules: next.program, mayGrow: true })
    if (fault !== undefined) return { model, program, base, notices: [`triples that were made are not handed on: ${fault.message}`] }
    assembled = next
  }
}

interface Assembled {
  readonly program: readonly DatalogRule[]
  readonly base: readonly Fact[]
}

function assemble(facts: readonly Fact[], rules: readonly DatalogRule[], model?: Model): Assembled {
  const guarded = rules.map(withGuards)
  const support = supportFor(guarded, facts, model)
  // rules that share a path share its relation, so the relation's rules come more than once
  const program = [...new Map([...guarded, ...support.rules].map((rule) => [rule.id, rule])).values()]
  return { program, base: support.facts.length === 0 ? facts : [...facts, ...support.facts] }
}

/** That a term is a resource is a look at the term, not at a relation as large as the graph. */
function withGuards(rule: DatalogRule): DatalogRule {
  if (!rule.body.some((item) => item.kind === 'atom' && item.atom.predicate === RESOURCE)) return rule
  const body = rule.body.map((item) => {
    const [term] = item.kind === 'atom' && item.atom.predicate === RESOURCE ? item.atom.args : []
    return term ? guard(term) : item
  })
  return { ...rule, body }
}

const VOCABULARIES = [RDF, RDFS, OWL]
/** A name of RDF, RDF Schema or OWL itself. */
export const inVocabulary = (name: string): boolean => VOCABULARIES.some((namespace) => name.startsWith(namespace))

/** A fact that says something about classes and properties. */
function isSchema({ predicate }: { readonly predicate: string }): boolean {
  const cls = classOf(predicate)
  return cls === undefined ? inVocabulary(predicate) && !predicate.includes(' ') : cls.kind === 'iri' && inVocabulary(cls.value)
}

const schemaFacts = (model: Model): Fact[] => model.predicates.filter((predicate) => isSchema({ predicate })).flatMap((p) => model.find(p))

/** The schema as it is known by now, with the properties and classes that occur in the data. */
function viewOf(schema: readonly Fact[], predicates: ReadonlySet<string>): GraphView {
  const byPredicate = Map.groupBy(schema, ({ predicate }) => predicate)
  return view([...predicates], (predicate) => byPredicate.get(predicate) ?? [])
}

function predicatesOf(facts: readonly Fact[]): Set<string> {
  const predicates = new Set<string>()
  for (const { predicate } of facts) predicates.add(predicate)
  return predicates
}

const viewOfModel = (model: Model): GraphView => view(model.predicates, (predicate) => model.find(predicate))

function view(predicates: readonly string[], factsOf: (predicate: string) => readonly Fact[]): GraphView {
  const quadsOf = (predicate: string) => factsOf(predicate).flatMap((fact) => factTriple(fact) ?? [])
  const classes = predicates.flatMap((predicate) => classOf(predicate) ?? [])
  const partitions = predicates.filter((predicate) => classOf(predicate) !== undefined)
  const properties = new Set(
    predicates.flatMap((predicate) => {
      const meaning = meaningOf(predicate)
      return meaning.kind === 'property' ? [meaning.property] : []
    }),
  )
  return {
    triples: (property) => (property === RDF_TYPE ? partitions.flatMap(quadsOf) : quadsOf(property)),
    instances: (cls) => {
      const name = partitions.find((predicate) => {
        const own = classOf(predicate)
        return own?.kind === cls.kind && own.value === cls.value
      })
      return name === undefined ? [] : quadsOf(name).map(({ subject }) => subject)
    },
    properties,
    classes,
  }
}
