import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { iri, termKey } from '../term.ts'
import { evaluate, startEvaluation } from './evaluate.ts'
import { parseRules } from './parse.ts'
import type { Fact, Model } from './program.ts'

const program = (text: string) => {
  const parsed = parseRules(text, { relations: [] })
  if (!parsed.ok) throw new Error(parsed.faults[0]?.message)
  return { relations: [], rules: parsed.rules }
}
const edge = (from: string, to: string, tier = 0): Fact => ({ predicate: 'edge', args: [iri(from), iri(to)], tier })
const said = (model: Model): string[] =>
  model.facts.map(({ predicate, args, tier, asserted }) =>
    [predicate, ...args.map((term) => (term === null ? '_' : termKey(term))), tier, asserted].join(' '),
  ).toSorted()

const REACH = program('reach(?x, ?y) :- edge(?x, ?y). reach(?x, ?z) :- reach(?x, ?y), edge(?y, ?z).')
const LEAF = program('inner(?x) :- edge(?x, ?y). leaf(?y) :- edge(?x, ?y), not inner(?y).')

it('goes on from the model where only more can follow', () => {
  const run = startEvaluation(REACH, [edge('a', 'b')]).add([edge('b', 'c')])
  expect(run.continued).toBe(true)
  expect(run.model.find('reach').length).toBe(3)
  expect(run.model.facts.filter(({ asserted }) => asserted).length).toBe(2)
})

describe('it starts anew', () => {
  it.each([
    ['where the new facts reach a negation', LEAF, [edge('a', 'b')], [edge('b', 'c')]],
    ['where an old fact might become less sensitive', REACH, [edge('a', 'b', 2)], [edge('b', 'c', 1)]],
    ['where new facts have several tiers', REACH, [edge('a', 'b')], [edge('b', 'c', 1), edge('c', 'd', 2)]],
    ['where the predicate is unknown so far', REACH, [edge('a', 'b')], [{ predicate: 'other', args: [iri('a')] }]],
  ])('%s', (_, rules, first, more) => {
    const run = startEvaluation(rules, first).add(more)
    expect(run.continued).toBe(false)
    expect(said(run.model)).toEqual(said(evaluate(rules, [...first, ...more])))
  })
})

it('gives the model of all facts, in however many parts they come', () => {
  const node = fc.integer({ min: 0, max: 6 }).map((n) => `n${n}`)
  const facts = fc.array(fc.tuple(node, node, fc.integer({ min: 0, max: 1 })).map(([x, y, tier]) => edge(x, y, tier)), { maxLength: 8 })
  fc.assert(
    fc.property(fc.constantFrom(REACH, LEAF), facts, fc.array(facts, { maxLength: 3 }), (rules, first, parts) => {
      let run = startEvaluation(rules, first)
      for (const part of parts) run = run.add(part)
      expect(said(run.model)).toEqual(said(evaluate(rules, [...first, ...parts.flat()])))
    }),
    { numRuns: 200 },
  )
})

describe('how many derivations are kept', () => {
  const diamond = [edge('a', 'b'), edge('b', 'd'), edge('a', 'c'), edge('c', 'd'), edge('d', 'd')]
  const ways = (model: Model, from: string, to: string) => {
    const [fact] = model.find('reach', [iri(from), iri(to)])
    return model.derivations(fact?.id ?? -1).map(({ rule, bindings }) => `${rule} ${Object.values(bindings).map((t) => t.value).join('')}`)
  }

  it('is the first by default', () => {
    expect(ways(evaluate(REACH, diamond), 'a', 'd')).toEqual(['rule-2 abd'])
  })

  it('is every one on demand, the first one first', () => {
    const all = ways(evaluate(REACH, diamond, { provenance: 'all' }), 'a', 'd')
    expect(all[0]).toBe('rule-2 abd')
    expect(all.toSorted()).toEqual(['rule-2 abd', 'rule-2 acd', 'rule-2 add'])
  })

  it('is one for each group of rules that asks for its own', () => {
    const both = program('reach(?x, ?y) :- edge(?x, ?y). reach(?x, ?y) :- edge(?x, ?y), edge(?x, ?y).')
    expect(ways(evaluate(both, diamond, { groupOf: (rule) => rule }), 'a', 'b')).toEqual(['rule-1 ab', 'rule-2 ab'])
    expect(ways(evaluate(both, diamond, { groupOf: () => 'one' }), 'a', 'b')).toEqual(['rule-1 ab'])
  })

  it('is none where nobody will ask, with the same facts', () => {
    const none = evaluate(REACH, diamond, { provenance: 'none' })
    expect(ways(none, 'a', 'd')).toEqual([])
    expect(said(none)).toEqual(said(evaluate(REACH, diamond)))
  })
})
