import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { integerIn, rng } from '../kernel/stats/index.ts'
import { detectionOf, together } from './detection.ts'
import { type SequenceLine, crossValidateSequences, evaluateSequences, measureSequences, readSequences } from './sequences.ts'

describe('detectionOf', () => {
  it('matches the worked example', () => {
    const found = detectionOf([[1, true], [1, true], [1, false], [0, true], [0, false], [false, false], [undefined, true]])
    expect(found).toMatchObject({ true_positives: 2, false_positives: 1, false_negatives: 1, true_negatives: 2, false_alarm_rate: 1 / 3 })
    expect([found.precision, found.recall, found.f1]).toEqual([2 / 3, 2 / 3, 2 / 3])
    expect(together([found, found])).toMatchObject({ true_positives: 4, f1: 2 / 3 })
  })

  it('has no figure where there is nothing to count', () => {
    expect(detectionOf([])).toMatchObject({ precision: null, recall: null, f1: null, false_alarm_rate: null })
  })
})

/** A job that is queued, runs in steps, and ends. */
function lines(count: number, seed: number, odd: (i: number) => boolean = () => false): SequenceLine[] {
  const random = rng(seed)
  return Array.from({ length: count }, (_, i) => {
    const steps = Array.from({ length: integerIn(random, 1, 5) }, () => (random() < 0.8 ? 'step' : 'spill'))
    const templates = ['queued', 'started', ...steps, 'done']
    if (odd(i)) templates.splice(2, steps.length, ...(i % 2 === 0 ? ['started', 'queued'] : ['step', 'panic']))
    return { id: `job-${i}`, label: odd(i) ? 1 : 0, templates }
  })
}

describe('eval sequences', () => {
  let folder: string
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'wherefore-sequences-'))))
  afterEach(() => rmSync(folder, { recursive: true, force: true }))
  const put = (name: string, text: string | Buffer): string => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const jsonl = (given: readonly unknown[]): string => given.map((line) => `${JSON.stringify(line)}\n`).join('')

  it('finds planted sequences at confidence .6 and above, with at most one false alarm in a hundred', () => {
    const train = put('train.jsonl.gz', gzipSync(jsonl(lines(600, 1))))
    const test = put('test.jsonl', jsonl(lines(400, 2, (i) => i % 40 === 0 || i % 40 === 19)))
    const { figures, verdicts } = evaluateSequences({ train, test })
    expect(figures.combined).toMatchObject({ recall: 1 })
    expect(figures.combined.false_alarm_rate).toBeLessThanOrEqual(0.01)
    for (const { label, confidence } of verdicts) if (label === true) expect(confidence).toBeGreaterThanOrEqual(0.6)
    expect(Object.keys(figures.detectors)).toEqual(['count-vector', 'unseen-event', 'bigram', 'hmm'])
    expect(figures.calibration.ks_distance).toBeLessThan(0.1)
  })

  it('learns from ordinary lines only, and needs no labels', () => {
    const [train, test] = [lines(200, 1, (i) => i % 10 === 0), lines(100, 2, (i) => i % 25 === 0)]
    const unlabelled = test.map(({ id, templates }) => ({ id, templates }))
    const [labelled, blind] = [measureSequences(train, test), measureSequences(train, unlabelled)]
    expect(labelled.figures.train).toMatchObject({ sequences: 180, left_out_as_anomalous: 20 })
    expect(blind.figures.combined.f1).toBeNull()
    expect(blind.verdicts.map(({ anomalous }) => anomalous)).toEqual(labelled.verdicts.map(({ anomalous }) => anomalous))
  })

  it.each([
    { name: 'no file', text: null, says: /cannot be read/ },
    { name: 'broken gzip', text: Buffer.from([0x1f, 0x8b, 1, 2, 3]), says: /cannot be read/ },
    { name: 'no JSON', text: '{"id": "a", "templates": []}\nnot json\n', says: /line 2 is no sequence/ },
    { name: 'no templates', text: '{"id": "a"}\n', says: /line 1 is no sequence/ },
  ])('refuses $name', ({ text, says }) => {
    const file = text === null ? join(folder, 'missing') : put('bad', text)
    expect(() => readSequences(file)).toThrow(says)
  })

  it('refuses to learn from nothing', () => {
    expect(() => measureSequences([], lines(3, 1))).toThrow(/no ordinary sequence/)
  })
})

/** The labelled sessions are not part of this repository: SHARED_DATA says where they lie. */
const sessions = join(process.env['SHARED_DATA'] ?? '../shared/data', 'sequences/hdfs100k_1.0_train.jsonl.gz')

describe.skipIf(!existsSync(sessions))('labelled sessions (skipped where SHARED_DATA has none)', () => {
  it('the combination is not worse than the best simple detector by more than .005, and p is calibrated', () => {
    const all = readSequences(sessions)
    const folds = 5
    const measured = process.env['WHEREFORE_FULL'] === undefined
      ? [measureSequences(all.filter((_, i) => i % folds !== 0), all.filter((_, i) => i % folds === 0)).figures]
      : null
    const found = measured === null ? crossValidateSequences({ file: sessions, folds }) : measured[0]!
    const simple = [found.detectors['count-vector']!, found.detectors['unseen-event']!, found.detectors['bigram']!, ...Object.values(found.never_seen)]
    expect(found.combined.f1).toBeGreaterThanOrEqual(Math.max(...simple.map(({ f1 }) => f1 ?? 0)) - 0.005)
    expect(found.combined.false_alarm_rate).toBeLessThanOrEqual(0.01)
    const worst = 'ks_distances' in found ? found.ks_distances[0] : found.calibration.ks_distance
    expect(worst).toBeLessThanOrEqual(0.05)
  })
})
