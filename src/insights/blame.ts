/**
 * Who is to blame, and how much: every event shares the blame for itself out among what may have caused it, in proportion to how
 * likely each would bring it about just then, against the rate at which such events come by themselves (the parent probabilities
 * of a branching point process; Zhuang, Ogata and Vere-Jones 2002). Handed on to the beginning, the shares rank the roots.
 */
import type { StoredFact } from '../kernel/datalog/index.ts'
import type { EdgeBook } from './edge-book.ts'
import type { CauseEdge, Event } from './events.ts'
import { byTime } from './events.ts'
import type { Lags } from './lags.ts'
import { anyLag, lagBetween, lagDensity } from './lags.ts'
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

/** Roots of one event that are followed further, and steps of a chain: what is beyond has no blame left to speak of. */
const MOST_ROOTS = 40
const MOST_HOPS = 100
/** A way with one more step on it says more: it wins unless it is this much less likely. */
const STEP_BONUS = 2

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
    return [...this.waysTo(event, 0)]
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
      const { cause, fact } = edge
      const model = this.book.between(cause, event)
      const lags = model?.lags ?? anyLag(event.ms - cause.ms)
      const weight = this.weightOf(edge) * this.claimOf(edge)
      return { cause, effect: event, fact, supposed: null, lags, confidence: model?.figures.confidence ?? 1, weight }
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

  /** How likely the cause would bring the effect about just then, per millisecond. */
  private weightOf({ cause, effect }: CauseEdge): number {
    const model = this.book.between(cause, effect)
    if (model === undefined) return 1 / Math.max(1, effect.ms - cause.ms)
    return model.strength * lagDensity(model.lags, lagBetween(model.lags, cause, effect)) * this.book.sharingFactor(model.sharing, cause, effect)
  }

  /** A cause brings one effect of a kind about as a rule: where it has several, each has a claim to it as far as it fits. */
  private claimOf(edge: CauseEdge): number {
    const rivals = (this.book.view.effects.get(edge.cause) ?? []).filter(({ effect }) => effect.className === edge.effect.className)
    if (rivals.length < 2) return 1
    const total = rivals.reduce((sum, rival) => sum + this.weightOf(rival), 0)
    return total === 0 ? 1 : this.weightOf(edge) / total
  }

  private waysTo(event: Event, depth: number): ReadonlyMap<Event, Way> {
    const known = this.ways.get(event)
    if (known !== undefined) return known
    // clocks that disagree could send the walk in circles: while it is under way, an event has no beginnings
    this.ways.set(event, new Map())
    const ways = new Map<Event, Way>()
    const hops = depth > MOST_HOPS ? [] : this.hopsOf(event)
    if (hops.every(({ fact }) => fact === null)) {
      const own = 1 - hops.reduce((sum, { share }) => sum + share, 0)
      ways.set(event, { share: own, worth: own, hop: null })
    }
    for (const hop of hops) {
      for (const [root, way] of this.waysTo(hop.cause, depth + 1)) {
        const [share, worth] = [hop.share * way.share, hop.share * way.worth * STEP_BONUS]
        const before = ways.get(root)
        const isBest = before === undefined || worth > before.worth
        ways.set(root, { share: share + (before?.share ?? 0), worth: isBest ? worth : before.worth, hop: isBest ? hop : before.hop })
      }
    }
    const kept = new Map([...ways].toSorted(([x, { share: a }], [y, { share: b }]) => b - a || byTime(x, y)).slice(0, MOST_ROOTS))
    this.ways.set(event, kept)
    return kept
  }

  private pathFrom(root: Event, event: Event): Hop[] {
    const path: Hop[] = []
    for (let at = event; at !== root && path.length <= 2 * MOST_HOPS; ) {
      const hop = this.ways.get(at)?.get(root)?.hop ?? null
      if (hop === null) break
      path.unshift(hop)
      at = hop.cause
    }
    return path
  }
}
