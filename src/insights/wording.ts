/** Times, lags and events in words. */
import type { SeenEvent } from '../contracts/index.ts'
import type { Hop } from './blame.ts'
import type { Event, Line } from './events.ts'
import { lagOf, lineBefore, listed } from './events.ts'
import type { RankedRoot } from './rank.ts'

/** 10:12:41Z: the day stands in the chain's own times. */
export const clockTime = (ms: number): string => `${new Date(ms).toISOString().slice(11, 19)}Z`

export const seconds = (ms: number): string =>
  Math.abs(ms) < 1000 ? `${ms} ms` : Math.abs(ms) < 600_000 ? `${(ms / 1000).toFixed(1)} s` : `${(ms / 60_000).toFixed(0)} min`

export const seen = ({ iri, label, time }: Event): SeenEvent => ({ event: iri, label, time })

/** `on crt-07` with the things that both ends of a step name, or those of the event. */
export function onWhat({ entities }: Event, shared: readonly string[] = []): string {
  const names = shared.length > 0 ? shared : entities.map(({ name }) => name)
  return names.length === 0 ? '' : ` on ${listed([...new Set(names)])}`
}

/** The line of a root that a way begins with: of a repeated one the last before the next event of the way. */
export function beginning(root: Event, [first]: readonly Hop[]): Line {
  return first === undefined ? { ms: root.ms, line: root.line } : lineBefore(root, first.effect)
}

/** Below this share something else is as likely. */
const LIKELY = 0.5
/** Names that are listed in full, and those that are left of a longer list at its beginning and its end. */
const LISTED = 6
const ENDS = 2

export function summary(event: Event, { event: root, path, parts }: RankedRoot): string {
  const between = path.slice(1).map(({ cause }) => cause.className)
  const through = between.length === 0 ? '' : `, through ${listed(shortened(between))}`
  const isSure = parts.share >= LIKELY && path.every(({ supposed }) => supposed === null)
  const { ms } = beginning(root, path)
  const lag = event.ms - ms
  const when = lag < 0 ? `${seconds(-lag)} later by its clock` : `${seconds(lag)} earlier`
  const since = ms === root.ms ? '' : `, repeated since ${clockTime(root.ms)}`
  const verb = isSure ? 'was caused by' : 'was probably caused by'
  return `${event.label} at ${clockTime(event.ms)} ${verb} ${root.label} at ${clockTime(ms)} (${when}${since})${through}.`
}

const shortened = (names: readonly string[]): readonly string[] =>
  names.length <= LISTED ? names : [...names.slice(0, ENDS), `${names.length - 2 * ENDS} further steps`, ...names.slice(-ENDS)]

export function hopText(hop: Hop, rule: string): string {
  const { cause, effect, supposed } = hop
  const by = supposed !== null ? `supposed: ${supposed}` : rule === '' ? 'as the graph states' : `by rule ${rule}`
  const { ms } = lineBefore(cause, effect)
  const repeated = ms === cause.ms ? '' : `, repeated at ${clockTime(ms)},`
  return `${effect.label} followed ${cause.label}${repeated} after ${seconds(lagOf(hop))} (${by}).`
}
