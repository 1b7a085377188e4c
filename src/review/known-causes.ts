/** What approved causal rules know to bring an event about, and whether any of it happened between two of its occurrences. */
import { LOG_DISCOVERY, type Session, tierRank } from '../contracts/index.ts'
import type { Occurrence, Thing } from './occurrences.ts'

/**
 * True where a cause of the event happened after `before` and not after `one`: on one of its things, or anywhere for a rule that
 * does not ask for a thing in common. Causes above the tier of the event do not count, as whoever sees it may not know of them.
 */
export function causeBetween(session: Session, occurrences: readonly Occurrence[]): (before: Occurrence, one: Occurrence) => boolean {
  const rules = session.causal_rules.filter(({ source, enabled, cause_class: cause, effect_class: effect }) =>
    source === LOG_DISCOVERY && enabled && cause !== undefined && effect !== undefined)
  const causesOf = Map.groupBy(rules, (rule) => rule.effect_class ?? '')
  const times = timesOf(occurrences, new Set(rules.map((rule) => rule.cause_class ?? '')))
  return (before, one) =>
    one.names.some((name) =>
      (causesOf.get(name) ?? []).some(({ cause_class: cause = '', body }) => {
        const places = body.includes(':onEntity') ? one.things.map(placeOf) : [ANYWHERE]
        return places.some((place) => {
          const own = times.get(`${cause}\n${place}`) ?? []
          for (let at = firstAfter(own, before.tsMs); at < own.length && (own[at]?.tsMs ?? Infinity) <= one.tsMs; at += 1) {
            if (tierRank(own[at]?.tier ?? 'Restricted') <= tierRank(one.tier)) return true
          }
          return false
        })
      }),
    )
}

const ANYWHERE = ''
/** Cause and effect may call the same thing differently. */
const placeOf = ({ value }: Thing): string => `=${value}`

/** By class and thing, in the order of time. */
function timesOf(occurrences: readonly Occurrence[], causes: ReadonlySet<string>): Map<string, Occurrence[]> {
  const times = new Map<string, Occurrence[]>()
  for (const occurrence of occurrences) {
    for (const name of occurrence.names) {
      if (!causes.has(name)) continue
      for (const place of new Set([ANYWHERE, ...occurrence.things.map(placeOf)])) {
        const key = `${name}\n${place}`
        const own = times.get(key)
        if (own === undefined) times.set(key, [occurrence])
        else own.push(occurrence)
      }
    }
  }
  return times
}

function firstAfter(occurrences: readonly Occurrence[], ms: number): number {
  let [low, high] = [0, occurrences.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((occurrences[middle]?.tsMs ?? 0) <= ms) low = middle + 1
    else high = middle
  }
  return low
}
