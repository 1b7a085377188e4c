/**
 * What is kept of the values of a slot, in bounded space: the values with the smallest hashes and their exact counts, how many
 * there were of each kind. Sketches form a commutative monoid: a value among the smallest of the whole was among
 * the smallest of every part that held it, so its count is exact whatever the parts were.
 */
import { compareText } from '../../kernel/term.ts'
import { hashHalves, hex64 } from '../../kernel/text/index.ts'
import { VALUE_KINDS } from './kinds.ts'
import type { ValueKind } from './kinds.ts'

export const SKETCH_SIZE = 64
/** Longer values are kept by their head; their hash is that of the whole. */
export const SKETCH_CHARS = 128

export interface SketchedValue {
  /** `valueHash` of the whole value */
  readonly hash: string
  readonly text: string
  readonly count: number
}

export interface SlotSketch {
  /** values seen */
  n: number
  /** by kind, in the order of VALUE_KINDS */
  readonly kinds: number[]
  /** in the order of their hashes, at most SKETCH_SIZE */
  values: SketchedValue[]
}

export const emptySketch = (): SlotSketch => ({ n: 0, kinds: VALUE_KINDS.map(() => 0), values: [] })

const KIND_INDEX = new Map<ValueKind, number>(VALUE_KINDS.map((kind, i) => [kind, i]))

/** Adds one value to a sketch, in place, as often as it came. */
export function sketchValues(sketch: SlotSketch, value: string, kind: ValueKind, times: number): void {
  const index = KIND_INDEX.get(kind) ?? 0
  sketch.n += times
  sketch.kinds[index] = (sketch.kinds[index] ?? 0) + times
  keep(sketch, valueHash(value), value, times)
}

/**
 * The hash that values are ordered by. FNV-1a leaves the upper bits of short and similar texts alike, and the estimate needs them
 * even; so the halves go through the finaliser of MurmurHash3 (Appleby, public domain).
 */
export function valueHash(value: string): string {
  const [high, low] = hashHalves(value)
  const first = finalised(high ^ low)
  return hex64(first, finalised(low + first))
}

function finalised(half: number): number {
  let x = half >>> 0
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b)
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35)
  return (x ^ (x >>> 16)) >>> 0
}

/** Adds what another sketch has seen, in place. */
export function mergeSketch(into: SlotSketch, other: SlotSketch): void {
  into.n += other.n
  for (const [i, count] of other.kinds.entries()) into.kinds[i] = (into.kinds[i] ?? 0) + count
  into.values = mergedValues(into.values, other.values)
}

/** Both are in the order of their hashes; what comes out is new, while a value that one of them alone has is shared. */
function mergedValues(a: readonly SketchedValue[], b: readonly SketchedValue[]): SketchedValue[] {
  if (a.length === 0) return b.slice(0, SKETCH_SIZE)
  const values: SketchedValue[] = []
  let [i, j] = [0, 0]
  while (values.length < SKETCH_SIZE) {
    const x = a[i]
    const y = b[j]
    if (x === undefined && y === undefined) break
    if (y === undefined || (x !== undefined && x.hash < y.hash)) {
      values.push(x as SketchedValue)
      i += 1
    } else if (x === undefined || x.hash !== y.hash) {
      values.push(y)
      j += 1
    } else {
      values.push({ hash: x.hash, text: x.text, count: x.count + y.count })
      i += 1
      j += 1
    }
  }
  return values
}

function keep(sketch: SlotSketch, hash: string, value: string, count: number): void {
  const { values } = sketch
  let [low, high] = [0, values.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((values[middle]?.hash ?? '') < hash) low = middle + 1
    else high = middle
  }
  const found = values[low]
  if (found?.hash === hash) {
    values[low] = { ...found, count: found.count + count }
    return
  }
  if (low >= SKETCH_SIZE) return
  values.splice(low, 0, { hash, text: value.slice(0, SKETCH_CHARS), count })
  if (values.length > SKETCH_SIZE) values.pop()
}

/** How many different values there were: exact below SKETCH_SIZE, else estimated from how dense the smallest hashes lie. */
export function distinctOf(sketch: SlotSketch): number {
  if (sketch.values.length < SKETCH_SIZE) return sketch.values.length
  const largest = sketch.values.at(-1)?.hash ?? 'f'
  const share = (parseInt(largest.slice(0, 12), 16) + 1) / 2 ** 48
  return Math.min(sketch.n, Math.max(SKETCH_SIZE, Math.round((SKETCH_SIZE - 1) / share)))
}

/** The kept values by how often they came, equal ones in code-unit order. */
export const commonValues = (sketch: SlotSketch): [value: string, count: number][] =>
  sketch.values
    .map(({ text, count }): [string, number] => [text, count])
    .toSorted(([x, m], [y, n]) => n - m || compareText(x, y))

/** The most frequent kind, of equals the first. */
export function mainKind(sketch: SlotSketch): ValueKind {
  let best = 0
  for (const [i, count] of sketch.kinds.entries()) if (count > (sketch.kinds[best] ?? 0)) best = i
  return VALUE_KINDS[best] ?? 'text'
}
