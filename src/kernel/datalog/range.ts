/**
 * Rows of a table by the size of a value, so that a time window is looked up and not searched for. Keys are doubles that keep
 * the order of the values and may take neighbours together: whoever asks gets all rows that fit, perhaps a few more, and tests
 * each of them as always.
 */
import type { Value } from '../values/index.ts'
import type { FactTable } from './table.ts'

/** Values are compared within a class only: a number with numbers, a moment with moments that have a zone as it has. */
interface Keyed {
  readonly of: string
  readonly key: number
}

interface Shelf {
  readonly keys: Float64Array
  readonly rows: Int32Array
}

export class RangeIndex {
  readonly #table: FactTable
  readonly #column: number
  readonly #valueOf: (code: number) => Value
  #shelves = new Map<string, Shelf>()
  #covered = 0

  constructor(table: FactTable, column: number, valueOf: (code: number) => Value) {
    this.#table = table
    this.#column = column
    this.#valueOf = valueOf
  }

  catchUp(): void {
    const { size, cells, arity } = this.#table
    if (this.#covered === size) return
    const entries = new Map<string, { key: number; row: number }[]>()
    for (let row = 0; row < size; row++) {
      const code = cells[row * arity + this.#column] ?? 0
      const keyed = code === 0 ? undefined : keyOf(this.#valueOf(code))
      if (keyed === undefined) continue
      const shelf = entries.get(keyed.of)
      if (shelf === undefined) entries.set(keyed.of, [{ key: keyed.key, row }])
      else shelf.push({ key: keyed.key, row })
    }
    this.#shelves = new Map(
      [...entries].map(([of, all]) => {
        const sorted = all.toSorted((x, y) => x.key - y.key || x.row - y.row)
        return [of, { keys: Float64Array.from(sorted, ({ key }) => key), rows: Int32Array.from(sorted, ({ row }) => row) }]
      }),
    )
    this.#covered = size
  }

  /** The rows between two values, both included; null where the values have no such order and every row must be looked at. */
  between(lower: Value, upper: Value): { readonly rows: Int32Array; readonly from: number; readonly to: number } | null {
    const [low, high] = [keyOf(lower), keyOf(upper)]
    if (low === undefined || high === undefined || low.of !== high.of) return null
    const shelf = this.#shelves.get(low.of)
    if (shelf === undefined) return { rows: NO_ROWS, from: 0, to: 0 }
    return { rows: shelf.rows, from: firstAtLeast(shelf.keys, low.key), to: firstAtLeast(shelf.keys, next(high.key)) }
  }
}

const NO_ROWS = new Int32Array(0)

/** undefined for values that are ordered in another way or not at all. */
function keyOf(value: Value): Keyed | undefined {
  if (value.kind === 'exact' || value.kind === 'double') return Number.isNaN(value.number) ? undefined : { of: 'number', key: value.number }
  if (value.kind === 'date' || value.kind === 'dateTime') return { of: `${value.kind} ${value.zoned}`, key: value.seconds }
  return undefined
}

/** The smallest key that is surely greater: fractions of a second are not in the key. */
const next = (key: number): number => key + Math.max(1, Math.abs(key) * Number.EPSILON * 2)

function firstAtLeast(keys: Float64Array, key: number): number {
  let [low, high] = [0, keys.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((keys[middle] ?? 0) < key) low = middle + 1
    else high = middle
  }
  return low
}
