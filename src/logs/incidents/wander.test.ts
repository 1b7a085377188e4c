/** What wanders, drifts or is looked at in many ways has to deviate more before it counts. */
import { describe, expect, it } from 'vitest'
import type { Day, EventLine, Request } from './day.ts'
import { Patterns } from './patterns.ts'
import { IncidentRanker } from './rank.ts'
import { segmentsOf } from './segments.ts'
import { Slowness } from './slowness.ts'

const MINUTE = 60_000
const START = 12 * MINUTE
const segments = segmentsOf([START], 0, START + MINUTE)
/** Ten quiet minutes, two that are passed over, one of the incident; twenty requests a minute. */
const MINUTES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12]
const steady = (minute: number): number => (minute === 12 ? 15 : 2)
const swinging = (minute: number): number => (minute === 12 ? 15 : (minute % 2) * 4)

/** Of twenty requests a minute so many are odd. */
const requests = (service: string, odd: (minute: number) => number, lines: (odd: boolean) => readonly [event: string, ms: number][]): Request[] =>
  MINUTES.flatMap((minute) =>
    Array.from({ length: 20 }, (_, i): Request => {
      const startMs = minute * MINUTE + i * 1000
      const trace = `${service} ${minute} ${i}`
      const written = lines(i < odd(minute)).map(([event, ms]): EventLine => ({ tsMs: startMs + ms, service, trace, span: 's', error: false, event }))
      return { trace, startMs, reference: false, lines: written, spans: [] }
    }),
  )
const turning = (isOdd: boolean): [string, number][] => [['ask', 0], [isOdd ? 'refuse' : 'grant', 10]]
const slowing = (isOdd: boolean): [string, number][] => [['ask', 0], ['grant', isOdd ? 900 : 10]]

describe('the same move', () => {
  it('of a share that swings between quiet minutes is worth less than of one that stands still', () => {
    const { evidence } = new Patterns([...requests('a', swinging, turning), ...requests('b', steady, turning)], segments, false).at(START)
    const best = (service: string) => evidence.find((each) => each.service === service && each.outcome === 'refuse')
    expect(best('a')?.now).toEqual(best('b')?.now)
    expect(best('a')?.before[0]).toBeCloseTo(best('b')?.before[0] ?? 0, 10)
    expect(best('b')?.score).toBeGreaterThan(2 * (best('a')?.score ?? Infinity))
  })

  it('of a duration that swings between quiet minutes is worth less than of one that stands still', () => {
    const { evidence } = new Slowness([...requests('a', swinging, slowing), ...requests('b', steady, slowing)], segments, false).at(START)
    const best = (service: string) => evidence.find((each) => each.service === service)
    expect(best('a')).toMatchObject({ now: [15, 20], before: [20, 200] })
    expect(best('b')).toMatchObject({ now: [15, 20], before: [20, 200] })
    expect(best('b')?.score).toBeGreaterThan(2 * (best('a')?.score ?? Infinity))
  })

  it('is worth less among many that were looked at, by twice the log of how many', () => {
    const busy = (isOdd: boolean): [string, number][] => [...Array.from({ length: 30 }, (_, i): [string, number] => [`work ${i}`, -40 + i]), ...turning(isOdd)]
    const day: Day = {
      requests: [...requests('a', steady, busy), ...requests('b', steady, turning)].toSorted((x, y) => x.startMs - y.startMs),
      services: ['a', 'b'], series: [], texts: new Map(),
    }
    const [first, second] = new IncidentRanker(day, [START]).rank(START).logs
    expect([first?.service, second?.service]).toEqual(['b', 'a'])
    // 4 traits of b: ask to grant, ask to refuse, either to the end; 30 more of a
    expect((first?.score ?? 0) - (second?.score ?? 0)).toBeCloseTo(2 * Math.log(34 / 4), 6)
  })
})
