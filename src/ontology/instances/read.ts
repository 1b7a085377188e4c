/**
 * Whole tables, page by page. A page starts after the last row of the one before (`where key > last order by key`), so that the
 * last page costs what the first did, and no more than one page is in memory. A table without a key is read in the order of its
 * columns; equal rows stay together on one page, which keeps them countable.
 */
import { ServiceError } from '../../contracts/index.ts'
import { compareText } from '../../kernel/term.ts'
import type { Cell, SelectLimits, Source, ValueType } from '../../sources/index.ts'
import { contentKey, sameContent } from './content.ts'
import { countQuery, isBindable, orderOf, pageQuery } from './page-query.ts'

/** A row's values by column name. */
export interface Cells {
  get(column: string): Cell | undefined
}

export interface ReadColumn {
  readonly name: string
  /** null where nobody can say */
  readonly type: ValueType | null
}

export interface ReadTable {
  readonly name: string
  readonly columns: readonly ReadColumn[]
  /** the columns that identify a row; none is a table that may hold the same row twice */
  readonly key: readonly string[]
}

export interface ReadOptions {
  /** big enough that a round trip does not count, small enough that wide rows fit into memory */
  readonly pageRows?: number
  /** for one page */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

export interface ReadRow {
  readonly cells: Cells
  /** how many rows of exactly this content came before */
  readonly ordinal: number
}

const PAGE_ROWS = 1000
const TIMEOUT_MS = 60_000
/** Equal rows must fit on one page; past this many pages' worth of them the table is refused instead of filling the memory. */
const MOST_PAGES_AT_ONCE = 32

export async function* readPages(source: Source, table: ReadTable, options: ReadOptions = {}): AsyncGenerator<ReadRow[]> {
  const order = orderOf(source.dialect, table)
  // without an index every page sorts the whole table, so there should be few of them
  const pageRows = (options.pageRows ?? PAGE_ROWS) * (order.keyed ? 1 : 4)
  const limits = limitsOf(options)
  let after: readonly Cell[] | null = null
  let take = pageRows
  for (;;) {
    const { rows, truncated } = await source.select(pageQuery(source.dialect, table, order, after, take + 1), limits(take + 1))
    const whole = rows.length <= take && !truncated
    const place = (at: number): readonly Cell[] => order.columns.map((column) => rows[at]?.[column.at] ?? null)
    if (after !== null && rows.length > 0 && sameContent(place(0), after)) throw notPageable(table)
    const end = whole ? rows.length : lastBreak(rows.length, place)
    if (whole || end > 0) {
      yield numbered(rows.slice(0, end), place, table)
      if (whole) return
      after = place(end - 1)
      take = pageRows
    } else if (order.columns.length === table.columns.length && place(0).every(isBindable)) {
      const same = place(0)
      const [count] = (await source.select(countQuery(source.dialect, table, order, same), limits(1))).rows
      yield* copies(numbered(rows.slice(0, 1), place, table), Number(count?.[0] ?? 0), pageRows)
      after = same
    } else if (take >= pageRows * MOST_PAGES_AT_ONCE || truncated) {
      throw notPageable(table)
    } else {
      take *= 2
    }
  }
}

export function limitsOf({ timeoutMs = TIMEOUT_MS, signal }: ReadOptions): (maxRows: number) => SelectLimits {
  return (maxRows) => ({ maxRows, timeoutMs, ...(signal === undefined ? {} : { signal }) })
}

/** The last row after which another page can start: its place can be named in a query, and the next row has another one. */
function lastBreak(rows: number, place: (at: number) => readonly Cell[]): number {
  for (let end = rows - 1; end > 0; end -= 1) {
    if (place(end - 1).every(isBindable) && !sameContent(place(end - 1), place(end))) return end
  }
  return 0
}

/** Rows with their ordinals. Rows in one place come in any order the engine likes; ours is by content. */
function numbered(rows: readonly (readonly Cell[])[], place: (at: number) => readonly Cell[], { columns }: ReadTable): ReadRow[] {
  const out: ReadRow[] = []
  const positions = new Map(columns.map(({ name }, at) => [name, at]))
  const add = (cells: readonly Cell[], ordinal: number): void => {
    // not a Map of its own: a page holds thousands of rows
    out.push({ cells: { get: (column) => cells[positions.get(column) ?? -1] }, ordinal })
  }
  for (let from = 0, to = 1; from < rows.length; from = to, to += 1) {
    while (to < rows.length && sameContent(place(from), place(to))) to += 1
    const run = rows.slice(from, to)
    const [only, ...more] = run
    if (only !== undefined && more.length === 0) add(only, 0)
    else for (const { cells, ordinal } of ordinals(run)) add(cells, ordinal)
  }
  return out
}

function ordinals(run: readonly (readonly Cell[])[]): { cells: readonly Cell[]; ordinal: number }[] {
  const seen = new Map<string, number>()
  return run
    .map((cells) => ({ cells, key: contentKey(cells) }))
    .toSorted((x, y) => compareText(x.key, y.key))
    .map(({ cells, key }) => {
      const ordinal = seen.get(key) ?? 0
      seen.set(key, ordinal + 1)
      return { cells, ordinal }
    })
}

function* copies([row]: readonly ReadRow[], count: number, pageRows: number): Generator<ReadRow[]> {
  if (row === undefined) return
  for (let from = 0; from < count; from += pageRows) {
    yield Array.from({ length: Math.min(pageRows, count - from) }, (_, at) => ({ cells: row.cells, ordinal: from + at }))
  }
}

const notPageable = (table: ReadTable): ServiceError =>
  new ServiceError('unsupported_query', `the table ${table.name} has too many rows that no column tells apart`, {
    hint: 'give the table a primary key, or leave it out',
  })
