/**
 * How well strange sequences are told from ordinary ones: learned from one file, judged on another, with the labels of the second
 * kept for the figures. Every detector is measured by the same rule beside their combination.
 */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import * as z from 'zod'
import { LIMITS, ServiceError } from '../contracts/index.ts'
import { falseDiscoveryQ, rng, uniformDistance } from '../kernel/stats/index.ts'
import { compareText } from '../kernel/term.ts'
import { DETECTORS, FALSE_DISCOVERY, type Judged, SURE, type SequenceModel, confidenceOf, learnOrdinary } from '../logs/index.ts'
import { type Detection, detectionOf, together } from './detection.ts'

export const SequenceLine = z.object({
  id: z.string(),
  label: z.union([z.number(), z.boolean()]).optional(),
  templates: z.array(z.string()),
})
export type SequenceLine = z.infer<typeof SequenceLine>

export interface SequenceVerdict {
  readonly id: string
  readonly label?: boolean
  readonly anomalous: boolean
  readonly confidence: number
  readonly calibrated: number
  readonly rarity_floor: number
  readonly p: number
  readonly q: number
}

export interface SequencesEvaluation {
  readonly figures: {
    readonly train: { readonly sequences: number; readonly left_out_as_anomalous: number; readonly templates: number; readonly states: number }
    readonly test: { readonly sequences: number; readonly labelled: number; readonly anomalous: number }
    readonly rule: { readonly p: number; readonly q: number }
    readonly combined: Detection
    /** each on its own, by the same rule */
    readonly detectors: Readonly<Record<string, Detection>>
    /** the plainest there is: anything that no ordinary sequence had */
    readonly never_seen: Readonly<Record<string, Detection>>
    /** distance of the smoothed p of ordinary test sequences from uniform; small is well calibrated */
    readonly calibration: { readonly ks_distance: number | null; readonly share_p_at_most_01: number | null }
    /** labelled anomalies whose templates, in this order, are also those of an ordinary sequence of the training file */
    readonly indistinguishable: number
  }
  readonly verdicts: readonly SequenceVerdict[]
}

export interface SequencesAsked {
  readonly train: string
  readonly test: string
  readonly seed?: number
}

export function evaluateSequences({ train, test, seed = 7 }: SequencesAsked): SequencesEvaluation {
  return measureSequences(readSequences(train), readSequences(test), seed)
}

/** Learns from what is not labelled as an anomaly. */
export function measureSequences(given: readonly SequenceLine[], test: readonly SequenceLine[], seed = 7): SequencesEvaluation {
  const ordinary = given.filter((line) => !isAnomaly(line))
  if (ordinary.length === 0) throw new ServiceError('invalid_request', 'there is no ordinary sequence to learn from')
  const model = learnOrdinary(ordinary.map(({ templates }) => templates), seed)
  const random = rng(seed)
  const judged = test.map(({ templates }) => model.judge(templates, random()))
  const smoothed = judged.map(({ combined }) => model.ranking.smoothed(combined, random()))
  const verdicts = verdictsOf(model, test, judged)
  const alone = DETECTORS.map((name, d): [string, Detection] => {
    const ps = judged.map(({ ps }) => ps[d]!)
    const qs = falseDiscoveryQ(ps)
    return [name, detectionOf(test.map((line, i) => [line.label, ps[i]! <= SURE && qs[i]! <= FALSE_DISCOVERY]))]
  })
  const calm = smoothed.filter((_, i) => test[i]!.label !== undefined && !isAnomaly(test[i]!))
  const trajectories = new Set(ordinary.map(({ templates }) => JSON.stringify(templates)))
  return {
    figures: {
      train: {
        sequences: ordinary.length, left_out_as_anomalous: given.length - ordinary.length, templates: model.vocabulary.size,
        states: model.selection.best.model.states,
      },
      test: {
        sequences: test.length, labelled: test.filter(({ label }) => label !== undefined).length,
        anomalous: test.filter(isAnomaly).length,
      },
      rule: { p: SURE, q: FALSE_DISCOVERY },
      combined: detectionOf(test.map((line, i) => [line.label, verdicts[i]!.anomalous])),
      detectors: Object.fromEntries(alone),
      never_seen: neverSeen(ordinary, test),
      calibration: {
        ks_distance: calm.length === 0 ? null : uniformDistance(calm),
        share_p_at_most_01: calm.length === 0 ? null : calm.filter((p) => p <= SURE).length / calm.length,
      },
      indistinguishable: test.filter((line) => isAnomaly(line) && trajectories.has(JSON.stringify(line.templates))).length,
    },
    verdicts,
  }
}

/** Traits of a sequence, any of which is an alarm when no ordinary sequence has it. */
const TRAITS: Readonly<Record<string, (templates: readonly string[]) => readonly string[]>> = {
  'count vector': (templates) => [JSON.stringify(templates.toSorted(compareText))],
  event: (templates) => templates,
  bigram: (templates) => ['', ...templates].map((template, i, all) => JSON.stringify([template, all[i + 1] ?? ''])),
}

function neverSeen(ordinary: readonly SequenceLine[], test: readonly SequenceLine[]): Record<string, Detection> {
  return Object.fromEntries(
    Object.entries(TRAITS).map(([name, traits]) => {
      const seen = new Set(ordinary.flatMap(({ templates }) => traits(templates)))
      return [name, detectionOf(test.map(({ label, templates }) => [label, traits(templates).some((trait) => !seen.has(trait))]))]
    }),
  )
}

const isAnomaly = ({ label }: SequenceLine): boolean => label !== undefined && Number(label) !== 0

function verdictsOf(model: SequenceModel, test: readonly SequenceLine[], judged: readonly Judged[]): SequenceVerdict[] {
  const ps = judged.map(({ combined }) => model.ranking.tail(combined))
  const qs = falseDiscoveryQ(ps)
  return test.map(({ id, label, templates }, i) => {
    const { calibrated, rarityFloor, confidence, proposed } = confidenceOf(ps[i]!, qs[i]!, model.rarity(templates))
    return {
      id, ...(label === undefined ? {} : { label: Number(label) !== 0 }), anomalous: proposed, confidence, calibrated,
      rarity_floor: rarityFloor, p: ps[i]!, q: qs[i]!,
    }
  })
}

export interface SequencesCrossValidated {
  readonly folds: number
  /** all folds counted together; every line is tested once, by what was learned from the other folds */
  readonly combined: Detection
  readonly detectors: Readonly<Record<string, Detection>>
  readonly never_seen: Readonly<Record<string, Detection>>
  /** worst first */
  readonly ks_distances: readonly number[]
  readonly indistinguishable: number
}

export function crossValidateSequences({ file, folds, seed = 7 }: { file: string; folds: number; seed?: number }): SequencesCrossValidated {
  const lines = readSequences(file)
  const parts = Array.from({ length: folds }, (_, fold) => {
    const test = lines.filter((_, i) => i % folds === fold)
    return measureSequences(lines.filter((_, i) => i % folds !== fold), test, seed).figures
  })
  const [first] = parts
  const summed = (of: 'detectors' | 'never_seen'): Record<string, Detection> =>
    Object.fromEntries(Object.keys(first?.[of] ?? {}).map((name) => [name, together(parts.map((part) => part[of][name]!))]))
  return {
    folds, combined: together(parts.map(({ combined }) => combined)), detectors: summed('detectors'), never_seen: summed('never_seen'),
    ks_distances: parts.flatMap(({ calibration }) => calibration.ks_distance ?? []).toSorted((x, y) => y - x),
    indistinguishable: parts.reduce((sum, part) => sum + part.indistinguishable, 0),
  }
}

/** JSON lines, gzip or not. */
export function readSequences(file: string): SequenceLine[] {
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
    if (bytes[0] === 0x1f && bytes[1] === 0x8b) bytes = gunzipSync(bytes, { maxOutputLength: LIMITS.sequence_file_bytes })
  } catch (cause) {
    throw new ServiceError('invalid_request', 'a file of sequences cannot be read', { cause, hint: 'name a file of JSON lines, plain or gzip' })
  }
  return bytes.toString('utf8').split('\n').flatMap((line, i) => {
    if (line.trim() === '') return []
    const read = SequenceLine.safeParse(parsed(line))
    if (read.success) return [read.data]
    const hint = 'each line is {"id": text, "label": 0 or 1 (optional), "templates": [text, ...]}'
    throw new ServiceError('invalid_request', `line ${i + 1} is no sequence`, { hint })
  })
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
