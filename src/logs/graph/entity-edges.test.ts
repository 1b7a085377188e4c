import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rng } from '../../kernel/stats/index.ts'
import type { LogEvent } from '../candidate.ts'
import { mine } from '../mine.ts'
import { entityEdges } from './entity-edges.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND
const WINDOW = { windowMs: 30 * SECOND }

const event = (tsMs: number, ...entities: string[]): LogEvent => ({
  clusterId: 'c', tsMs, service: 's', trace: '', entities, severity: 'ERROR', file: 'f', offset: tsMs,
})

/** Each cell speaks every ten minutes, its amplifier four seconds later; cells take turns. */
const paired = (cells: number): LogEvent[] =>
  Array.from({ length: cells }, (_, cell) =>
    Array.from({ length: 12 }, (_, turn) => {
      const at = turn * 600 * SECOND + (cell * 600 * SECOND) / cells
      return [event(at, `cell=c-${cell}`), event(at + 4 * SECOND, `amp=a-${cell}`)]
    }).flat(),
  ).flat()

describe('entityEdges', () => {
  it('finds which thing goes with which, and which is named first', () => {
    const found = entityEdges(paired(6), WINDOW)
    expect(found.map(({ src, dst }) => `${src} ${dst}`).toSorted()).toEqual([0, 1, 2, 3, 4, 5].map((i) => `cell=c-${i} amp=a-${i}`))
    expect(found[0]).toMatchObject({
      srcKind: 'entity', dstKind: 'entity', temporalLeadRatio: 1, directed: true, lagMsP50: 4000, n: 12, verdict: 'LOG_RELATIONSHIP',
    })
    // by chance a window of 30 s every 600 s: 1 in 20, and it is there every time
    expect(found[0]?.pmi).toBeCloseTo(Math.log2(20), 0)
  })

  it('names in one line have no order', () => {
    const lines = Array.from({ length: 12 }, (_, turn) => [0, 1, 2].map((i) => event(turn * 600_000 + i * 200_000, `a=x${i}`, `b=y${i}`))).flat()
    const found = entityEdges(lines, WINDOW)
    expect(found).toHaveLength(3)
    for (const each of found) expect(each).toMatchObject({ directed: false, temporalLeadRatio: 0, cooccurrenceCount: 12 })
  })

  it.each([
    ['no events', []],
    ['a thing too rare to judge', paired(2).slice(0, 4)],
    ['one thing alone', paired(1).filter(({ entities }) => entities[0]?.startsWith('cell'))],
    ['all at one moment', Array.from({ length: 9 }, () => event(5, 'a=1', 'b=2'))],
  ])('%s: nothing is claimed', (_, events) => {
    expect(entityEdges(events, WINDOW)).toEqual([])
  })

  it('claims next to nothing of independent things', () => {
    const random = rng(3)
    const noise = Array.from({ length: 40 }, (_, i) => Array.from({ length: 30 }, () => event(Math.floor(random() * 10 * HOUR), `n=${i}`))).flat()
    expect(entityEdges(noise, WINDOW).length).toBeLessThanOrEqual(2)
  })

  it('is the same in any order of the lines', () => {
    const events = paired(3)
    const expected = entityEdges(events, WINDOW)
    fc.assert(fc.property(fc.shuffledSubarray(events, { minLength: events.length }), (shuffled) => {
      expect(entityEdges(shuffled, WINDOW)).toEqual(expected)
    }), { numRuns: 20 })
  })
})

it('two kinds of things that go together are one candidate for review, without a causal claim', () => {
  const records = paired(6).map(({ tsMs, entities: [entity = ''] }, offset) => ({
    file: 'radio.log', offset, tsMs, severity: entity.startsWith('cell') ? 'WARN' as const : 'ERROR' as const, service: 'radio',
    trace: '', message: entity.startsWith('cell') ? `cell degraded ${entity}` : `amplifier reset ${entity}`,
  }))
  const { candidates } = mine(records)
  const relation = candidates.filter(({ evidence }) => evidence['between'] === 'entities')
  expect(relation).toMatchObject([{
    key: 'relation:amp~cell', proposalType: 'LOG_RELATIONSHIP', name: 'ampWithCell', tier: 'Confidential',
    evidence: { cause: 'Amp', effect: 'Cell', pairs: 6, things: 12, things_in_pairs: 12, severity: 'ERROR' },
  }])
})
