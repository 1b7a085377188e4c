/** The engine against a plain evaluator on random stratified programs, and the laws that every model must obey. */
import { describe, expect, it } from 'vitest'
import { oxigraphJudge } from '../../graph-store/judge.ts'
import { alternativesOf } from './alternatives.ts'
import { checkModel } from './checker/model.ts'
import { proofChecker } from './checker/proof.ts'
import { evaluate } from './evaluate.ts'
import { factsIn, proofOf } from './explain.ts'
import { key, plainModel } from './plain-evaluator.test-support.ts'
import type { Argument, Atom, BodyItem, Fact, Model, Program } from './program.ts'
import { ARITY, DERIVED, integer, randomCase } from './random-programs.test-support.ts'

const isFull = process.env['WHEREFORE_FULL'] === '1'
const COMPARED = isFull ? 10_000 : 1000
/** The laws are dear and hold or break early. */
const JUDGED = isFull ? 1000 : 100

const judge = oxigraphJudge()
const casesUpTo = (count: number) =>
  Array.from({ length: count }, (_, seed) => {
    const { program, facts } = randomCase(seed)
    return { seed, program, facts, model: evaluate(program, facts) }
  })
const CASES = casesUpTo(JUDGED)

const keysOf = (model: Model, upTo = Infinity) => model.facts.filter(({ tier }) => tier <= upTo).map(key).toSorted()
const tieredKeysOf = (model: Model) => model.facts.map((fact) => `${key(fact)} ${fact.tier}`).toSorted()

it(`on ${COMPARED} programs the engine derives what a plain evaluator does, by every way there is`, { timeout: 600_000 }, () => {
  const kinds = new Map<string, number>()
  let derivations = 0
  for (let seed = 0; seed < COMPARED; seed++) {
    const { program, facts } = randomCase(seed)
    const model = evaluate(program, facts, { provenance: 'all' })
    const plain = plainModel(program, facts)
    expect(keysOf(model), `case ${seed}`).toEqual([...plain.keys].toSorted())
    const found: string[] = []
    for (let id = 0; id < model.size; id++) {
      for (const { rule, premises } of model.derivations(id)) {
        derivations++
        const used = premises.flatMap((premise) => (premise.kind === 'fact' ? [key(model.fact(premise.fact))] : []))
        found.push(`${rule} ${key(model.fact(id))} <- ${used.join(' ')}`)
        for (const kind of new Set(premises.map(kindOf))) kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
      }
    }
    expect(found.toSorted(), `case ${seed}`).toEqual([...plain.instances].toSorted())
  }
  // the comparison is worth something only if the programs do something
  expect(derivations).toBeGreaterThan(COMPARED * 5)
  for (const kind of ['absent', 'condition', 'tested', 'computed', 'count', 'latest', 'sum', 'min', 'where']) {
    expect(kinds.get(kind) ?? 0, kind).toBeGreaterThan(COMPARED / 250)
  }
})

const kindOf = (premise: { readonly kind: string; readonly fn?: string; readonly where?: unknown }): string =>
  premise.where === undefined ? (premise.fn ?? premise.kind) : 'where'

describe(`on ${JUDGED} random programs`, () => {
  it('every run passes the checker, with all derivations and with the first ones', () => {
    for (const { seed, program, facts, model } of CASES) {
      const all = evaluate(program, facts, { provenance: 'all' })
      expect(checkModel({ ...program, base: facts, model, judge }), `case ${seed}`).toEqual({ valid: true })
      expect(checkModel({ ...program, base: facts, model: all, judge }), `case ${seed}`).toEqual({ valid: true })
    }
  })

  it('every proof passes the checker, and its premises came before it', () => {
    for (const { seed, program, facts, model } of CASES) {
      const check = proofChecker({ rules: program.rules, base: facts, closed: (predicate) => model.find(predicate), judge })
      for (const { id } of model.facts) {
        expect(check(proofOf(model, id)), `case ${seed}`).toEqual({ valid: true })
        expect((model.derivation(id)?.premises ?? []).flatMap(factsIn).every((fact) => fact < id)).toBe(true)
      }
    }
  })

  it('every other proof of a fact passes the checker too, and stands on other ground', () => {
    let count = 0
    for (const { seed, program, facts } of CASES) {
      const model = evaluate(program, facts, { provenance: 'all' })
      // by another way a fact may be more sensitive than by its first one; without tiers all ways are alike
      const flat = { rules: program.rules, base: facts.map((fact) => ({ ...fact, tier: 0 })) }
      const closed = (predicate: string) => model.find(predicate).map((fact) => ({ ...fact, tier: 0 }))
      const check = proofChecker({ ...flat, closed, judge })
      for (const fact of model.facts) {
        const { proofs, complete } = alternativesOf(model, fact.id, { limit: 100 })
        expect(complete).toBe(true)
        for (const proof of proofs) {
          expect(check(untiered(proof)), `case ${seed}`).toEqual({ valid: true })
          count++
        }
      }
    }
    expect(count).toBeGreaterThan(JUDGED)
  })

  it('the tier of a derived fact is the highest among its premises', () => {
    for (const { seed, program, model } of CASES) {
      const reach = reachOf(program, model)
      for (const { id, tier, asserted } of model.facts) {
        if (asserted) continue
        const { rule, premises } = model.derivation(id) ?? { rule: '', premises: [] }
        const body = program.rules.find((candidate) => candidate.id === rule)?.body ?? []
        const tiers = body.map((item, i) => {
          const premise = premises[i]
          const fact = premise?.kind === 'fact' ? model.fact(premise.fact) : undefined
          if (item.kind === 'atom') return Math.max(columnTier(item.atom), fact?.tier ?? NaN)
          return Math.max(0, ...atomsIn(item).map((atom) => Math.max(columnTier(atom), reach.get(atom.predicate) ?? NaN)))
        })
        expect(tier, `case ${seed}`).toBe(Math.max(0, ...tiers))
      }
    }
  })

  it('what lies at or below a tier needs nothing above it', () => {
    for (const { seed, program, facts, model } of CASES) {
      const ceiling = seed % 3
      const cut = new Set(keysOf(cutModel(program, facts, ceiling)))
      expect(keysOf(model, ceiling).filter((fact) => !cut.has(fact)), `case ${seed}`).toEqual([])
    }
  })

  it('without negation and aggregates, all that a cut base yields keeps its tier in the whole', () => {
    for (const { seed, program, facts } of CASES) {
      const rules = program.rules.flatMap(({ id, head, body }) => {
        const kept = body.filter(({ kind }) => kind !== 'not' && kind !== 'aggregate')
        return [{ id, head: { ...head, args: head.args.map(withoutCount) }, body: kept }]
      })
      const positive = { ...program, rules }
      expect(keysOf(evaluate(positive, facts), seed % 3), `case ${seed}`).toEqual(keysOf(cutModel(positive, facts, seed % 3)))
    }
  })

  it('the order of the facts changes neither the model nor its tiers', () => {
    for (const { seed, program, facts, model } of CASES) {
      expect(tieredKeysOf(evaluate(program, facts.toReversed())), `case ${seed}`).toEqual(tieredKeysOf(model))
    }
  })
})

type Proof = ReturnType<typeof proofOf>

/** The proof with every tier at zero, shared parts staying shared. */
function untiered(proof: Proof, done = new Map<Proof, Proof>()): Proof {
  const known = done.get(proof)
  if (known !== undefined) return known
  const inner = (child: Proof) => untiered(child, done)
  const copy: Proof = proof.asserted
    ? { ...proof, tier: 0 }
    : {
        ...proof,
        tier: 0,
        premises: proof.premises.map((premise) => {
          if (premise.kind === 'proof') return { ...premise, proof: inner(premise.proof) }
          if (premise.kind !== 'aggregate') return premise
          return { ...premise, matches: premise.matches.map((match) => match.map(inner)) }
        }),
      }
  done.set(proof, copy)
  return copy
}

const atomsIn = (item: BodyItem): readonly Atom[] =>
  item.kind === 'aggregate' ? item.body : item.kind === 'atom' || item.kind === 'not' ? [item.atom] : []

/** The highest tier of what a predicate is made of, found by asking again until nothing changes. */
function reachOf(program: Program, model: Model): Map<string, number> {
  const reach = new Map(Object.keys(ARITY).map((name) => [name, Math.max(0, ...model.find(name).map(({ tier }) => tier))]))
  for (let round = 0; round < DERIVED.length + 1; round++) {
    for (const { head, body } of program.rules) {
      for (const atom of body.flatMap(atomsIn)) {
        reach.set(head.predicate, Math.max(reach.get(head.predicate) ?? 0, reach.get(atom.predicate) ?? 0, columnTier(atom)))
      }
    }
  }
  return reach
}

const columnTier = ({ predicate, args }: Atom) =>
  predicate === 'e3' ? Math.max(0, ...args.map((arg, i) => (arg === null ? 0 : i))) : 0

/** For heads of rules that lose their count. */
const withoutCount = (arg: Argument | null) =>
  arg !== null && 'variable' in arg && arg.variable === 'n' ? { term: integer(0) } : arg

/** The model of what lies at or below a ceiling: facts, and rules that look at no higher column. */
function cutModel(program: Program, facts: readonly Fact[], ceiling: number): Model {
  const rules = program.rules.filter(({ body }) => body.flatMap(atomsIn).every((atom) => columnTier(atom) <= ceiling))
  return evaluate({ ...program, rules }, facts.filter(({ tier = 0 }) => tier <= ceiling))
}
