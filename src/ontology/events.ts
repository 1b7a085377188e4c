/** Tables whose rows are things that happened, and the kinds of happenings that a column tells apart. */
import { TIERS, maxTier } from '../contracts/index.ts'
import { compareText } from '../kernel/term.ts'
import { singular, splitIdentifier } from '../kernel/text/index.ts'
import type { Column, Table } from '../sources/index.ts'
import { isBookkeeping } from './junctions.ts'
import { RESERVED_CLASSES, kindLabel, kindName, uniqueNames } from './names.ts'
import type { OntologyClass, OntologyEventSubclass } from './ontology.ts'

/** A table called so holds happenings, whatever its columns are. */
const HAPPENINGS = new Set(['event', 'log', 'alarm', 'alert', 'incident', 'occurrence', 'outage', 'notification', 'audit'])
const BEFORE_OTHERS = new Set(['in', 'of', 'at', 'on', 'by', 'for', 'per'])
/** A time called so is when something happened; a table with `type` and `opened_at` may as well hold accounts. */
const HAPPENED = new Set([
  'occurred', 'happened', 'raised', 'logged', 'recorded', 'detected', 'triggered', 'reported', 'received', 'fired', 'event',
  'timestamp', 'time', 'ts',
])

/** By its name; or by a time at which something happened together with a column that says what. */
export function isEventTable(table: Table): boolean {
  if (table.kind !== 'table') return false
  const words = splitIdentifier(table.name)
  // what takes part in an event is none
  if (HAPPENINGS.has(singular(words.at(-1) ?? '')) && !BEFORE_OTHERS.has(words.at(-2) ?? '')) return true
  const kind = kindColumn(table)
  if (kind === null) return false
  const times = table.columns.filter((column) => column.valueType === 'datetime' && !isBookkeeping(column))
  if (splitIdentifier(kind.name).includes('event')) return times.length > 0
  return times.some(({ name, nullable }) => !nullable && splitIdentifier(name).some((word) => HAPPENED.has(word)))
}

/** The text column that tells kinds apart: `event_type` before `type`, `kind` and `<table>_type`. */
export function kindColumn(table: Table): Column | null {
  const noun = new Set(splitIdentifier(table.name).map((word) => singular(word)))
  const references = new Set(table.foreignKeys.flatMap(({ columns }) => columns))
  const fitting = table.columns.filter(({ name, valueType }) => {
    const words = splitIdentifier(name)
    const says = ['type', 'kind'].includes(words.at(-1) ?? '')
    const own = words.slice(0, -1).every((word) => word === 'event' || noun.has(word))
    return says && own && valueType === 'text' && !references.has(name)
  })
  return fitting.find(({ name }) => splitIdentifier(name).includes('event')) ?? fitting[0] ?? null
}

/**
 * A source shows at most 20 distinct values of a column: a list as long as that may go on, and what goes on is no list of
 * kinds. A value longer than a name is a text.
 */
const MAX_KINDS = 20
const KIND_CHARS = 60

/**
 * One subclass per value that the kind column of an event class was seen to have. The value is data, so a subclass is as
 * sensitive as the column it comes from, and is cut with it. Tiers must be settled.
 */
export function eventSubclassesOf(
  classes: readonly OntologyClass[],
  tables: ReadonlyMap<string, Table>,
  baseIri: string,
): OntologyEventSubclass[] {
  const drafts = classes.flatMap((cls) => {
    const table = tables.get(cls.table)
    const column = cls.isEvent === true && table !== undefined ? kindColumn(table) : null
    const property = cls.properties.find(({ kind, columns }) => kind === 'data' && columns[0] === column?.name)
    if (column === null || property === undefined) return []
    const values = [...new Set(column.samples)].toSorted(compareText)
    if (values.length >= MAX_KINDS || !values.every((value) => value.length <= KIND_CHARS && /\p{L}/u.test(value))) return []
    const tier = maxTier(cls.tier, property.tier)
    return values.map((value) => ({ cls, property, value, tier, source: `${cls.table}\0${value}` }))
  })
  const wanted = new Map(drafts.map(({ source, value, cls }) => [source, kindName(value, cls.name)]))
  const taken = [...RESERVED_CLASSES, ...classes.map(({ name }) => name)]
  // of two that want one name the more sensitive gives way, or a value above the ceiling would show in a name below it
  const names = new Map<string, string>()
  for (const level of TIERS) {
    const sources = drafts.flatMap(({ tier, source }) => (tier === level ? [source] : []))
    const found = uniqueNames(sources, (source) => wanted.get(source) ?? source, [...taken, ...names.values()])
    for (const [source, name] of found) names.set(source, name)
  }
  return drafts
    .map(({ cls, property, value, tier, source }): OntologyEventSubclass => {
      const name = names.get(source) ?? value
      return {
        name,
        iri: baseIri + name,
        label: kindLabel(value, cls.label),
        parent: cls.name,
        property: property.name,
        value,
        tier,
      }
    })
    .toSorted((x, y) => compareText(x.iri, y.iri))
}
