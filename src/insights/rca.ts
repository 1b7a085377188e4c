/** "What caused this?", computed from the graph: ranked root causes, the chain with its proofs, and a sentence for each step. */
import type { ChainStep, Insight, RcaRequest, Tier } from '../contracts/index.ts'
import { LIMITS, ServiceError } from '../contracts/index.ts'
import type { Materialisation } from '../materialise/index.ts'
import { explainFact } from '../materialise/index.ts'
import type { CauseEdge, Causes } from './causes.ts'
import { causesOf } from './causes.ts'
import type { Event, View } from './events.ts'
import { eventsNamed, listed, viewOf } from './events.ts'
import { similarTo } from './similar.ts'

/** `event` is a class name, a label or a phrase with one in it. */
export type RcaOptions = Pick<RcaRequest, 'event_iri' | 'event'> & {
  readonly preset?: RcaRequest['preset']
  readonly ceiling: Tier
}

/** What the graph alone can say: no model took part, and whoever asked knows how long it took. */
export type ComputedInsight = Omit<Insight, 'provider' | 'model' | 'duration_ms'>

export const RCA_PRESETS: readonly { readonly id: RcaRequest['preset']; readonly label: string; readonly question: string }[] = [
  { id: 'root-cause', label: 'Root cause', question: 'What caused {event}?' },
  { id: 'similar-incidents', label: 'Similar incidents', question: 'Which other incidents had the same causes as {event}?' },
]

export function rootCause(m: Materialisation, options: RcaOptions): ComputedInsight {
  const { ceiling, preset = 'root-cause' } = options
  const view = viewOf(m, ceiling)
  const { event, causes, warnings: choice } = chosen(view, options)
  const found: Finding = preset === 'root-cause' ? chainInsight(view, event, causes) : similarTo(view, event, causes)
  const mentioned = [
    event.iri,
    ...[found.chain, found.ranked_causes, found.similar].flatMap((some) => (some ?? []).map((one) => one.event)),
  ]
  const warnings = [...choice, ...found.warnings]
  return { ...found, grounded_iris: [...new Set(mentioned)], unknown_iris: [], warnings }
}

type Finding = Pick<Insight, 'answer' | 'chain' | 'ranked_causes' | 'similar' | 'warnings'>

/**
 * The event in question. Of several that fit, the most recent one with a known cause: a reader who names a kind of event wants
 * one that can be explained, and is told of those that cannot. An id that is not there and one above the ceiling read the same.
 */
function chosen(view: View, { event_iri: id, event: phrase }: RcaOptions): { event: Event; causes: Causes; warnings: string[] } {
  const found = id === undefined ? eventsNamed(view, phrase ?? '') : [view.events.get(id)].filter((one) => one !== undefined)
  const [latest] = found
  if (latest === undefined) {
    const names = [...new Set([...view.events.values()].map(({ className }) => className))].toSorted().slice(0, 20)
    const hint =
      names.length === 0
        ? 'the graph holds no events: approve log candidates, then run phases 2 and reason'
        : `events in the graph: ${names.join(', ')}`
    throw new ServiceError('not_found', 'no such event is in the graph', { hint })
  }
  const explained = found.find((event) => causesOf(view, event).roots.length > 0)
  const event = explained ?? latest
  const causes = causesOf(view, event)
  if (found.length === 1) return { event, causes, warnings: [] }
  const skipped = event === latest ? [] : [`no cause is known of a later one, at ${latest.time}: <${latest.iri}>`]
  const which = explained === undefined ? 'the most recent one' : 'the most recent one with a known cause'
  return { event, causes, warnings: [`${found.length} events fit; this is ${which}, at ${event.time}`, ...skipped] }
}

function chainInsight(view: View, event: Event, { roots, chain, forks }: Causes): Finding {
  const [best] = roots
  if (best === undefined)
    return {
      answer: `No cause of ${event.label} at ${clockTime(event)} is known in the graph.`,
      chain: [],
      ranked_causes: [],
      warnings: [],
    }
  const steps = chain.map((edge) => step(view, edge))
  const last: ChainStep = { event: event.iri, label: event.label, time: event.time, lag_ms: null, rule: null, premises: [] }
  const warnings = [
    ...(roots.length > 1 ? [`${roots.length} root causes are possible; they are ranked`] : []),
    ...forks.map((fork) => `${fork.label} at ${clockTime(fork)} has more than one cause`),
  ]
  return {
    answer: [summary(event, best.event, chain), ...chain.map((edge, n) => hop(edge, steps[n]?.rule ?? ''))].join(' '),
    chain: [...steps, last],
    ranked_causes: roots.map(({ event: root, score, explains }) => ({
      event: root.iri,
      label: root.label,
      time: root.time,
      score,
      explains,
    })),
    warnings,
  }
}

function step(view: View, { cause, effect, fact }: CauseEdge): ChainStep {
  const [derivation] = explainFact(view.m, fact, LIMITS.premise_tree_depth, view.ceiling).derivations
  return {
    event: cause.iri,
    label: cause.label,
    time: cause.time,
    lag_ms: effect.ms - cause.ms,
    rule: derivation?.rule ?? null,
    premises: derivation?.premises ?? [],
  }
}

function summary(event: Event, root: Event, chain: readonly CauseEdge[]): string {
  const between = chain.slice(1).map(({ cause }) => cause.className)
  const through = between.length === 0 ? '' : `, through ${listed(between)}`
  const earlier = `${seconds(event.ms - root.ms)} earlier`
  return `${event.className} at ${clockTime(event)} was caused by ${root.label} at ${clockTime(root)} (${earlier})${through}.`
}

function hop({ cause, effect }: CauseEdge, rule: string): string {
  const by = rule === '' ? 'as the graph states' : `by rule ${rule}`
  return `${effect.label} followed ${cause.label} after ${seconds(effect.ms - cause.ms)} (${by}).`
}

/** 10:12:41Z: the day stands in the chain's own times. */
export const clockTime = ({ ms }: Event): string => `${new Date(ms).toISOString().slice(11, 19)}Z`

const seconds = (ms: number): string =>
  ms < 1000 ? `${ms} ms` : ms < 600_000 ? `${(ms / 1000).toFixed(1)} s` : `${(ms / 60_000).toFixed(0)} min`
