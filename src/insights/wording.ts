/** Times, lags and events in words. */
import type { SeenEvent } from '../contracts/index.ts'
import type { Hop } from './blame.ts'
import type { Event } from './events.ts'
import { listed } from './events.ts'

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

export function summary(event: Event, root: Event, path: readonly Hop[]): string {
  const between = path.slice(1).map(({ cause }) => cause.className)
  const through = between.length === 0 ? '' : `, through ${listed(between)}`
  const verb = path.some(({ supposed }) => supposed !== null) ? 'was probably caused by' : 'was caused by'
  const lag = event.ms - root.ms
  const when = lag < 0 ? `${seconds(-lag)} later by its clock` : `${seconds(lag)} earlier`
  return `${event.label} at ${clockTime(event.ms)} ${verb} ${root.label} at ${clockTime(root.ms)} (${when})${through}.`
}

export function hopText({ cause, effect, supposed }: Hop, rule: string): string {
  const by = supposed !== null ? `supposed: ${supposed}` : rule === '' ? 'as the graph states' : `by rule ${rule}`
  return `${effect.label} followed ${cause.label} after ${seconds(effect.ms - cause.ms)} (${by}).`
}
