import { describe, expect, it } from 'vitest'
import { corpusColumns, corpusFiles, corpusRecords, truthOf } from './corpus-files.ts'
import { makeCorpus } from './corpus.ts'
import { evaluateCausality, evaluateColumns } from './evaluate.ts'
import { statementFinder } from './truth.ts'

const FULL = process.env['WHEREFORE_FULL'] === '1'
const seedsOf = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1)

describe('the corpus', () => {
  const corpus = makeCorpus({ seed: 1, linesPerMinute: 50 })

  it('holds what it says: 30 to 40 edges, 120 minutes at the density, five pairs with a shared cause', () => {
    expect(corpus.edges.length).toBeGreaterThanOrEqual(30)
    expect(corpus.edges.length).toBeLessThanOrEqual(40)
    for (const { occurrences, medianMs } of corpus.edges) {
      expect(occurrences).toBeLessThanOrEqual(80) // an effect of two causes has both
      expect(medianMs).toBeGreaterThanOrEqual(200)
      expect(medianMs).toBeLessThanOrEqual(20_000)
    }
    expect(Math.abs(corpus.events.length - 6000)).toBeLessThan(60)
    expect(corpus.sharedCausePairs).toHaveLength(5)
  })

  it('is the same for the same seed and another for another', () => {
    const texts = (seed: number) => corpusFiles(makeCorpus({ seed, linesPerMinute: 50, minutes: 30 }))
    expect(texts(1)).toEqual(texts(1))
    expect(texts(1)).not.toEqual(texts(2))
  })

  it('names every line by exactly one pattern', () => {
    const find = statementFinder(truthOf(corpus))
    const found = corpusRecords(corpus).slice(0, 500).map(({ message }) => find(message))
    expect(found).toEqual(corpus.events.slice(0, 500).map(({ statement }) => statement.id))
  })
})

describe('causes that are known', () => {
  it.each([{ linesPerMinute: 50, seeds: FULL ? 20 : 3 }, { linesPerMinute: 500, seeds: FULL ? 20 : 1 }])(
    'are found at $linesPerMinute lines a minute: precision .9, recall .7 from eight occurrences on, direction .95',
    ({ linesPerMinute, seeds }) => {
      const total = { found: 0, right: 0, reversed: 0, often: 0, often_right: 0, shuffled: 0 }
      for (const seed of seedsOf(seeds)) {
        const corpus = makeCorpus({ seed, linesPerMinute })
        const { sound, shuffled } = evaluateColumns(corpusColumns(corpus), truthOf(corpus), { seed })
        total.found += sound.found
        total.right += sound.right
        total.reversed += sound.reversed
        total.often += sound.true_edges_8
        total.often_right += (sound.recall_8 ?? 0) * sound.true_edges_8
        total.shuffled += shuffled
      }
      expect(total.right / total.found).toBeGreaterThanOrEqual(0.9)
      expect(total.often_right / total.often).toBeGreaterThanOrEqual(0.7)
      expect(total.right / (total.right + total.reversed)).toBeGreaterThanOrEqual(0.95)
      expect(total.shuffled / total.found).toBeLessThanOrEqual(0.05)
    },
    FULL ? 1_800_000 : 60_000,
  )

  it('are not found where there are none', () => {
    const runs = seedsOf(FULL ? 60 : 5).map((seed) => {
      const corpus = makeCorpus({ seed: seed + 500, linesPerMinute: 50, minutes: 60, effects: false })
      return evaluateColumns(corpusColumns(corpus), truthOf(corpus)).sound.found
    })
    expect(runs.filter((found) => found > 0).length).toBeLessThanOrEqual(FULL ? 3 : 1)
  }, FULL ? 1_800_000 : 60_000)

  it('are found through the whole miner, from lines of text, in the words of the truth', () => {
    const corpus = makeCorpus({ seed: 4, linesPerMinute: 50, minutes: 90 })
    const { figures, results } = evaluateCausality(corpusRecords(corpus), truthOf(corpus))
    expect(figures.lines).toBe(corpus.events.length)
    expect(figures.unseen_statements).toBe(0)
    expect(figures.sound.precision).toBeGreaterThanOrEqual(0.85)
    expect(figures.sound.recall_8).toBeGreaterThanOrEqual(0.7)
    expect(figures.stated.found).toBeGreaterThan(figures.sound.found)
    const right = results.filter((edge) => edge.is_true && edge.verdict === 'LOG_CAUSAL_EDGE')
    expect(right).toHaveLength(figures.sound.right)
    for (const { q, lag_ms_p50, failed_conditions } of right) {
      expect(q).toBeLessThanOrEqual(0.05)
      expect(lag_ms_p50).toBeGreaterThanOrEqual(0)
      expect(failed_conditions).toEqual([])
    }
  }, 60_000)
})

describe('the shuffled log', () => {
  it('is the whole log, however few of its lines are kept as events', () => {
    const corpus = makeCorpus({ seed: 4, linesPerMinute: 20, minutes: 60 })
    const leftOf = (eventLimit: number) =>
      evaluateCausality(corpusRecords(corpus), truthOf(corpus), { gate: 'stated', eventLimit }).figures.shuffled.edges
    expect(leftOf(5)).toBeGreaterThan(0)
    expect(leftOf(5)).toBe(leftOf(10_000))
  }, 60_000)
})

describe('the truth', () => {
  it('takes patterns of either family of regular expressions, and names the one that is none', () => {
    const statements = [{ id: 'a', regex: '^up (?P<node>\\S+)$' }, { id: 'b', regex: 'down(?=!)' }]
    const find = statementFinder({ statements, edges: [] })
    expect([find('up n1'), find('down!'), find('else')]).toEqual(['a', 'b', null])
    expect(() => statementFinder({ statements: [{ id: 'c', regex: '(' }], edges: [] })).toThrow(/statement c/)
  })
})
