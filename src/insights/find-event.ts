/** Which event a phrase means, and which of several that fit. */
import type { Tier } from '../contracts/index.ts'
import { ServiceError, tierAt, within } from '../contracts/index.ts'
import { RDFS } from '../kernel/rdf/index.ts'
import { iri } from '../kernel/term.ts'
import type { Event, View } from './events.ts'
import { byTime } from './events.ts'

export interface EventAsk {
  readonly event_iri?: string | undefined
  readonly event?: string | undefined
  readonly at?: string | undefined
  readonly on?: string | undefined
}

/** The event in question, and what the reader should know about the choice. */
export interface Choice {
  readonly event: Event
  readonly notes: readonly string[]
}

/** Class names that an error lists at most. */
const NAMED = 20

/**
 * Of several that fit, the most recent one with a known cause: a reader who names a kind of event wants one that can be
 * explained, and is told of those that cannot. An id that is not there and one above the ceiling read the same.
 */
export function chooseEvent(view: View, ask: EventAsk): Choice {
  const { event_iri: id, event: phrase = '', at, on } = ask
  const named = id === undefined ? eventsNamed(view, phrase) : [view.events.get(id)].filter((one) => one !== undefined)
  if (named.length === 0) throw notFound(view)
  const there = on === undefined ? named : named.filter((event) => isOn(event, on))
  if (there.length === 0) {
    throw new ServiceError('not_found', 'no such event is on this entity', { hint: hintOf(named) })
  }
  const until = at === undefined ? null : readTime(at, there)
  const found = until === null ? there : there.filter(({ ms }) => ms <= until)
  const [latest] = found
  if (latest === undefined) throw new ServiceError('not_found', 'no such event is there at or before this time', { hint: hintOf(there) })
  if (found.length === 1) return { event: latest, notes: [] }
  if (until !== null) {
    return { event: latest, notes: latest.ms === until ? [] : [`this is the last of ${found.length} that fit up to then, at ${latest.time}`] }
  }
  const explained = found.find((event) => (view.causes.get(event) ?? []).length > 0)
  const event = explained ?? latest
  const which = explained === undefined ? 'the most recent one' : 'the most recent one with a known cause'
  return {
    event,
    notes: [
      `${found.length} events fit; this is ${which}, at ${event.time}; name another by its time or its entity`,
      ...(event === latest ? [] : [`no cause is known of a later one, at ${latest.time}: <${latest.iri}>`]),
    ],
  }
}

function notFound(view: View): ServiceError {
  const names = [...view.byClass.keys()].toSorted()
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : ''
  const hint =
    names.length === 0
      ? 'the graph holds no events: approve log candidates, then run phases 2 and reason'
      : `events in the graph: ${names.slice(0, NAMED).join(', ')}${more}`
  return new ServiceError('not_found', 'no such event is in the graph', { hint })
}

const hintOf = (events: readonly Event[]): string =>
  `there are: ${events.slice(0, 5).map(({ label, time }) => `${label} at ${time}`).join('; ')}${events.length > 5 ? ` and ${events.length - 5} more` : ''}`

const isOn = ({ entities }: Event, on: string): boolean =>
  entities.some(({ iri: id, name }) => id === on || plain(name) === plain(on))

/** A whole time, or a time of day on the last day that has such events by then; a time without seconds means all of its minute. */
function readTime(text: string, events: readonly Event[]): number {
  const day = new Date(Math.max(...events.map(({ ms }) => ms))).toISOString().slice(0, 10)
  const clock = /^\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?Z?$/.test(text)
  const whole = clock ? `${day}T${text.padStart(text.indexOf(':') === 1 ? text.length + 1 : text.length, '0')}` : text.trim().replace(' ', 'T')
  const ms = Date.parse(/(Z|[+-]\d{2}:\d{2})$/.test(whole) || !whole.includes('T') ? whole : `${whole}Z`)
  if (Number.isNaN(ms)) {
    throw new ServiceError('invalid_request', 'this is no time', { hint: 'for example 2026-03-14T09:42:23Z, or 09:42:23 on the last day' })
  }
  const digits = /T\d{2}:\d{2}(?<seconds>:\d{2}(?<fraction>\.\d+)?)?/.exec(whole)?.groups
  const width = digits === undefined ? 86_400_000 : digits['seconds'] === undefined ? 60_000 : digits['fraction'] === undefined ? 1000 : 1
  return ms + width - 1
}

/** Events that a phrase may mean: by IRI, by the name or label of the class, by the label, at last by words that it contains. */
export function eventsNamed(view: View, phrase: string): Event[] {
  const exact = view.events.get(phrase)
  if (exact !== undefined) return [exact]
  const wanted = plain(phrase)
  if (wanted === '') return []
  const all = [...view.events.values()]
  const names = ({ className, classes }: Event) => [
    plain(className),
    ...classes.slice(0, 1).flatMap((cls) => classLabels(view, cls).map(plain)),
  ]
  const searches: ((event: Event) => boolean)[] = [
    (event) => names(event).includes(wanted),
    (event) => plain(event.label) === wanted,
    (event) => plain(event.label).includes(wanted),
    (event) => names(event).some((name) => name.length > 3 && wanted.includes(name)) && (!named(all, wanted) || isNamedIn(event, wanted)),
    (event) => names(event).some((name) => name.length > 3 && wanted.includes(name)),
  ]
  for (const search of searches) {
    const found = all.filter(search)
    if (found.length > 0) return found.toSorted((x, y) => byTime(y, x))
  }
  return []
}

/** "why did crt-05 deregister": a thing that the phrase names narrows the events down. */
const isNamedIn = ({ entities }: Event, wanted: string): boolean =>
  entities.some(({ name }) => plain(name).length > 2 && wanted.includes(plain(name)))
const named = (events: readonly Event[], wanted: string): boolean => events.some((event) => isNamedIn(event, wanted))

function classLabels({ m, ceiling }: { readonly m: View['m']; readonly ceiling: Tier }, cls: string): string[] {
  return m.model
    .find(`${RDFS}label`, [iri(cls)])
    .filter(({ tier }) => within(tierAt(tier), ceiling))
    .flatMap(({ args }) => args[1]?.value ?? [])
}

/** `NF deregister`, `nf-deregister` and `NfDeregister` are the same phrase. */
const plain = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
