/** Tables for tests, as short as the test needs them. */
import type { MetadataRow } from '../contracts/index.ts'
import type { Catalogue, Column, ForeignKey, Table } from '../sources/index.ts'
import { buildOntology } from './build.ts'
import type { Ontology } from './ontology.ts'

export const BASES = { baseIri: 'https://example.org/o#', recordBase: 'https://example.org/r/' }

export const column = (name: string, more: Partial<Column> = {}): Column => ({
  name, declaredType: '', valueType: 'text', nullable: true, generated: false, comment: null, samples: [], ...more,
})
export const id = column('id', { valueType: 'integer', nullable: false })
export const time = (name: string, more: Partial<Column> = {}): Column => column(name, { valueType: 'datetime', ...more })

export const table = (name: string, columns: readonly Column[], more: Partial<Table> = {}): Table => ({
  name, kind: 'table', columns, primaryKey: ['id'], uniques: [], foreignKeys: [], rowCount: 2, comment: null, checks: [], ...more,
})
export const key = (columns: readonly string[], refTable: string, refColumns: readonly string[] = ['id']): ForeignKey => ({
  columns, refTable, refColumns, inferred: null,
})
/** Columns `<table>_id`, each a reference to that table. */
export const linking = (name: string, to: readonly string[], more: Partial<Table> = {}): Table => {
  const ids = to.map((each) => `${each}_id`)
  const columns = ids.map((each) => column(each, { valueType: 'integer', nullable: false }))
  return table(name, columns, { primaryKey: ids, foreignKeys: to.map((each) => key([`${each}_id`], each)), ...more })
}

export const catalogue = (tables: readonly Table[]): Catalogue => ({ dialect: 'sqlite', tables })
export const build = (tables: readonly Table[], metadata: readonly MetadataRow[] = []): Ontology =>
  buildOntology(catalogue(tables), { ...BASES, metadata })
