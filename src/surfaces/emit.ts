/** The one gate out: whatever leaves a surface passes here, measured against what the caller may see, and is written as text. */
import { ServiceError, maxTier, within } from '../contracts/index.ts'
import type { SearchEvent, Tier } from '../contracts/index.ts'
import type { Caller, Labelled } from '../runtime/index.ts'

/** The names a stream may use. A closed list, so that no text from a record can ever become an event of its own. */
export const STREAM_EVENTS = ['run', 'stage', 'claim', 'answer', 'progress', 'phase', 'done', 'error'] as const
export type StreamEvent = (typeof STREAM_EVENTS)[number]

/** A comment line: keeps proxies from closing a quiet stream and means nothing to its reader. */
export const HEARTBEAT = ': still here\n\n'

/** Hands over a value computed under a ceiling, or refuses as if the thing did not exist. */
export function emit<T>(labelled: Labelled<T>, caller: Caller): T {
  if (!within(labelled.ceiling, caller.grant)) throw new ServiceError('not_found', 'nothing here by that name')
  return labelled.value
}

/** Hands over a value that holds no data of any source: names of routes, configured sources, health. */
export const emitPublic = <T>(value: T): T => value

/**
 * Hands over one event of a search that ran under `ceiling`. Search cuts its facts before it reasons, so an answer that
 * names a higher tier is a bug in there: it fails here instead of leaving.
 */
export function emitSearch<E extends SearchEvent>(event: E, ceiling: Tier): E {
  if (event.event === 'answer') {
    const { citations, inferred } = event.data
    const highest = maxTier(...citations.map(({ tier }) => tier), ...inferred.map(({ tier }) => tier))
    if (!within(highest, ceiling)) throw new Error('an answer names data above the ceiling it was computed under')
  }
  return event
}

/** JSON as it stands on the wire: integers that a double cannot hold arrive as bigint and leave as decimal strings. */
export function writeJson(value: unknown): string {
  const text = plainJson(value) ?? JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? item.toString() : item))
  if (text === undefined) throw new TypeError('only JSON values can be written')
  return text
}

/** Most answers hold no bigint, and without a function to ask for each value they are written several times as fast. */
function plainJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

/** What some readers take for the end of a line; in JSON they stand only inside texts, where an escape means the same. */
const OTHER_BREAKS = /[\u0085\u2028\u2029]/g
const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** One server-sent event. JSON escapes every line break, so the data is always exactly one line. */
export function frame({ id, event, data }: { id: number; event: StreamEvent; data: unknown }): string {
  if (!Number.isSafeInteger(id) || id < 0) throw new RangeError('a frame id is a whole number')
  if (!STREAM_EVENTS.includes(event)) throw new RangeError('not an event of the stream')
  return `id: ${id}\nevent: ${event}\ndata: ${writeJson(data).replace(OTHER_BREAKS, escaped)}\n\n`
}
