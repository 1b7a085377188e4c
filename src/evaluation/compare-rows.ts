/** Whether two results say the same: equal rows, whatever the order of columns, and in order only where order was asked for. */
import { compareText } from '../kernel/term.ts'
import type { Cell } from '../sources/index.ts'

export interface Rows {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
}

const TOLERANCE = 1e-6
/** Columns of equal content can be paired in many ways; past this many pairings the results count as different. */
const MAX_PAIRINGS = 5040
/** Rows that differ only by rounding are few; more than this is another result. */
const MAX_NEAR_ROWS = 1000

/** The multiset of rows, or their sequence when `ordered`; numbers are equal within 1e-6, names of columns do not count. */
export function sameRows(gold: Rows, found: Rows, ordered: boolean): boolean {
  if (gold.columns.length !== found.columns.length || gold.rows.length !== found.rows.length) return false
  if (gold.rows.length === 0) return true
  const columnsOf = ({ columns, rows }: Rows) => columns.map((_, at) => rows.map((row) => row[at] ?? null))
  const sorted = (cells: readonly Cell[]) => (ordered ? cells : cells.toSorted(compareCells))
  const wanted = columnsOf(gold).map(sorted)
  const plain = columnsOf(found)
  const offered = plain.map(sorted)
  const fitting = wanted.map((cells) => offered.flatMap((other, at) => (sameCells(cells, other) ? [at] : [])))
  // two columns with the same cells in the same rows are interchangeable: trying one of them is enough
  const twin = plain.map((cells) => plain.findIndex((other) => sameCells(cells, other)))
  let pairings = 0
  const fits = (order: readonly number[]): boolean =>
    ordered || sameMultiset(gold.rows, found.rows.map((row) => order.map((at) => row[at] ?? null)))
  const pair = (order: readonly number[]): boolean => {
    if (order.length === wanted.length) return (pairings += 1) <= MAX_PAIRINGS && fits(order)
    const tried = new Set<number>()
    return (fitting[order.length] ?? []).some((at) => {
      const kind = twin[at] ?? at
      if (order.includes(at) || tried.has(kind) || pairings >= MAX_PAIRINGS) return false
      tried.add(kind)
      return pair([...order, at])
    })
  }
  return pair([])
}

function sameMultiset(gold: readonly (readonly Cell[])[], found: readonly (readonly Cell[])[]): boolean {
  const waiting = new Map<string, (readonly Cell[])[]>()
  for (const row of gold) {
    const key = rowKey(row)
    const same = waiting.get(key)
    if (same === undefined) waiting.set(key, [row])
    else same.push(row)
  }
  const extra = found.filter((row) => waiting.get(rowKey(row))?.pop() === undefined)
  if (extra.length > MAX_NEAR_ROWS) return false
  // what rounding put on two sides of a border
  const left = [...waiting.values()].flat()
  return extra.every((row) => {
    const at = left.findIndex((other) => sameCells(row, other))
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  })
}

const sameCells = (a: readonly Cell[], b: readonly Cell[]): boolean =>
  a.length === b.length && a.every((cell, at) => sameCell(cell, b[at] ?? null))

function sameCell(a: Cell, b: Cell): boolean {
  if (isNumber(a) && isNumber(b)) {
    if (isWhole(a) && isWhole(b)) return BigInt(a) === BigInt(b)
    return Math.abs(Number(a) - Number(b)) <= TOLERANCE
  }
  return a === b || cellKey(a) === cellKey(b)
}

const isNumber = (cell: Cell): cell is number | bigint => typeof cell === 'number' || typeof cell === 'bigint'
const isWhole = (cell: number | bigint): boolean => typeof cell === 'bigint' || Number.isInteger(cell)

const rowKey = (row: readonly Cell[]): string => JSON.stringify(row.map(cellKey))

function cellKey(cell: Cell): string {
  if (cell === null) return 'null'
  if (isNumber(cell)) return `n${isWhole(cell) ? BigInt(cell) : Number(cell.toString()).toFixed(6).replace(/\.?0+$/, '')}`
  if (cell instanceof Uint8Array) return `b${Buffer.from(cell).toString('hex')}`
  return `${typeof cell === 'string' ? 't' : 'o'}${String(cell)}`
}

/** Any total order does, as long as numbers that are nearly equal stay neighbours. */
function compareCells(a: Cell, b: Cell): number {
  if (isNumber(a) && isNumber(b)) return a < b ? -1 : a > b ? 1 : 0
  if (isNumber(a)) return -1
  if (isNumber(b)) return 1
  return compareText(cellKey(a), cellKey(b))
}
