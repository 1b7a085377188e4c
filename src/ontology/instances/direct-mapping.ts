/**
 * The W3C direct mapping: a database as RDF with nothing added, from its tables and declared keys alone. It knows neither our
 * ontology nor its names; `withinOntology` gives it a catalogue that holds no more than a cut ontology does.
 */
import { ServiceError } from '../../contracts/index.ts'
import type { Quad } from '../../kernel/rdf/index.ts'
import { RDF_TYPE, XSD, quad } from '../../kernel/rdf/index.ts'
import type { Term } from '../../kernel/term.ts'
import { iri } from '../../kernel/term.ts'
import type { Catalogue, Cell, ForeignKey, Source, Table } from '../../sources/index.ts'
import type { Ontology } from '../ontology.ts'
import { blockOf, prologue } from './blocks.ts'
import { columnIri, referenceIri, rowNode, tableIri, valueTerm } from './direct-terms.ts'
import { lookUp } from './lookup.ts'
import type { Cells, ReadOptions, ReadRow } from './read.ts'
import { readPages } from './read.ts'
import { readColumns } from './record.ts'

export interface DirectOptions extends ReadOptions {
  /** every IRI starts with it, as in `http://example.com/base/` */
  readonly base: string
}

export async function* directMapping(source: Source, catalogue: Catalogue, options: DirectOptions): AsyncGenerator<Quad> {
  for await (const rows of mappedPages(source, catalogue, options)) for (const row of rows) yield* row
}

/** The same as Turtle, in chunks. */
export async function* streamDirectMapping(
  source: Source,
  catalogue: Catalogue,
  { header = [], ...options }: DirectOptions & { readonly header?: readonly string[] },
): AsyncGenerator<string> {
  const prefixes = { xsd: XSD }
  yield prologue(prefixes, header)
  for await (const rows of mappedPages(source, catalogue, options)) yield rows.map((row) => blockOf(row, prefixes)).join('')
}

/** The catalogue without tables and columns that the ontology does not name. */
export function withinOntology(catalogue: Catalogue, ontology: Ontology): Catalogue {
  const visible = new Map(ontology.classes.map((cls) => [cls.table, new Set(readColumns(cls))]))
  const reaches = (table: string, columns: readonly string[]): boolean =>
    columns.every((column) => visible.get(table)?.has(column) === true)
  const tables = catalogue.tables
    .filter(({ name }) => visible.has(name))
    .map((table) => ({
      ...table,
      columns: table.columns.filter(({ name }) => reaches(table.name, [name])),
      primaryKey: reaches(table.name, table.primaryKey) ? table.primaryKey : [],
      uniques: table.uniques.filter((columns) => reaches(table.name, columns)),
      foreignKeys: table.foreignKeys.filter((key) => reaches(table.name, key.columns) && reaches(key.refTable, key.refColumns)),
    }))
  return { ...catalogue, tables }
}

/** Views are queries, not tables: the mapping has no rows for them. Keys that we inferred are no keys to it. */
async function* mappedPages(source: Source, catalogue: Catalogue, options: DirectOptions): AsyncGenerator<Quad[][]> {
  const { base, signal } = options
  const tables = new Map(catalogue.tables.filter(({ kind }) => kind === 'table').map((table) => [table.name, table]))
  for (const table of tables.values()) {
    const columns = table.columns.map(({ name, valueType }) => ({ name, type: valueType }))
    const type = tableIri(base, table)
    for await (const page of readPages(source, { name: table.name, columns, key: table.primaryKey }, options)) {
      if (signal?.aborted === true) throw new ServiceError('cancelled', 'the direct mapping was stopped')
      const references = await referencesOf(source, table, tables, page, options)
      yield page.map((row) => {
        const subject = rowNode(base, table, row.cells, row.ordinal)
        return [
          quad(subject, a, type),
          ...table.columns.flatMap((column) => {
            const value = valueTerm(column, row.cells)
            return value === null ? [] : [quad(subject, columnIri(base, table, column.name), value)]
          }),
          ...references.flatMap(({ predicate, target }) => {
            const object = target(row.cells)
            return object === null ? [] : [quad(subject, predicate, object)]
          }),
        ]
      })
    }
  }
}

const a = iri(RDF_TYPE)

interface Reference {
  readonly predicate: Term
  readonly target: (cells: Cells) => Term | null
}

/** A reference holds between two rows that are there: engines that do not enforce keys leave others behind. */
async function referencesOf(
  source: Source,
  table: Table,
  tables: ReadonlyMap<string, Table>,
  page: readonly ReadRow[],
  options: DirectOptions,
): Promise<Reference[]> {
  const references: Reference[] = []
  for (const key of table.foreignKeys) {
    const target = tables.get(key.refTable)
    if (key.inferred !== null || target === undefined) continue
    const read = target.primaryKey.length > 0 ? target.primaryKey : target.columns.map(({ name }) => name)
    const tuples = page.map(({ cells }) => tupleOf(key, cells))
    const row = await lookUp(source, { table: target.name, by: key.refColumns, read }, tuples, options)
    references.push({
      predicate: referenceIri(options.base, table, key.columns),
      target: (cells) => {
        const found = row(tupleOf(key, cells))
        return found === null ? null : rowNode(options.base, target, found)
      },
    })
  }
  return references
}

const tupleOf = ({ columns }: ForeignKey, cells: Cells): readonly Cell[] => columns.map((column) => cells.get(column) ?? null)
