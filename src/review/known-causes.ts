/** What approved causal rules know to bring an event about, and whether any of it happened between two of its occurrences. */
import { LOG_DISCOVERY, type Session, type Tier, TIERS, within } from '../contracts/index.ts'
import { firstAbove } from '../kernel/stats/index.ts'
import { joinsOnThing } from '../rules/index.ts'
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
        const places = joinsOnThing(body) ? one.things.map(placeOf) : [ANYWHERE]
        return places.some((place) => {
          return TIERS.filter((tier) => within(tier, one.tier)).some((tier) => {
            const own = times.get(keyOf(cause, place, tier)) ?? []
            return (own[firstAbove(own, before.tsMs)] ?? Infinity) <= one.tsMs
          })
        })
      }),
    )
}

const ANYWHERE = ''
/** Cause and effect may call the same thing differently. */
const placeOf = ({ value }: Thing): string => `=${value}`

const keyOf = (name: string, place: string, tier: Tier): string => `${name}\n${tier}\n${place}`

/** By class, thing and tier, in the order of time. */
function timesOf(occurrences: readonly Occurrence[], causes: ReadonlySet<string>): Map<string, number[]> {
  const times = new Map<string, number[]>()
  for (const occurrence of occurrences) {
    for (const name of occurrence.names) {
      if (!causes.has(name)) continue
      for (const place of new Set([ANYWHERE, ...occurrence.things.map(placeOf)])) {
        const key = keyOf(name, place, occurrence.tier)
        const own = times.get(key)
        if (own === undefined) times.set(key, [occurrence.tsMs])
        else own.push(occurrence.tsMs)
      }
    }
  }
  return times
}
