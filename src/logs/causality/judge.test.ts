import { describe, expect, it } from 'vitest'
import { rng } from '../../kernel/stats/index.ts'
import type { LogEvent } from '../candidate.ts'
import { columnsOf } from '../columns.ts'
import { findCauses } from './judge.ts'

const SPAN_S = 7200
const event = (clusterId: string, seconds: number, entity = ''): LogEvent => ({
  clusterId, tsMs: seconds * 1000, service: 's', trace: '', entities: entity === '' ? [] : [entity], severity: 'INFO', file: 'x',
  offset: Math.round(seconds * 1000),
})
const at = (seed: number, count: number): number[] => {
  const random = rng(seed)
  return Array.from({ length: count }, () => 60 + random() * (SPAN_S - 120))
}
const after = (times: readonly number[], seconds: number, seed: number): number[] => {
  const random = rng(seed)
  return times.filter(() => random() < 0.85).map((t) => t + seconds * (0.6 + random()))
}
const edges = [event('zz', 0), event('zz', SPAN_S)]
const of = (id: string, times: readonly number[]): LogEvent[] => times.map((t) => event(id, t))
const judge = (events: readonly LogEvent[], gate: 'sound' | 'stated' = 'sound') => {
  const columns = columnsOf([...events, ...edges].toSorted((x, y) => x.tsMs - y.tsMs))
  const found = findCauses(columns, { windowMs: 30_000, seed: 7, gate })
  const name = (i: number): string => columns.templates[i] ?? ''
  return {
    ...found,
    causal: found.judged
      .filter(({ verdict }) => verdict.verdict === 'LOG_CAUSAL_EDGE')
      .map(({ link }) => `${name(link.src)}>${name(link.dst)}`),
    of: (src: string, dst: string) => found.judged.find(({ link }) => name(link.src) === src && name(link.dst) === dst),
  }
}

describe('findCauses', () => {
  it('finds a cause of eight occurrences, with every figure of the verdict', () => {
    const causes = at(1, 8)
    const events = [...of('a', causes), ...of('b', causes.map((t) => t + 3)), ...of('c', at(2, 40))]
    const { causal, of: edge, searched } = judge(events)
    expect(causal).toEqual(['a>b'])
    expect(edge('a', 'b')).toMatchObject({
      link: { lead: { before: 8, after: 0, tied: 0 }, leadRatio: 1, shared: null, windowMs: 30_000 },
      verdict: { statedVerdict: 'LOG_CAUSAL_EDGE', failed: [], explained: null },
    })
    expect(searched).toMatchObject({ eligible: 3, tests: 6, tooRare: 1, tooFrequent: 0, capped: 0 })
  })

  it('demotes the far end of a chain as transitive and the effects of one cause among themselves, and says who explains', () => {
    const roots = at(3, 30)
    const middle = after(roots, 2, 4)
    const [ends, others] = [after(middle, 4, 5), after(roots, 9, 6)]
    const { causal, of: edge } = judge([...of('a', roots), ...of('b', middle), ...of('c', ends), ...of('d', others)])
    expect(causal.toSorted()).toEqual(['a>b', 'a>d', 'b>c'])
    expect(edge('a', 'c')?.verdict).toMatchObject({ statedVerdict: 'LOG_CAUSAL_EDGE', failed: ['transitive'] })
    expect(edge('b', 'd')?.verdict).toMatchObject({ verdict: 'LOG_RELATIONSHIP', failed: ['common_cause'] })
    expect(edge('b', 'd')?.verdict.explained?.by).toBe(edge('a', 'b')?.link.src)
  })

  it('stops after the stated conditions where it is asked to', () => {
    const roots = at(3, 30)
    const middle = after(roots, 2, 4)
    const events = [...of('a', roots), ...of('b', middle), ...of('c', after(middle, 4, 5))]
    expect(judge(events, 'stated').causal.toSorted()).toEqual(['a>b', 'a>c', 'b>c'])
    expect(judge(events, 'stated').of('a', 'c')?.verdict).toMatchObject({ failed: [], statedVerdict: 'LOG_CAUSAL_EDGE' })
  })

  it('keeps every pair that passes PMI and lead, and names the test that it fails', () => {
    // busy in the same twelve minutes, and nothing else to do with each other
    const noise = Array.from({ length: 20 }, (_, i) => of(`n${i}`, at(300 + i, 12).map((t) => 3000 + t / 10))).flat()
    for (const gate of ['sound', 'stated'] as const) {
      const { judged } = judge(noise, gate)
      const failing = judged.filter(({ verdict }) => verdict.failed.includes('granger_p or transfer_entropy_z'))
      expect(failing.length).toBeGreaterThan(0)
      for (const { link, verdict } of failing) {
        expect(verdict.verdict).toBe('LOG_RELATIONSHIP')
        expect(verdict.statedVerdict).toBe('LOG_RELATIONSHIP')
        expect(link.pmi).toBeGreaterThanOrEqual(2)
        expect(link.leadRatio).toBeGreaterThanOrEqual(0.7)
      }
    }
  })

  it('counts every pair that could have been tested against false discoveries, also those that share no window', () => {
    const causes = at(1, 8)
    const events = [...of('a', causes), ...of('b', causes.map((t) => t + 3))]
    const lonely = Array.from({ length: 8 }, (_, i) => of(`l${i}`, [0, 1, 2, 3].map((k) => 100 + 680 * i + 160 * k))).flat()
    const [alone, among] = [judge(events), judge([...events, ...lonely])]
    expect([alone.searched.tests, among.searched.tests]).toEqual([2, 90])
    for (const { of: edge, searched } of [alone, among]) {
      const { q, p } = edge('a', 'b')?.verdict ?? { q: 0, p: 1 }
      expect(q / p).toBeCloseTo(searched.tests, 6)
    }
  })

  it('keeps both causes of one effect', () => {
    const [one, two] = [at(5, 20), at(6, 20)]
    const effects = [...after(one, 2, 7), ...after(two, 5, 8)]
    expect(judge([...of('a', one), ...of('b', two), ...of('c', effects)]).causal.toSorted()).toEqual(['a>c', 'b>c'])
  })

  it('matches by the thing that both name where time alone is lost in the crowd', () => {
    const random = rng(9)
    const sessions = Array.from({ length: 60 }, (_, i) => ({ t: 60 + random() * 6900, id: `session=s${i}` }))
    const effects = sessions.map(({ t, id }) => event('b', t + 5 + random() * 45, id))
    const crowd = at(10, 100).map((t, i) => event('b', t, `session=x${i}`))
    const { of: edge } = judge([...sessions.map(({ t, id }) => event('a', t, id)), ...effects, ...crowd])
    expect(edge('a', 'b')).toMatchObject({ link: { shared: { slotA: 0, slotB: 0 } }, verdict: { verdict: 'LOG_CAUSAL_EDGE' } })
  })

  it('reads PMI within the window that was given, however frequent the effect', () => {
    const causes = at(11, 20)
    // two in three windows hold the effect: no cause can make it four times as likely
    const { of: edge } = judge([...of('a', causes), ...of('b', [...causes.map((t) => t + 1), ...at(12, 240)])])
    expect(edge('a', 'b')).toMatchObject({
      link: { windowMs: 30_000, windows: { total: SPAN_S / 30 } },
      verdict: { statedVerdict: 'LOG_RELATIONSHIP', verdict: 'LOG_RELATIONSHIP', failed: ['pmi'] },
    })
  })

  it('and on the same thing, where longer lags are looked at', () => {
    const random = rng(13)
    const jobs = at(14, 40).map((t, i) => ({ t, id: `job=j${i}` }))
    const effects = jobs.map(({ t, id }) => event('b', t + 35 + random() * 20, id))
    const { of: edge } = judge([...jobs.map(({ t, id }) => event('a', t, id)), ...effects])
    expect(edge('a', 'b')).toMatchObject({
      link: { windowMs: 30_000, order: { before: 40, after: 0 }, lead: { before: 0, after: 0, tied: 0 } },
      verdict: { statedVerdict: 'LOG_RELATIONSHIP', failed: expect.arrayContaining(['pmi', 'temporal_lead_ratio']) },
    })
  })

  it('counts the two ways of matching as two tests, and all pairs as tests that may depend on each other where asked', () => {
    const jobs = at(21, 12).map((t, i) => ({ t, id: `job=j${i}` }))
    const events = jobs.flatMap(({ t, id }) => [event('a', t, id), event('b', t + 2, id)])
    const { link, verdict } = judge(events).of('a', 'b') as NonNullable<ReturnType<ReturnType<typeof judge>['of']>>
    expect(link.shared).not.toBeNull()
    expect(link.p / (link.follower?.p ?? 0)).toBeCloseTo(2, 9)
    const columns = columnsOf([...events, ...edges].toSorted((x, y) => x.tsMs - y.tsMs))
    const strict = findCauses(columns, { windowMs: 30_000, seed: 7, gate: 'sound', dependent: true })
    const strictQ = strict.judged.find((each) => each.link.src === link.src)?.verdict.q ?? 0
    expect(strictQ / verdict.q).toBeCloseTo(1.5, 9) // two tests: 1 + 1/2
  })

  it('lets a frequent event be a cause', () => {
    const random = rng(15)
    const beats = at(16, 900)
    const effects = beats.filter(() => random() < 0.05).map((t) => t + 0.05 + random() * 0.1)
    const { of: edge, searched } = judge([...of('a', beats), ...of('b', effects)])
    expect(searched).toMatchObject({ eligible: 2, tooFrequent: 1 })
    expect(edge('a', 'b')?.verdict.q).toBeLessThan(1e-6)
  })

  it('matches frequent events on the same thing, and looks at a sample of the things', () => {
    const random = rng(17)
    const steps = Array.from({ length: 600 }, (_, i) => ({ t: 60 + random() * 6900, id: `session=s${i}` })).flatMap(({ t, id }) => {
      const [second, third] = [t + 1 + random() * 3, t + 6 + random() * 6]
      return [event('a', t, id), event('b', second, id), event('c', third, id)]
    })
    const { causal, of: edge, searched } = judge(steps)
    expect(searched.tooFrequent).toBe(3)
    expect(causal).toContain('a>b')
    expect(edge('a', 'b')).toMatchObject({ link: { lead: { before: 600 } } })
    expect(edge('a', 'b')?.link.follower?.n).toBe(200)
    expect(edge('a', 'b')?.sightings.length).toBeGreaterThan(500)
  })

  it('finds nothing in noise and heartbeats', () => {
    const beats = Array.from({ length: 719 }, (_, i) => i * 10 + 3)
    const noise = Array.from({ length: 25 }, (_, i) => of(`n${i}`, at(100 + i, 10 + i * 3))).flat()
    const { causal, searched } = judge([...noise, ...of('beat', beats), ...of('other', beats.map((t) => t + 0.1))])
    expect(causal).toEqual([])
    expect(searched.tooFrequent).toBe(2)
  })

  it.each([
    { name: 'no events', events: [] },
    { name: 'a single coincidence', events: [event('a', 1), event('b', 2)] },
  ])('$name make no link', ({ events }) => {
    expect(judge(events).judged).toEqual([])
  })

  it('leaves the most frequent out above the budget and counts them', () => {
    const columns = columnsOf([...of('a', at(1, 9)), ...of('b', at(2, 9)), ...of('c', at(3, 40))])
    expect(findCauses(columns, { windowMs: 30_000, seed: 7, gate: 'sound', budget: 0 }).searched.capped).toBeGreaterThan(0)
  })
})
