import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { integerIn, rng, uniformDistance } from '../../kernel/stats/index.ts'
import type { LogEvent } from '../candidate.ts'
import { columnsOf } from '../columns.ts'
import { mine } from '../mine.ts'
import { learnSequences } from './anomalies.ts'
import { countVector } from './count-vector.ts'
import { cutRows } from './cut.ts'
import { hiddenMarkov } from './hidden-markov.ts'
import { learnOrdinary } from './learn.ts'
import { markov } from './markov.ts'
import { raritiesOf, rarityAmong } from './rarity.ts'
import { unseenEvent } from './unseen-event.ts'
import { confidenceOf } from './verdict.ts'

/** A request: opened, one to three reads, now and then a write, closed. */
function request(random: () => number): string[] {
  const reads = Array.from({ length: integerIn(random, 1, 4) }, () => 'read')
  return ['open', ...reads, ...(random() < 0.3 ? ['write', 'flush'] : []), 'close']
}
const requests = (count: number, seed: number): string[][] => {
  const random = rng(seed)
  return Array.from({ length: count }, () => request(random))
}

function eventsOf(sequences: readonly (readonly string[])[], { service = 'api', traced = true, entity = '' } = {}): LogEvent[] {
  return sequences.flatMap((templates, i) =>
    templates.map((clusterId, k): LogEvent => ({
      clusterId, tsMs: i * 60_000 + k * 100, service, trace: traced ? `t${String(i).padStart(5, '0')}` : '',
      entities: entity === '' ? [] : [`${entity}=s${i}`], severity: 'INFO', file: 'a.log', offset: i * 1000 + k,
    })),
  )
}

describe('learnOrdinary', () => {
  it('judges what it learned by detectors that have not learned it: one of a kind stays strange', () => {
    const odd = ['open', 'close', 'read', 'write', 'write', 'close', 'open']
    const model = learnOrdinary([...requests(60, 4), odd], 7)
    const own = model.heldOut.at(-1)
    for (const [i, each] of model.heldOut.slice(0, -1).entries()) expect(own?.combined, `sequence ${i}`).toBeGreaterThan(each.combined)
    // had the Markov chain learned it, its steps would no longer be the rarest: no other sequence holds them
    expect(own?.scores[2]).toBeGreaterThan(2 * Math.max(...model.heldOut.slice(0, -1).map(({ scores }) => scores[2] ?? 0)))
  })
})

describe('detectors', () => {
  const learning = () => ({ size: 3, random: rng(7) })
  const ordinary = Array.from({ length: 50 }, (_, i) => (i % 5 === 0 ? [0, 1, 1, 2] : [0, 1, 2]))

  it.each([
    { detector: countVector, name: 'another count', odd: [0, 1, 1, 1, 1, 1, 1, 2] },
    { detector: countVector, name: 'a template never learned', odd: [0, 1, 3, 2] },
    { detector: unseenEvent, name: 'a template never learned', odd: [0, 1, 3, 2] },
    { detector: markov, name: 'another order', odd: [2, 1, 0] },
    { detector: markov, name: 'an end too early', odd: [0, 1] },
    { detector: markov, name: 'a template never learned', odd: [0, 1, 3, 2] },
    { detector: hiddenMarkov, name: 'another order', odd: [2, 1, 0] },
    { detector: hiddenMarkov, name: 'an end too early', odd: [0, 1] },
    { detector: hiddenMarkov, name: 'a template never learned', odd: [0, 1, 3, 2] },
  ])('$detector.name finds $name stranger than what it learned', ({ detector, odd }) => {
    const strangeness = detector.learn(ordinary, learning())
    expect(strangeness(odd)).toBeGreaterThan(Math.max(strangeness([0, 1, 2]), strangeness([0, 1, 1, 2])) + 0.1)
  })

  it.each([countVector, unseenEvent, markov, hiddenMarkov])('$name gives a finite figure for anything, even nothing', (detector) => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 12 }), (sequence) => {
        expect(Number.isFinite(detector.learn(ordinary.slice(0, 6), learning())(sequence))).toBe(true)
      }),
      { numRuns: 20 },
    )
  })
})

const inColumns = (events: readonly LogEvent[]) => ({ events, columns: columnsOf(events), templates: [] })
const cutEvents = (events: readonly LogEvent[]) => cutRows(columnsOf(events), [...events.keys()])

describe('cutRows', () => {
  it.each([
    { name: 'by trace', options: {}, by: 'trace', count: 40 },
    { name: 'by the entity of a session', options: { traced: false, entity: 'block' }, by: 'entity block', count: 40 },
    { name: 'by time', options: { traced: false }, by: 'slices of 300 s', count: 8 },
  ])('$name', ({ options, by, count }) => {
    const cut = cutEvents(eventsOf(requests(40, 1), options))
    expect(cut.by).toBe(by)
    expect(cut.sequences).toHaveLength(count)
  })

  it('does not take a thing with all the lines for a session', () => {
    const events = eventsOf(requests(40, 1), { traced: false }).map((event) => ({ ...event, entities: ['host=one'] }))
    expect(cutEvents(events).by).toMatch(/^slices/)
  })
})

describe('confidenceOf', () => {
  const common = { holders: 90, asRare: 100, nextHolders: 100, sequences: 100 }

  it.each([
    { name: 'p of .01 stands at the bar', p: 0.01, q: 0.05, rarity: common, calibrated: 0.6 },
    { name: 'p of 0 is certain', p: 0, q: 0, rarity: common, calibrated: 1 },
    { name: 'half way', p: 0.005, q: 0.01, rarity: common, calibrated: 0.8 },
  ])('$name', ({ p, q, rarity, calibrated }) => {
    expect(confidenceOf(p, q, rarity).calibrated).toBeCloseTo(calibrated, 12)
    expect(confidenceOf(p, q, rarity).proposed).toBe(true)
  })

  it.each([
    { name: 'p just above', p: 0.0101, q: 0.01 },
    { name: 'q just above', p: 0.001, q: 0.0501 },
  ])('is below the bar with $name', ({ p, q }) => {
    expect(confidenceOf(p, q, common).proposed).toBe(false)
  })

  it('the rarer its rarest template the higher the floor, and the bar only for the few', () => {
    const floor = (holders: number, asRare: number, nextHolders = 12) =>
      confidenceOf(1, 1, { holders, asRare, nextHolders: Math.min(nextHolders, holders + 1), sequences: 1000 }).rarityFloor
    expect(floor(1, 1)).toBeCloseTo(0.65, 12)
    expect(floor(5, 10)).toBeGreaterThanOrEqual(0.6)
    expect(floor(1, 1)).toBeGreaterThan(floor(5, 10))
    expect(floor(1, 11)).toBeLessThan(0.6)
  })

  it.each([
    { name: 'stand apart from all others', holders: 1, asRare: 30, nextHolders: 200, reaches: true },
    { name: 'lead over to the others', holders: 1, asRare: 30, nextHolders: 4, reaches: false },
    { name: 'are too many', holders: 1, asRare: 51, nextHolders: 200, reaches: false },
    { name: 'share a template that is no longer rare', holders: 30, asRare: 30, nextHolders: 900, reaches: false },
  ])('more than a few rare sequences that $name: $reaches', ({ reaches, ...rarity }) => {
    expect(confidenceOf(1, 1, { ...rarity, sequences: 1000 }).proposed).toBe(reaches)
  })

  it('one extra line in one of eight sequences is worth a look, no certainty', () => {
    const found = confidenceOf(0.22, 1, { holders: 1, asRare: 1, nextHolders: 8, sequences: 8 })
    expect(found).toMatchObject({ proposed: true, confidence: found.rarityFloor })
    expect(found.confidence).toBeLessThanOrEqual(0.65)
  })

  it('holds the larger of the two', () => {
    const given = { p: fc.double({ min: 1e-9, max: 1, noNaN: true }), q: fc.double({ min: 1e-9, max: 1, noNaN: true }), holders: fc.integer({ min: 1, max: 50 }) }
    fc.assert(
      fc.property(fc.record(given), ({ p, q, holders }) => {
        const found = confidenceOf(p, q, { holders, asRare: holders, nextHolders: 50, sequences: 50 })
        expect(found.confidence).toBe(Math.max(found.calibrated, found.rarityFloor))
        expect(found.confidence).toBeLessThanOrEqual(1)
        expect(found.proposed).toBe(found.confidence >= 0.6)
      }),
    )
  })
})

describe('rarity', () => {
  it('of one among all, and of one more, agree', () => {
    const sequences = [['a', 'b'], ['a'], ['a', 'c']]
    expect(raritiesOf(sequences)[2]).toEqual({ rarest: 'c', own: ['c'], holders: 1, asRare: 2, nextHolders: 3, sequences: 3 })
    expect(rarityAmong(sequences.slice(0, 2))(['a', 'c'])).toEqual({ rarest: 'c', own: ['c'], holders: 1, asRare: 2, nextHolders: 2, sequences: 3 })
  })
})

describe('learnOrdinary', () => {
  it('gives ordinary sequences that it has not learned from uniform ps', () => {
    const model = learnOrdinary(requests(800, 1), 7)
    const random = rng(9)
    const ps = requests(800, 2).map((each) => model.ranking.smoothed(model.judge(each, random()).combined, random()))
    expect(uniformDistance(ps)).toBeLessThanOrEqual(0.06)
  })

  it('knows nothing of labels, order of keys or the clock: the same sequences give the same model', () => {
    const [first, second] = [1, 2].map(() => learnOrdinary(requests(60, 1), 7))
    expect(second!.heldOut).toEqual(first!.heldOut)
  })

  it.each([{ sequences: [] }, { sequences: [['a']] }, { sequences: [[], ['a'], ['a', 'b']] }])('bears little: $sequences', ({ sequences }) => {
    const model = learnOrdinary(sequences, 7)
    expect(model.heldOut).toHaveLength(sequences.length)
    expect(Number.isFinite(model.judge(['z'], 0.5).combined)).toBe(true)
  })
})

describe('learnSequences', () => {
  const odd = { unseen: ['open', 'read', 'segfault', 'close'], scrambled: ['close', 'flush', 'open', 'write', 'read', 'open'] }

  it('finds planted sequences with confidence at or above the bar, and at most one ordinary in a hundred', () => {
    let [alarms, ordinary] = [0, 0]
    for (const seed of [1, 2, 3]) {
      const sequences = requests(300, seed)
      sequences[40] = odd.unseen
      sequences[170] = odd.scrambled
      const { candidates } = learnSequences(inColumns(eventsOf(sequences)))
      const found = new Map(candidates.map((each) => [each.evidence['sequence'], each.confidence]))
      for (const id of ['t00040', 't00170']) expect(found.get(id)).toBeGreaterThanOrEqual(0.6)
      alarms += found.size - 2
      ordinary += 298
    }
    expect(alarms / ordinary).toBeLessThanOrEqual(0.01)
  })

  it('finds nothing where nothing is odd', () => {
    const found = [4, 5, 6].flatMap((seed) => learnSequences(inColumns(eventsOf(requests(150, seed)))).candidates)
    expect(found.length).toBeLessThanOrEqual(1)
  })

  it('learns from all lines, not only from those that are stored', () => {
    const steps = ['session opened for', 'session reads', 'session closed for']
    const mined = mine(Array.from({ length: 400 }, (_, i) => i).flatMap((i) => [...steps, ...(i === 390 ? ['segment fault of'] : [])].map((step, k) => ({
      file: 'a.log', offset: i * 10 + k, tsMs: i * 60_000 + k * 100, severity: 'INFO' as const, service: 'api', trace: `t${i}`,
      message: `${step} ${i}`,
    }))))
    const { sequences, candidates } = learnSequences({ ...mined, events: mined.events.filter(({ trace }, i) => i < 900 || trace === 't390') })
    expect(sequences).toBe(400)
    expect(candidates.map(({ evidence }) => evidence['sequence'])).toEqual(['t390'])
    expect(mined.candidates.find(({ key }) => key.startsWith('event:'))?.evidence).toMatchObject({ hits: 400, untimed_hits: 0 })
  })

  it('says how the sequences were cut, which services had too few, and keeps a model each', () => {
    const events = [...eventsOf(requests(30, 1)), ...eventsOf(requests(3, 1), { service: 'rare' })]
    const { models, tooFew, sequences } = learnSequences(inColumns(events))
    expect(tooFew).toEqual(['rare'])
    expect(sequences).toBe(30)
    expect(models).toMatchObject([{ service: 'api', body: { grouped_by: 'trace', sequences: 30 } }])
    expect(models[0]?.states).toBeGreaterThanOrEqual(1)
  })
})
