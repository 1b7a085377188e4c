/** What a log comes to, from its partial states to candidates: the whole story of this room in one function. */
import { MINING } from '../contracts/index.ts'
import type { LogRecord, Mined } from './candidate.ts'
import { candidatesOf } from './candidates.ts'
import type { Judged } from './candidates.ts'
import { edgeOf } from './causality/edge.ts'
import { findCauses } from './causality/judge.ts'
import { entityEdges } from './graph/entity-edges.ts'
import { moreEvents } from './more-events.ts'
import { skippedOf } from './read/counts.ts'
import { reduceStates, stateOfRecords } from './state/index.ts'
import type { ReduceOptions, Reduced } from './state/index.ts'

export interface StageOptions {
  readonly windowSeconds?: number
  /** chance in the surrogates of the transfer-entropy test */
  readonly seed?: number
  /** `stated` stops after the conditions of the gate as stated */
  readonly gate?: 'sound' | 'stated'
  /** control false discoveries for tests that depend on each other in any way: fewer finds */
  readonly dependent?: boolean
}

export type MineOptions = ReduceOptions & StageOptions

/** Records in memory, by the way of large logs. Pure: the same records in any order give the same result. */
export const mine = (records: readonly LogRecord[], options: MineOptions = {}): Mined =>
  mineReduced(reduceStates([stateOfRecords(records)], options), options)

/** The stages after templates: they read columns, and the events that are stored. */
export function mineReduced(reduced: Reduced, options: StageOptions = {}): Mined {
  const { windowSeconds = MINING.window_seconds, seed = 7, gate = 'sound', dependent = false } = options
  const { templates, profiles, columns, events, counts } = reduced
  const { judged: found, searched } = findCauses(columns, { windowMs: windowSeconds * 1000, seed, gate, dependent })
  const judged = found.map((each): Judged => ({ ...each, edge: edgeOf(columns, each) }))
  const edges = judged.map(({ edge }) => edge)
  const things = entityEdges(events, { windowMs: windowSeconds * 1000 })
  const candidates = candidatesOf({ templates, profiles, events, columns, judged, entityEdges: things, windowSeconds })
  const kept = moreEvents(columns, events, edges)
  return { lines: counts.records, skipped: skippedOf(counts), templates, events: kept, columns, edges, entityEdges: things, searched, candidates }
}
