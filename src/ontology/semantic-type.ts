/** What kind of thing a column holds (`email`, `money`, `category` ...), from its role, its name and its values. */
import { singular, splitIdentifier, valueKind } from '../kernel/text/index.ts'
import type { Column, Table } from '../sources/index.ts'
import { isBookkeeping } from './junctions.ts'

/** `evident` is what the search for sensitive things found it to be. */
export function semanticType(table: Table, column: Column, evident: string | undefined): string {
  if (table.foreignKeys.some(({ columns }) => columns.includes(column.name))) return 'reference'
  if (evident !== undefined) return evident
  if (table.primaryKey.includes(column.name)) return 'identifier'
  const byType = typeOfValues(column)
  if (byType !== null) return byType
  const last = singular(splitIdentifier(column.name).at(-1) ?? '')
  if (column.valueType === 'text') return BY_TEXT_NAME.get(last) ?? (fewValues(table, column) ? 'category' : 'text')
  return BY_NUMBER_NAME.get(last) ?? 'measure'
}

function typeOfValues(column: Column): string | null {
  switch (column.valueType) {
    case 'boolean':
      return 'flag'
    case 'date':
    case 'datetime':
      return isBookkeeping(column) ? 'bookkeeping_time' : column.valueType === 'date' ? 'date' : 'time'
    case 'blob':
      return 'bytes'
    case 'text': {
      const kinds = new Set(column.samples.map(valueKind))
      const [only, ...more] = kinds
      return more.length === 0 && only !== undefined ? (BY_VALUE_KIND.get(only) ?? null) : null
    }
    default:
      return null
  }
}

const BY_VALUE_KIND = new Map<string, string>([['ip', 'ip_address'], ['uuid', 'uuid'], ['iri', 'url']])
const words = (type: string, ...names: readonly string[]): [string, string][] => names.map((name) => [name, type])
const BY_TEXT_NAME = new Map([
  ...words('name', 'name', 'title', 'label', 'hostname'),
  ...words('category', 'type', 'kind', 'status', 'state', 'category', 'level', 'role', 'mode', 'severity', 'priority', 'class'),
  ...words('code', 'code', 'number', 'no', 'serial', 'reference', 'key'),
  ...words('url', 'url', 'uri', 'website'),
  ...words('text', 'description', 'text', 'body', 'summary'),
])
const BY_NUMBER_NAME = new Map([
  ...words('identifier', 'id'),
  ...words('money', 'price', 'cost', 'amount', 'fee', 'budget', 'payment', 'sale'),
  ...words('ratio', 'percent', 'percentage', 'ratio', 'share'),
  ...words('quantity', 'count', 'quantity', 'qty', 'number'),
  ...words('year', 'year'),
])

/** A handful of values for many rows are the names of groups. */
const fewValues = (table: Table, { samples }: Column): boolean =>
  samples.length > 0 && samples.length <= 10 && table.rowCount >= samples.length * 5
