/** Other proofs of a fact: all there are, none that rests on its own conclusion, lowest first. */
import { describe, expect, it } from 'vitest'
import { literal } from '../term.ts'
import { alternativesOf } from './alternatives.ts'
import { proofChecker } from './checker/proof.ts'
import { evaluate } from './evaluate.ts'
import { factsIn, proofOf } from './explain.ts'
import type { Proof } from './explain.ts'
import { parseRules } from './parse.ts'
import type { Fact, Model, Program } from './program.ts'
import { dice, times } from './random-programs.test-support.ts'

function programOf(text: string): Program {
  const parsed = parseRules(text, { relations: [] })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults))
  return { relations: [], rules: parsed.rules }
}

const reach = programOf('linked(?x, ?y) :- link(?x, ?y). linked(?x, ?z) :- linked(?x, ?y), link(?y, ?z).')
const link = (from: string, to: string): Fact => ({ predicate: 'link', args: [literal(from), literal(to)] })
const linksOf = (text: string) => text.split(' ').map((pair) => link(pair[0] ?? '', pair[1] ?? ''))
const modelOf = (facts: readonly Fact[]) => evaluate(reach, facts, { provenance: 'all' })
const idOf = (model: Model, from: string, to: string) => model.find('linked', [literal(from), literal(to)])[0]?.id ?? -1

const premisesOf = (proof: Proof | undefined): Proof[] =>
  proof?.asserted === false ? proof.premises.flatMap((premise) => (premise.kind === 'proof' ? [premise.proof] : [])) : []
const heightOf = (proof: Proof): number =>
  proof.asserted ? 0 : 1 + Math.max(0, ...premisesOf(proof).map(heightOf))
/** The last link of each proof. */
const lastLinks = (proofs: readonly Proof[]) => proofs.map((proof) => premisesOf(proof).map(said).join(' + '))
const said = ({ fact }: Proof) => `${fact.predicate} ${fact.args.map((term) => term?.value).join('')}`

describe('alternatives', () => {
  it('come lowest first, without the derivation that is the proof already', () => {
    // ab directly, by way of c, and by way of d and e
    const model = modelOf(linksOf('ab ac cb ad de eb'))
    const id = idOf(model, 'a', 'b')
    expect(said(proofOf(model, id))).toBe('linked ab')
    const { proofs, complete } = alternativesOf(model, id)
    expect(lastLinks(proofs)).toEqual(['linked ac + link cb', 'linked ae + link eb'])
    expect(proofs.map(heightOf)).toEqual([2, 3])
    expect(complete).toBe(true)
  })

  it('come lowest first also where a higher one was found before', () => {
    // d3 lies in a lower stratum and is complete before p begins
    const program = programOf(`p(?x) :- a(?x). p(?x) :- d3(?x). p(?x) :- r(?x). r(?y) :- p(?x), next(?x, ?y).
      d3(?x) :- d2(?x). d2(?x) :- d1(?x). d1(?x) :- b(?x).`)
    const facts = ['a 1', 'a 2', 'b 2', 'next 1 2'].map((text): Fact => {
      const [predicate = '', ...args] = text.split(' ')
      return { predicate, args: args.map((arg) => literal(arg)) }
    })
    const model = evaluate(program, facts, { provenance: 'all' })
    const { proofs } = alternativesOf(model, model.find('p', [literal('2')])[0]?.id ?? -1)
    expect(lastLinks(proofs)).toEqual(['r 2', 'd3 2'])
    expect(proofs.map(heightOf)).toEqual([3, 4])
  })

  it('leave out what rests on the fact itself', () => {
    // in a ring, ab also follows from aa, ca and so on, but only by way of ab
    const model = modelOf(linksOf('ab bc ca'))
    const id = idOf(model, 'a', 'b')
    expect(model.derivations(id).length).toBe(2)
    expect(alternativesOf(model, id)).toEqual({ proofs: [], complete: true })
  })

  it('find the way around a ring where there is one', () => {
    const base = linksOf('ab ba ac ca cb')
    const model = modelOf(base)
    const { proofs } = alternativesOf(model, idOf(model, 'a', 'b'))
    expect(lastLinks(proofs)).toContain('linked ac + link cb')
    const check = proofChecker({ rules: reach.rules, base, closed: (predicate) => model.find(predicate) })
    for (const proof of proofs) expect(check(proof)).toEqual({ valid: true })
  })

  it('explain a given fact by the rules that would have derived it', () => {
    const facts = [...linksOf('ab'), { predicate: 'linked', args: [literal('a'), literal('b')] }]
    const model = modelOf(facts)
    const id = idOf(model, 'a', 'b')
    expect(proofOf(model, id).asserted).toBe(true)
    expect(lastLinks(alternativesOf(model, id).proofs)).toEqual(['link ab'])
  })

  it('say when there are more than the limit, or more facts below than they may look at', () => {
    const model = modelOf(linksOf('ab ac cb ad db ae eb af fb'))
    const id = idOf(model, 'a', 'b')
    expect(alternativesOf(model, id, { limit: 2 })).toMatchObject({ proofs: { length: 2 }, complete: false })
    expect(alternativesOf(model, id, { limit: 4 })).toMatchObject({ proofs: { length: 4 }, complete: true })
    expect(alternativesOf(model, id, { maxFacts: 3 }).complete).toBe(false)
  })

  it('are cut below a depth', () => {
    const model = modelOf(linksOf('ab ac cd db'))
    const [proof] = alternativesOf(model, idOf(model, 'a', 'b'), { depth: 1 }).proofs
    expect(proof).toMatchObject({ premises: [{ proof: { premises: [], cut: true } }, { proof: { asserted: true } }] })
  })

  it('are none where only the first derivation was kept', () => {
    const model = evaluate(reach, linksOf('ab ac cb'))
    expect(alternativesOf(model, idOf(model, 'a', 'b'))).toEqual({ proofs: [], complete: true })
  })

  it('share a part that several steps use', () => {
    const diamond = programOf('p(?x) :- q(?x). p(?x) :- l(?x), r(?x). l(?x) :- m(?x). r(?x) :- m(?x). m(?x) :- n(?x).')
    const model = evaluate(diamond, ['q', 'n'].map((predicate) => ({ predicate, args: [literal('a')] })), { provenance: 'all' })
    const [proof] = alternativesOf(model, model.find('p')[0]?.id ?? -1).proofs
    const [left, right] = premisesOf(proof).map((side) => premisesOf(side)[0])
    expect(left).toBeDefined()
    expect(left).toBe(right)
  })
})

/** Heights of all facts without one of them, by asking every derivation again until nothing changes. */
function heightsWithout(model: Model, left: number): Map<number, number> {
  const heights = new Map(model.facts.filter(({ asserted }) => asserted).map(({ id }) => [id, 0]))
  for (let changes = true; changes; ) {
    changes = false
    for (const { id, asserted } of model.facts) {
      if (id === left || asserted) continue
      for (const { premises } of model.derivations(id)) {
        const height = 1 + Math.max(0, ...premises.flatMap(factsIn).map((fact) => heights.get(fact) ?? Infinity))
        if (height >= (heights.get(id) ?? Infinity)) continue
        heights.set(id, height)
        changes = true
      }
    }
  }
  return heights
}

it('on random graphs, alternatives are exactly the other derivations with a ground, at their least height', () => {
  let found = 0
  for (let seed = 0; seed < 60; seed++) {
    const { pick } = dice(seed)
    const nodes = [...'abcdef'].slice(0, 3 + (seed % 4))
    const model = modelOf(times(pick([4, 7, 10]), () => link(pick(nodes), pick(nodes))))
    for (const { id, asserted } of model.facts) {
      if (asserted) continue
      const heights = heightsWithout(model, id)
      const expected = model.derivations(id).slice(1).flatMap(({ premises }) => {
        const height = 1 + Math.max(...premises.flatMap(factsIn).map((fact) => heights.get(fact) ?? Infinity))
        return height < Infinity ? [height] : []
      })
      const { proofs, complete } = alternativesOf(model, id, { limit: 1000 })
      expect(proofs.map(heightOf), `case ${seed}`).toEqual(expected.toSorted((x, y) => x - y))
      expect(complete).toBe(true)
      found += proofs.length
    }
  }
  expect(found).toBeGreaterThan(100)
})
