/** The records that a run has read: each once, by its IRI, with the columns that the ceiling allows. */
import { type AliasableExpression, type Expression, type SelectQueryBuilder, type SqlBool, expressionBuilder, sql } from 'kysely'
import type { ExecutedQuery } from '../contracts/index.ts'
import { compareText } from '../kernel/term.ts'
import { type Ontology, type OntologyClass, recordIri } from '../ontology/index.ts'
import type { Cell } from '../sources/index.ts'
import { type AnyTables, type SpannedQuery, compileSpanned, queryBuilder } from './compiler/spans.ts'
import { type SearchContext, remainingMs, wireCell } from './context.ts'

export interface LoadedRecord {
  readonly iri: string
  readonly cls: OntologyClass
  /** by column name */
  readonly cells: ReadonlyMap<string, Cell>
  /** which of the set's queries brought it */
  readonly query: number
}

/** Tuples of column values; records that match any of them are wanted. null wants every record. */
export interface Wanted {
  readonly columns: readonly string[]
  readonly tuples: readonly (readonly Cell[])[]
}

const TUPLES_PER_QUERY = 400

export class RecordSet {
  private readonly byIri = new Map<string, LoadedRecord>()
  readonly queries: ExecutedQuery[] = []

  get size(): number {
    return this.byIri.size
  }
  get(iri: string): LoadedRecord | undefined {
    return this.byIri.get(iri)
  }
  /** in IRI order, so that everything downstream is the same whatever order the rows came in */
  all(): LoadedRecord[] {
    return [...this.byIri.values()].toSorted((a, b) => compareText(a.iri, b.iri))
  }

  /** The set without all other records; what its queries were stays the same. */
  only(iris: ReadonlySet<string>): RecordSet {
    const subset = new RecordSet()
    for (const [iri, record] of this.byIri) if (iris.has(iri)) subset.byIri.set(iri, record)
    subset.queries.push(...this.queries)
    return subset
  }

  /** Reads the wanted records of a class; returns those not seen before. */
  async load(context: SearchContext, stage: string, cls: OntologyClass, wanted: Wanted | null, maxRows: number): Promise<LoadedRecord[]> {
    if (cls.key.length === 0) return []
    const fresh: LoadedRecord[] = []
    const chunks = wanted === null ? [null] : chunked(wanted)
    for (const chunk of chunks) {
      const query = recordQuery(context.ontology, cls, chunk)
      const { rows, columns, ms } = await context.source.select(query, {
        maxRows,
        timeoutMs: remainingMs(context, stage),
        ...(context.signal === undefined ? {} : { signal: context.signal }),
      })
      this.queries.push({ sql: query.sql, params: query.params.map(wireCell), rows: rows.length, ms, purpose: 'relations' })
      for (const row of rows) {
        const cells = new Map(columns.map((column, at) => [column, row[at] ?? null]))
        // a record whose key has a hole or raw bytes in it cannot be named, so nothing may rest on it
        if (cls.key.some((key) => cells.get(key) === null || cells.get(key) instanceof Uint8Array)) continue
        const iri = recordIri(context.ontology, cls, cls.key.map((key) => wireText(cells.get(key) ?? null)))
        if (this.byIri.has(iri)) continue
        const record = { iri, cls, cells, query: this.queries.length - 1 }
        this.byIri.set(iri, record)
        fresh.push(record)
      }
    }
    return fresh
  }
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

/** A value inside a sentence: on one line, and never looking like a citation of ours. */
export const inSentence = (text: string): string => text.replaceAll(/\p{Cc}+/gu, ' ').replaceAll(/\[(\d+)\]/g, '($1)')

/** The IRI of the record that an object property of this record leads to, when that record can be named by its key. */
export function referenceOf(ontology: Ontology, record: LoadedRecord, propertyName: string): string | null {
  const property = record.cls.properties.find((candidate) => candidate.name === propertyName && candidate.kind === 'object')
  const target = ontology.classes.find((cls) => cls.name === property?.range)
  if (property === undefined || target === undefined) return null
  const parts = target.key.map((key) => {
    const at = property.refColumns.indexOf(key)
    return at === -1 ? null : (record.cells.get(property.columns[at] ?? '') ?? null)
  })
  return parts.includes(null) ? null : recordIri(ontology, target, parts.map((part) => wireText(part)))
}
