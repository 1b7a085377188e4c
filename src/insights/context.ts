/** What stood around the chain: when everything happened, and where more than one cause was possible. */
import type { Competing, TimelineEntry } from '../contracts/index.ts'
import type { Blame, Hop } from './blame.ts'
import type { Event, View } from './events.ts'
import { byTime, lagOf } from './events.ts'
import type { RankedRoot } from './rank.ts'
import { rounded } from './rank.ts'
import { seen } from './wording.ts'

/** Entries of a time line, and causes of one effect: enough to read. */
const SHOWN_EVENTS = 40
const SHOWN_CAUSES = 5
/** A share below this competes with nothing. */
const LEAST_SHARE = 0.01

/** The chain, the other effects of its root, and the other causes that were possible, in the order of time. */
export function timelineOf({ effects }: View, event: Event, best: RankedRoot, roots: readonly RankedRoot[]): TimelineEntry[] {
  const roles = new Map<Event, TimelineEntry['role']>([[best.event, 'root']])
  for (const { effect } of best.path) roles.set(effect, 'step')
  roles.set(event, 'event')
  const chain = [...roles.keys()]
  for (const { event: other, parts } of roots.slice(1)) {
    if (parts.share >= LEAST_SHARE && !roles.has(other)) roles.set(other, 'other cause')
  }
  const reached = new Set(chain)
  for (const one of reached) {
    if (roles.size >= SHOWN_EVENTS) break
    for (const { effect } of effects.get(one) ?? []) {
      reached.add(effect)
      if (!roles.has(effect) && roles.size < SHOWN_EVENTS) roles.set(effect, 'effect')
    }
  }
  return [...roles]
    .toSorted(([x], [y]) => byTime(x, y))
    .map(([one, role]) => ({
      ...seen(one), role, after_ms: one.ms - best.event.ms, severity: one.severity, count: one.count, line: one.line,
    }))
}

/** Every event of the chain that more than one thing may have caused, the one in question first. */
export function competingCauses(blame: Blame, event: Event, path: readonly Hop[]): Competing[] {
  return [event, ...path.map(({ cause }) => cause).toReversed()].flatMap((effect) => {
    const causes = blame.hopsOf(effect).filter(({ share, fact }) => fact !== null || share >= LEAST_SHARE).slice(0, SHOWN_CAUSES)
    if (causes.length < 2) return []
    return [{
      effect: seen(effect),
      causes: causes.map((hop) => ({ ...seen(hop.cause), share: rounded(hop.share), lag_ms: lagOf(hop), supposed: hop.supposed })),
    }]
  })
}
