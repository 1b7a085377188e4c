/** Sequences that are out of character for their service, as candidates for review (LOG_EVENT by HMM_SEQUENCE_ANOMALY). */
import { MINING, SEVERITIES, SEVERITY_TIER, type Severity } from '../../contracts/index.ts'
import { falseDiscoveryQ } from '../../kernel/stats/index.ts'
import { compareText } from '../../kernel/term.ts'
import { hash64, pascalCase } from '../../kernel/text/index.ts'
import type { Candidate, LogTemplate, Mined } from '../candidate.ts'
import { consequenceOf, graver, rowLine } from '../candidates.ts'
import { ENTITIES_PER_LINE, type EventColumns } from '../columns.ts'
import { rounded } from '../tally.ts'
import { type Cut, type LogSequence, cutRows } from './cut.ts'
import { DETECTORS, type SequenceModel, learnOrdinary } from './learn.ts'
import { type NameSequence, namer } from './name-sequence.ts'
import { type RarestTemplate, raritiesOf } from './rarity.ts'
import { type Confidence, FALSE_DISCOVERY, SURE, confidenceOf } from './verdict.ts'

export interface SequenceOptions {
  readonly seed?: number
}

/** What was learned of one service, for the store. */
export interface ServiceModel {
  readonly service: string
  readonly states: number
  readonly body: Readonly<Record<string, unknown>>
}

export interface SequencesLearned {
  readonly candidates: readonly Candidate[]
  readonly models: readonly ServiceModel[]
  readonly sequences: number
  /** services with too few sequences to have a character */
  readonly tooFew: readonly string[]
}

/** Below this there is no character to be out of. */
const MIN_SEQUENCES = 8
const MAX_EVENTS_SHOWN = 50

interface Learned extends Cut {
  readonly service: string
  readonly columns: EventColumns
  readonly model: SequenceModel
}

/** Anomaly candidates of a mining result, and the model of each service. All lines with a time count, stored or not. */
export function learnSequences(
  { columns, events, templates }: Pick<Mined, 'columns' | 'events' | 'templates'>, { seed = 7 }: SequenceOptions = {},
): SequencesLearned {
  const idsOf = ({ rows }: LogSequence): string[] => templatesOf(columns, rows)
  const services = [...Map.groupBy(columns.ts.keys(), (row) => columns.services[columns.service[row]!]!)].toSorted(([x], [y]) => compareText(x, y))
  const cuts = services.map(([service, rows]) => ({ service, columns, ...cutRows(columns, rows) }))
  const [enough, tooFew] = [cuts.filter(isEnough), cuts.filter((cut) => !isEnough(cut))]
  const learned = enough.map((cut): Learned => ({ ...cut, model: learnOrdinary(cut.sequences.map(idsOf), seed) }))
  // counted over all services: the more sequences are looked at, the rarer one has to be
  const ps = learned.flatMap(({ model }) => model.heldOut.map(({ combined }) => model.ranking.tail(combined)))
  const qs = falseDiscoveryQ(ps)
  const templateOf = new Map(templates.map((template) => [template.clusterId, template]))
  const nameOf = namer(columns, events)
  let at = 0
  const candidates = learned.flatMap((each) => {
    const rarities = raritiesOf(each.sequences.map(idsOf))
    const found = each.sequences.flatMap((sequence, i) => {
      const [p, q] = [ps[at + i]!, qs[at + i]!]
      const confidence = confidenceOf(p, q, rarities[i]!)
      return confidence.proposed ? [anomaly({ ...each, sequence, i, p, q, rarity: rarities[i]!, confidence, templateOf, nameOf })] : []
    })
    at += each.sequences.length
    return onePerPattern(found)
  })
  return { candidates, models: learned.map(modelOf), sequences: ps.length, tooFew: tooFew.map(({ service }) => service) }
}

const isEnough = (cut: Cut): boolean => cut.sequences.length >= MIN_SEQUENCES

const templatesOf = ({ templates, template }: EventColumns, rows: readonly number[]): string[] =>
  rows.map((row) => templates[template[row]!]!)

/** How many things the rows name. */
function entitiesOf({ entity, entitySlot }: EventColumns, rows: readonly number[]): number {
  const seen = new Set<string>()
  for (const row of rows) {
    for (let at = row * ENTITIES_PER_LINE; at < (row + 1) * ENTITIES_PER_LINE; at += 1) {
      if (entity[at] !== 0) seen.add(`${entitySlot[at]} ${entity[at]}`)
    }
  }
  return seen.size
}

/** The same trajectory twice is one candidate, with the higher confidence. */
function onePerPattern(candidates: readonly Candidate[]): Candidate[] {
  const best = new Map<string, Candidate>()
  for (const each of candidates) if (each.confidence > (best.get(each.key)?.confidence ?? 0)) best.set(each.key, each)
  return [...best.values()]
}

interface Found extends Learned {
  readonly sequence: LogSequence
  readonly i: number
  readonly p: number
  readonly q: number
  readonly rarity: RarestTemplate
  readonly confidence: Confidence
  readonly templateOf: ReadonlyMap<string, LogTemplate>
  readonly nameOf: NameSequence
}

function anomaly({ service, columns, by, sequences, model, sequence, i, p, q, rarity, confidence, templateOf, nameOf }: Found): Candidate {
  const { rows } = sequence
  const ids = templatesOf(columns, rows)
  const templates = ids.slice(0, MAX_EVENTS_SHOWN).flatMap((id) => templateOf.get(id) ?? [])
  const severity = rows.map((row) => SEVERITIES[columns.severity[row]!]!).reduce<Severity>(graver, 'DEBUG')
  const rarest = templateOf.get(rarity.rarest)
  const judged = model.heldOut[i]!
  const { best } = model.selection
  return {
    key: `anomaly:${service}:${hash64(ids.join(' '))}`,
    proposalType: 'LOG_EVENT',
    detectionStrategy: 'HMM_SEQUENCE_ANOMALY',
    title: `Unusual sequence in ${service}: ${templates.map((template) => template.eventName).join(', ')}`,
    name: `Unusual${pascalCase(service)}${rarest?.eventName ?? ''}`,
    confidence: rounded(confidence.confidence),
    consequence: consequenceOf(severity, entitiesOf(columns, rows)),
    lagMsP50: null,
    lagMsP95: null,
    tier: SEVERITY_TIER[severity],
    evidence: {
      // only templates of this sequence alone stand for the event: all lines of another would claim too much
      clusters: rarity.own,
      severity,
      service,
      sequence: nameOf(by, sequence),
      grouped_by: by,
      events: templates.map((template) => template.eventName),
      detectors: DETECTORS.map((name, d) => ({ name, score: rounded(judged.scores[d]!), p: rounded(judged.ps[d]!) })),
      score: rounded(judged.combined),
      p: rounded(p),
      p_threshold: SURE,
      conformal_p: rounded(model.ranking.p(judged.combined)),
      q: rounded(q),
      q_threshold: FALSE_DISCOVERY,
      calibrated: rounded(confidence.calibrated),
      rarity_floor: rounded(confidence.rarityFloor),
      threshold: MINING.anomaly_confidence,
      rarest_event: rarest?.eventName ?? '',
      holders: rarity.holders,
      as_rare: rarity.asRare,
      next_holders: rarity.nextHolders,
      sequences: sequences.length,
      states: best.model.states,
      symbols: model.vocabulary.size,
      bic: rounded(best.bic),
      log_likelihood: rounded(best.logLikelihood),
      lines: rows.slice(0, MAX_EVENTS_SHOWN).map((row) => rowLine(columns, row)),
    },
    evidenceSample: rarest?.sampleLine ?? '',
  }
}

/** Rows instead of flat arrays, and rounded: for people and other programs to read. */
function modelOf({ service, by, sequences, model }: Learned): ServiceModel {
  const { best, bics } = model.selection
  const { states: n, symbols, start, transition, emission } = best.model
  const row = (values: Iterable<number>): number[] => [...values].map(rounded)
  return {
    service,
    states: n,
    body: {
      grouped_by: by,
      sequences: sequences.length,
      // the last symbol is the end of a sequence
      templates: model.vocabulary.templates,
      start: row(start),
      transition: Array.from({ length: n }, (_, i) => row(transition.subarray(i * n, (i + 1) * n))),
      emission: Array.from({ length: n }, (_, i) => row(Array.from({ length: symbols }, (_, s) => emission[s * n + i]!))),
      log_likelihood: rounded(best.logLikelihood),
      bic: rounded(best.bic),
      bics: bics.map((each) => ({ states: each.states, bic: rounded(each.bic) })),
    },
  }
}
