import { describe, expect, it } from 'vitest'
import type { LogEvent } from '../candidate.ts'
import { columnsOf } from '../columns.ts'
import { edgeOf } from './edge.ts'
import { findCauses } from './judge.ts'

const event = (clusterId: string, seconds: number): LogEvent => ({
  clusterId, tsMs: seconds * 1000, service: 's', trace: '', entities: [], severity: 'INFO', file: 'x', offset: seconds,
})
/** Ten meetings far apart: b comes two seconds after a in so many of them, and before it in the others. */
const edgeWith = (leads: number) => {
  const causes = Array.from({ length: 10 }, (_, i) => 300 + i * 700)
  const meetings = causes.map((at, i) => [event('a', at), event('b', at + (i < leads ? 2 : -2))])
  const columns = columnsOf([event('zz', 0), ...meetings.flat(), event('zz', 7200)].toSorted((x, y) => x.tsMs - y.tsMs))
  return findCauses(columns, { windowMs: 30_000, seed: 7, gate: 'sound' }).judged.map((each) => edgeOf(columns, each))[0]
}

describe('an edge', () => {
  it.each([
    { leads: 10, ratio: 1, directed: true },
    { leads: 8, ratio: 0.8, directed: true },
    { leads: 7, ratio: 0.7, directed: false },
  ])('that leads in $ratio of the meetings: directed $directed, as it must lie above .7', ({ leads, ratio, directed }) => {
    expect(edgeWith(leads)).toMatchObject({ src: 'a', dst: 'b', temporalLeadRatio: ratio, directed, cooccurrenceCount: 10 })
  })
})
