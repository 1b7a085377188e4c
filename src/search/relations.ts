/**
 * Stage relations: the neighbours of the selected records along foreign keys, both ways, one query per table and hop.
 * For a why-question it reads everything that the rules may join, because an absence can be claimed only over what was read.
 */
import { LIMITS } from '../contracts/index.ts'
import type { DatalogRule } from '../kernel/datalog/index.ts'
import type { Ontology, OntologyClass } from '../ontology/index.ts'
import type { Cell } from '../sources/index.ts'
import type { SearchContext } from './context.ts'
import type { Executed } from './execute.ts'
import { argumentClasses, atomsOf } from './planner/rule-heads.ts'
import { type LoadedRecord, RecordSet, referenceOf } from './records.ts'

export interface Related {
  readonly records: RecordSet
  readonly hops: number
  readonly tables: readonly string[]
  /** false when a bound was met: what is absent from the records may then exist in the source */
  readonly complete: boolean
}

/** Neighbours of a plain answer: one hop, of the first records only. They are context for the reader, not premises. */
const CONTEXT_RECORDS = 50
const CONTEXT_ROWS = 500
/** Tables of up to so many rows in all are read whole for a why-question. */
const SMALL_ROWS = 5000

export async function relations(
  context: SearchContext,
  executed: Executed,
  rules: readonly DatalogRule[],
  smallRows = SMALL_ROWS,
): Promise<Related> {
  const { ontology, flavor } = context
  const records = new RecordSet()
  const root = ontology.classes.find((cls) => cls.name === executed.plan.from)
  if (root === undefined) return { records, hops: 0, tables: [], complete: true }
  const why = executed.plan.why !== undefined

  const scope = why ? classesOf(rules, ontology) : ontology.classes
  const maxRows = why ? LIMITS.relation_rows : CONTEXT_ROWS
  const keys = executed.evidence.map(({ key }) => key).slice(0, why ? undefined : CONTEXT_RECORDS)
  let frontier = await records.load(context, 'relations', root, { columns: root.key, tuples: keys }, maxRows)
  if (why) {
    for (const given of executed.plan.why?.given ?? []) frontier.push(...(await loadGiven(context, records, executed, given.argument, given.class)))
    const whole = loadedWhole(rules, ontology).map((cls) => ({ cls, wanted: null }))
    frontier.push(...(await records.loadAll(context, 'relations', whole, maxRows + 1)))
  }

  // a few thousand records are sooner read whole, table by table, than followed key by key
  if (why && scope.reduce((sum, cls) => sum + cls.instances, 0) <= smallRows) {
    const start = frontier.map(({ iri }) => iri)
    await records.loadAll(context, 'relations', scope.map((cls) => ({ cls, wanted: null })), maxRows + 1)
    return { records, hops: hopsFrom(ontology, records, start), tables: records.tables(), complete: records.size <= maxRows && !executed.givenTruncated }
  }
  // rules may recurse (a service that depends on a service ...), so for them hops end when nothing new is found
  const maxHops = why ? (flavor.hops ?? Number.POSITIVE_INFINITY) : 1
  let hops = 0
  while (frontier.length > 0 && hops < maxHops && records.size <= maxRows) {
    const fresh = await records.loadAll(context, 'relations', neighbours(frontier, scope), maxRows + 1)
    if (fresh.length > 0) hops += 1
    frontier = fresh
  }
  const complete = !why || (frontier.length === 0 && records.size <= maxRows && !executed.givenTruncated)
  return { records, hops, tables: records.tables(), complete }
}

/** How many foreign keys away the farthest connected record lies. */
function hopsFrom(ontology: Ontology, records: RecordSet, start: readonly string[]): number {
  const near = new Map<string, string[]>()
  const connect = (from: string, to: string): void => {
    const known = near.get(from)
    if (known === undefined) near.set(from, [to])
    else known.push(to)
  }
  for (const record of records.all()) {
    for (const { name, kind } of record.cls.properties) {
      const target = kind === 'object' ? referenceOf(ontology, record, name) : null
      if (target === null || records.get(target) === undefined) continue
      connect(record.iri, target)
      connect(target, record.iri)
    }
  }
  const seen = new Set(start)
  let hops = 0
  for (let frontier = [...start]; frontier.length > 0; ) {
    const next = [...new Set(frontier.flatMap((iri) => near.get(iri) ?? []))].filter((iri) => !seen.has(iri))
    for (const iri of next) seen.add(iri)
    if (next.length > 0) hops += 1
    frontier = next
  }
  return hops
}

async function loadGiven(context: SearchContext, records: RecordSet, executed: Executed, argument: number, className: string) {
  const cls = context.ontology.classes.find((candidate) => candidate.name === className)
  const tuples = executed.givenKeys.get(argument) ?? []
  const known = (executed.given.get(argument) ?? []).every((iri) => records.get(iri) !== undefined)
  return cls === undefined || known ? [] : records.load(context, 'relations', cls, { columns: cls.key, tuples }, LIMITS.relation_rows)
}

/** For each class in scope, the key tuples that would reach it from the frontier. */
function neighbours(frontier: readonly LoadedRecord[], scope: readonly OntologyClass[]) {
  const asked: { cls: OntologyClass; wanted: { columns: readonly string[]; tuples: Cell[][] } }[] = []
  for (const cls of scope) {
    for (const property of cls.properties) {
      const target = scope.find((candidate) => candidate.name === property.range)
      if (property.kind !== 'object' || target === undefined) continue
      const forward = tuplesOf(frontier, cls, property.columns)
      if (forward.length > 0) asked.push({ cls: target, wanted: { columns: property.refColumns, tuples: forward } })
      const backward = tuplesOf(frontier, target, property.refColumns)
      if (backward.length > 0) asked.push({ cls, wanted: { columns: property.columns, tuples: backward } })
    }
  }
  return asked
}

const tuplesOf = (frontier: readonly LoadedRecord[], cls: OntologyClass, columns: readonly string[]): Cell[][] =>
  frontier
    .filter((record) => record.cls.name === cls.name)
    .map(({ cells }) => columns.map((column) => cells.get(column) ?? null))
    .filter((tuple) => !tuple.includes(null))

/** Classes that the rules name, and those that their references lead to: two facts may meet in a record that neither describes. */
function classesOf(rules: readonly DatalogRule[], ontology: Ontology): OntologyClass[] {
  const named = new Set<string>()
  for (const atom of rules.flatMap((rule) => atomsOf(rule.body))) {
    const cls = ontology.classes.find((candidate) => candidate.name === atom.predicate)
    if (cls === undefined) continue
    named.add(cls.name)
    for (const [at, property] of cls.properties.entries()) {
      const used = atom.args[at + 1]
      if (property.kind === 'object' && used !== null && used !== undefined) named.add(property.range)
    }
  }
  return ontology.classes.filter((cls) => named.has(cls.name))
}

/**
 * Classes that a rule joins by value and not by record (a lab result and a criterion of the same analyte): no foreign key
 * leads from one to the other, so they are read whole.
 */
export function loadedWhole(rules: readonly DatalogRule[], ontology: Ontology): OntologyClass[] {
  const whole = new Set<string>()
  for (const rule of rules) {
    const atoms = atomsOf(rule.body)
    const groups = atoms.map((atom) => ({ names: new Set([atom.predicate]), variables: recordVariables(atom, ontology, rules) }))
    const merged: typeof groups = []
    for (const group of groups) {
      const touching = merged.filter((other) => [...group.variables].some((variable) => other.variables.has(variable)))
      const union = {
        names: new Set([...group.names, ...touching.flatMap((other) => [...other.names])]),
        variables: new Set([...group.variables, ...touching.flatMap((other) => [...other.variables])]),
      }
      merged.splice(0, merged.length, ...merged.filter((other) => !touching.includes(other)), union)
    }
    if (merged.length > 1) for (const { names } of merged) for (const name of names) whole.add(name)
  }
  return ontology.classes.filter((cls) => whole.has(cls.name))
}

/** Variables that stand for records: at a class's record or object property, or where a derived predicate takes a record. */
function recordVariables(atom: ReturnType<typeof atomsOf>[number], ontology: Ontology, rules: readonly DatalogRule[]): Set<string> {
  const cls = ontology.classes.find((candidate) => candidate.name === atom.predicate)
  const places = cls === undefined ? argumentClasses({ rules, unavailable: new Map() }, ontology, atom.predicate) : []
  const isRecord = (at: number) =>
    cls === undefined ? (places[at] ?? null) !== null : at === 0 || cls.properties[at - 1]?.kind === 'object'
  return new Set(atom.args.flatMap((arg, at) => (arg !== null && 'variable' in arg && isRecord(at) ? [arg.variable] : [])))
}
