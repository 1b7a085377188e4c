/** Rows of metadata from their three origins: proposed by us, kept in the source's own table, set by a person. */
import { type MetadataRow, TIERS, type Tier, UNLABELLED, metadataKey } from '../contracts/index.ts'
import { compareText } from '../kernel/term.ts'
import type { Catalogue, SqlQuery, Table } from '../sources/index.ts'

/** A row of the store says whether it is an earlier proposal of ours. */
export type SaidRow = MetadataRow & { readonly proposed?: boolean }

/**
 * What a person set stays as it is; what he left empty comes from the proposal. An empty list of synonyms is a decision too:
 * whoever wants them back writes them. Rows about things that are no longer there are kept, in case they come back.
 * For three origins: `mergeMetadata(mergeMetadata(proposed, ofTheSource), ofTheStore)`.
 */
export function mergeMetadata(proposed: readonly MetadataRow[], stored: readonly SaidRow[]): MetadataRow[] {
  const said = new Map(stored.filter((row) => row.proposed !== true).map((row) => [metadataKey(row), row]))
  const merged = proposed.map((row) => {
    const own = said.get(metadataKey(row))
    said.delete(metadataKey(row))
    return own === undefined ? row : overlaid(row, own)
  })
  const left = [...said].toSorted(([x], [y]) => compareText(x, y)).map(([, row]) => rowOf(row))
  return [...merged, ...left]
}

function overlaid(row: MetadataRow, own: SaidRow): MetadataRow {
  return {
    ...row,
    synonyms: own.synonyms,
    semantic_type: own.semantic_type ?? row.semantic_type,
    label: own.label ?? row.label,
    description: own.description ?? row.description,
    sensitivity_tier: own.sensitivity_tier ?? row.sensitivity_tier,
    is_event_class: own.is_event_class ?? row.is_event_class,
    has_key_columns: own.has_key_columns ?? row.has_key_columns,
    is_transitive: own.is_transitive ?? row.is_transitive,
    is_symmetric: own.is_symmetric ?? row.is_symmetric,
    is_functional: own.is_functional ?? row.is_functional,
    is_inverse_functional: own.is_inverse_functional ?? row.is_inverse_functional,
    inverse_of: own.inverse_of ?? row.inverse_of,
    disjoint_group: own.disjoint_group ?? row.disjoint_group,
  }
}

/** The row alone, without what the store knows beside it. */
const rowOf = (row: SaidRow): MetadataRow => ({
  target_type: row.target_type,
  table_name: row.table_name,
  column_name: row.column_name,
  semantic_type: row.semantic_type,
  label: row.label,
  description: row.description,
  synonyms: row.synonyms,
  sensitivity_tier: row.sensitivity_tier,
  is_event_class: row.is_event_class,
  has_key_columns: row.has_key_columns,
  is_transitive: row.is_transitive,
  is_symmetric: row.is_symmetric,
  is_functional: row.is_functional,
  is_inverse_functional: row.is_inverse_functional,
  inverse_of: row.inverse_of,
  disjoint_group: row.disjoint_group,
})

const METADATA_TABLE = 'ontology_metadata'
const COLUMNS: readonly string[] = [
  'target_type', 'table_name', 'column_name', 'semantic_type', 'label', 'description', 'synonyms', 'sensitivity_tier',
  'is_event_class', 'has_key_columns', 'is_transitive', 'is_symmetric', 'is_functional', 'is_inverse_functional', 'inverse_of',
  'disjoint_group',
]

/** A source's own table about its tables. It describes the data and is none, so it becomes no class. */
export const isMetadataTable = (table: Pick<Table, 'name' | 'columns'>): boolean =>
  table.name.toLowerCase() === METADATA_TABLE && table.columns.some(({ name }) => name.toLowerCase() === 'table_name')

/** The select that reads it, over the columns that this source's shape of it has; null where there is no such table. */
export function sourceMetadataQuery(catalogue: Catalogue): SqlQuery | null {
  const table = catalogue.tables.find(isMetadataTable)
  if (table === undefined) return null
  const present = COLUMNS.filter((column) => table.columns.some(({ name }) => name.toLowerCase() === column))
  // plain words of our own list, none reserved in any dialect: nothing of the source's spelling is quoted or copied
  return { sql: `select ${present.join(', ')} from ${METADATA_TABLE} order by ${present.slice(0, 3).join(', ')}`, params: [] }
}

export interface SourceMetadata {
  readonly rows: readonly MetadataRow[]
  /** what could not be taken over, in words */
  readonly faults: readonly string[]
}

/** Rows as they come from such a table, whatever its age: columns it does not have are null. */
export function readSourceMetadata(rows: readonly Readonly<Record<string, unknown>>[]): SourceMetadata {
  const faults: string[] = []
  const found = new Map<string, MetadataRow>()
  for (const [i, raw] of rows.entries()) {
    const cells = new Map(Object.entries(raw).map(([name, value]) => [name.toLowerCase(), value]))
    const row = sourceRow((name) => cells.get(name), (message) => faults.push(`row ${i + 1}: ${message}`))
    if (row === null) continue
    if (found.has(metadataKey(row))) faults.push(`row ${i + 1}: a second row about the same thing; the later one counts`)
    found.set(metadataKey(row), row)
  }
  return { rows: [...found.values()], faults }
}

function sourceRow(cell: (name: string) => unknown, fault: (message: string) => void): MetadataRow | null {
  const table = text(cell('table_name'), 256)
  if (table === null) {
    fault('it names no table')
    return null
  }
  const column = text(cell('column_name'), 256)
  const flag = (name: string): boolean | null => {
    const value = flagOf(cell(name))
    if (value === undefined) fault(`${name} is neither true nor false`)
    return value ?? null
  }
  const synonyms = list(cell('synonyms')).map((each) => each.slice(0, 128)).slice(0, 32)
  const keys = list(cell('has_key_columns')).filter((name) => name.length <= 256).slice(0, 16)
  return {
    target_type: column === null ? 'table' : 'column',
    table_name: table,
    column_name: column,
    semantic_type: text(cell('semantic_type'), 64),
    label: text(cell('label'), 256),
    description: text(cell('description'), 2000),
    synonyms,
    sensitivity_tier: tierOf(text(cell('sensitivity_tier'), 64), fault),
    is_event_class: flag('is_event_class'),
    has_key_columns: keys.length === 0 ? null : keys,
    is_transitive: flag('is_transitive'),
    is_symmetric: flag('is_symmetric'),
    is_functional: flag('is_functional'),
    is_inverse_functional: flag('is_inverse_functional'),
    inverse_of: text(cell('inverse_of'), 256),
    disjoint_group: text(cell('disjoint_group'), 64),
  }
}

function text(value: unknown, chars: number): string | null {
  if (typeof value !== 'string') return null
  const plain = value.trim()
  return plain === '' ? null : plain.slice(0, chars)
}

/** Spelled in any case. A word that is no tier of ours was meant to protect something, so it counts as the highest. */
function tierOf(word: string | null, fault: (message: string) => void): Tier | null {
  if (word === null) return null
  const known = TIERS.find((tier) => tier.toLowerCase() === word.toLowerCase())
  if (known === undefined) fault(`"${word}" is no tier and is taken for ${UNLABELLED}; known: ${TIERS.join(', ')}`)
  return known ?? UNLABELLED
}

/** undefined for what is neither; nothing at all is null. */
function flagOf(value: unknown): boolean | null | undefined {
  if (value === null || value === undefined || value === '') return null
  const word = String(value).trim().toLowerCase()
  if (['1', 'true', 'yes', 'y', 't'].includes(word)) return true
  return ['0', 'false', 'no', 'n', 'f'].includes(word) ? false : undefined
}

/** A JSON list, or words between commas or semicolons. */
function list(value: unknown): string[] {
  if (typeof value !== 'string') return []
  const parsed = value.trim().startsWith('[') ? jsonList(value) : null
  return (parsed ?? value.split(/[,;]/)).map((each) => each.trim()).filter((each) => each !== '')
}

function jsonList(value: string): string[] | null {
  try {
    const parsed: unknown = JSON.parse(value)
    return Array.isArray(parsed) && parsed.every((each) => typeof each === 'string') ? parsed : null
  } catch {
    return null
  }
}
