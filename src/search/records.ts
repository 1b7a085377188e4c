/** The records that a run has read: each once, by its IRI, with the columns that the ceiling allows. */
import { type AliasableExpression, type Expression, type SelectQueryBuilder, type SqlBool, expressionBuilder, sql } from 'kysely'
import type { ExecutedQuery } from '../contracts/index.ts'
import { compareText } from '../kernel/term.ts'
import { type Ontology, type OntologyClass, type OntologyProperty, recordIri } from '../ontology/index.ts'
import type { Cell, Selected } from '../sources/index.ts'
import { type AnyTables, type SpannedQuery, compileSpanned, queryBuilder } from './compiler/spans.ts'
import { type SearchContext, remainingMs, wireCell } from './context.ts'

export interface LoadedRecord {
  readonly iri: string
  readonly cls: OntologyClass
  /** by column name */
  readonly cells: { get(column: string): Cell | undefined }
  /** which of the set's queries brought it */
  readonly query: number
}

/** Tuples of column values; records that match any of them are wanted. null wants every record. */
export interface Wanted {
  readonly columns: readonly string[]
  readonly tuples: readonly (readonly Cell[])[]
}

/** Records of a class; null wants every one. */
export interface Load {
  readonly cls: OntologyClass
  readonly wanted: Wanted | null
}

interface Reading {
  readonly query: SpannedQuery
  readonly maxRows: number
  readonly selected: Selected
}

const TUPLES_PER_QUERY = 400

/** The cells of one row by column name; all rows of a query share the places of their columns. */
class RowCells {
  private readonly row: readonly Cell[]
  private readonly places: ReadonlyMap<string, number>

  constructor(row: readonly Cell[], places: ReadonlyMap<string, number>) {
    this.row = row
    this.places = places
  }

  get(column: string): Cell | undefined {
    const at = this.places.get(column)
    return at === undefined ? undefined : (this.row[at] ?? null)
  }
}

export class RecordSet {
  private readonly byIri = new Map<string, LoadedRecord>()
  private sorted: readonly LoadedRecord[] | null = null
  private readonly readings: Reading[] = []
  readonly queries: ExecutedQuery[] = []

  get size(): number {
    return this.byIri.size
  }
  get(iri: string): LoadedRecord | undefined {
    return this.byIri.get(iri)
  }
  /** in IRI order, so that everything downstream is the same whatever order the rows came in */
  all(): readonly LoadedRecord[] {
    return (this.sorted ??= [...this.byIri.values()].toSorted((a, b) => compareText(a.iri, b.iri)))
  }
  tables(): string[] {
    return [...new Set(this.byIri.values().map(({ cls }) => cls.table))].toSorted(compareText)
  }

  /** The set without all other records; what its queries were stays the same. */
  only(iris: ReadonlySet<string>): RecordSet {
    const subset = new RecordSet()
    for (const [iri, record] of this.byIri) if (iris.has(iri)) subset.byIri.set(iri, record)
    subset.queries.push(...this.queries)
    subset.readings.push(...this.readings)
    return subset
  }

  /** Runs every query of the set once more: true when each gives the same rows, and so the set would be read the same again. */
  async isUnchanged(context: SearchContext, stage: string): Promise<boolean> {
    const again = await Promise.all(this.readings.map(({ query, maxRows }) => readOnce(context, stage, query, maxRows)))
    return this.readings.every(({ selected: before }, at) => {
      const now = again[at]
      return now !== undefined && now.truncated === before.truncated && sameRows(now.rows, before.rows)
    })
  }

  /** Reads the wanted records of a class; returns those not seen before. */
  load(context: SearchContext, stage: string, cls: OntologyClass, wanted: Wanted | null, maxRows: number): Promise<LoadedRecord[]> {
    return this.loadAll(context, stage, [{ cls, wanted }], maxRows)
  }

  /** Reads several at once; the set is the same as if each had waited for the one before it. */
  async loadAll(context: SearchContext, stage: string, loads: readonly Load[], maxRows: number): Promise<LoadedRecord[]> {
    const asked = loads
      .filter(({ cls }) => cls.key.length > 0)
      .flatMap(({ cls, wanted }) =>
        (wanted === null ? [null] : chunked(wanted)).map((chunk) => ({ cls, query: recordQuery(context.ontology, cls, chunk) })),
      )
    const found = await Promise.all(asked.map(({ query }) => readOnce(context, stage, query, maxRows)))
    return asked.flatMap(({ cls, query }, at) => {
      const selected = found[at]
      return selected === undefined ? [] : this.add(context.ontology, cls, { query, maxRows, selected })
    })
  }

  private add(ontology: Ontology, cls: OntologyClass, reading: Reading): LoadedRecord[] {
    const { query, selected: { rows, columns, ms } } = reading
    this.readings.push(reading)
    this.queries.push({ sql: query.sql, params: query.params.map(wireCell), rows: rows.length, ms, purpose: 'relations' })
    const fresh: LoadedRecord[] = []
    const places = new Map(columns.map((column, at) => [column, at]))
    for (const row of rows) {
      const cells = new RowCells(row, places)
      const key = cls.key.map((column) => cells.get(column) ?? null)
      // a record whose key has a hole or raw bytes in it cannot be named, so nothing may rest on it
      if (key.some((cell) => cell === null || cell instanceof Uint8Array)) continue
      const iri = recordIri(ontology, cls, key.map(wireText))
      if (this.byIri.has(iri)) continue
      const record = { iri, cls, cells, query: this.queries.length - 1 }
      this.byIri.set(iri, record)
      fresh.push(record)
    }
    this.sorted = null
    return fresh
  }
}

const readOnce = (context: SearchContext, stage: string, query: SpannedQuery, maxRows: number): Promise<Selected> =>
  context.source.select(query, {
    maxRows,
    timeoutMs: remainingMs(context, stage),
    ...(context.signal === undefined ? {} : { signal: context.signal }),
  })

const sameRows = (a: Selected['rows'], b: Selected['rows']): boolean =>
  a.length === b.length && a.every((row, at) => row.every((cell, i) => sameCell(cell, b[at]?.[i])))

export function sameCell(a: Cell | undefined, b: Cell | undefined): boolean {
  if (a instanceof Uint8Array && b instanceof Uint8Array) return a.length === b.length && a.every((byte, at) => byte === b[at])
  return a === b
}

export const wireText = (cell: Cell): string => String(wireCell(cell) ?? '')

/** The columns of a class that may be read: its key and everything behind a visible property. */
export const visibleColumns = (cls: OntologyClass): string[] =>
  [...new Set([...cls.key, ...cls.properties.flatMap((property) => property.columns)])].toSorted(compareText)

export function recordQuery(ontology: Ontology, cls: OntologyClass, wanted: Wanted | null): SpannedQuery {
  let query = queryBuilder(ontology.dialect).selectFrom(
    sql<Record<string, unknown>>`${sql.id(cls.table)}`.as('t0'),
  ) as unknown as SelectQueryBuilder<AnyTables, string, Record<string, unknown>>
  for (const column of visibleColumns(cls)) query = query.select((sql.id('t0', column) as AliasableExpression<unknown>).as(column))
  if (wanted !== null) query = query.where(matches(wanted))
  for (const key of cls.key) query = query.orderBy(sql.id('t0', key))
  return compileSpanned(ontology.dialect, query.toOperationNode())
}

function matches({ columns, tuples }: Wanted): Expression<SqlBool> {
  const eb = expressionBuilder<AnyTables, string>()
  const only = columns[0]
  if (columns.length === 1 && only !== undefined) return eb(sql.id('t0', only), 'in', tuples.map(([cell]) => cell))
  return eb.or(tuples.map((tuple) => eb.and(columns.map((column, at) => eb(sql.id('t0', column), '=', tuple[at] ?? null)))))
}

function chunked({ columns, tuples }: Wanted): Wanted[] {
  const unique = [...new Map(tuples.map((tuple) => [JSON.stringify(tuple.map(wireText)), tuple])).values()]
  const chunks: Wanted[] = []
  for (let at = 0; at < unique.length; at += TUPLES_PER_QUERY) chunks.push({ columns, tuples: unique.slice(at, at + TUPLES_PER_QUERY) })
  return chunks
}

/** How a record is called: its label column, else its class and key. */
export function recordLabel({ cls, cells }: LoadedRecord): string {
  const property = cls.properties.find((candidate) => candidate.name === cls.labelProperty)
  const cell = property === undefined ? null : (cells.get(property.columns[0] ?? '') ?? null)
  return cell === null ? `${cls.label} ${cls.key.map((key) => wireText(cells.get(key) ?? null)).join(', ')}` : inSentence(wireText(cell))
}

/** A value inside a sentence: on one line, in one direction, and never looking like a citation of ours. */
export const inSentence = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').replaceAll(/[\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, '').replaceAll(/\[(\d+)\]/g, '($1)')

/** The IRI of the record that an object property of this record leads to, when that record can be named by its key. */
export function referenceOf(ontology: Ontology, record: LoadedRecord, propertyName: string): string | null {
  const reference = referencesFrom(ontology, record.cls).get(propertyName)
  if (reference === undefined) return null
  const parts = reference.columns.map((column) => (column === null ? null : (record.cells.get(column) ?? null)))
  return parts.includes(null) ? null : recordIri(ontology, reference.target, parts.map(wireText))
}

interface Reference {
  readonly target: OntologyClass
  /** the own column behind each part of the target's key */
  readonly columns: readonly (string | null)[]
}

const known = new WeakMap<Ontology, Map<OntologyClass, ReadonlyMap<string, Reference>>>()

/** By property; made once per ontology and class, since records are many. */
function referencesFrom(ontology: Ontology, cls: OntologyClass): ReadonlyMap<string, Reference> {
  const classes = known.get(ontology) ?? new Map<OntologyClass, ReadonlyMap<string, Reference>>()
  known.set(ontology, classes)
  const found = classes.get(cls)
  if (found !== undefined) return found
  const made = new Map(
    cls.properties.toReversed().flatMap((property): [string, Reference][] => {
      const target = ontology.classes.find(({ name }) => name === property.range)
      if (property.kind !== 'object' || target === undefined) return []
      return [[property.name, { target, columns: target.key.map((key) => columnBehind(property, key)) }]]
    }),
  )
  classes.set(cls, made)
  return made
}

function columnBehind({ refColumns, columns }: OntologyProperty, key: string): string | null {
  const at = refColumns.indexOf(key)
  return at === -1 ? null : (columns[at] ?? null)
}
