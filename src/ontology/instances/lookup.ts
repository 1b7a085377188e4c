/** Rows found by the values of some columns, a few hundred tuples a query: for references that do not name their target's key. */
import type { Cell, Source } from '../../sources/index.ts'
import { contentKey } from './content.ts'
import { isBindable, lookupQuery } from './page-query.ts'
import type { Cells, ReadOptions } from './read.ts'
import { limitsOf } from './read.ts'

export interface Lookup {
  readonly table: string
  /** the columns that the tuples are values of */
  readonly by: readonly string[]
  /** further columns wanted of the rows found */
  readonly read: readonly string[]
}

const TUPLES_PER_QUERY = 400

/** Finds the one row that holds a tuple; null where there is none, or more than one. */
export async function lookUp(
  source: Source,
  { table, by, read }: Lookup,
  tuples: readonly (readonly Cell[])[],
  options: ReadOptions,
): Promise<(tuple: readonly Cell[]) => Cells | null> {
  const columns = [...new Set([...by, ...read])]
  const wanted = [...new Map(tuples.filter((tuple) => tuple.every(mayMatch)).map((tuple) => [tupleKey(tuple), tuple])).values()]
  const found = new Map<string, Cells | null>()
  for (let at = 0; at < wanted.length; at += TUPLES_PER_QUERY) {
    const query = lookupQuery(source.dialect, table, columns, by, wanted.slice(at, at + TUPLES_PER_QUERY))
    // twice the tuples is enough to see which of them are ambiguous, unless a few have very many rows: those are no keys at all
    const { rows } = await source.select(query, limitsOf(options)(TUPLES_PER_QUERY * 2))
    for (const row of rows) {
      const cells = new Map(columns.map((column, index) => [column, row[index] ?? null]))
      const key = tupleKey(by.map((column) => cells.get(column) ?? null))
      found.set(key, found.has(key) ? null : cells)
    }
  }
  return (tuple) => found.get(tupleKey(tuple)) ?? null
}

const mayMatch = (cell: Cell): boolean => cell !== null && isBindable(cell)

/** As text: a reference may keep as text what its target keeps as a number. */
const tupleKey = (tuple: readonly Cell[]): string => contentKey(tuple.map(asText))

function asText(cell: Cell): Cell {
  if (cell === null || cell instanceof Uint8Array) return cell
  return String(typeof cell === 'boolean' ? Number(cell) : cell)
}
