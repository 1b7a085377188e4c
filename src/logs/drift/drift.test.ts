import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rng } from '../../kernel/stats/index.ts'
import type { LogTemplate } from '../candidate.ts'
import { mine } from '../mine.ts'
import { align, tokensOf } from './align.ts'
import { findDrift } from './drift.ts'
import { STATEMENT_COUNT, statementLines } from './statements.test-data.ts'

describe('align', () => {
  const of = (known: string, today: string) => align(tokensOf(known), tokensOf(today))

  it.each([
    { name: 'itself', known: 'link <*> down', today: 'link <*> down' },
    { name: 'a value that looks constant today', known: 'link <*> down after <*> ms', today: 'link eth0 down after 30 ms' },
    { name: 'a longer list', known: 'deleting blocks <*>', today: 'deleting blocks blk_1 <*> blk_3 blk_4' },
    { name: 'a slot with a head', known: 'deleting blk_<*> now', today: 'deleting blk_17 now' },
    { name: 'two words in a slot', known: 'user <*> logged in from <*>', today: 'user John Smith logged in from 10.0.0.1' },
  ])('covers $name', ({ known, today }) => {
    expect(of(known, today)).toMatchObject({ covered: true, similarity: 1 })
  })

  it.each([
    { name: 'a slot became free', known: 'connection from gateway refused', today: 'connection from <*> refused', freed: ['gateway'], similarity: 6 / 7 },
    { name: 'a word came instead', known: 'replica set is healthy today', today: 'replica set is broken today', lost: ['healthy'], added: ['broken'], similarity: 0.8 },
    { name: 'a slot where nothing was', known: 'replica set is healthy', today: 'replica set <*> is healthy', similarity: 1 },
  ])('tells $name', ({ known, today, freed = [], lost = [], added = [], similarity }) => {
    expect(of(known, today)).toMatchObject({ covered: false, freed, lost, added, similarity })
  })

  it('a template that is nearly all slots does not know everything', () => {
    expect(of('error <*>', 'error writing block').covered).toBe(false)
    expect(of('<*>', 'something else').covered).toBe(false)
  })

  it('similarity lies in [0, 1], and every template covers itself', () => {
    const template = fc.array(fc.constantFrom('disk', 'full', 'on', 'node', '<*>', '<*>ms'), { minLength: 1, maxLength: 8 }).map((words) => words.join(' '))
    fc.assert(
      fc.property(template, template, (x, y) => {
        const { similarity } = of(x, y)
        expect(similarity).toBeGreaterThanOrEqual(0)
        expect(similarity).toBeLessThanOrEqual(1)
        expect(of(x, x)).toMatchObject({ similarity: 1, covered: true })
      }),
    )
  })
})

describe('findDrift', () => {
  const before = mine(statementLines(rng(1), 25))

  it('knows its own program: 46 statements with other values are not new', () => {
    expect(STATEMENT_COUNT).toBe(46)
    for (const [seed, each] of [[2, 25], [3, 12], [4, 40]] as const) {
      const report = findDrift(before.templates, before.events, mine(statementLines(rng(seed), each)))
      expect(report.new).toEqual([])
      expect([report.vanished, report.rate]).toEqual([[], []])
    }
  })

  it('finds a statement that was not there, and proposes it from ten hits', () => {
    const today = [...statementLines(rng(2), 12), ...shifted(statementLines(rng(5), 10, ['quorum of ring {num} was lost by {node}']))]
    const rare = shifted(statementLines(rng(6), 9, ['backup vault {uuid} sealed forever']), 5e6)
    const report = findDrift(before.templates, before.events, mine([...today, ...rare]))
    expect(report.new.map(({ hits, proposed }) => ({ hits, proposed }))).toEqual([{ hits: 10, proposed: true }, { hits: 9, proposed: false }])
    expect(report.new[0]?.template).toContain('quorum of ring')
  })

  it('says which templates stopped, and since when one comes more often', () => {
    const [dull, loud] = ['queue depth is {num}', 'retry {num} of request {uuid}']
    const calm = mine(statementLines(rng(1), 300, [dull, loud]))
    const burst = mine([...statementLines(rng(2), 300, [loud]), ...shifted(statementLines(rng(3), 300, [loud, loud, loud]), 1)])
    const report = findDrift(calm.templates, calm.events, burst)
    expect(report.vanished.map(({ template }) => template)).toEqual([expect.stringContaining('queue depth')])
    expect(report.rate).toHaveLength(1)
    expect(report.rate[0]!.per_minute_now).toBeGreaterThan(2 * report.rate[0]!.per_minute_before)
  })

  it('counts all lines, not only those that are stored', () => {
    const [dull, loud] = ['queue depth is {num}', 'retry {num} of request {uuid}']
    const day = (seed: number, louds: number) =>
      mine(statementLines(rng(seed), 1000, [dull, ...Array.from({ length: louds }, () => loud)]).map((line, i) => ({ ...line, tsMs: Date.UTC(2026, 0, seed) + (i * 3_600_000) / (1 + louds) })))
    const calm = day(1, 1)
    const stored = calm.events.slice(0, 600)
    const { rate } = findDrift(calm.templates, stored, day(2, 8))
    expect(rate.map(({ template, hits_now: hits }) => ({ template: template.slice(0, 5), hits }))).toEqual([{ template: 'retry', hits: 8000 }])
    expect(rate[0]!.per_minute_now / rate[0]!.per_minute_before).toBeCloseTo(8, 0)
    const same = findDrift(calm.templates, stored, day(3, 1))
    expect([same.rate, same.vanished, same.new]).toEqual([[], [], []])
  })

  it('does not call a template gone of which hardly a line was due', () => {
    const [common, rare] = ['queue depth is {num}', 'retry {num} of request {uuid}']
    const known = mine([...statementLines(rng(1), 600, [common]), ...statementLines(rng(1), 12, [rare]).map((line, i) => ({ ...line, tsMs: (line.tsMs ?? 0) + i * 50_000 }))])
    const report = findDrift(known.templates, known.events, mine(statementLines(rng(2), 30, [common])))
    expect(report.vanished).toEqual([])
    expect(report.quiet).toBe(1)
  })

  it.each([
    { name: 'an empty catalogue knows nothing', catalogue: [] as LogTemplate[], lines: 1, news: 1 },
    { name: 'an empty log is no drift', catalogue: before.templates, lines: 0, news: 0 },
  ])('$name', ({ catalogue, lines, news }) => {
    expect(findDrift(catalogue, [], mine(statementLines(rng(2), lines, ['queue depth is {num}']))).new).toHaveLength(news)
  })
})

const shifted = (lines: ReturnType<typeof statementLines>, by = 1e6) => lines.map((line) => ({ ...line, offset: line.offset + by }))
