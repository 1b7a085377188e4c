/** The thing that two events have in common: the pair of slots whose values recur in both, and the events apart by value. */
import type { EventPair } from '../../kernel/stats/index.ts'
import type { EventColumns } from '../columns.ts'
import { entityAt, slotsOf, TRACE_SLOT } from './timeline.ts'
import type { Track } from './timeline.ts'

export interface SharedEntity {
  readonly slotA: number
  readonly slotB: number
}

/** Values of one template by slot, read once per template: in the order of its occurrences, and how often each occurs. */
export type EntityValues = ReadonlyMap<number, SlotValues>

export interface SlotValues {
  readonly values: Float64Array
  readonly counts: ReadonlyMap<number, number>
}

export const entityValues = (columns: EventColumns, { rows }: Track): EntityValues =>
  new Map(
    slotsOf(columns, rows).map((slot) => {
      const values = Float64Array.from(rows, (row) => entityAt(columns, row, slot))
      const counts = new Map<number, number>()
      for (const value of values) if (value !== 0) counts.set(value, (counts.get(value) ?? 0) + 1)
      return [slot, { values, counts }]
    }),
  )

/** Most occurrences of both must name a thing that the other names too. */
const MIN_SHARE = 0.3

/**
 * The slots in which occurrences of both events name the same things. Which slots these are does not look at time, so a test
 * of the time order among same-named events stays honest. Null where there is none, or where the one value that both always
 * name tells nothing apart.
 */
export function sharedEntity(a: EntityValues, b: EntityValues): SharedEntity | null {
  let best: SharedEntity | null = null
  let most = 0
  for (const [slotA, ofA] of a) {
    for (const [slotB, ofB] of b) {
      if ((slotA === TRACE_SLOT) !== (slotB === TRACE_SLOT)) continue
      let [common, inA, inB] = [0, 0, 0]
      for (const [value, count] of ofA.counts) {
        const there = ofB.counts.get(value)
        if (there === undefined) continue
        common += 1
        inA += count
        inB += there
      }
      const share = Math.min(inA / ofA.values.length, inB / ofB.values.length)
      if (common < 2 || share < MIN_SHARE) continue
      // the same name on both sides speaks for the same kind of thing
      const score = share * (slotA === slotB ? 1.25 : 1) * (1 - 1 / common)
      if (score > most) [best, most] = [{ slotA, slotB }, score]
    }
  }
  return best
}

/** An index into the times of a track, and its time. */
export interface IndexedPair extends EventPair {
  readonly a: Float64Array
  readonly b: Float64Array
  readonly indexA: Uint32Array
  readonly indexB: Uint32Array
}

/** Things of one pair that are looked at; of more an even sample, the same in every run. */
const MAX_THINGS = 4096
/** Values are hashes: those with low last bits are a sample without a leaning. */
const SAMPLED = 2 ** 20

/** One pair of times per value that either names; occurrences that name nothing are left out. */
export function groupsOf(a: Track, b: Track, ofA: SlotValues, ofB: SlotValues, most = MAX_THINGS): IndexedPair[] {
  const byValue = new Map<number, { a: number[]; b: number[] }>()
  const below = (SAMPLED * most) / Math.max(ofA.counts.size, ofB.counts.size)
  const collect = (values: Float64Array, side: 'a' | 'b'): void => {
    for (let i = 0; i < values.length; i += 1) {
      const value = values[i] ?? 0
      if (value === 0 || value % SAMPLED >= below) continue
      const group = byValue.get(value) ?? { a: [], b: [] }
      byValue.set(value, group)
      group[side].push(i)
    }
  }
  collect(ofA.values, 'a')
  collect(ofB.values, 'b')
  return [...byValue.values()].map((group) => ({
    a: Float64Array.from(group.a, (i) => a.times[i] ?? 0),
    b: Float64Array.from(group.b, (i) => b.times[i] ?? 0),
    indexA: Uint32Array.from(group.a),
    indexB: Uint32Array.from(group.b),
  }))
}

export const oneGroup = (a: Track, b: Track): IndexedPair[] => [{ a: a.times, b: b.times, indexA: a.index, indexB: b.index }]

export const turnedRound = (groups: readonly IndexedPair[]): IndexedPair[] =>
  groups.map(({ a, b, indexA, indexB }) => ({ a: b, b: a, indexA: indexB, indexB: indexA }))
