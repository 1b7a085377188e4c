import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { iri, literal, termKey, XSD } from '../term.ts'
import type { Term } from '../term.ts'
import { satisfies, valueOf } from '../values/index.ts'
import { checkModel } from './checker/model.ts'
import { evaluate } from './evaluate.ts'
import { parseRules } from './parse.ts'
import { RangeIndex } from './range.ts'
import { FactTable } from './table.ts'

const typed = (text: string, type: string): Term => literal(text, XSD + type)
const time = (second: number, zone = 'Z') => typed(`2024-01-01T00:${String(Math.floor(second / 60)).padStart(2, '0')}:${String(second % 60).padStart(2, '0')}${zone}`, 'dateTime')

describe('rows between two values', () => {
  const terms = [time(5), time(1), typed('2024-01-01T00:00:01.5Z', 'dateTime'), time(2, ''), typed('3', 'integer'), typed('NaN', 'double'), literal('x')]
  const table = new FactTable('at', 1)
  for (const n of terms.keys()) table.add([n + 1], n, 0)
  const index = new RangeIndex(table, 0, (code) => valueOf(terms[code - 1] ?? literal('')))
  index.catchUp()
  const rows = (low: Term, high: Term) => {
    const found = index.between(valueOf(low), valueOf(high))
    return found === null ? null : Array.from(found.rows.slice(found.from, found.to))
  }

  it.each<[string, Term, Term, number[] | null]>([
    ['come in the order of the values', time(0), time(9), [1, 2, 0]],
    ['include both ends and their fractions', time(1), time(1), [1, 2]],
    ['are of the same kind of moment', time(0, ''), time(9, ''), [3]],
    ['are numbers for numbers, and no NaN', typed('0', 'integer'), typed('9.5', 'decimal'), [4]],
    ['are none where nothing is of that kind', typed('2024-01-01', 'date'), typed('2024-01-02', 'date'), []],
    ['are all where the values have no such order', literal('a'), literal('z'), null],
    ['are all where the two are of different kinds', time(0), typed('9', 'integer'), null],
  ])('%s', (_, low, high, expected) => expect(rows(low, high)).toEqual(expected))
})

it('a rule with a window finds exactly the pairs that a plain search finds', () => {
  const parsed = parseRules('near(?x, ?y) :- at(?x, ?s), end(?x, ?e), at(?y, ?t), ?t > ?s, ?t <= ?e.', { relations: [] })
  if (!parsed.ok) throw new Error(parsed.faults[0]?.message)
  const value = fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 0, max: 40 }).map((second) => time(second)) },
    fc.integer({ min: 0, max: 40 }).map((second) => time(second, '')),
    fc.integer({ min: 0, max: 9 }).map((n) => typed(String(n), 'integer')),
    fc.constantFrom(literal('b'), typed('NaN', 'double'), typed('soon', 'dateTime'), iri('urn:t')),
  )
  const rows = fc.array(fc.tuple(value, value, fc.integer({ min: 0, max: 1 })), { minLength: 20, maxLength: 40 })
  fc.assert(
    fc.property(rows, (given) => {
      const name = (n: number) => iri(`urn:${n}`)
      const facts = given.flatMap(([start, end, tier], n) => [
        { predicate: 'at', args: [name(n), start], tier },
        { predicate: 'end', args: [name(n), end], tier },
      ])
      const found = evaluate({ relations: [], rules: parsed.rules }, facts).find('near').map(({ args, tier }) => `${args.map((term) => term?.value)} ${tier}`)
      const expected = given.flatMap(([start, end, tier], x) =>
        given.flatMap(([at, , other], y) =>
          satisfies('>', valueOf(at), valueOf(start)) && satisfies('<=', valueOf(at), valueOf(end)) ? [`${[name(x), name(y)].map(({ value: text }) => text)} ${Math.max(tier, other)}`] : [],
        ),
      )
      expect(found.toSorted()).toEqual(expected.toSorted())
    }),
    { numRuns: 60 },
  )
})

it('and looks at few rows to find them', () => {
  const parsed = parseRules('near(?x, ?y) :- at(?x, ?s), end(?x, ?e), at(?y, ?t), ?t > ?s, ?t <= ?e.', { relations: [] })
  if (!parsed.ok) throw new Error(parsed.faults[0]?.message)
  const facts = Array.from({ length: 2000 }, (_, n) => [
    { predicate: 'at', args: [iri(`urn:${n}`), typed(String(n), 'integer')] },
    { predicate: 'end', args: [iri(`urn:${n}`), typed(String(n + 3), 'integer')] },
  ]).flat()
  let asked = 0
  const shouldStop = () => {
    asked++
    return false
  }
  const model = evaluate({ relations: [], rules: parsed.rules }, facts, { shouldStop })
  expect(model.find('near').map(({ args }) => args.map((term) => termKey(term!))).length).toBe(1999 + 1998 + 1997)
  // asked once for about a thousand rows; a plain search would look at four million
  expect(asked).toBeLessThan(100)
})

describe('the checker, which looks a window up in its own way', () => {
  const parsed = parseRules(
    'near(?x, ?y) :- at(?x, ?s), end(?x, ?e), at(?y, ?t), ?t > ?s, ?t <= ?e. alone(?x) :- at(?x, ?s), not near(?x, _).',
    { relations: [] },
  )
  const rules = parsed.ok ? parsed.rules : []
  const facts = Array.from({ length: 60 }, (_, n) => [
    { predicate: 'at', args: [iri(`urn:${n}`), time(2 * n)] },
    { predicate: 'end', args: [iri(`urn:${n}`), time(2 * n + (n % 7))] },
  ]).flat()
  const model = evaluate({ relations: [], rules }, facts)

  it('accepts the model', () => {
    expect(model.find('alone').length).toBeGreaterThan(5)
    expect(checkModel({ rules, base: facts, model })).toEqual({ valid: true })
  })

  it('misses no pair that is left out', () => {
    // the last of them, so that no number of another fact changes
    const hidden = model.find('near').at(-1)?.id ?? -1
    const kept = Array.from({ length: model.size }, (_, id) => id).filter((id) => id !== hidden)
    const number = new Map(kept.map((id, n) => [id, n]))
    const forged = {
      size: kept.length,
      fact: (n: number) => ({ ...model.fact(kept[n] ?? 0), id: n }),
      derivations: (n: number) =>
        model.derivations(kept[n] ?? 0).map((one) => ({
          ...one,
          premises: one.premises.map((premise) => (premise.kind === 'fact' ? { ...premise, fact: number.get(premise.fact) ?? -1 } : premise)),
        })),
    }
    expect(checkModel({ rules, base: facts, model: forged })).toMatchObject({ valid: false, why: expect.stringContaining('it is missing') as string })
  })
})
