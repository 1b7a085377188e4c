/** Walks `:hasCause` back from an event: where the chains begin, which beginning explains most, and the way from there. */
import type { StoredFact } from '../kernel/datalog/index.ts'
import { tierAt, within } from '../contracts/index.ts'
import { compareText, iri } from '../kernel/term.ts'
import type { Event, View } from './events.ts'

export interface RankedCause {
  readonly event: Event
  readonly score: number
  /** other events, besides the one in question, that go back to this cause */
  readonly explains: number
  readonly paths: number
}

/** One step of the graph: `effect :hasCause cause`. */
export interface CauseEdge {
  readonly cause: Event
  readonly effect: Event
  readonly fact: StoredFact
}

export interface Causes {
  /** best first */
  readonly roots: readonly RankedCause[]
  /** from the best root to the event; empty when the event has no cause */
  readonly chain: readonly CauseEdge[]
  /** events with more than one direct cause that lie on the way */
  readonly forks: readonly Event[]
}

export function causesOf(view: View, event: Event): Causes {
  const back = memo((one: Event) => edges(view, one, 'causes'))
  const ahead = memo((one: Event) => edges(view, one, 'effects'))
  const order = ancestors(event, back)
  const roots = order.filter((one) => one !== event && back(one).length === 0)
  // hasCause goes back in time, so counting and measuring along the time order meets every step once
  const paths = new Map<Event, number>([[event, 1]])
  const longest = new Map<Event, { hops: number; via: CauseEdge | null }>([[event, { hops: 0, via: null }]])
  for (const effect of order) {
    for (const edge of back(effect)) {
      paths.set(edge.cause, (paths.get(edge.cause) ?? 0) + (paths.get(effect) ?? 0))
      const hops = (longest.get(effect)?.hops ?? 0) + 1
      if (hops > (longest.get(edge.cause)?.hops ?? 0)) longest.set(edge.cause, { hops, via: edge })
    }
  }
  const ranked = rank(event, roots, paths, (root) => descendants(root, ahead).size - 1)
  return { roots: ranked, chain: chainFrom(ranked[0]?.event, longest), forks: order.filter((one) => back(one).length > 1) }
}

/**
 * Half of the score is the share of the paths that lead to the root (independent ways of going wrong count), three tenths
 * how soon the event followed it (the nearest root has 1), one fifth how much else it explains (the widest root has 1).
 */
function rank(
  event: Event,
  roots: readonly Event[],
  paths: ReadonlyMap<Event, number>,
  explained: (root: Event) => number,
): RankedCause[] {
  const total = roots.reduce((sum, root) => sum + (paths.get(root) ?? 0), 0)
  const lag = (root: Event) => Math.max(1, event.ms - root.ms)
  const nearest = Math.min(...roots.map(lag))
  const explains = new Map(roots.map((root) => [root, explained(root)]))
  const widest = Math.max(1, ...explains.values())
  return roots
    .map((root) => {
      const count = paths.get(root) ?? 0
      const score = 0.5 * (count / total) + 0.3 * (nearest / lag(root)) + 0.2 * ((explains.get(root) ?? 0) / widest)
      return { event: root, score: Math.round(score * 1e4) / 1e4, explains: explains.get(root) ?? 0, paths: count }
    })
    .toSorted((x, y) => y.score - x.score || y.event.ms - x.event.ms || compareText(x.event.iri, y.event.iri))
}

/** The way with the most steps says the most about how it came about. */
function chainFrom(root: Event | undefined, longest: ReadonlyMap<Event, { via: CauseEdge | null }>): CauseEdge[] {
  const chain: CauseEdge[] = []
  for (let at = root; at !== undefined;) {
    const via: CauseEdge | null = longest.get(at)?.via ?? null
    if (via === null) break
    chain.push(via)
    at = via.effect
  }
  return chain
}

function edges({ m, ceiling, events }: View, one: Event, direction: 'causes' | 'effects'): CauseEdge[] {
  const pattern = direction === 'causes' ? [iri(one.iri), undefined] : [undefined, iri(one.iri)]
  return m.model
    .find(`${m.baseIri}hasCause`, pattern)
    .filter((fact) => within(tierAt(fact.tier), ceiling))
    .flatMap((fact): CauseEdge[] => {
      const [effect, cause] = fact.args.map((term) => (term === null ? undefined : events.get(term.value)))
      // a cause that is not earlier than its effect is none, and would send the walk in circles
      return effect === undefined || cause === undefined || cause.ms >= effect.ms ? [] : [{ cause, effect, fact }]
    })
    .toSorted((x, y) => compareText(x.cause.iri, y.cause.iri) || compareText(x.effect.iri, y.effect.iri))
}

/** The event and everything it goes back to, latest first. */
function ancestors(event: Event, back: (one: Event) => readonly CauseEdge[]): Event[] {
  const found = new Set([event])
  for (const one of found) for (const { cause } of back(one)) found.add(cause)
  return [...found].toSorted((x, y) => y.ms - x.ms || compareText(x.iri, y.iri))
}

function descendants(root: Event, ahead: (one: Event) => readonly CauseEdge[]): Set<Event> {
  const found = new Set<Event>()
  for (const { effect } of ahead(root)) found.add(effect)
  for (const one of found) for (const { effect } of ahead(one)) found.add(effect)
  return found
}

function memo<K, V>(compute: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>()
  return (key) => {
    const found = known.get(key) ?? compute(key)
    known.set(key, found)
    return found
  }
}
