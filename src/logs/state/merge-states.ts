/**
 * Partial states into one table of shapes, which has room for as many shapes as the table of one state. Beyond it the most
 * frequent ones stay, of equals those with the smaller keys: what is dropped depends on what all states hold together, not on
 * their order or on how the log was cut. The lines of dropped shapes are counted as overflow.
 */
import { LIMITS } from '../../contracts/basics/index.ts'
import { compareText } from '../../kernel/term.ts'
import { type MergedTable, type StateTable, emptyMerged, mergeInto } from './partial.ts'
import { type StateSource, stateTable } from './sources.ts'

export interface MergeLimits {
  readonly shapeLimit?: number
  /** so many shapes are counted to find the most frequent ones */
  readonly countedLimit?: number
}

/** `use` gets the table of each state before it becomes part of the whole. */
export function mergeStates(
  states: readonly StateSource[], use: (state: StateSource, table: StateTable) => void, { shapeLimit = LIMITS.log_shapes, countedLimit = 20 * shapeLimit }: MergeLimits = {},
): MergedTable {
  const merged = emptyMerged()
  const found: (readonly [StateSource, StateTable])[] = []
  for (const state of states) {
    const table = stateTable(state)
    found.push([state, withoutShapes(table)])
    mergeInto(merged, table)
    if (merged.table.size > shapeLimit) return mergeKept(states, use, keptShapes(states, shapeLimit, countedLimit))
  }
  for (const [state, table] of found) use(state, table)
  return merged
}

const NONE: Pick<StateTable, 'table' | 'facts'> = { table: new Map(), facts: new Map() }
const withoutShapes = (table: StateTable): StateTable => ({ ...table, ...NONE })

function mergeKept(states: readonly StateSource[], use: (state: StateSource, table: StateTable) => void, kept: ReadonlySet<string>): MergedTable {
  const merged = emptyMerged()
  for (const state of states) {
    const table = stateTable(state)
    use(state, withoutShapes(table))
    for (const { key, count } of table.table.values()) {
      if (kept.has(key)) continue
      table.overflow += count
      table.table.delete(key)
      table.facts.delete(key)
    }
    mergeInto(merged, table)
  }
  return merged
}

/** The keys of the most frequent shapes. Of too many to be counted those with the smallest keys are: each of them in full. */
function keptShapes(states: readonly StateSource[], shapeLimit: number, countedLimit: number): Set<string> {
  let counts = new Map<string, number>()
  let bound = '~'
  const smallest = (): void => {
    if (counts.size <= countedLimit) return
    const keys = [...counts.keys()].toSorted(compareText).slice(0, countedLimit)
    bound = keys.at(-1) ?? ''
    counts = new Map(keys.map((key) => [key, counts.get(key) ?? 0]))
  }
  for (const state of states) {
    for (const { key, count } of stateTable(state).table.values()) if (key <= bound) counts.set(key, (counts.get(key) ?? 0) + count)
    if (counts.size > 2 * countedLimit) smallest()
  }
  smallest()
  const frequent = [...counts].toSorted(([x, m], [y, n]) => n - m || compareText(x, y)).slice(0, shapeLimit)
  return new Set(frequent.map(([key]) => key))
}
