/** Sparse named evidence as rows of numbers: columns in the order of their names, scaled so that one penalty suits them all. */
import { compareText } from '../../kernel/term.ts'
import type { Evidence } from '../../search/index.ts'

export interface Columns {
  readonly names: readonly string[]
  /** what each column is divided by: its root mean square, but at least 1, for what is rare must not weigh more by it */
  readonly scales: Float64Array
}

/** Rows one after another: row r has the cells [starts[r], starts[r + 1]). */
export interface Table {
  readonly columns: Columns
  readonly rows: number
  readonly starts: Int32Array
  readonly places: Int32Array
  readonly cells: Float64Array
}

export function tableOf(rows: readonly Evidence[]): Table {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].toSorted(compareText)
  const placeOf = new Map(names.map((name, at) => [name, at]))
  const entries = rows.map((row) => Object.entries(row).filter(([, value]) => value !== 0))
  const count = entries.reduce((sum, row) => sum + row.length, 0)
  const [starts, places, cells] = [new Int32Array(rows.length + 1), new Int32Array(count), new Float64Array(count)]
  const squares = new Float64Array(names.length)
  let at = 0
  for (const [r, row] of entries.entries()) {
    for (const [name, value] of row) {
      const place = placeOf.get(name) ?? 0
      places[at] = place
      cells[at] = value
      squares[place]! += value * value
      at += 1
    }
    starts[r + 1] = at
  }
  const scales = squares.map((square) => Math.max(1, Math.sqrt(square / rows.length)))
  for (let i = 0; i < count; i += 1) cells[i]! /= scales[places[i]!]!
  return { columns: { names, scales }, rows: rows.length, starts, places, cells }
}

/** What each row comes to under some weights of the scaled columns. */
export function scoresInto(scores: Float64Array, { rows, starts, places, cells }: Table, weights: Float64Array): void {
  for (let r = 0; r < rows; r += 1) {
    let sum = 0
    for (let i = starts[r]!; i < starts[r + 1]!; i += 1) sum += weights[places[i]!]! * cells[i]!
    scores[r] = sum
  }
}

/** Adds a row, so many times, to a gradient. */
export function addRow(gradient: Float64Array, { starts, places, cells }: Table, row: number, times: number): void {
  for (let i = starts[row]!; i < starts[row + 1]!; i += 1) gradient[places[i]!]! += times * cells[i]!
}

/** Weights of the scaled columns as weights of what was given. */
export const unscaled = ({ names, scales }: Columns, weights: Float64Array): Record<string, number> =>
  Object.fromEntries(names.map((name, at) => [name, weights[at]! / scales[at]!]))
