/**
 * Live data against the shapes, by SQL: for each constraint one query that counts the records that break it and one that reads
 * five of their keys. A check that cannot run is part of the report, not missing from it.
 */
import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { ServiceError } from '../../contracts/index.ts'
import type { AnyTables, Cell, Dialect, Source, SqlQuery } from '../../sources/index.ts'
import { compileQuery, queryBuilder } from '../../sources/index.ts'
import { hexBinary } from '../instances/lexical.ts'
import { recordNode } from '../instances/record.ts'
import type { Ontology, OntologyClass } from '../ontology.ts'
import { type Constraint, type LeftToDatabase, type SchemaOption, constraintsOf } from './constraints.ts'
import { componentOf, sourceShape } from './shapes.ts'
import { violation } from './violation-sql.ts'

export const SAMPLE_KEYS = 5

export interface Check {
  readonly id: string
  readonly constraint: Constraint
  readonly count: SqlQuery
  /** the keys of a few records that break it, in key order; null for a class without a key */
  readonly sample: SqlQuery | null
}

export interface CheckOutcome {
  readonly id: string
  readonly class: string
  /** names of the properties it is about */
  readonly properties: readonly string[]
  readonly kind: Constraint['kind']
  /** what a record must, in words: `have a value` */
  readonly says: string
  /** IRIs of the property (where it is one), of the shape and of the SHACL constraint component */
  readonly path: string | null
  readonly shape: string
  readonly component: string
  readonly status: 'holds' | 'violated' | 'failed'
  /** how many records break it; null when that could not be found out */
  readonly violations: number | null
  readonly samples: readonly SampleKey[]
  /** why it, or the reading of its samples, failed */
  readonly reason: string | null
}

export interface SampleKey {
  /** null where the record has no whole key to be named by */
  readonly iri: string | null
  readonly key: Readonly<Record<string, string | null>>
}

export interface ValidationReport {
  /** every check ran and none found anything */
  readonly conforms: boolean
  readonly checks: readonly CheckOutcome[]
  readonly left: readonly LeftToDatabase[]
}

export interface ValidationOptions extends SchemaOption {
  /** for one query; a table too large for it fails its check and no other */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
  readonly onProgress?: (done: number, of: number) => void
}

/** The checks of an ontology that has been cut to a ceiling. */
export function validationPlan(ontology: Ontology, schema: SchemaOption = {}): Check[] {
  return planned(ontology, constraintsOf(ontology, schema).constraints)
}

function planned(ontology: Ontology, constraints: readonly Constraint[]): Check[] {
  return constraints.flatMap((constraint): Check[] => {
    const broken = violators(constraint, ontology.dialect)
    if (broken === null) return []
    const { key } = constraint.cls
    const count = broken.select(sql<number>`count(*)`.as('violations'))
    const keys = key
      .map((column) => sql.id('t0', column))
      .reduce((query, column, at) => query.select(column.as(`key${at}`)).orderBy(column), broken)
    // the number is written out: MySQL binds none in LIMIT
    const sample = key.length === 0 ? null : compileQuery(ontology.dialect, keys.limit(sql.lit(SAMPLE_KEYS)).toOperationNode())
    return [{ id: constraint.id, constraint, count: compileQuery(ontology.dialect, count.toOperationNode()), sample }]
  })
}

export type Query = SelectQueryBuilder<AnyTables, string, Record<string, unknown>>

export const fromTable = (dialect: Dialect, { table }: OntologyClass, alias = 't0'): Query =>
  queryBuilder(dialect).selectFrom(sql<Record<string, unknown>>`${sql.id(table)}`.as(alias)) as unknown as Query

/** The records that break a constraint, as a query without a select list; null where the engine cannot hold any. */
function violators(constraint: Constraint, dialect: Dialect): Query | null {
  const query = fromTable(dialect, constraint.cls)
  if (constraint.kind !== 'unique') {
    const condition = violation(constraint, dialect)
    return condition === null ? null : query.where(condition)
  }
  const { cls, columns } = constraint
  const groups = columns.reduce(
    (grouped, column, at) => grouped.select(sql.id('g', column).as(`c${at}`)).groupBy(sql.id('g', column)),
    fromTable(dialect, cls, 'g'),
  )
  const shared = groups.having(sql<SqlBool>`count(*) > 1`).as('d')
  // an inner join on equality leaves NULL out on both sides, as UNIQUE does
  return query.innerJoin(shared as never, (join) =>
    columns.reduce((on, column, at) => on.on(sql.id('d', `c${at}`) as never, '=', sql.id('t0', column) as never), join),
  ) as unknown as Query
}

/** Two at a time: as many as a source answers side by side. */
const AT_ONCE = 2

/** Throws when it is cancelled; everything else that goes wrong goes wrong for one check and is told there. */
export async function runValidation(
  source: Source,
  ontology: Ontology,
  options: ValidationOptions = {},
): Promise<ValidationReport> {
  const { timeoutMs = 30_000, signal, onProgress, ...schema } = options
  const { constraints, left } = constraintsOf(ontology, schema)
  const checks = planned(ontology, constraints)
  const outcomes: CheckOutcome[] = []
  const limits = { timeoutMs, ...(signal === undefined ? {} : { signal }) }
  let [next, done] = [0, 0]
  const work = async (): Promise<void> => {
    for (let at = next++; at < checks.length; at = next++) {
      const check = checks[at]
      if (check === undefined) return
      outcomes[at] = await runCheck(source, ontology, check, limits)
      onProgress?.((done += 1), checks.length)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return { conforms: outcomes.every(({ status }) => status === 'holds'), checks: outcomes, left }
}

type Limits = { readonly timeoutMs: number; readonly signal?: AbortSignal }

async function runCheck(source: Source, ontology: Ontology, check: Check, limits: Limits): Promise<CheckOutcome> {
  const { constraint } = check
  const { cls, kind, property, says } = constraint
  const properties = constraint.kind === 'unique' ? constraint.properties : property === null ? [] : [property]
  const about = {
    id: check.id, class: cls.name, properties: properties.map(({ name }) => name), kind, says, path: property?.iri ?? null,
    shape: sourceShape(ontology, constraint), component: componentOf(ontology, constraint), samples: [], reason: null,
  }
  const counted = await attempt(() => source.select(check.count, { ...limits, maxRows: 1 }))
  if ('reason' in counted) return { ...about, status: 'failed', violations: null, reason: counted.reason }
  const violations = Number(counted.value.rows[0]?.[0] ?? 0)
  if (violations === 0) return { ...about, status: 'holds', violations }
  const { sample } = check
  if (sample === null) return { ...about, status: 'violated', violations }
  const read = await attempt(() => source.select(sample, { ...limits, maxRows: SAMPLE_KEYS }))
  if ('reason' in read) return { ...about, status: 'violated', violations, reason: `no samples: ${read.reason}` }
  return { ...about, status: 'violated', violations, samples: read.value.rows.map((row) => sampleKey(ontology, cls, row)) }
}

function sampleKey(ontology: Ontology, cls: OntologyClass, row: readonly Cell[]): SampleKey {
  const node = recordNode(ontology, cls, new Map(cls.key.map((column, at) => [column, row[at] ?? null])))
  const key = Object.fromEntries(cls.key.map((column, at) => [column, keyText(row[at] ?? null)]))
  return { iri: node.kind === 'iri' ? node.value : null, key }
}

const keyText = (cell: Cell): string | null =>
  cell instanceof Uint8Array ? `0x${hexBinary(cell)}` : cell === null ? null : String(cell)

/** The caller's own leaving is no finding about the data. */
const ENDS: ReadonlySet<string> = new Set(['cancelled', 'shutting_down'])

async function attempt<T>(work: () => Promise<T>): Promise<{ readonly value: T } | { readonly reason: string }> {
  try {
    return { value: await work() }
  } catch (error) {
    if (error instanceof ServiceError && ENDS.has(error.code)) throw error
    return { reason: error instanceof ServiceError ? error.message : 'the database refused to run this check' }
  }
}
