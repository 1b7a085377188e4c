/** "What caused this?", computed from the graph: ranked root causes, the chain with its proofs, and a sentence for each step. */
import type { CauseHint, ChainStep, Insight, RcaRequest, RankedCause, Tier } from '../contracts/index.ts'
import { LIMITS } from '../contracts/index.ts'
import type { Materialisation } from '../materialise/index.ts'
import { explainFact, factChecker } from '../materialise/index.ts'
import type { Hop } from './blame.ts'
import { Blame } from './blame.ts'
import { competingCauses, timelineOf } from './context.ts'
import type { EdgeFigures } from './edge-book.ts'
import { EdgeBook } from './edge-book.ts'
import type { Event, View } from './events.ts'
import { lagOf, lineBefore, listed, viewOf } from './events.ts'
import { chooseEvent } from './find-event.ts'
import { usualLags } from './lags.ts'
import type { RankedRoot } from './rank.ts'
import { circleOf, rankRoots } from './rank.ts'
import { affectedRecords } from './records.ts'
import { refutationOf } from './refute.ts'
import { similarTo } from './similar.ts'
import { beginning, clockTime, hopText, seen, summary } from './wording.ts'

/** `event` is a class name, a label or a phrase with one in it. */
export type RcaOptions = Pick<RcaRequest, 'event_iri' | 'event' | 'at' | 'on'> & {
  readonly preset?: RcaRequest['preset']
  readonly ceiling: Tier
  /** what mining found out about the approved edges, within the ceiling */
  readonly figures?: readonly EdgeFigures[]
  /** candidates for causes of a kind of event that nobody has approved, within the ceiling; asked for only when needed */
  readonly hints?: (className: string) => readonly CauseHint[]
}

/** What the graph alone can say: no model took part, and whoever asked knows how long it took. */
export type ComputedInsight = Omit<Insight, 'provider' | 'model' | 'duration_ms'>

export const RCA_PRESETS: readonly { readonly id: RcaRequest['preset']; readonly label: string; readonly question: string }[] = [
  { id: 'root-cause', label: 'Root cause', question: 'What caused {event}?' },
  { id: 'similar-incidents', label: 'Similar incidents', question: 'Which other incidents had the same causes as {event}?' },
]

/** Causes beyond these have hardly any share left. */
const SHOWN_CAUSES = 10
/** Steps that the answer tells in words. */
const SHOWN_STEPS = 20

export function rootCause(m: Materialisation, options: RcaOptions): ComputedInsight {
  const { ceiling, preset = 'root-cause' } = options
  const view = viewOf(m, ceiling)
  const { event, notes } = chooseEvent(view, options)
  const blame = new Blame(bookOf(view, options.figures ?? NO_FIGURES))
  const { roots, dropped } = provenRoots(view, rankRoots(blame, event).filter((root) => isWorthNaming(view, root)))
  const found: Finding = preset === 'root-cause' ? chainInsight(blame, event, roots, options) : similarTo(blame, event, roots)
  const mentioned = [
    event.iri,
    ...[found.chain, found.ranked_causes, found.similar, found.timeline].flatMap((some) => (some ?? []).map((one) => one.event)),
  ]
  const warnings = [...notes, ...dropped, ...found.warnings]
  return { about: seen(event), ...found, grounded_iris: [...new Set(mentioned)], unknown_iris: [], warnings }
}

export type Finding = Omit<ComputedInsight, 'grounded_iris' | 'unknown_iris' | 'about'>

const NO_FIGURES: readonly EdgeFigures[] = []
const books = new WeakMap<readonly EdgeFigures[], WeakMap<View, EdgeBook>>()

function bookOf(view: View, figures: readonly EdgeFigures[]): EdgeBook {
  const own = books.get(figures) ?? new WeakMap<View, EdgeBook>()
  books.set(figures, own)
  const book = own.get(view) ?? new EdgeBook(view, figures)
  own.set(view, book)
  return book
}

/** What is only supposed, or has a cause itself, must have some of the blame to be spoken of. */
const isWorthNaming = ({ causes }: View, { event, parts: { share }, path }: RankedRoot): boolean =>
  causes.has(event) ? share >= LEAST_SHARE.caused : share >= LEAST_SHARE.supposed || path.every(({ supposed }) => supposed === null)
const LEAST_SHARE = { supposed: 0.02, caused: 0.1 } as const

/** A way with a step whose proof the checker does not accept is no way. */
function provenRoots({ m }: View, roots: readonly RankedRoot[]): { roots: RankedRoot[]; dropped: string[] } {
  const check = factChecker(m)
  const dropped: string[] = []
  const kept = roots.filter(({ event, path }) => {
    const failed = path.flatMap(({ fact }) => (fact === null ? [] : [check(fact.id)])).find(({ valid }) => !valid)
    if (failed === undefined || failed.valid) return true
    dropped.push(`the chain from ${event.label} at ${clockTime(event.ms)} was dropped: the proof checker does not accept it (${failed.why})`)
    return false
  })
  return { roots: kept, dropped }
}

function chainInsight(blame: Blame, event: Event, roots: readonly RankedRoot[], { hints }: RcaOptions): Finding {
  const { book } = blame
  const { view } = book
  const [best] = roots
  if (best === undefined) return unexplained(blame, event, hints?.(event.className) ?? [])
  const steps = best.path.map((hop) => stepOf(view, hop))
  const chain = [...steps, lastStep(event)]
  const circle = circleOf(book, best.path)
  const warnings = [
    ...(best.entry || circle.length > 0 ? [] : [orphanNote(blame, best.event)]),
    ...(circle.length === 0 ? [] : [`${listed(circle)} cause one another: ${best.event.label} at ${clockTime(best.event.ms)} is where the circle was entered`]),
    ...(roots.length > 1 ? [`${roots.length} root causes are possible; they are ranked`] : []),
    ...best.path.filter(({ supposed }) => supposed !== null).map((hop) => `not proven: that ${hop.effect.label} followed ${hop.cause.label}; ${hop.supposed}`),
    ...best.path.filter(({ effect }) => blame.unknown(effect) > 0.5)
      .map(({ effect }) => `no known cause fits well: ${effect.label} at ${clockTime(effect.ms)} may have come by itself`),
  ]
  return {
    answer: [
      summary(event, best),
      ...best.path.slice(0, SHOWN_STEPS).map((hop, n) => hopText(hop, steps[n]?.rule ?? '')),
      ...(best.path.length > SHOWN_STEPS ? [`${best.path.length - SHOWN_STEPS} further steps are in the chain.`] : []),
    ].join('\n'),
    chain,
    ranked_causes: rankedCauses(event, roots),
    timeline: timelineOf(view, event, best, roots),
    competing: competingCauses(blame, event, best.path),
    refutation: refutationOf(blame, event, best),
    records: affectedRecords(view, [...new Set([...best.path.map(({ cause }) => cause), event])]),
    warnings,
  }
}

export const rankedCauses = (event: Event, roots: readonly RankedRoot[]): RankedCause[] =>
  roots.slice(0, SHOWN_CAUSES).map(({ event: root, score, parts, explains, entry, path }) => ({
    ...seen(root), score, parts, explains, hops: path.length, lag_ms: event.ms - beginning(root, path).ms, entry,
    supposed: path.find(({ supposed }) => supposed !== null)?.supposed ?? null,
  }))

function unexplained({ book }: Blame, event: Event, hints: readonly CauseHint[]): Finding {
  const kinds = [...new Set(book.into(event.className).map(({ figures }) => figures.cause))]
  const looked = kinds.length === 0 ? '' : ` ${listed(kinds)} ${kinds.length === 1 ? 'is' : 'are'} known to cause it; none fits here.`
  const maybe = hints.length === 0 ? '' : ` Candidates that nobody has approved: ${listed(hints.map(({ title }) => title))}.`
  return {
    answer: `No cause of ${event.label} at ${clockTime(event.ms)} is known in the graph.${looked}${maybe}`,
    chain: [],
    ranked_causes: [],
    ...(hints.length === 0 ? {} : { hints }),
    warnings: [],
  }
}

function orphanNote(blame: Blame, root: Event): string {
  const kinds = [...new Set(blame.book.into(root.className).map(({ figures }) => figures.cause))]
  const known = `${root.label} may not be where it began: ${listed(kinds)} ${kinds.length === 1 ? 'causes' : 'cause'} such events`
  const [likeliest] = blame.hopsOf(root)
  if (likeliest === undefined) return `${known}, and none is in the graph before it`
  const { cause, share } = likeliest
  return `${known}, and ${cause.label} at ${clockTime(cause.ms)} fits with ${Math.round(100 * share)} % of the blame`
}

function stepOf(view: View, hop: Hop): ChainStep {
  const { cause, effect, fact, supposed, lags } = hop
  const { ms, line } = lineBefore(cause, effect)
  const derivations = fact === null ? [] : explainFact(view.m, fact, LIMITS.premise_tree_depth, view.ceiling).derivations
  // the inverse of :triggers derives it too, and says nothing
  const derivation = derivations.find(({ engine }) => engine !== 'owl') ?? derivations[0]
  const usual = usualLags(lags)
  return {
    ...seen(cause),
    ...(ms === cause.ms ? {} : { repeated_at: new Date(ms).toISOString() }),
    lag_ms: lagOf(hop),
    rule: derivation?.rule ?? null,
    premises: derivation?.premises ?? [],
    ...(usual === null ? {} : { usual_lag_ms: usual }),
    supposed,
    ...about(cause),
    line,
  }
}

const lastStep = (event: Event): ChainStep => ({ ...seen(event), lag_ms: null, rule: null, premises: [], supposed: null, ...about(event) })
const about = ({ severity, count, line }: Event) => ({ severity, count, line })
