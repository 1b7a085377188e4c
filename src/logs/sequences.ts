/**
 * Sequences that are out of character for their service. One hidden Markov model per service, its size chosen by BIC; a
 * sequence is judged by how unlikely the model finds it and by what it holds that others do not.
 */
import { MINING, SEVERITY_TIER, type Severity } from '../contracts/index.ts'
import { logLikelihood, rng, selectHmm } from '../kernel/stats/index.ts'
import type { HmmFit } from '../kernel/stats/index.ts'
import { compareText } from '../kernel/term.ts'
import { hash64, pascalCase } from '../kernel/text/index.ts'
import type { Candidate, LogEvent, LogTemplate, Mined } from './candidate.ts'
import { consequenceOf, graver } from './candidates.ts'
import { rounded } from './tally.ts'

export interface SequenceOptions {
  /** lines without a trace are cut into slices of this length */
  readonly sliceSeconds?: number
  readonly maxStates?: number
  readonly seed?: number
}

/** Below this there is no character to be out of. */
const MIN_SEQUENCES = 8
/** The share of a service's sequences that may be called unusual at most, whatever their score. */
const TAIL = 0.1
/** A calibrated p at or below this is worth the anomaly confidence by itself. */
const SURE = 0.01

interface Sequence {
  readonly id: string
  readonly events: readonly LogEvent[]
}

interface Scored extends Sequence {
  /** negative log-likelihood per event under the model of the service */
  readonly surprise: number
  /** 1 when it holds a template that no other sequence of the service holds */
  readonly novelty: number
  readonly rarest: string
  readonly score: number
}

/** Anomaly candidates (LOG_EVENT by HMM_SEQUENCE_ANOMALY) of a mining result, per service. */
export function learnSequences(mined: Pick<Mined, 'events' | 'templates'>, options: SequenceOptions = {}): Candidate[] {
  const { sliceSeconds = 300, maxStates = 4, seed = 7 } = options
  const templateOf = new Map(mined.templates.map((template) => [template.clusterId, template]))
  return [...Map.groupBy(mined.events, (event) => event.service)]
    .toSorted(([x], [y]) => compareText(x, y))
    .flatMap(([service, events]) => {
      const sequences = sequencesOf(events, sliceSeconds * 1000)
      if (sequences.length < MIN_SEQUENCES) return []
      const symbols = new Map([...new Set(events.map((event) => event.clusterId))].toSorted(compareText).map((id, i) => [id, i]))
      const trajectory = (sequence: Sequence): number[] => sequence.events.map((event) => symbols.get(event.clusterId) ?? 0)
      const random = rng(seed + parseInt(hash64(service).slice(4), 16))
      const fit = selectHmm(sequences.map(trajectory), maxStates, { symbols: symbols.size, random })
      const surprise = (sequence: Sequence): number => -logLikelihood(fit.model, trajectory(sequence)) / sequence.events.length
      const found = unusual(score(sequences, surprise), events.length)
      const context = { service, fit, sequences, templateOf }
      return onePerPattern(found.map(({ sequence, figures }) => anomaly(sequence, figures, context)))
    })
}

/** The same trajectory twice is one candidate, with the higher confidence. */
function onePerPattern(candidates: readonly Candidate[]): Candidate[] {
  const best = new Map<string, Candidate>()
  for (const each of candidates) if (each.confidence > (best.get(each.key)?.confidence ?? 0)) best.set(each.key, each)
  return [...best.values()]
}

/** By trace where most lines carry one, else by slices of time. */
function sequencesOf(events: readonly LogEvent[], sliceMs: number): Sequence[] {
  const traced = events.filter((event) => event.trace !== '')
  const byTrace = traced.length * 2 > events.length
  const start = events[0]?.tsMs ?? 0
  const groups = byTrace
    ? Map.groupBy(traced, (event) => event.trace)
    : Map.groupBy(events, (event) => new Date(start + Math.floor((event.tsMs - start) / sliceMs) * sliceMs).toISOString())
  return [...groups].map(([id, own]) => ({ id, events: own })).toSorted((x, y) => compareText(x.id, y.id))
}

/** Both views by rank, so that neither unit outweighs the other. */
function score(sequences: readonly Sequence[], surpriseOf: (sequence: Sequence) => number): Scored[] {
  const holders = new Map<string, number>()
  for (const { events } of sequences) {
    for (const id of new Set(events.map((event) => event.clusterId))) holders.set(id, (holders.get(id) ?? 0) + 1)
  }
  const others = sequences.length - 1
  const raw = sequences.map((sequence) => {
    const ids = [...new Set(sequence.events.map((event) => event.clusterId))].toSorted(compareText)
    const rarest = ids.toSorted((x, y) => (holders.get(x) ?? 0) - (holders.get(y) ?? 0))[0] ?? ''
    return { ...sequence, surprise: surpriseOf(sequence), novelty: 1 - ((holders.get(rarest) ?? 1) - 1) / others, rarest }
  })
  const [surprises, novelties] = [raw.map((each) => each.surprise), raw.map((each) => each.novelty)]
  return raw.map((each) => ({ ...each, score: (share(surprises, each.surprise) + share(novelties, each.novelty)) / 2 }))
}

const share = (values: readonly number[], value: number): number =>
  values.filter((each) => each <= value + 1e-12).length / values.length

interface Figures {
  readonly p: number
  readonly calibrated: number
  readonly rarityFloor: number
  readonly confidence: number
}

/** Sequences in the tail of the scores whose confidence reaches the bar. */
function unusual(scored: readonly Scored[], lines: number): { sequence: Scored; figures: Figures }[] {
  return scored.flatMap((sequence) => {
    const p = scored.filter((other) => other.score >= sequence.score - 1e-12).length / scored.length
    const { anomaly_confidence: bar } = MINING
    const calibrated = p <= SURE ? bar + (1 - bar) * (1 - p / SURE) : bar * (SURE / p)
    const hits = scored.flatMap((each) => each.events).filter((event) => event.clusterId === sequence.rarest).length
    const rarity = 1 - Math.log(1 + hits) / Math.log(1 + lines)
    // a template that nothing else holds lifts the floor to the bar and, the rarer it is, above it
    const rarityFloor = sequence.novelty === 1 ? bar + (1 - bar) * rarity : bar * rarity * sequence.novelty
    const confidence = Math.max(calibrated, rarityFloor)
    return p <= TAIL && confidence >= bar ? [{ sequence, figures: { p, calibrated, rarityFloor, confidence } }] : []
  })
}

interface Context {
  readonly service: string
  readonly fit: HmmFit
  readonly sequences: readonly Sequence[]
  readonly templateOf: ReadonlyMap<string, LogTemplate>
}

function anomaly(sequence: Scored, figures: Figures, { service, fit, sequences, templateOf }: Context): Candidate {
  const templates = sequence.events.flatMap((event) => templateOf.get(event.clusterId) ?? [])
  const others = sequences.filter((each) => each.id !== sequence.id).flatMap((each) => each.events)
  const elsewhere = new Set(others.map((event) => event.clusterId))
  // only templates of this sequence alone stand for the event: all lines of another would claim too much
  const own = [...new Set(sequence.events.map((event) => event.clusterId))]
  const clusters = own.filter((id) => !elsewhere.has(id)).toSorted(compareText)
  const severity = sequence.events.map((event) => event.severity).reduce<Severity>(graver, 'DEBUG')
  const pattern = hash64(sequence.events.map((event) => event.clusterId).join(' '))
  const telling = templateOf.get(sequence.rarest)?.eventName ?? ''
  return {
    key: `anomaly:${service}:${pattern}`,
    proposalType: 'LOG_EVENT',
    detectionStrategy: 'HMM_SEQUENCE_ANOMALY',
    title: `Unusual sequence in ${service}: ${templates.map((template) => template.eventName).join(', ')}`,
    name: `Unusual${pascalCase(service)}${telling}`,
    confidence: rounded(figures.confidence),
    consequence: consequenceOf(severity, new Set(sequence.events.flatMap((event) => event.entities)).size),
    lagMsP50: null,
    lagMsP95: null,
    tier: SEVERITY_TIER[severity],
    evidence: {
      clusters,
      severity,
      service,
      sequence: sequence.id,
      events: templates.map((template) => template.eventName),
      surprise: rounded(sequence.surprise),
      novelty: rounded(sequence.novelty),
      score: rounded(sequence.score),
      p: rounded(figures.p),
      calibrated: rounded(figures.calibrated),
      rarity_floor: rounded(figures.rarityFloor),
      threshold: MINING.anomaly_confidence,
      sequences: sequences.length,
      states: fit.model.states,
      symbols: fit.model.symbols,
      bic: rounded(fit.bic),
      log_likelihood: rounded(fit.logLikelihood),
      lines: sequence.events.map(({ file, offset, tsMs }) => ({ file, offset, ts: new Date(tsMs).toISOString() })),
    },
    evidenceSample: templateOf.get(sequence.rarest)?.sampleLine ?? '',
  }
}
