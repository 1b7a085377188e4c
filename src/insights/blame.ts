/**
 * Who is to blame, and how much: every event shares the blame for itself out among what may have caused it, in proportion to how
 * likely each would bring it about just then, against the rate at which such events come by themselves (the parent probabilities
 * of a branching point process; Zhuang, Ogata and Vere-Jones 2002). Handed on to the beginning, the shares rank the roots.
 */
import type { StoredFact } from '../kernel/datalog/index.ts'
import type { EdgeBook } from './edge-book.ts'
import type { CauseEdge, Event } from './events.ts'
import { byTime, lineBefore } from './events.ts'
import type { Lags } from './lags.ts'
import { supposedHops } from './supposed.ts'

/** One step back: proven where it has a fact, otherwise supposed, with the reason. */
export interface Hop {
  readonly cause: Event
  readonly effect: Event
  readonly fact: StoredFact | null
  readonly supposed: string | null
  readonly lags: Lags
  readonly confidence: number
  /** of the blame for the effect */
  readonly share: number
}

/** A beginning of the chains that lead to an event. */
export interface Root {
  readonly event: Event
  readonly share: number
  /** the best way from it, root first */
  readonly path: readonly Hop[]
}

/** Roots of one event that are followed further: what is beyond has no blame left to speak of. */
const MOST_ROOTS = 40
/** A way with one more step on it says more: it wins unless it is this much less likely. */
const STEP_BONUS = 2

/** From a root to an event: its part of the blame, how good its best way is, and the last step of that. */
interface Way {
  readonly share: number
  readonly worth: number
  readonly hop: Hop | null
}

export class Blame {
  readonly book: EdgeBook
  private readonly hops = new Map<Event, readonly Hop[]>()
  private readonly ways = new Map<Event, ReadonlyMap<Event, Way>>()

  constructor(book: EdgeBook) {
    this.book = book
  }

  /** What may have caused the event, the likeliest first. */
  hopsOf(event: Event): readonly Hop[] {
    const found = this.hops.get(event) ?? this.findHops(event)
    this.hops.set(event, found)
    return found
  }

  /** Beginnings, without the event itself, by share. */
  rootsOf(event: Event): Root[] {
    return [...this.waysTo(event)]
      .filter(([root]) => root !== event)
      .map(([root, { share }]) => ({ event: root, share, path: this.pathFrom(root, event) }))
      .toSorted((x, y) => y.share - x.share || byTime(x.event, y.event))
  }

  /** The part of the blame that nothing known takes. */
  unknown(event: Event): number {
    return 1 - this.hopsOf(event).reduce((sum, { share }) => sum + share, 0)
  }

  private findHops(event: Event): Hop[] {
    const proven = (this.book.view.causes.get(event) ?? []).map((edge) => {
      const { lags, figures } = this.book.modelOf(edge)
      return { ...edge, supposed: null, lags, confidence: figures.confidence ?? 1, weight: this.weightOf(edge) * this.claimOf(edge) }
    })
    const isProven = new Set(proven.map(({ cause }) => cause))
    const supposed = supposedHops(this.book, event)
      .filter(({ cause }) => !isProven.has(cause))
      .map(({ why, ...hop }) => ({ ...hop, effect: event, fact: null, supposed: why }))
    const all = [...proven, ...supposed]
    const total = all.reduce((sum, { weight }) => sum + weight, this.book.spontaneous(event.className))
    return all
      .map(({ weight, ...hop }): Hop => ({ ...hop, share: weight / total }))
      .toSorted((x, y) => y.share - x.share || byTime(x.cause, y.cause))
  }

  private weightOf(edge: CauseEdge): number {
    return this.book.weightOf(this.book.modelOf(edge), edge.cause, edge.effect)
  }

  /** A line of a cause brings one effect of a kind about as a rule: where it has several, each has a claim to it as far as it fits. */
  private claimOf(edge: CauseEdge): number {
    const { cause, effect } = edge
    const line = lineBefore(cause, effect).ms
    const rivals = (this.book.view.effects.get(cause) ?? []).filter(({ effect: other }) =>
      other.className === effect.className && lineBefore(cause, other).ms === line)
    if (rivals.length < 2) return 1
    const total = rivals.reduce((sum, rival) => sum + this.weightOf(rival), 0)
    return total === 0 ? 1 : this.weightOf(edge) / total
  }

  /** The beginnings of everything on the way are found first, however long the way is. */
  private waysTo(event: Event): ReadonlyMap<Event, Way> {
    const stack = this.ways.has(event) ? [] : [event]
    for (let one = stack.at(-1); one !== undefined; one = stack.at(-1)) {
      // clocks that disagree could send the walk in circles: while it is under way, an event has no beginnings
      if (!this.ways.has(one)) this.ways.set(one, new Map())
      const next = this.hopsOf(one).find(({ cause }) => !this.ways.has(cause))
      if (next !== undefined) {
        stack.push(next.cause)
        continue
      }
      this.ways.set(one, this.waysBy(one))
      stack.pop()
    }
    return this.ways.get(event) ?? new Map()
  }

  /** Every event keeps what no cause takes: it may be a beginning also where something known stands before it. */
  private waysBy(event: Event): Map<Event, Way> {
    const own = this.unknown(event)
    const ways = new Map<Event, Way>([[event, { share: own, worth: own, hop: null }]])
    for (const hop of this.hopsOf(event)) {
      for (const [root, way] of this.ways.get(hop.cause) ?? []) {
        const [share, worth] = [hop.share * way.share, hop.share * way.worth * STEP_BONUS]
        const before = ways.get(root)
        const isBest = before === undefined || worth > before.worth
        ways.set(root, { share: share + (before?.share ?? 0), worth: isBest ? worth : before.worth, hop: isBest ? hop : before.hop })
      }
    }
    return new Map([...ways].toSorted(([x, { share: a }], [y, { share: b }]) => b - a || byTime(x, y)).slice(0, MOST_ROOTS))
  }

  private pathFrom(root: Event, event: Event): Hop[] {
    const path: Hop[] = []
    for (let at = event; at !== root; ) {
      const hop = this.ways.get(at)?.get(root)?.hop ?? null
      if (hop === null) break
      path.push(hop)
      at = hop.cause
    }
    return path.toReversed()
  }
}
