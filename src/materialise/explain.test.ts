import { describe, expect, it } from 'vitest'
import type { Explanation, PremiseNode, TripleText } from '../contracts/index.ts'
import { explainFact, explainTriple } from './explain.ts'
import { BASE, PREFIXES, RECORD, incident, short, sparql } from './graph.test-support.ts'
import { projectPrefixes } from './terms.ts'

const prefixes = projectPrefixes(BASE, RECORD)
const text = ({ subject, predicate, object }: TripleText) => short(`${subject} ${predicate} ${object}`)
const asked = (subject: string, predicate: string, object: string): TripleText => ({ subject, predicate, object })
const heightOf = (tree: Explanation): number =>
  Math.max(0, ...tree.derivations.map(({ premises }) => 1 + Math.max(0, ...premises.map(heightBelow))))
const heightBelow = (premise: PremiseNode): number => (premise.kind === 'triple' ? heightOf(premise) : 0)
const nodesOf = (tree: Explanation): Explanation[] => [
  tree,
  ...tree.derivations.flatMap(({ premises }) => premises.flatMap((one) => (one.kind === 'triple' ? nodesOf(one) : []))),
]

describe('explain', () => {
  const m = incident()
  const root = asked('record:e3', ':rootCause', 'record:e1')
  const explain = (depth: number, triple = root) => explainTriple(m, triple, depth, 'Restricted', prefixes)

  it('gives each engine that derives a triple a derivation of its own, the first one first', () => {
    const { asserted, derivations } = explain(1, asked('record:e3', ':hasCause', 'record:e2'))
    expect(asserted).toBe(false)
    expect(derivations.map(({ engine, rule }) => [engine, rule])).toEqual([['sparql', 'cause-1'], ['owl', 'prp-inv1']])
    expect(derivations[1]?.premises.map((one) => (one.kind === 'triple' ? text(one.triple) : one.text))).toEqual([
      ':triggers http://www.w3.org/2002/07/owl#inverseOf :hasCause',
      'r:e2 :triggers r:e3',
    ])
    expect(derivations[0]?.bindings).toMatchObject({ cause: `${RECORD}e2`, effect: `${RECORD}e3` })
  })

  it('goes as deep as asked, and no deeper than there is something to say', () => {
    expect([1, 2, 3, 4].map((depth) => heightOf(explain(depth)))).toEqual([1, 2, 3, 4])
    expect(heightOf(explain(4, asked('record:e1', 'a', ':CausalEvent')))).toBe(1)
    const refused = expect.objectContaining({ code: 'invalid_request' })
    for (const depth of [0, 5, 1.5, Number.NaN, -1]) expect(() => explain(depth)).toThrow(refused)
  })

  it('explains a triple once, however many premises rest on it and however often it is asked for', () => {
    const tree = explain(4)
    expect(explain(4)).toBe(tree)
    const seen = new Map<string, Set<unknown>>()
    for (const node of nodesOf(tree)) {
      const key = `${text(node.triple)} ${heightOf(node)}`
      seen.set(key, (seen.get(key) ?? new Set()).add(node.derivations))
    }
    for (const [key, derivations] of seen) if (!key.endsWith(' 0')) expect([key, derivations.size]).toEqual([key, 1])
  })

  it('says the same of a triple above the ceiling and of one that is nowhere', () => {
    const cut = incident({ ceiling: 'Internal' })
    const failures = [
      () => explainTriple(m, asked('record:e4', ':hasCause', 'record:e3'), 1, 'Internal', prefixes),
      () => explainTriple(cut, asked('record:e4', ':hasCause', 'record:e3'), 1, 'Internal', prefixes),
      () => explainTriple(cut, asked('record:e9', ':hasCause', 'record:e3'), 1, 'Internal', prefixes),
    ].map((ask) => {
      try {
        return ask()
      } catch (error) {
        const { code, message, about } = error as { code: string; message: string; about: object }
        return { code, message, about }
      }
    })
    expect(failures[0]).toMatchObject({ code: 'not_found' })
    expect(failures[1]).toEqual(failures[0])
    expect(failures[2]).toEqual(failures[0])
  })
})

const counting = (property: string, where: string) =>
  sparql(property, `CONSTRUCT { ?x :${property} ?n } WHERE { { SELECT ?x (COUNT(?y) AS ?n) WHERE { ${where} } GROUP BY ?x } }`)

describe('a triple whose premises share theirs', () => {
  it('is few facts, and is refused all the same where they would fill pages when written out', () => {
    const levels = [0, 1, 2, 3, 4].map((level) => Array.from({ length: level === 4 ? 1 : 9 }, (_, n) => `r:l${level}n${n}`))
    const partsOf = (level: number) => levels[level - 1]!.join(', ')
    const stated = [1, 2, 3, 4].flatMap((level) => levels[level]!.map((whole) => `${whole} :part ${partsOf(level)} .`))
    const rules = [
      counting('one', '?x :part ?y'),
      ...['one', 'two', 'three'].map((from, n) => counting(['two', 'three', 'four'][n]!, `?x :part ?z . ?z :${from} ?y`)),
    ]
    const m = incident({ rules, events: PREFIXES + stated.join('\n') })
    const ask = (depth: number) => explainTriple(m, asked('record:l4n0', ':four', '9'), depth, 'Restricted', prefixes)
    expect(nodesOf(ask(3)).length).toBeGreaterThan(500)
    expect(() => ask(4)).toThrow(expect.objectContaining({ about: { hint: 'ask with a smaller depth' } }))
  })
})

describe('a triple with very many premises', () => {
  // three levels of 18 parts each: more leaves than an answer may show
  const many = Array.from({ length: 18 }, (_, n) => n)
  const parts = (of: string): string[] => many.map((n) => `${of}x${n}`)
  const stated = (of: string): string => `${of} :part ${parts(of).join(', ')} .`
  const wholes = ['r:g', ...parts('r:g'), ...parts('r:g').flatMap(parts)]
  const events = PREFIXES + wholes.map(stated).join('\n')
  const rules = [
    counting('weight', '?x :part ?y'),
    counting('heavy', '?x :part ?z . ?z :weight ?y'),
    counting('heavier', '?x :part ?z . ?z :heavy ?y'),
  ]
  const m = incident({ rules, events })
  const triple = asked('record:g', ':heavier', '18')

  it('is explained while the tree can be read, and refused with advice beyond', () => {
    expect(m.refused).toEqual([])
    expect(nodesOf(explainTriple(m, triple, 1, 'Restricted', prefixes)).length).toBeGreaterThan(36)
    const refused = expect.objectContaining({ code: 'invalid_request', about: { hint: 'ask with a smaller depth' } })
    expect(() => explainTriple(m, triple, 4, 'Restricted', prefixes)).toThrow(refused)
  })

  it('is shown as deep as it can be where nobody named a depth', () => {
    const fact = m.model.find(`${BASE}heavier`)[0]!
    expect(heightOf(explainFact(m, fact, 4, 'Restricted'))).toBeGreaterThan(0)
    expect(explainFact(m, fact, 0, 'Restricted').derivations).toEqual([])
  })
})
