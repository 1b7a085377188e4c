/** Tables that do nothing but connect two others: what they say is one relationship, not a thing of its own. */
import { maxTier } from '../contracts/index.ts'
import { plural, splitIdentifier } from '../kernel/text/index.ts'
import { compareText } from '../kernel/term.ts'
import type { Column, ForeignKey, Table } from '../sources/index.ts'
import { propertyLabel, referenceName, uniqueNames } from './names.ts'
import type { OntologyClass, OntologyRelationship } from './ontology.ts'

export interface Junction {
  readonly from: ForeignKey
  readonly to: ForeignKey
}

/**
 * By table name. Such a table has two foreign keys that share no column, beside them at most a key of its own and the times
 * at which a row was written, neither foreign key is unique alone, and no other table declares that it refers to it: what others
 * refer to is a thing (a copy of a film in a shop), however few columns it has. A key inferred from values does not count: the
 * values may be above the ceiling, and what they say must not change what is seen below it.
 */
export function junctionsOf(tables: readonly Table[]): Map<string, Junction> {
  const declared = tables.flatMap(({ foreignKeys }) => foreignKeys.filter(({ inferred }) => inferred === null))
  const referred = new Set(declared.map(({ refTable }) => refTable))
  return new Map(
    tables.flatMap((table): [string, Junction][] => {
      const junction = referred.has(table.name) ? null : junctionOf(table)
      return junction === null ? [] : [[table.name, junction]]
    }),
  )
}

function junctionOf(table: Table): Junction | null {
  const position = new Map(table.columns.map(({ name }, i) => [name, i]))
  const first = (key: ForeignKey): number => Math.min(...key.columns.map((column) => position.get(column) ?? Infinity))
  const [from, to, ...more] = table.foreignKeys.toSorted((x, y) => first(x) - first(y))
  if (table.kind !== 'table' || from === undefined || to === undefined || more.length > 0) return null
  if (from.columns.some((column) => to.columns.includes(column))) return null
  const own = table.primaryKey.length === 1 ? table.primaryKey : []
  const known = new Set([...from.columns, ...to.columns, ...own])
  if (table.columns.some((column) => !known.has(column.name) && !isBookkeeping(column))) return null
  const keys = [table.primaryKey, ...table.uniques].filter((columns) => columns.length > 0)
  const oneSided = keys.some((columns) => [from, to].some((side) => columns.every((column) => side.columns.includes(column))))
  return oneSided ? null : { from, to }
}

const WRITING = new Set([
  'created', 'create', 'creation', 'updated', 'update', 'modified', 'modify', 'modification', 'inserted', 'insert', 'changed',
])
const AROUND_WRITING = new Set(['last', 'row', 'record', 'at', 'on', 'date', 'time', 'timestamp', 'ts'])

/** When a row was written (`last_update`, `created_at`), which is about the table and not about the world. */
export function isBookkeeping({ name, valueType }: Pick<Column, 'name' | 'valueType'>): boolean {
  if (valueType !== 'date' && valueType !== 'datetime') return false
  const words = splitIdentifier(name)
  return words.some((word) => WRITING.has(word)) && words.every((word) => WRITING.has(word) || AROUND_WRITING.has(word))
}

/** One relationship per junction, from the foreign key whose column stands first to the other. Tiers must be settled. */
export function relationshipsOf(
  classes: readonly OntologyClass[],
  junctions: ReadonlyMap<string, Junction>,
): OntologyRelationship[] {
  const byName = new Map(classes.map((cls) => [cls.name, cls]))
  const drafts = classes.flatMap((cls) => {
    const junction = junctions.get(cls.table)
    if (junction === undefined) return []
    const [fromProperty, toProperty] = [propertyBehind(cls, junction.from), propertyBehind(cls, junction.to)]
    const [from, to] = [byName.get(fromProperty?.range ?? ''), byName.get(toProperty?.range ?? '')]
    if (fromProperty === undefined || toProperty === undefined || from === undefined || to === undefined) return []
    return [{ cls, from, to, fromProperty, toProperty, wanted: manyOf(referenceName(junction.to.columns, junction.to.refTable)) }]
  })
  return [...Map.groupBy(drafts, ({ from }) => from)].flatMap(([from, group]) => {
    const wanted = new Map(group.map((draft) => [draft.cls.table, draft.wanted]))
    const taken = from.properties.map(({ name }) => name)
    const names = uniqueNames([...wanted.keys()], (table) => wanted.get(table) ?? table, taken)
    return group.map(({ cls, to, fromProperty, toProperty, wanted: plain }): OntologyRelationship => {
      const name = names.get(cls.table) ?? plain
      return {
        name,
        iri: `${from.iri}.${name}`,
        label: propertyLabel(plain),
        description: `Connects ${lower(from.label)} with ${lower(to.label)}, as the table ${cls.table} records it.`,
        from: from.name,
        to: to.name,
        junction: cls.name,
        fromProperty: fromProperty.name,
        toProperty: toProperty.name,
        functional: false,
        tier: maxTier(cls.tier, from.tier, to.tier, fromProperty.tier, toProperty.tier),
      }
    })
  }).toSorted((x, y) => compareText(x.iri, y.iri))
}

const propertyBehind = (cls: OntologyClass, { columns, refColumns }: ForeignKey) =>
  cls.properties.find(
    (property) =>
      property.kind === 'object' && same(property.columns, columns) && same(property.refColumns, refColumns),
  )

const same = (x: readonly string[], y: readonly string[]): boolean => x.length === y.length && x.every((each, i) => each === y[i])

/** `depends_on_service` is `depends_on_services`. */
function manyOf(name: string): string {
  const words = name.split('_')
  return [...words.slice(0, -1), plural(words.at(-1) ?? '')].join('_')
}

const lower = (label: string): string => label.slice(0, 1).toLowerCase() + label.slice(1)
