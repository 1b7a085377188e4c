/** Stage reason: the flavor's rules over the records that were read, cut at the ceiling, each derived fact with its premises. */
import { LIMITS, tierRank } from '../contracts/index.ts'
import { type DatalogRule, type Fact, type Model, type Program, type StoredFact, evaluate } from '../kernel/datalog/index.ts'
import { type Term, XSD, iri, literal } from '../kernel/term.ts'
import { type Ontology, datalogRelations } from '../ontology/index.ts'
import type { Cell } from '../sources/index.ts'
import type { SearchContext } from './context.ts'
import type { Executed } from './execute.ts'
import { type LoadedRecord, type RecordSet, referenceOf, wireText } from './records.ts'

export interface Reasoned {
  readonly program: Program
  readonly base: readonly Fact[]
  readonly model: Model
  /** derived facts of the goal that fit the records the question gives, in argument order */
  readonly answers: readonly StoredFact[]
}

export function reason(context: SearchContext, executed: Executed, records: RecordSet, rules: readonly DatalogRule[]): Reasoned {
  const program: Program = { relations: datalogRelations(context.ontology), rules }
  const base = factsOf(context.ontology, records)
  const deadline = context.startedAt + context.request.timeout_ms
  const model = evaluate(program, base, {
    maxFacts: LIMITS.reason_facts,
    maxRounds: LIMITS.reason_rounds,
    shouldStop: () => context.clock.now() > deadline || context.signal?.aborted === true,
  })
  const goal = executed.plan.why
  const answers = goal === undefined ? [] : model.find(goal.predicate).filter((fact) => fits(fact, executed.given))
  return { program, base, model, answers }
}

const fits = (fact: StoredFact, given: Executed['given']) =>
  [...given].every(([argument, iris]) => {
    const term = fact.args[argument]
    return term !== null && term !== undefined && term.kind === 'iri' && iris.includes(term.value)
  })

/** Of the records given for the argument asked for, those of which the goal was not derived, in the order they were read. */
export function othersOf({ plan, given }: Executed, { answers }: Reasoned): string[] {
  if (plan.why?.complement !== true) return []
  const { ask } = plan.why
  const derived = new Set(answers.flatMap(({ args }) => (args[ask]?.kind === 'iri' ? [args[ask].value] : [])))
  return (given.get(ask) ?? []).filter((record) => !derived.has(record))
}

/** One fact per record: the record itself, then its properties in the order of the ontology, as `datalogRelations` declares them. */
export function factsOf(ontology: Ontology, records: RecordSet): Fact[] {
  return records.all().map((record) => factOf(ontology, records, record))
}

function factOf(ontology: Ontology, records: RecordSet, record: LoadedRecord): Fact {
  const args = record.cls.properties.map((property): Term | null => {
    if (property.kind === 'object') {
      const target = referenceOf(ontology, record, property.name)
      // a reference to a record that is not there looks the same as none
      return target !== null && records.get(target) !== undefined ? iri(target) : null
    }
    return termOfCell(record.cells.get(property.columns[0] ?? '') ?? null, property.range)
  })
  const key = record.cls.properties.filter((property) => property.columns.some((column) => record.cls.key.includes(column)))
  return {
    predicate: record.cls.name,
    args: [iri(record.iri), ...args],
    tier: Math.max(tierRank(record.cls.tier), ...key.map((property) => tierRank(property.tier))),
    source: record.iri,
  }
}

/** A database value as a literal of the property's range, in a form that compares as what it is. */
export function termOfCell(cell: Cell, range: string): Term | null {
  if (cell === null || cell instanceof Uint8Array) return null
  const text = wireText(cell)
  if (range === `${XSD}dateTime`) return literal(text.replace(/^(\d{4}-\d\d-\d\d) /, '$1T'), range)
  if (range === `${XSD}boolean`) return literal(text === '1' || text === 'true' ? 'true' : 'false', range)
  return literal(text, range)
}
