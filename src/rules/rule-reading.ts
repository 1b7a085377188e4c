/** One rule of any kind as the engine will run it: its rules or axioms, and whatever keeps it from running. */
import type { Fault, Rule } from '../contracts/index.ts'
import { type DatalogRule, parseRules } from '../kernel/datalog/index.ts'
import { OWL, type Quad, RDFS, SH } from '../kernel/rdf/index.ts'
import { compileShaclRules, type ShaclFault } from '../kernel/shacl/index.ts'
import { readConstruct } from './construct-rule.ts'
import { compileDatalogRule } from './datalog-graph.ts'
import { headsAmong, relationsIn } from './datalog-scan.ts'
import { LIBRARY_BASE } from './library-base.ts'
import type { RuleVocabulary } from './rule-vocabulary.ts'
import { placeAt, placeOfIri } from './text-place.ts'
import { parseFragment } from './turtle-fragment.ts'

export type RuleText = Pick<Rule, 'id' | 'kind' | 'body'>

export interface ReadingContext {
  /** what a Datalog rule may name; without it names are looked at when the rule runs */
  readonly vocabulary?: RuleVocabulary
  readonly baseIri?: string
  /** the rules beside this one: a Datalog rule may read what they derive */
  readonly others?: readonly RuleText[]
}

export interface RuleReading {
  readonly errors: readonly Fault[]
  readonly warnings: readonly Fault[]
  readonly rules: readonly DatalogRule[]
  /** what an OWL rule adds to the graph */
  readonly axioms: readonly Quad[]
  /** the SPARQL store runs the rule: not all that it reads stands in `rules` */
  readonly isDelegated: boolean
}

const read = (parts: Partial<RuleReading>): RuleReading => ({
  errors: [], warnings: [], rules: [], axioms: [], isDelegated: false, ...parts,
})

/** Whoever checks one rule reads all beside it again and again: the last readings are kept, as many as do not weigh too much. */
const KEPT_WEIGHT = 150_000
interface Kept {
  readonly readings: Map<string, RuleReading>
  weight: number
}
const noneKept = (): Kept => ({ readings: new Map(), weight: 0 })
const kept = noneKept()
const keptFor = new WeakMap<RuleVocabulary, Kept>()

export function readRule(rule: RuleText, context: ReadingContext = {}): RuleReading {
  const { vocabulary, baseIri = '', others = [] } = context
  const isPlain = rule.kind !== 'datalog' || vocabulary === undefined
  // Datalog text is read by the vocabulary and by what the rules beside it give
  const beside = isPlain ? '' : headsAmong(others).key
  const key = JSON.stringify([rule.kind, rule.id, rule.body, baseIri, beside])
  let known = kept
  if (!isPlain) {
    known = keptFor.get(vocabulary) ?? noneKept()
    keptFor.set(vocabulary, known)
  }
  const { readings } = known
  const stood = readings.get(key)
  const found = stood ?? freshReading(rule, context)
  readings.delete(key)
  readings.set(key, found)
  if (stood === undefined) known.weight += weightOf(key, found)
  for (const [oldest, reading] of readings) {
    if (known.weight <= KEPT_WEIGHT || readings.size === 1) break
    readings.delete(oldest)
    known.weight -= weightOf(oldest, reading)
  }
  return found
}

/** About what a reading takes in memory, in conditions and triples. */
const weightOf = (key: string, { rules, axioms, errors }: RuleReading): number =>
  rules.reduce((sum, { body }) => sum + 1 + body.length, 1 + axioms.length + errors.length + Math.ceil(key.length / 128))

function freshReading(rule: RuleText, context: ReadingContext): RuleReading {
  switch (rule.kind) {
    case 'sparql':
      return readQuery(rule)
    case 'shacl':
      return readShapes(rule)
    case 'owl':
      return readAxioms(rule)
    case 'datalog':
      return readClauses(rule, context)
  }
}

const DELEGATED = 'the rule runs through the SPARQL store, with partial premises'

/** What is SPARQL but has no reading as rules still runs, elsewhere; that is worth a warning and no refusal. */
function readQuery(rule: RuleText): RuleReading {
  const reading = readConstruct(rule)
  if (reading.how === 'compiled') return read({ rules: reading.rules })
  const faults = reading.faults.map(({ message, line, column }) => ({ message, line, column }))
  if (reading.how === 'refused') return read({ errors: faults })
  const warnings = faults.map((fault) => ({ ...fault, message: `${fault.message}: ${DELEGATED}` }))
  return read({ warnings, rules: reading.delegated.rules, isDelegated: true })
}

function readShapes({ id, body }: RuleText): RuleReading {
  const parsed = parseFragment(body)
  if (!parsed.ok) return read({ errors: [parsed.fault] })
  if (!parsed.quads.some(({ predicate }) => predicate.value === `${SH}rule`)) {
    return read({ errors: [atStart('no shape of the text has a sh:rule')] })
  }
  const { rules, faults, notices } = compileShaclRules(parsed.quads, { id })
  const errors = faults.map((fault) => ({ message: fault.message, ...shapePlace(body, fault) }))
  return read({ errors, warnings: notices.map(atStart), rules: rules.flatMap((one) => one.rules) })
}

/** Triples have no places: a fault stands where its shape is named, and one of a query where that line of the query stands. */
function shapePlace(body: string, { shape, line, column }: ShaclFault): { line: number; column: number } {
  const own = (shape.kind === 'iri' ? placeOfIri(body, shape.value) : undefined) ?? { line: 1, column: 1 }
  if (line < 1) return own
  const queries = [...body.matchAll(/construct\s*("""|'''|"|')/gi)]
  const [only] = queries
  if (only === undefined || queries.length > 1) return own
  const start = placeAt(body, only.index + only[0].length)
  return line === 1 ? { line: start.line, column: start.column + column - 1 } : { line: start.line + line - 1, column }
}

function readAxioms({ body }: RuleText): RuleReading {
  const parsed = parseFragment(body)
  if (!parsed.ok) return read({ errors: [parsed.fault] })
  if (parsed.quads.length === 0) return read({ errors: [atStart('the text states no triple')] })
  const isAxiom = parsed.quads.some(({ predicate, object }) =>
    [OWL, RDFS].some((namespace) => predicate.value.startsWith(namespace) || object.value.startsWith(namespace)))
  const idle = [atStart('the text states no axiom: its triples are added to the graph and nothing follows')]
  return read({ axioms: parsed.quads, warnings: isAxiom ? [] : idle })
}

function readClauses({ id, body }: RuleText, { vocabulary, baseIri = LIBRARY_BASE, others = [] }: ReadingContext): RuleReading {
  if (vocabulary === undefined) {
    const parsed = parseRules(body, { relations: relationsIn(body), id })
    return parsed.ok ? read({ warnings: [atStart(UNCHECKED)] }) : read({ errors: parsed.faults })
  }
  const compiled = compileDatalogRule({ id, body }, vocabulary, baseIri, others)
  if (!compiled.ok) return read({ errors: compiled.faults })
  return read({ rules: compiled.rules, warnings: compiled.notes.map(atStart) })
}

const UNCHECKED = 'there is no ontology to check names against: that is done when the rule runs'

/** For what is wrong with a text as a whole. */
export const atStart = (message: string): Fault => ({ message, line: 1, column: 1 })
