/**
 * Phase 1: what we would say about every table and column if nobody else says anything. A person may overrule each word of
 * it; the seven axiom columns stay empty, since nothing in a schema proves them.
 */
import type { MetadataRow } from '../contracts/index.ts'
import { singular, splitIdentifier } from '../kernel/text/index.ts'
import type { Catalogue, Column, ForeignKey, Table, ValueType } from '../sources/index.ts'
import { isEventTable } from './events.ts'
import { type Junction, isBookkeeping, junctionsOf } from './junctions.ts'
import { isMetadataTable } from './metadata.ts'
import { classLabel, propertyLabel, propertyName, referenceName } from './names.ts'
import { semanticType } from './semantic-type.ts'
import { proposeTier } from './tiers.ts'

export function proposeMetadata(catalogue: Catalogue): MetadataRow[] {
  const tables = catalogue.tables.filter((table) => !isMetadataTable(table))
  const junctions = junctionsOf(tables)
  const spoken = wordsInUse(tables)
  return tables.flatMap((table) => {
    const labels = columnLabels(table)
    return [
      tableRow(table, junctions.get(table.name), spoken),
      ...table.columns.map((column) => columnRow(table, column, labels)),
    ]
  })
}

/** Nothing said at all; `said` wins. */
export function emptyRow(table: string, column: string | null, said: Partial<MetadataRow> = {}): MetadataRow {
  return {
    target_type: column === null ? 'table' : 'column',
    table_name: table,
    column_name: column,
    semantic_type: null,
    label: null,
    description: null,
    synonyms: [],
    sensitivity_tier: null,
    is_event_class: null,
    has_key_columns: null,
    is_transitive: null,
    is_symmetric: null,
    is_functional: null,
    is_inverse_functional: null,
    inverse_of: null,
    disjoint_group: null,
    ...said,
  }
}

/**
 * A table gets no tier: the tier of a table lies under all its columns, and a proposal must not keep a person from lowering
 * one of them. How sensitive a class is follows from its key.
 */
function tableRow(table: Table, junction: Junction | undefined, spoken: ReadonlyMap<string, number>): MetadataRow {
  const event = isEventTable(table)
  const label = classLabel(table.name)
  return emptyRow(table.name, null, {
    semantic_type: table.kind === 'view' ? 'view' : event ? 'event' : junction === undefined ? 'entity' : 'relationship',
    label: clipped(label, 256),
    description: clipped(commentOf(table) ?? sentenceAbout(table, event, junction), 2000),
    synonyms: distinct(label, [...tableSynonyms(table, spoken), ...commentSynonyms(table.comment)]),
    is_event_class: event,
  })
}

function columnRow(table: Table, column: Column, labels: ReadonlyMap<string, string>): MetadataRow {
  const label = labels.get(column.name) ?? column.name
  const { tier, type } = proposeTier(table, column)
  return emptyRow(table.name, column.name, {
    semantic_type: semanticType(table, column, type),
    label: clipped(label, 256),
    description: clipped(commentOf(column) ?? sentenceOf(table, column, label), 2000),
    synonyms: distinct(label, [...columnSynonyms(table, column), ...commentSynonyms(column.comment)]),
    sensitivity_tier: tier,
  })
}

/** A reference is called after what it leads to, unless another column is called so already. */
function columnLabels(table: Table): Map<string, string> {
  const plain = new Map(table.columns.map(({ name }) => [name, propertyLabel(propertyName(name))]))
  const taken = new Set(plain.values())
  return new Map(
    table.columns.map(({ name }) => {
      const key = soleKey(table, name)
      const short = key === undefined ? null : propertyLabel(referenceName([name], key.refTable))
      return [name, short !== null && !taken.has(short) ? short : (plain.get(name) ?? name)]
    }),
  )
}

const soleKey = (table: Table, column: string): ForeignKey | undefined =>
  table.foreignKeys.find(({ columns }) => columns.length === 1 && columns[0] === column)

const commentOf = ({ comment }: { readonly comment: string | null }): string | null => {
  const text = comment?.replaceAll(/\s+/g, ' ').trim() ?? ''
  return text === '' ? null : text
}

/** Says nothing of other tables or columns beyond the key: who may see the class may see its key, and perhaps nothing else. */
function sentenceAbout(table: Table, event: boolean, junction: Junction | undefined): string {
  if (table.kind === 'view') return `One row of the view ${table.name}.`
  const key = table.primaryKey
  const inKey = junction !== undefined && [...junction.from.columns, ...junction.to.columns].every((each) => key.includes(each))
  if (inKey) return `Connects ${junction.from.refTable} with ${junction.to.refTable}: one record of the table ${table.name}.`
  const identified = key.length === 0 ? '' : `, identified by ${listed(key)}`
  return `${event ? 'Something that happened: one' : 'One'} record of the table ${table.name}${identified}.`
}

const KINDS: Readonly<Record<ValueType, string>> = {
  integer: 'a whole number',
  decimal: 'a number',
  boolean: 'true or false',
  text: 'a text',
  date: 'a date',
  datetime: 'a date and time',
  blob: 'bytes',
}

function sentenceOf(table: Table, column: Column, label: string): string {
  const [key, inKey] = [soleKey(table, column.name), table.primaryKey.includes(column.name)]
  const what = key === undefined ? KINDS[column.valueType] : `a reference to ${key.refTable}`
  // whether a column of a view may be empty, no engine says
  const presence = inKey || table.kind === 'view' ? null : column.nullable ? 'may be missing' : 'always present'
  const parts = [what, column.generated ? 'computed by the database' : null, presence].filter((part) => part !== null)
  return `${subjectOf(table, column, label)}: ${parts.join(', ')}.`
}

function subjectOf(table: Table, column: Column, label: string): string {
  const noun = classLabel(table.name)
  const capital = label.slice(0, 1).toUpperCase() + label.slice(1)
  if (table.kind === 'view') return `${capital} in the view ${table.name}`
  if (table.primaryKey.length === 1 && table.primaryKey[0] === column.name) return `Identifies the ${noun.toLowerCase()}`
  if (isBookkeeping(column)) return `${capital} of the row`
  if (capital === noun && column.valueType === 'text') return `What the ${noun.toLowerCase()} is called`
  const part = table.primaryKey.includes(column.name) ? ' (part of its key)' : ''
  return `${capital} of the ${noun.toLowerCase()}${part}`
}

const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

/** Words that say of any table that it is one. */
const EMPTY_NOUNS = new Set([
  'data', 'text', 'list', 'info', 'detail', 'item', 'record', 'table', 'entry', 'line', 'value', 'map',
])

/** How many tables and columns have this as their last word. A reference is called after what it leads to, and counts as that. */
function wordsInUse(tables: readonly Table[]): Map<string, number> {
  const counts = new Map<string, number>()
  const named = tables.flatMap((table) => [table, ...table.columns.filter(({ name }) => soleKey(table, name) === undefined)])
  for (const { name } of named) {
    const word = singular(splitIdentifier(name).at(-1) ?? '')
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return counts
}

/** The last word of a name alone, when no other table or column could be meant by it. */
function tableSynonyms(table: Table, spoken: ReadonlyMap<string, number>): string[] {
  const words = splitIdentifier(table.name)
  const last = singular(words.at(-1) ?? '')
  const alone = words.length > 1 && table.kind === 'table' && spoken.get(last) === 1
  return alone && last.length > 2 && !EMPTY_NOUNS.has(last) ? [last] : []
}

/** `customer_name` of customers is also their "name", unless they have a column of that name. */
function columnSynonyms(table: Table, column: Column): string[] {
  const words = splitIdentifier(column.name)
  const noun = splitIdentifier(table.name).map((word) => singular(word))
  const rest = words.slice(noun.length)
  const led = rest.length > 0 && noun.every((word, i) => singular(words[i] ?? '') === word)
  if (!led || table.columns.some(({ name }) => splitIdentifier(name).join(' ') === rest.join(' '))) return []
  return [rest.join(' ')]
}

/** A comment of a few words is another name; a longer one may give a short form in brackets: "radio access network (RAN)". */
function commentSynonyms(comment: string | null): string[] {
  const text = comment?.replaceAll(/\s+/g, ' ').trim() ?? ''
  const short = [...text.matchAll(/\(([A-Z][A-Za-z0-9]{1,9})\)/g)].flatMap(([, word]) => (word === undefined ? [] : [word]))
  const whole = /^[\p{L}\p{N}][\p{L}\p{N} '-]{1,39}$/u.test(text) && text.split(' ').length <= 4 ? [text.toLowerCase()] : []
  return [...whole, ...short]
}

const MAX_SYNONYMS = 5

/** In the order found, none twice, none that only repeats the label. */
function distinct(label: string, found: readonly string[]): string[] {
  const same = (text: string): string => splitIdentifier(text).map((word) => singular(word)).join(' ')
  const seen = new Map(found.map((text) => [same(text), clipped(text, 128)]))
  seen.delete(same(label))
  return [...seen.values()].slice(0, MAX_SYNONYMS)
}

const clipped = (text: string, chars: number): string =>
  text.length <= chars ? text : `${text.slice(0, chars - 1).toWellFormed().trimEnd()}…`
