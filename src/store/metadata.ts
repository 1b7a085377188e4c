/** What is said about tables and columns, at rest: proposals that may change, decisions of people that no proposal touches. */
import { sql } from 'kysely'
import { MetadataRow, type StoredMetadata, TIERS, type Tier, UNLABELLED, metadataKey } from '../contracts/index.ts'
import { compareText } from '../kernel/term.ts'
import { objectOf } from './json.ts'
import type { Tables } from './schema.ts'
import { type Connection, query } from './sqlite-dialect.ts'

/** Who signs the rows that phase 1 proposes. */
export const PROPOSER = 'wherefore'
/** Who signs rows that an older program kept without an author. */
const EARLIER = 'earlier program'

export interface MetadataChange {
  readonly table_name: string
  readonly column_name: string | null
  readonly author: string
  readonly proposed: boolean
  /** null when the row was new */
  readonly before: Readonly<Record<string, unknown>> | null
  readonly after: Readonly<Record<string, unknown>>
  readonly at: string
}

export interface Proposing {
  readonly inserted: number
  /** earlier proposals that say something else now */
  readonly updated: number
  /** rows that a person has set: they stay as they are */
  readonly kept: number
}

export interface MetadataStore {
  /** by table, then column; the row of the table itself comes first */
  list(): StoredMetadata[]
  propose(rows: readonly MetadataRow[], now: string): Proposing
  /** the rows as they stand afterwards; one that already says the same by a person's word is left alone */
  set(rows: readonly MetadataRow[], author: string, now: string): StoredMetadata[]
  /** oldest first; without a column the whole table, with null the row of the table itself */
  history(table: string, column?: string | null): MetadataChange[]
}

export function metadataOf(store: Connection): MetadataStore {
  const write = (rows: readonly MetadataRow[], author: string, proposed: boolean, now: string): Proposing =>
    store.transaction(() => {
      const known = new Map(read(store).map((row) => [metadataKey(row.stored), row]))
      const counts = { inserted: 0, updated: 0, kept: 0 }
      // of two lines about the same place the later one counts
      for (const row of new Map(rows.map(normal).map((each) => [metadataKey(each), each])).values()) {
        const found = known.get(metadataKey(row))
        const decided = found !== undefined && !found.stored.proposed
        if (decided && proposed) counts.kept += 1
        else if (found === undefined || decided === proposed || said(found.stored) !== said(row)) {
          save(store, row, found?.rowid, { author, proposed, now })
          // a first proposal changes nobody's word; its date stands on the row
          if (found !== undefined || !proposed) remember(store, row, found?.stored, { author, proposed, now })
          counts[found === undefined ? 'inserted' : 'updated'] += 1
        }
      }
      return counts
    })
  const list = () => read(store).map(({ stored }) => stored)
  return {
    list,
    propose: (rows, now) => write(rows, PROPOSER, true, now),
    set(rows, author, now) {
      write(rows, author, false, now)
      const asked = new Set(rows.map(metadataKey))
      return list().filter((row) => asked.has(metadataKey(row)))
    },
    history(table, column) {
      const all = query
        .selectFrom('ontology_metadata_history')
        .select(['table_name', 'column_name', 'author', 'proposed', 'before', 'after', 'at'])
        .where('table_name', '=', table)
        .orderBy('id')
      const asked = column === undefined ? all : all.where('column_name', column === null ? 'is' : '=', column)
      return store.rows(asked).map(({ proposed, before, after, ...row }) => ({
        ...row, proposed: proposed === 1, before: before === null ? null : objectOf(before), after: objectOf(after),
      }))
    },
  }
}

interface Kept {
  readonly rowid: number
  readonly stored: StoredMetadata
}

/** Rows that name no table are not about anything; of two rows about the same place the later one counts. */
function read(store: Connection): Kept[] {
  const rows = store.rows(
    query
      .selectFrom('ontology_metadata')
      .select([...FIELDS, 'author', 'proposed', 'created_at', 'updated_at', sql<number>`rowid`.as('rowid')])
      .orderBy(sql`rowid`),
  )
  const kept = new Map<string, Kept>()
  for (const row of rows) {
    if (text(row.table_name) === null) continue
    const stored = storedOf(row)
    kept.set(metadataKey(stored), { rowid: row.rowid, stored })
  }
  return [...kept.values()].toSorted(({ stored: x }, { stored: y }) => {
    return compareText(x.table_name, y.table_name) || compareText(x.column_name ?? '', y.column_name ?? '')
  })
}

const FIELDS = Object.keys(MetadataRow.shape) as (keyof MetadataRow)[]

type Row = Pick<Tables['ontology_metadata'], keyof MetadataRow | 'author' | 'proposed' | 'created_at' | 'updated_at'>

/** Older programs and people with a SQL prompt wrote some of these rows: read with patience, and towards the safer side. */
function storedOf(row: { [C in keyof Row]: unknown }): StoredMetadata {
  const column = text(row.column_name)
  return {
    target_type: column === null ? 'table' : 'column',
    table_name: text(row.table_name) ?? '',
    column_name: column,
    semantic_type: text(row.semantic_type, 64),
    label: text(row.label, 256),
    description: text(row.description, 2000),
    synonyms: list(row.synonyms).map((each) => each.slice(0, 128)).slice(0, 32),
    sensitivity_tier: tierOf(row.sensitivity_tier),
    is_event_class: flag(row.is_event_class),
    has_key_columns: text(row.has_key_columns) === null ? null : list(row.has_key_columns).slice(0, 16),
    is_transitive: flag(row.is_transitive),
    is_symmetric: flag(row.is_symmetric),
    is_functional: flag(row.is_functional),
    is_inverse_functional: flag(row.is_inverse_functional),
    inverse_of: text(row.inverse_of, 256),
    disjoint_group: text(row.disjoint_group, 64),
    author: text(row.author) ?? EARLIER,
    proposed: row.proposed === 1,
    created_at: text(row.created_at) ?? '',
    updated_at: text(row.updated_at) ?? text(row.created_at) ?? '',
  }
}

const text = (value: unknown, most = 256): string | null =>
  value === null || value === undefined || value === '' ? null : String(value).slice(0, most)

/** A tier that nobody knows is the most sensitive one; none at all leaves the tier to the proposal. */
function tierOf(value: unknown): Tier | null {
  const word = text(value)
  return word === null ? null : (TIERS.find((tier) => tier.toLowerCase() === word.trim().toLowerCase()) ?? UNLABELLED)
}

function flag(value: unknown): boolean | null {
  if (value === null || value === undefined || value === '') return null
  return typeof value === 'number' ? value !== 0 : ['true', 'yes', '1'].includes(String(value).trim().toLowerCase())
}

/** A JSON list, or words between commas or semicolons. */
function list(value: unknown): string[] {
  const words = text(value, 20_000)
  if (words === null) return []
  try {
    const parsed: unknown = JSON.parse(words)
    if (Array.isArray(parsed)) return parsed.map(String).filter((each) => each !== '')
  } catch {
    // not JSON: an older program's plain list
  }
  return words.split(/[,;]/).map((each) => each.trim()).filter((each) => each !== '')
}

/** Empty text and empty lists say nothing, so they are stored as nothing. */
function normal(row: MetadataRow): MetadataRow {
  const parsed = MetadataRow.parse(row)
  const blank = (value: string | null) => (value === '' ? null : value)
  return {
    ...parsed,
    semantic_type: blank(parsed.semantic_type),
    label: blank(parsed.label),
    description: blank(parsed.description),
    synonyms: parsed.synonyms.filter((each) => each !== ''),
    has_key_columns: parsed.has_key_columns?.length === 0 ? null : parsed.has_key_columns,
    inverse_of: blank(parsed.inverse_of),
    disjoint_group: blank(parsed.disjoint_group),
  }
}

const bodyOf = (row: MetadataRow): Record<string, unknown> => Object.fromEntries(FIELDS.map((field) => [field, row[field]]))
const said = (row: MetadataRow): string => JSON.stringify(bodyOf(row))

interface Signed {
  readonly author: string
  readonly proposed: boolean
  readonly now: string
}

function save(store: Connection, row: MetadataRow, rowid: number | undefined, { author, proposed, now }: Signed): void {
  const bit = (value: boolean | null) => (value === null ? null : Number(value))
  const values = {
    ...row,
    synonyms: row.synonyms.length === 0 ? null : JSON.stringify(row.synonyms),
    has_key_columns: row.has_key_columns === null ? null : JSON.stringify(row.has_key_columns),
    is_event_class: bit(row.is_event_class),
    is_transitive: bit(row.is_transitive),
    is_symmetric: bit(row.is_symmetric),
    is_functional: bit(row.is_functional),
    is_inverse_functional: bit(row.is_inverse_functional),
    author,
    proposed: Number(proposed),
    updated_at: now,
  }
  store.change(
    rowid === undefined
      ? query.insertInto('ontology_metadata').values({ ...values, created_at: now })
      : query.updateTable('ontology_metadata').set(values).where(sql<number>`rowid`, '=', rowid),
  )
}

function remember(store: Connection, row: MetadataRow, before: MetadataRow | undefined, { author, proposed, now }: Signed): void {
  store.change(
    query.insertInto('ontology_metadata_history').values({
      table_name: row.table_name, column_name: row.column_name, author, proposed: Number(proposed),
      before: before === undefined ? null : JSON.stringify(bodyOf(before)), after: JSON.stringify(bodyOf(row)), at: now,
    }),
  )
}
