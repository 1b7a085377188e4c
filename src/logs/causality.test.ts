import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LogEvent } from './candidate.ts'
import { gate, judge } from './causality.ts'
import { eventLinks } from './graph.ts'

const PASS = { pmi: 2, leadRatio: 0.7, grangerP: 0.049, teZ: 2.1 }

describe('the gate', () => {
  it.each([
    { name: 'all conditions at their bounds', change: {}, failed: [] },
    { name: 'Granger alone is enough', change: { teZ: null }, failed: [] },
    { name: 'transfer entropy alone is enough', change: { grangerP: null }, failed: [] },
    { name: 'PMI below 2', change: { pmi: 1.999 }, failed: ['pmi'] },
    { name: 'lead below 0.7', change: { leadRatio: 0.699 }, failed: ['temporal_lead_ratio'] },
    { name: 'neither test', change: { grangerP: 0.05, teZ: 2 }, failed: ['granger_p or transfer_entropy_z'] },
    { name: 'no test could be run', change: { grangerP: null, teZ: null }, failed: ['granger_p or transfer_entropy_z'] },
    { name: 'PMI and lead', change: { pmi: 0, leadRatio: 0 }, failed: ['pmi', 'temporal_lead_ratio'] },
  ])('$name: $failed', ({ change, failed }) => {
    const verdict = gate({ ...PASS, ...change })
    expect(verdict.failed).toEqual(failed)
    expect(verdict.verdict).toBe(failed.length === 0 ? 'LOG_CAUSAL_EDGE' : 'LOG_RELATIONSHIP')
  })

  it('stronger figures never turn a cause into a relationship', () => {
    const more = fc.double({ min: 0, max: 5, noNaN: true })
    fc.assert(
      fc.property(more, more, (pmi, z) => gate({ ...PASS, pmi: 2 + pmi, teZ: 2.1 + z }).verdict === 'LOG_CAUSAL_EDGE'),
    )
  })
})

const event = (clusterId: string, seconds: number, node: string): LogEvent => ({
  clusterId, tsMs: seconds * 1000, service: 's', trace: '', entities: node === '' ? [] : [`node=${node}`],
  severity: 'INFO', file: 'x', offset: seconds,
})
const inTime = (events: readonly LogEvent[]): LogEvent[] => events.toSorted((x, y) => x.tsMs - y.tsMs)

describe('eventLinks', () => {
  it('matches the worked example', () => {
    // 8 pairs, 3 s apart, 300 s between them: windows start every 15 s, each event lies in 2; 0 s and 300 s are starts of
    // windows, so cause and effect share both of theirs: together 16 of a 16, b 16; 2100 / 15 + 2 = 142 windows
    const events = inTime(Array.from({ length: 8 }, (_, i) => [event('a', i * 300, 'n1'), event('b', i * 300 + 3, 'n1')]).flat())
    const [link, ...more] = eventLinks(events, 30_000)
    expect(more).toEqual([])
    expect(link).toMatchObject({
      src: 'a', dst: 'b', windows: { together: 16, a: 16, b: 16, total: 142 },
      lead: { before: 8, after: 0, tied: 0 }, leadRatio: 1, sharedEntity: 'node',
    })
    expect(link?.pmi).toBeCloseTo(Math.log2(142 / 16), 9)
    if (link === undefined) throw new Error('there is a link')
    const verdict = judge(link, { startMs: 0, endMs: 2_103_000, windowMs: 30_000, seed: 7 })
    expect(verdict.verdict).toBe('LOG_CAUSAL_EDGE')
  })

  it('events on different entities are no pair, even in one window', () => {
    const mixed = Array.from({ length: 8 }, (_, i) => [
      event('a', i * 300, `n${i % 2}`), event('b', i * 300 + 3, `n${i % 2}`), event('b', i * 300 + 1, 'elsewhere'),
    ])
    const link = eventLinks(inTime(mixed.flat()), 30_000).find((each) => each.src === 'a')
    expect(link?.sharedEntity).toBeNull() // the nearest follower is always the stranger: nothing is shared in most pairs
    const apart = Array.from({ length: 8 }, (_, i) => [
      event('a', i * 300, `n${i % 2}`), event('b', i * 300 + 3, `n${i % 2}`), event('b', i * 300 + 9, 'elsewhere'),
    ])
    const close = eventLinks(inTime(apart.flat()), 30_000).find((each) => each.src === 'a')
    expect(close?.sharedEntity).toBe('node')
    expect(close?.lead).toEqual({ before: 8, after: 0, tied: 0 })
  })

  it.each([
    { name: 'no events', events: [] },
    { name: 'one event', events: [event('a', 0, '')] },
    { name: 'a single coincidence', events: [event('a', 0, ''), event('b', 1, ''), event('c', 5000, '')] },
  ])('$name make no link', ({ events }) => {
    expect(eventLinks(events, 30_000)).toEqual([])
  })
})
