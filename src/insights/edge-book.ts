/**
 * What is known of each kind of edge: its lags, how often the effect follows, how often both name the same thing. From mining where
 * a candidate was approved, otherwise from the pairs in the graph. Everything is read within the caller's view.
 */
import { quantile } from '../kernel/stats/index.ts'
import { compareText } from '../kernel/term.ts'
import type { CauseEdge, Event, View } from './events.ts'
import { lagOf, sharedNames } from './events.ts'
import type { Lags } from './lags.ts'
import { anyLag, lagDensity, lagsFrom } from './lags.ts'

/** One approved edge with the figures that it was approved on; null where nobody measured them. */
export interface EdgeFigures {
  readonly rule: string
  readonly cause: string
  readonly effect: string
  readonly windowSeconds: number
  /** the rule joins cause and effect on a thing that both name */
  readonly joined: boolean
  readonly confidence: number | null
  /** causes that mining looked at, and how many of them the effect followed */
  readonly n: number | null
  readonly followed: number | null
  readonly lagMsP50: number | null
  readonly lagMsP95: number | null
}

export interface EdgeModel extends EdgeRates {
  readonly figures: EdgeFigures
}

export interface EdgeRates {
  readonly lags: Lags
  /** how likely the effect follows at all */
  readonly strength: number
  /** how often cause and effect name the same thing */
  readonly sharing: number
}

/** A rule that somebody wrote by hand states its edge; nobody measured it. */
const STATED_CONFIDENCE = 0.9
const STATED_STRENGTH = 0.5
const FEWEST_PAIRS = 4
const LEAST_SPAN_MS = 60_000

export class EdgeBook {
  readonly view: View
  private readonly stated: ReadonlyMap<string, EdgeFigures>
  private readonly models: ReadonlyMap<string, EdgeModel>
  private readonly intoClass: ReadonlyMap<string, readonly EdgeModel[]>
  private readonly spans: ReadonlyMap<string, number>
  private readonly rates = new Map<string, number>()
  private readonly names = new Map<string, ReadonlyMap<string, number>>()

  constructor(view: View, figures: readonly EdgeFigures[]) {
    this.view = view
    const stated = new Map(figures.map((each) => [`${each.cause} ${each.effect}`, each]))
    this.stated = stated
    const pairs = Map.groupBy([...view.causes.values()].flat(), (pair) => this.keyOf(pair))
    const all = [...new Set([...stated.keys(), ...pairs.keys()])].toSorted(compareText)
    this.models = new Map(all.map((key) => [key, modelOf(stated.get(key) ?? unstated(pairs.get(key) ?? []), pairs.get(key) ?? [])]))
    this.intoClass = Map.groupBy([...this.models.values()], ({ figures: { effect } }) => effect)
    this.spans = spansOf(view, [...this.models.values()])
  }

  /** Every edge of the graph has one. */
  modelOf(edge: CauseEdge): EdgeModel {
    return this.models.get(this.keyOf(edge)) as EdgeModel
  }

  /** That of a step which may be in no rule at all. */
  between(cause: Event, effect: Event): EdgeModel | undefined {
    return this.models.get(this.keyOf({ cause, effect }))
  }

  /** An event of several classes goes by those that a rule speaks of. */
  private keyOf({ cause, effect }: Pick<CauseEdge, 'cause' | 'effect'>): string {
    const keys = [...cause.classNames].flatMap((from) => [...effect.classNames].map((to) => `${from} ${to}`))
    return keys.find((key) => this.stated.has(key)) ?? `${cause.className} ${effect.className}`
  }

  /** How likely the cause would bring the effect about just then, per millisecond. */
  weightOf({ lags, strength, sharing }: EdgeRates, cause: Event, effect: Event, lag: number = lagOf({ cause, effect })): number {
    return strength * lagDensity(lags, lag) * this.sharingFactor(sharing, cause, effect)
  }

  into(className: string): readonly EdgeModel[] {
    return this.intoClass.get(className) ?? []
  }

  outOf(className: string): readonly EdgeModel[] {
    return [...this.models.values()].filter(({ figures }) => figures.cause === className)
  }

  /** From the first event to the last of all classes that causes connect with this one, at least a minute. */
  spanOf(className: string): number {
    return this.spans.get(className) ?? LEAST_SPAN_MS
  }

  /** Events of a class that come without a known cause, per millisecond. */
  spontaneous(className: string): number {
    const rate = this.rates.get(className) ?? this.rateOf(className)
    this.rates.set(className, rate)
    return rate
  }

  /** How much more likely the effect names what it names when this cause brought it about than when it came by itself. */
  private sharingFactor(sharing: number, cause: Event, effect: Event): number {
    if (effect.entities.length === 0 || cause.entities.length === 0) return 1
    const shared = sharedNames(cause, effect)
    if (shared.length === 0) return 1 - sharing
    return 1 - sharing + sharing / Math.min(...shared.map((name) => this.nameShare(effect.className, name)))
  }

  private rateOf(className: string): number {
    const own = this.view.byClass.get(className) ?? []
    return (own.filter((event) => !this.view.causes.has(event)).length + 0.5) / this.spanOf(className)
  }

  private nameShare(className: string, name: string): number {
    const own = this.view.byClass.get(className) ?? []
    const counts = this.names.get(className) ?? countNames(own)
    this.names.set(className, counts)
    return ((counts.get(name) ?? 0) + 0.5) / (own.length + 1)
  }
}

/** Whatever has no part in a cause says nothing about how long was watched, so that no answer hangs on it. */
function spansOf({ byClass }: View, models: readonly EdgeModel[]): Map<string, number> {
  const groups = new Map<string, Set<string>>()
  for (const { figures } of models) {
    const joined = new Set([...(groups.get(figures.cause) ?? [figures.cause]), ...(groups.get(figures.effect) ?? [figures.effect])])
    for (const name of joined) groups.set(name, joined)
  }
  const spans = new Map<Set<string>, number>()
  for (const group of new Set(groups.values())) {
    const own = [...group].flatMap((name) => byClass.get(name) ?? [])
    const times = own.reduce(([first, last], { ms }) => [Math.min(first, ms), Math.max(last, ms)] as const, [Infinity, -Infinity] as const)
    spans.set(group, Math.max(LEAST_SPAN_MS, own.length === 0 ? 0 : times[1] - times[0]))
  }
  return new Map([...groups].map(([name, group]) => [name, spans.get(group) ?? LEAST_SPAN_MS]))
}

function countNames(events: readonly Event[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { entities } of events) for (const { name } of entities) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

/** An edge that is in the graph and in no approved rule: somebody's own rule derives it, or a file states it. */
function unstated(pairs: readonly CauseEdge[]): EdgeFigures {
  const [first] = pairs
  return {
    rule: '', cause: first?.cause.className ?? '', effect: first?.effect.className ?? '',
    windowSeconds: Math.max(1, ...pairs.map((pair) => Math.ceil(lagOf(pair) / 1000))),
    joined: pairs.every(({ cause, effect }) => sharedNames(cause, effect).length > 0),
    confidence: null, n: null, followed: null, lagMsP50: null, lagMsP95: null,
  }
}

function modelOf(figures: EdgeFigures, pairs: readonly CauseEdge[]): EdgeModel {
  const lags = lagsOf(figures, pairs)
  const { n, followed, confidence } = figures
  const often = n === null || followed === null || n === 0 ? STATED_STRENGTH : (Math.min(n, followed) + 0.5) / (n + 1)
  const best = likeliest(pairs, lags)
  const shared = best.filter(({ cause, effect }) => sharedNames(cause, effect).length > 0).length
  return { figures, lags, strength: often * (confidence ?? STATED_CONFIDENCE), sharing: (shared + 0.5) / (best.length + 1) }
}

/** Without figures the lag to the nearest cause tells: of several causes in a window the others are mostly there by chance. */
function lagsOf({ lagMsP50: p50, lagMsP95: p95, windowSeconds }: EdgeFigures, pairs: readonly CauseEdge[]): Lags {
  const windowMs = windowSeconds * 1000
  if (p50 !== null && p95 !== null) return lagsFrom(p50, p95, windowMs)
  const nearest = [...Map.groupBy(pairs, ({ effect }) => effect).values()].map((own) =>
    Math.min(...own.map(lagOf)),
  )
  if (nearest.length < FEWEST_PAIRS) return anyLag(windowMs)
  return lagsFrom(quantile(nearest, 0.5) ?? 1, quantile(nearest, 0.95) ?? 1, windowMs)
}

/** For each effect the cause whose lag fits best. */
const likeliest = (pairs: readonly CauseEdge[], lags: Lags): CauseEdge[] =>
  [...Map.groupBy(pairs, ({ effect }) => effect).values()].flatMap((own) => {
    const fit = (pair: CauseEdge) => lagDensity(lags, lagOf(pair))
    return own.toSorted((x, y) => fit(y) - fit(x))[0] ?? []
  })
