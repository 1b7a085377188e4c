/** mapping/logical_physical_map.csv: which table, columns and value stand behind each class, property and relationship. */
import type { Ontology, OntologyClass } from './ontology.ts'

const HEADER = ['class', 'property', 'kind', 'table', 'columns', 'ref_table', 'ref_columns', 'range', 'tier', 'inferred', 'value']

export function mappingCsv(ontology: Ontology): string {
  const byName = new Map(ontology.classes.map((cls) => [cls.name, cls]))
  const tableOf = (name: string): string => byName.get(name)?.table ?? ''
  const classes = ontology.classes.flatMap((cls) => [
    [cls.name, '', 'class', cls.table, names(cls.key), '', '', '', cls.tier, '', ''],
    ...cls.properties.map((property) => [
      cls.name,
      property.name,
      property.kind,
      cls.table,
      names(property.columns),
      property.kind === 'object' ? tableOf(property.range) : '',
      names(property.refColumns),
      property.range,
      property.tier,
      property.inferred ?? '',
      '',
    ]),
  ])
  // both references of the connecting table: those that lead back first, then those that lead on
  const relationships = (ontology.relationships ?? []).map(({ name, from, to, junction, fromProperty, toProperty, tier }) => {
    const [back, on] = [property(byName.get(junction), fromProperty), property(byName.get(junction), toProperty)]
    const columns = names([...(back?.columns ?? []), ...(on?.columns ?? [])])
    return [from, name, 'relationship', tableOf(junction), columns, tableOf(to), names(on?.refColumns ?? []), to, tier, '', '']
  })
  const kinds = (ontology.eventSubclasses ?? []).map(({ name, parent, property: by, value, tier }) => {
    const columns = names(property(byName.get(parent), by)?.columns ?? [])
    return [name, '', 'event_subclass', tableOf(parent), columns, '', '', parent, tier, '', value]
  })
  return [HEADER, ...classes, ...relationships, ...kinds].map((cells) => `${cells.map(csvCell).join(',')}\n`).join('')
}

const property = (cls: OntologyClass | undefined, name: string) => cls?.properties.find((each) => each.name === name)

/** Apart by blanks; a name that has one in it, or a quote, stands in quotes. */
const names = (list: readonly string[]): string =>
  list.map((name) => (/[\s"]/.test(name) ? JSON.stringify(name) : name)).join(' ')

/** RFC 4180; a cell that a spreadsheet would run as a formula is kept from it by a quote. */
function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
