/** Of all causes that an event seems to have, those that are left when each occurrence is explained once. */
import { firstAbove, selectParents } from '../../kernel/stats/index.ts'
import type { EventLink } from '../graph/link.ts'
import type { Timeline } from '../graph/timeline.ts'

export interface Explained {
  /** another event causes both; a step between; or simply another cause of the same occurrences */
  readonly kind: 'common_cause' | 'transitive' | 'explained'
  /** index of the template that explains the effect instead, or null where chance does */
  readonly by: number | null
  /** nats that the edge adds to what the others explain */
  readonly gain: number
}

/** Nats that a cause must add: those of three more parameters over some tens of occurrences. */
const MIN_GAIN = 6
/** The strongest of them, when an event has more: the rest are shadows of these. */
const MAX_CAUSES = 12
/**
 * An effect that names the thing of its cause is so much more to be expected after it. The same for every thing: how rare it is
 * would favour the cause that happens to share the rarer one.
 */
const SAME_THING_LIFT = 4
/** Occurrences of an effect that are shared out among its causes, evenly over all of them: more would only repeat the answer. */
const MAX_EVENTS = 240
/** Occurrences of a cause that one effect may belong to. */
const MAX_LAGS = 4

export function prune(links: readonly EventLink[], timeline: Timeline, toleranceMs: number): Map<EventLink, Explained> {
  const { tracks, startMs, endMs } = timeline
  const options = { spanMs: endMs - startMs, toleranceMs, minGain: MIN_GAIN }
  const explained = new Map<EventLink, Explained>()
  const linked = new Set(links.map(({ src, dst }) => `${src} ${dst}`))
  for (const [effect, causes] of Map.groupBy(links, ({ dst }) => dst)) {
    const strongest = causes.toSorted((x, y) => x.p - y.p || x.src - y.src).slice(0, MAX_CAUSES)
    const all = tracks[effect]?.times.length ?? 0
    const step = Math.max(1, Math.ceil(all / MAX_EVENTS))
    const events = Math.ceil(all / step)
    const candidates = strongest.map((link) => ({
      occurrences: tracks[link.src]?.times.length ?? 1,
      bandMs: link.follower?.bandMs ?? [0, link.windowMs],
      lagsMs: lagsBefore(link, events, step, toleranceMs),
      ...(link.shared === null ? {} : { lift: SAME_THING_LIFT }),
    }))
    for (const { candidate, kept, gain, explainedBy } of selectParents(events, candidates, options)) {
      const link = strongest[candidate]
      if (link === undefined || kept) continue
      const by = explainedBy === null ? null : (strongest[explainedBy]?.src ?? null)
      explained.set(link, { kind: kindOf(link, by, linked), by, gain })
    }
    const instead = { kind: 'explained', by: strongest[0]?.src ?? null, gain: 0 } as const
    for (const link of causes) if (!strongest.includes(link)) explained.set(link, instead)
  }
  return explained
}

function kindOf({ src }: EventLink, by: number | null, linked: ReadonlySet<string>): Explained['kind'] {
  if (linked.has(`${src} ${by}`)) return 'transitive'
  return linked.has(`${by} ${src}`) ? 'common_cause' : 'explained'
}

/** For each `step`th occurrence of the effect, the lags to the last few of the cause before it (on the thing they share). */
function lagsBefore({ groups, follower, windowMs }: EventLink, events: number, step: number, toleranceMs: number): number[][] {
  const lags: number[][] = Array.from({ length: events }, () => [])
  const reach = Math.max(windowMs, 2 * (follower?.bandMs[1] ?? 0))
  for (const { a, b, indexB } of groups()) {
    for (let i = 0; i < b.length; i += 1) {
      const at = (indexB[i] ?? 0) / step
      const own = lags[at] // none between two that are looked at
      if (own === undefined) continue
      const time = b[i] ?? 0
      for (let j = firstAbove(a, time + toleranceMs) - 1; j >= 0 && own.length < MAX_LAGS; j -= 1) {
        const lag = time - (a[j] ?? 0)
        if (lag > reach) break
        own.push(lag)
      }
    }
  }
  return lags
}
