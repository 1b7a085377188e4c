/** mapping/logical_physical_map.csv: which table and columns stand behind each class and property. */
import type { Ontology } from './ontology.ts'

const HEADER = ['class', 'property', 'kind', 'table', 'columns', 'ref_table', 'ref_columns', 'range', 'tier', 'inferred']

export function mappingCsv(ontology: Ontology): string {
  const tableOf = new Map(ontology.classes.map(({ name, table }) => [name, table]))
  const lines = ontology.classes.flatMap((cls) => [
    [cls.name, '', 'class', cls.table, cls.key.join(' '), '', '', '', cls.tier, ''],
    ...cls.properties.map((property) => [
      cls.name,
      property.name,
      property.kind,
      cls.table,
      property.columns.join(' '),
      property.kind === 'object' ? (tableOf.get(property.range) ?? '') : '',
      property.refColumns.join(' '),
      property.range,
      property.tier,
      property.inferred ?? '',
    ]),
  ])
  return [HEADER, ...lines].map((cells) => `${cells.map(csvCell).join(',')}\n`).join('')
}

/** RFC 4180; a cell that a spreadsheet would run as a formula is kept from it by a quote. */
function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
