/** A rule is checked before it is kept: what could not run later is refused now, with its place in the text. */
import { type Fault, type Rule, RuleId } from '../contracts/index.ts'
import { parseRules } from '../kernel/datalog/index.ts'
import { OWL, RDFS, SH } from '../kernel/rdf/index.ts'
import { compileShaclRules } from '../kernel/shacl/index.ts'
import { readConstruct } from './construct-rule.ts'
import { compileDatalogRule } from './datalog-graph.ts'
import { relationsIn } from './datalog-scan.ts'
import { LIBRARY_BASE } from './library-base.ts'
import { RuleMeta } from '../contracts/index.ts'
import type { RuleVocabulary } from './rule-vocabulary.ts'
import { metaOf } from './slot-read.ts'
import { parseFragment } from './turtle-fragment.ts'

type RuleText = Pick<Rule, 'id' | 'kind' | 'body'> & { readonly meta?: unknown }

export interface RuleContext {
  /** what a Datalog rule may name; without it names are looked at when the rule runs */
  readonly vocabulary?: RuleVocabulary
  readonly baseIri?: string
  /** the rules beside this one: their ids are taken, and a Datalog rule may read what they derive */
  readonly others?: readonly Pick<Rule, 'id' | 'kind' | 'body'>[]
}

export interface Validation {
  /** whether the rule may be saved */
  readonly ok: boolean
  readonly errors: readonly Fault[]
  readonly warnings: readonly Fault[]
}

interface Findings {
  readonly errors?: readonly Fault[]
  readonly warnings?: readonly Fault[]
}

export function validateRule(rule: RuleText, context: RuleContext = {}): Validation {
  const found = [nameFindings(rule, context), bodyFindings(rule, context), slotFindings(rule, context)]
  const errors = found.flatMap((one) => one.errors ?? [])
  return { ok: errors.length === 0, errors, warnings: found.flatMap((one) => one.warnings ?? []) }
}

function nameFindings({ id }: RuleText, { others = [] }: RuleContext): Findings {
  const parsed = RuleId.safeParse(id)
  if (!parsed.success) return { errors: parsed.error.issues.map(({ message }) => ({ path: 'id', message })) }
  return others.some((other) => other.id === id) ? { errors: [{ path: 'id', message: 'another rule has this id' }] } : {}
}

function bodyFindings(rule: RuleText, context: RuleContext): Findings {
  switch (rule.kind) {
    case 'sparql':
      return constructFindings(rule)
    case 'shacl':
      return shapesFindings(rule)
    case 'owl':
      return axiomFindings(rule)
    case 'datalog':
      return datalogFindings(rule, context)
  }
}

const DELEGATED = 'the rule runs through the SPARQL store, with partial premises'

/** What is SPARQL but has no reading as rules still runs, elsewhere; that is worth a warning and no refusal. */
function constructFindings(rule: RuleText): Findings {
  const reading = readConstruct(rule)
  if (reading.how === 'compiled') return {}
  const faults = reading.faults.map(({ message, line, column }) => ({ message, line, column }))
  if (reading.how === 'refused') return { errors: faults }
  return { warnings: faults.map((fault) => ({ ...fault, message: `${fault.message}: ${DELEGATED}` })) }
}

function shapesFindings({ id, body }: RuleText): Findings {
  const parsed = parseFragment(body)
  if (!parsed.ok) return { errors: [parsed.fault] }
  if (!parsed.quads.some(({ predicate }) => predicate.value === `${SH}rule`)) {
    return { errors: [atStart('no shape of the text has a sh:rule')] }
  }
  const { faults, notices } = compileShaclRules(parsed.quads, { id })
  // triples have no places; a query inside them counts its own lines
  const errors = faults.map(({ message, line, column }) =>
    atStart(line > 0 ? `${message} (line ${line}, column ${column} of the query)` : message))
  return { errors, warnings: notices.map(atStart) }
}

function axiomFindings({ body }: RuleText): Findings {
  const parsed = parseFragment(body)
  if (!parsed.ok) return { errors: [parsed.fault] }
  if (parsed.quads.length === 0) return { errors: [atStart('the text states no triple')] }
  const isAxiom = parsed.quads.some(({ predicate, object }) =>
    [OWL, RDFS].some((namespace) => predicate.value.startsWith(namespace) || object.value.startsWith(namespace)))
  if (isAxiom) return {}
  return { warnings: [atStart('the text states no axiom: its triples are added to the graph and nothing follows')] }
}

function datalogFindings({ id, body }: RuleText, { vocabulary, baseIri = LIBRARY_BASE, others = [] }: RuleContext): Findings {
  if (vocabulary === undefined) {
    const parsed = parseRules(body, { relations: relationsIn(body), id })
    if (!parsed.ok) return { errors: parsed.faults }
    return { warnings: [atStart('there is no ontology to check names against: that is done when the rule runs')] }
  }
  const compiled = compileDatalogRule({ id, body }, vocabulary, baseIri, others.filter(({ kind }) => kind === 'datalog'))
  if (!compiled.ok) return { errors: compiled.faults }
  return { warnings: compiled.notes.map(atStart) }
}

/** Slots beside a text they do not say would show one rule and run another. */
function slotFindings({ kind, body, meta }: RuleText, { baseIri = LIBRARY_BASE }: RuleContext): Findings {
  if (meta === undefined) return {}
  const slots = RuleMeta.safeParse(meta)
  if (!slots.success) {
    return { errors: slots.error.issues.map(({ path, message }) => ({ path: ['meta', ...path].join('.'), message })) }
  }
  const said = kind === 'shacl' ? metaOf(body, baseIri) : null
  const isSame = said !== null && JSON.stringify(said) === JSON.stringify(slots.data)
  return isSame ? {} : { errors: [{ path: 'meta', message: 'the slots do not say what the text of the rule says' }] }
}

/** For what is wrong with a text as a whole. */
const atStart = (message: string): Fault => ({ message, line: 1, column: 1 })
