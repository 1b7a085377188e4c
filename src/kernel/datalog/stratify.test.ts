import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkProgram } from './check-program.ts'
import { parseRules } from './parse.ts'
import type { DatalogRule } from './program.ts'
import { stratify } from './stratify.ts'

const edge = (from: string, to: string, kind: 'atom' | 'not' = 'atom'): DatalogRule => ({
  id: `${from}-${to}`,
  head: { predicate: from, args: [] },
  body: [{ kind, atom: { predicate: to, args: [] } }],
})

describe('strata', () => {
  it('come after what they depend on, and hold mutual recursion together', () => {
    const rules = [edge('top', 'even', 'not'), edge('even', 'odd'), edge('odd', 'even'), edge('even', 'zero')]
    const strata = stratify(rules)
    expect(strata.ok && strata.strata.map((members) => members.toSorted())).toEqual([['zero'], ['even', 'odd'], ['top']])
  })

  it.each([
    ['itself', [edge('p', 'p', 'not')], 'p -> not p'],
    ['one step', [edge('p', 'q', 'not'), edge('q', 'p')], 'p -> not q -> p'],
    ['the shortest way', [edge('p', 'q', 'not'), edge('q', 'r'), edge('r', 'p'), edge('q', 'p')], 'p -> not q -> p'],
    ['two steps', [edge('p', 'q', 'not'), edge('q', 'r'), edge('r', 'p')], 'p -> not q -> r -> p'],
  ])('fault a negation in a cycle and print it: %s', (_, rules, cycle) => {
    const strata = stratify(rules)
    const messages = strata.ok ? [] : strata.faults.map(({ message }) => message)
    expect(messages).toEqual([`${rules[0]?.id}: a negation inside a cycle: ${cycle}`])
  })

  it('fault an aggregate in a cycle', () => {
    const parsed = parseRules('total(?n) :- ?n = count { item(_) }.\n item(?n) :- total(?n).', { relations: [] })
    const message = 'rule-1: an aggregate inside a cycle: total -> count { item } -> total'
    expect(parsed).toEqual({ ok: false, faults: [{ message, line: 1, column: 1 }] })
  })

  it('fault a calculation in a cycle, which might never end, unless its result stays inside the rule', () => {
    const parsed = (text: string) => parseRules(text, { relations: [] })
    const message = 'rule-2: a calculation inside a cycle: n -> m with a new ?y -> n'
    const endless = parsed('m(?x) :- n(?x).\n n(?y) :- m(?x), ?y = ?x + 1.')
    expect(endless).toEqual({ ok: false, faults: [{ message, line: 2, column: 2 }] })
    expect(parsed('n(?x) :- n(?y), e(?y, ?x), ?z = ?x + ?y, ?z < 9.').ok).toBe(true)
    expect(parsed('m(?x) :- e(?x).\n n(?y) :- m(?x), ?y = ?x + 1.').ok).toBe(true)
  })

  it('of a chain longer than the call stack are found', () => {
    const strata = stratify(Array.from({ length: 20_000 }, (_, i) => edge(`p${i}`, `p${i + 1}`, 'not')))
    expect(strata.ok && strata.strata.length).toBe(20_001)
  })

  it('respect every dependency, whatever the graph', () => {
    const name = fc.nat(6).map((number) => `p${number}`)
    const kind = fc.constantFrom('atom' as const, 'not' as const)
    fc.assert(
      fc.property(fc.array(fc.tuple(name, name, kind), { maxLength: 12 }), (edges) => {
        const strata = stratify(edges.map(([from, to, kind]) => edge(from, to, kind)))
        if (!strata.ok) return
        const level = new Map(strata.strata.flatMap((members, i) => members.map((predicate) => [predicate, i] as const)))
        for (const [from, to, kind] of edges) {
          const gap = (level.get(from) ?? NaN) - (level.get(to) ?? NaN)
          expect(gap).toBeGreaterThanOrEqual(kind === 'not' ? 1 : 0)
        }
      }),
    )
  })
})

describe('a program built without text', () => {
  const v = { variable: 'x' }
  it.each<[string, DatalogRule, string]>([
    ['an open head', { id: 'r', head: { predicate: 'p', args: [null] }, body: [] }, 'r: the head p leaves an argument open'],
    [
      'an arity',
      { id: 'r', head: { predicate: 'p', args: [] }, body: [{ kind: 'atom', atom: { predicate: 'Class', args: [v] } }] },
      'r: Class has 1 argument here and 2 arguments elsewhere',
    ],
    [
      'an empty aggregate',
      { id: 'r', head: { predicate: 'p', args: [v] }, body: [{ kind: 'aggregate', into: 'x', fn: 'count', of: null, body: [] }] },
      'r: count has no atom to range over',
    ],
    [
      'an unbound variable',
      { id: 'r', head: { predicate: 'p', args: [v] }, body: [] },
      'r: ?x in the head is bound by no positive atom and no aggregate',
    ],
  ])('is checked for %s', (_, rule, message) => {
    const relations = [{ name: 'Class', columns: ['id', 'label'].map((name) => ({ name, tier: 0 })) }]
    expect(checkProgram({ relations, rules: [rule] })).toEqual([{ message, line: 0, column: 0 }])
  })
})
