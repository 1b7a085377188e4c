/** The facts of one predicate: rows of term numbers, only ever appended, a membership hash, and indexes made on demand. */
import { RangeIndex } from './range.ts'
import type { Value } from '../values/index.ts'

export class FactTable {
  readonly predicate: string
  readonly arity: number
  size = 0
  /** row after row, `arity` cells each */
  cells = new Uint32Array(64)
  /** by row: the fact's number in the whole model, and its tier */
  readonly ids: number[] = []
  readonly tiers: number[] = []
  /** the tiers that occur */
  readonly levels = new Set<number>()
  /** the tier of the row before: most rows of a table have the same */
  #lastLevel = -1
  /** open addressing; a slot holds row + 1 */
  #slots = new Int32Array(32)
  readonly #indexes = new Map<string, Index>()
  readonly #ranges = new Map<number, RangeIndex>()

  constructor(predicate: string, arity: number) {
    this.predicate = predicate
    this.arity = arity
  }

  /** Appends a row and returns its number, or -1 if the table has it already. */
  add(row: ArrayLike<number>, id: number, tier: number): number {
    const slot = this.#slotOf(row, 0)
    if (this.#slots[slot] !== 0) return -1
    const start = this.size * this.arity
    if (start + this.arity > this.cells.length) {
      const grown = new Uint32Array(2 * this.cells.length + this.arity)
      grown.set(this.cells)
      this.cells = grown
    }
    for (let column = 0; column < this.arity; column++) this.cells[start + column] = row[column] ?? 0
    this.#slots[slot] = this.size + 1
    this.ids.push(id)
    this.tiers.push(tier)
    if (tier !== this.#lastLevel) {
      this.levels.add(tier)
      this.#lastLevel = tier
    }
    this.size++
    if (2 * this.size > this.#slots.length) this.#grow()
    return this.size - 1
  }

  lower(row: number, tier: number): void {
    this.tiers[row] = tier
    this.levels.clear()
    for (const level of this.tiers) this.levels.add(level)
    this.#lastLevel = -1
  }

  /** The row with exactly these cells, or -1. */
  rowOf(row: ArrayLike<number>): number {
    return (this.#slots[this.#slotOf(row, 0)] ?? 0) - 1
  }

  /** An index on some columns that covers every row there is now. Rows added later are unseen until the next call. */
  index(columns: readonly number[]): Index {
    const key = columns.join(' ')
    let index = this.#indexes.get(key)
    if (index === undefined) this.#indexes.set(key, (index = new Index(this, columns)))
    index.catchUp()
    return index
  }

  /** Rows in the order of a column's values; to be brought up to date by whoever uses it. */
  range(column: number, valueOf: (code: number) => Value): RangeIndex {
    let range = this.#ranges.get(column)
    if (range === undefined) this.#ranges.set(column, (range = new RangeIndex(this, column, valueOf)))
    return range
  }

  /** How many rows a key of these columns has on average. */
  rowsPerKey(columns: readonly number[]): number {
    return columns.length === 0 ? this.size : this.size / Math.max(1, this.index(columns).keys)
  }

  /** The slot of the row that starts at `from` in `cells`, or the free one where it belongs. */
  #slotOf(cells: ArrayLike<number>, from: number): number {
    const mask = this.#slots.length - 1
    for (let slot = hashOf(cells, from, from + this.arity) & mask; ; slot = (slot + 1) & mask) {
      const found = this.#slots[slot] ?? 0
      if (found === 0 || this.#isRow(found - 1, cells, from)) return slot
    }
  }

  #isRow(row: number, cells: ArrayLike<number>, from: number): boolean {
    const start = row * this.arity
    for (let column = 0; column < this.arity; column++) if (this.cells[start + column] !== cells[from + column]) return false
    return true
  }

  #grow(): void {
    this.#slots = new Int32Array(4 * this.#slots.length)
    for (let row = 0; row < this.size; row++) this.#slots[this.#slotOf(this.cells, row * this.arity)] = row + 1
  }
}

/** Chains the rows with equal cells in some columns, in ascending order. Two keys may share a chain: callers compare cells. */
export class Index {
  readonly #table: FactTable
  readonly #columns: readonly number[]
  /** by hash, row + 1 of the first and the last in the chain */
  #heads = new Int32Array(32)
  #tails = new Int32Array(32)
  /** by row, row + 1 of the next */
  #next = new Int32Array(32)
  #covered = 0
  /** how many chains there are: of keys, but for those that share one */
  keys = 0

  constructor(table: FactTable, columns: readonly number[]) {
    this.#table = table
    this.#columns = columns
  }

  /** The first row of the chain for a key, or -1. */
  first(hash: number): number {
    return (this.#heads[hash & (this.#heads.length - 1)] ?? 0) - 1
  }

  /** The row behind this one in its chain, or -1. */
  next(row: number): number {
    return (this.#next[row] ?? 0) - 1
  }

  catchUp(): void {
    const { size, cells, arity } = this.#table
    if (this.#covered === size) return
    if (size > this.#heads.length) {
      const room = 2 ** Math.ceil(Math.log2(2 * size))
      this.#heads = new Int32Array(room)
      this.#tails = new Int32Array(room)
      this.#next = new Int32Array(room)
      this.#covered = 0
      this.keys = 0
    }
    const mask = this.#heads.length - 1
    for (let row = this.#covered; row < size; row++) {
      let hash = SEED
      let known = true
      for (const column of this.#columns) {
        const cell = cells[row * arity + column] ?? 0
        if (cell === 0) known = false
        hash = mix(hash, cell)
      }
      // an unknown value equals nothing, so nobody will look for this row here
      if (!known) continue
      const bucket = hash & mask
      const last = this.#tails[bucket] ?? 0
      if (last === 0) {
        this.#heads[bucket] = row + 1
        this.keys++
      } else this.#next[last - 1] = row + 1
      this.#tails[bucket] = row + 1
    }
    this.#covered = size
  }
}

export const SEED = 0x811c9dc5

/** The hash of a key whose cells stand in the order of the index's columns. */
export function hashOf(cells: ArrayLike<number>, from = 0, to = cells.length): number {
  let hash = SEED
  for (let i = from; i < to; i++) hash = mix(hash, cells[i] ?? 0)
  return hash
}

/** One step of the hash over the cells of a key. */
export function mix(hash: number, cell: number): number {
  const mixed = Math.imul(hash ^ cell, 0x9e3779b1)
  return mixed ^ (mixed >>> 15)
}
