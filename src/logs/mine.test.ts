import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { generateLogs } from '../../examples/log-rca/generate.ts'
import { SEVERITY_WEIGHT } from '../contracts/index.ts'
import type { LogRecord, Mined } from './candidate.ts'
import { mine } from './mine.ts'
import { readText } from './read/index.ts'
import { learnSequences } from './sequences/index.ts'

const recordsOf = (files: readonly { file: string; text: string }[]): LogRecord[] =>
  files.flatMap(({ file, text }) => readText(file, Buffer.from(text)).records)

const records = recordsOf(generateLogs())
const sample = mine(records)
const nameOf = (mined: Mined): Map<string, string> => new Map(mined.templates.map((each) => [each.clusterId, each.eventName]))
const causal = (mined: Mined): string[] => {
  const names = nameOf(mined)
  const passed = mined.edges.filter((edge) => edge.verdict === 'LOG_CAUSAL_EDGE')
  return passed.map((edge) => `${names.get(edge.src)} -> ${names.get(edge.dst)}`)
}

describe('the sample', () => {
  it('has 215 lines, and the committed files are what the generator writes', () => {
    expect(records).toHaveLength(215)
    for (const { file, text } of generateLogs()) {
      expect(readFileSync(join(import.meta.dirname, '../../examples/log-rca/sample', file), 'utf8')).toBe(text)
    }
  })

  it('gives readable event names', () => {
    const names = sample.templates.map((each) => each.eventName)
    expect(names).toEqual(expect.arrayContaining(['LinkDown', 'BgpPeerLost', 'NfHeartbeatLost', 'NfDeregister']))
  })

  it('holds its true edges as causes, by the figures of the gate, joined on the node', () => {
    expect(causal(sample)).toEqual(
      expect.arrayContaining(['LinkDown -> BgpPeerLost', 'BgpPeerLost -> NfHeartbeatLost', 'NfHeartbeatLost -> NfDeregister']),
    )
    const names = nameOf(sample)
    const edge = sample.edges.find((each) => names.get(each.src) === 'LinkDown' && names.get(each.dst) === 'BgpPeerLost')
    expect(edge).toMatchObject({ sharedEntity: 'node', directed: true, failedConditions: [] })
    expect(edge?.pmi).toBeGreaterThanOrEqual(2)
    expect(edge?.lagMsP50).toBeGreaterThan(1400)
    expect(edge?.lagMsP50).toBeLessThan(2600)
  })

  it.each([1, 2, 3, 11, 42])('is no lucky draw: seed %d tells the same story', (seed) => {
    expect(causal(mine(recordsOf(generateLogs(seed))))).toEqual(
      expect.arrayContaining(['LinkDown -> BgpPeerLost', 'BgpPeerLost -> NfHeartbeatLost', 'NfHeartbeatLost -> NfDeregister']),
    )
  })

  it('has no edge of LinkDown left once its lines are gone', () => {
    const without = mine(records.filter((record) => !record.message.startsWith('link down')))
    expect(causal(without).filter((edge) => edge.includes('LinkDown'))).toEqual([])
    expect(without.candidates.filter((each) => each.title.includes('LinkDown'))).toEqual([])
    expect(causal(without)).toContain('BgpPeerLost -> NfHeartbeatLost')
  })

  it('loses its story when the times are shuffled', () => {
    const times = records.map((record) => record.tsMs)
    const step = 101 // coprime to 215: a fixed permutation
    const shuffled = mine(records.map((record, i) => ({ ...record, tsMs: times[(i * step) % times.length] ?? 0 })))
    expect(causal(shuffled).filter((edge) => edge.startsWith('LinkDown') || edge.endsWith('NfDeregister'))).toEqual([])
  })

  it('shows no private value anywhere', () => {
    expect(JSON.stringify([sample, learnSequences(sample).candidates])).not.toMatch(/26201\d{10}|@example\.org/)
  })
})

describe('mine', () => {
  it('counts every line once', () => {
    expect(sample.lines).toBe(215)
    expect(sample.templates.reduce((sum, each) => sum + each.hits, 0)).toBe(215)
    expect(sample.events).toHaveLength(215)
  })

  it('keeps lines without a time in the counts, and out of the order', () => {
    const mined = mine([...records, { ...(records[0] as LogRecord), tsMs: null, offset: 1e6 }])
    expect(mined.templates.reduce((sum, each) => sum + each.hits, 0)).toBe(216)
    expect(mined.events).toEqual(sample.events)
  })

  it('gives the same result whatever the order of the lines', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(records, { minLength: records.length }), (shuffled) => {
        expect(mine(shuffled)).toEqual(sample)
      }),
      { numRuns: 3 },
    )
  })

  it.each([
    { name: 'nothing', given: [] },
    { name: 'one line', given: records.slice(0, 1) },
    { name: 'the same line twice', given: [records[0] as LogRecord, records[0] as LogRecord] },
    { name: 'lines without times', given: records.slice(0, 20).map((record) => ({ ...record, tsMs: null })) },
  ])('$name makes no edge and no failure', ({ given }) => {
    const mined = mine(given)
    expect(mined.edges).toEqual([])
    expect(mined.templates.reduce((sum, each) => sum + each.hits, 0)).toBe(given.length)
    expect(learnSequences(mined).candidates).toEqual([])
  })
})

describe('candidates', () => {
  it('carry what review needs, in queue order', () => {
    const scores = sample.candidates.map((each) => each.confidence * each.consequence)
    expect(scores).toEqual(scores.toSorted((x, y) => y - x))
    expect(new Set(sample.candidates.map((each) => each.key)).size).toBe(sample.candidates.length)
    for (const { confidence, consequence } of sample.candidates) {
      expect(confidence).toBeGreaterThan(0)
      expect(confidence).toBeLessThan(1)
      expect(consequence).toBeGreaterThan(0)
      expect(consequence).toBeLessThanOrEqual(SEVERITY_WEIGHT.CRITICAL)
    }
  })

  it('an edge names its events, its figures with their thresholds, and the lines', () => {
    const edge = sample.candidates.find((each) => each.name === 'linkDownCausesBgpPeerLost')
    expect(edge).toMatchObject({
      proposalType: 'LOG_CAUSAL_EDGE',
      detectionStrategy: 'GRANGER_CAUSALITY',
      tier: 'Confidential',
      evidence: {
        cause: 'LinkDown', effect: 'BgpPeerLost', cause_service: 'router', effect_service: 'bgpd', cause_severity: 'ERROR',
        effect_severity: 'ERROR', shared_entity: 'node', window_seconds: 30, failed_conditions: [],
        gate: [
          { condition: 'pmi', threshold: 2, passed: true },
          { condition: 'temporal_lead_ratio', threshold: 0.7, passed: true },
          { condition: 'granger_p', threshold: 0.05 },
          { condition: 'transfer_entropy_z', threshold: 2 },
          { condition: 'false_discovery_q', threshold: 0.05, passed: true },
          { condition: 'direction', threshold: 0.5, passed: true },
        ],
      },
    })
    const pairs = edge?.evidence.line_pairs as { cause: { file: string; offset: number } }[]
    const text = generateLogs().find(({ file }) => file === pairs[0]?.cause.file)?.text ?? ''
    expect(text.slice(pairs[0]?.cause.offset).split('\n')[0]).toContain('link down node=')
  })

  it('an event names its clusters, an entity its slot, a demoted edge what it failed', () => {
    const evidenceOf = (key: string) => sample.candidates.find((each) => each.key === key)?.evidence
    const cluster = sample.templates.find((each) => each.eventName === 'LinkDown')?.clusterId ?? ''
    expect(evidenceOf(`event:${cluster}`)).toMatchObject({ clusters: [cluster], severity: 'ERROR', service: 'router', hits: 9 })
    expect(evidenceOf('entity:node')).toMatchObject({ slot: 'node', severity: 'CRITICAL' })
    const demoted = sample.candidates.filter((each) => each.proposalType === 'LOG_RELATIONSHIP')
    expect(demoted.length).toBeGreaterThan(0)
    for (const each of demoted) expect(each.evidence.failed_conditions).not.toEqual([])
  })
})

it('one grave line hides what is said of its template: sample and values come from all lines', () => {
  const line = (i: number, severity: LogRecord['severity'], session: string): LogRecord => ({
    file: 'a.log', offset: i, tsMs: i * 60_000, severity, service: 'amf', trace: '', message: `session accepted session=${session} node=crt-0${i % 3}`,
  })
  const { templates, candidates } = mine([line(0, 'CRITICAL', 's-secret'), ...Array.from({ length: 30 }, (_, i) => line(i + 1, 'INFO', `s-${i}`))])
  expect(templates).toMatchObject([{ severity: 'CRITICAL', hits: 31 }])
  for (const { tier } of [...candidates, ...(templates[0]?.slots ?? [])]) expect(tier).toBe('Restricted')
  // how sure the event is rests on what most lines say
  expect(candidates.find(({ key }) => key.startsWith('event:'))?.evidence).toMatchObject({ agreeing_hits: 30, severities: { INFO: 30, CRITICAL: 1 } })
})

describe('learnSequences', () => {
  it('finds the planted sequence, and nothing else', () => {
    const found = learnSequences(sample).candidates
    expect(found).toHaveLength(1)
    expect(found[0]).toMatchObject({
      proposalType: 'LOG_EVENT', detectionStrategy: 'HMM_SEQUENCE_ANOMALY', evidence: { sequence: 't-odd', service: 'gateway' },
    })
    expect(found[0]?.confidence).toBeGreaterThanOrEqual(0.6)
  })

  it('finds nothing where the odd request is missing', () => {
    expect(learnSequences(mine(records.filter((record) => record.trace !== 't-odd'))).candidates).toEqual([])
  })

  it('calls nothing unusual where every sequence is', () => {
    const words = ['ash', 'birch', 'cedar', 'elm', 'fir', 'hazel', 'larch', 'maple', 'oak', 'pine', 'rowan', 'willow']
    const each = words.map((word, i) => ({ ...(records[0] as LogRecord), trace: word, offset: i, message: `planted ${word}` }))
    expect(learnSequences(mine(each)).candidates).toEqual([])
  })

  it('gives the same candidates twice', () => {
    expect(learnSequences(sample).candidates).toEqual(learnSequences(sample).candidates)
  })
})
