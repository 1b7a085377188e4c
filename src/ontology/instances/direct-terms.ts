/** The terms of the W3C direct mapping (https://www.w3.org/TR/rdb-direct-mapping/): IRIs of tables, columns, rows; typed values. */
import type { Term } from '../../kernel/term.ts'
import { XSD, iri } from '../../kernel/term.ts'
import type { Column, Table } from '../../sources/index.ts'
import { blankLabel } from './content.ts'
import { literalOf } from './lexical.ts'
import type { Cells } from './read.ts'

export const tableIri = (base: string, table: Table): Term => iri(base + encoded(table.name))
export const columnIri = (base: string, table: Table, column: string): Term =>
  iri(`${base}${encoded(table.name)}#${encoded(column)}`)
export const referenceIri = (base: string, table: Table, columns: readonly string[]): Term =>
  iri(`${base}${encoded(table.name)}#ref-${columns.map(encoded).join(';')}`)

/** `<Student/ID=10;Name=Venus%20Williams>`, or a blank node where the table has no primary key or the key has a hole in it. */
export function rowNode(base: string, table: Table, cells: Cells, ordinal = 0): Term {
  const parts = table.primaryKey.map((name) => {
    const column = table.columns.find((each) => each.name === name)
    const value = column === undefined ? null : valueTerm(column, cells)
    return value === null ? null : `${encoded(name)}=${encoded(value.value)}`
  })
  if (parts.length > 0 && !parts.includes(null)) return iri(`${base}${encoded(table.name)}/${parts.join(';')}`)
  return { kind: 'bnode', value: blankLabel(table.name, table.columns.map(({ name }) => cells.get(name) ?? null), ordinal) }
}

export const valueTerm = (column: Column, cells: Cells): Term | null =>
  literalOf(cells.get(column.name) ?? null, `${XSD}${datatypeOf(column)}`)

/**
 * R2RML's natural mapping of SQL types. The declared type decides, as approximate numbers and times have no type of their own in
 * the catalogue; a column without a declaration is what its values are.
 */
export function datatypeOf({ declaredType, valueType }: Column): string {
  const type = declaredType.toUpperCase()
  if (/BOOL/.test(type) || valueType === 'boolean') return 'boolean'
  if (/REAL|FLOA|DOUB/.test(type)) return 'double'
  if (/TIMESTAMP|DATETIME/.test(type)) return 'dateTime'
  if (/DATE/.test(type)) return 'date'
  if (/^TIME\b/.test(type)) return 'time'
  if (/CHAR|CLOB|TEXT/.test(type)) return 'string'
  if (/BLOB|BINARY|BYTEA/.test(type)) return 'hexBinary'
  return NATURAL[valueType]
}

const NATURAL: Readonly<Record<Column['valueType'], string>> = {
  integer: 'integer',
  decimal: 'decimal',
  boolean: 'boolean',
  text: 'string',
  date: 'date',
  datetime: 'dateTime',
  blob: 'hexBinary',
}

// iunreserved of RFC 3987: letters of any script stay readable
const RESERVED =
  /[^A-Za-z0-9\-._~\u00A0-\uD7FF\uF900-\uFDCF\uFDF0-\uFFEF\u{10000}-\u{1FFFD}\u{20000}-\u{2FFFD}\u{30000}-\u{3FFFD}]/gu

const utf8 = new TextEncoder()
const encoded = (text: string): string =>
  text.toWellFormed().replaceAll(RESERVED, (char) =>
    [...utf8.encode(char)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  )
