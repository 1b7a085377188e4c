import { describe, expect, it } from 'vitest'
import { iri, literal, XSD } from '../term.ts'
import type { Term } from '../term.ts'
import { checkProof, proofChecker } from './checker/proof.ts'
import { evaluate } from './evaluate.ts'
import { proofOf } from './explain.ts'
import type { Proof, ProofPremise } from './explain.ts'
import { parseRules } from './parse.ts'
import type { Fact, Model, Program } from './program.ts'
import { whyNot } from './why-not.ts'

const integer = (number: number) => literal(String(number), `${XSD}integer`)
const fact = (predicate: string, ...args: (string | number)[]): Fact => ({
  predicate,
  args: args.map((value) => (typeof value === 'number' ? integer(value) : literal(value))),
})

function programOf(text: string): Program {
  const parsed = parseRules(text, { relations: [] })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults))
  return { relations: [], rules: parsed.rules }
}

const network = programOf(`
  impaired(?r) :- alarm(?a, ?r), not cleared(?a).
  exposed(?s) :- runs_on(?s, ?r), impaired(?r).
  exposed(?s) :- needs(?s, ?t), exposed(?t).
  at_risk(?c, ?n) :- customer(?c, ?limit), ?n = count { uses(?c, ?s), exposed(?s) }, ?n >= ?limit.`)
const facts = [
  { ...fact('alarm', 'a1', 'r1'), source: 'alarms/1', tier: 1 },
  fact('alarm', 'a2', 'r2'),
  fact('cleared', 'a2'),
  fact('runs_on', 'vpn', 'r1'),
  fact('runs_on', 'dns', 'r2'),
  fact('needs', 'mail', 'vpn'),
  fact('customer', 'acme', 2),
  fact('customer', 'bolt', 1),
  fact('uses', 'acme', 'vpn'),
  fact('uses', 'acme', 'mail'),
  fact('uses', 'bolt', 'dns'),
]
const model = evaluate(network, facts)
const context = { rules: network.rules, base: facts, closed: (predicate: string) => model.find(predicate) }
const idOf = (model: Model, predicate: string, ...args: Term[]) => model.find(predicate, args)[0]?.id ?? -1
const atRisk = () => proofOf(model, idOf(model, 'at_risk', literal('acme')))

describe('proofs', () => {
  it('lead from the conclusion to the given facts', () => {
    const proof = proofOf(model, idOf(model, 'exposed', literal('vpn')))
    expect(proof).toEqual({
      asserted: false,
      fact: { predicate: 'exposed', args: [literal('vpn')] },
      tier: 1,
      rule: 'rule-2',
      bindings: { s: literal('vpn'), r: literal('r1') },
      premises: [
        { kind: 'proof', proof: { asserted: true, fact: fact('runs_on', 'vpn', 'r1'), tier: 0 } },
        {
          kind: 'proof',
          proof: {
            asserted: false,
            fact: { predicate: 'impaired', args: [literal('r1')] },
            tier: 1,
            rule: 'rule-1',
            bindings: { a: literal('a1'), r: literal('r1') },
            premises: [
              { kind: 'proof', proof: { asserted: true, fact: fact('alarm', 'a1', 'r1'), tier: 1, source: 'alarms/1' } },
              { kind: 'absent', atom: { predicate: 'cleared', args: [{ term: literal('a1') }] } },
            ],
          },
        },
      ],
    })
  })

  it('share what they have in common', () => {
    const proof = atRisk()
    const aggregate = proof.asserted ? undefined : proof.premises[1]
    if (aggregate?.kind !== 'aggregate') throw new Error('the second premise is the count')
    const [vpn, mail] = aggregate.matches.map((match) => match[1])
    const needed = mail?.asserted === false ? mail.premises[1] : undefined
    expect(needed?.kind === 'proof' && needed.proof).toBe(vpn)
    expect(proofOf(model, idOf(model, 'exposed', literal('vpn')))).toBe(vpn)
  })

  it.each([
    [0, { premises: [], cut: true }],
    [1, { premises: [{ proof: { asserted: true } }, { proof: { premises: [], cut: true } }] }],
    [2, { premises: [{ proof: { asserted: true } }, { proof: { premises: [{ kind: 'proof' }, { kind: 'absent' }] } }] }],
  ])('are cut below depth %i', (depth, expected) => {
    expect(proofOf(model, idOf(model, 'exposed', literal('vpn')), depth)).toMatchObject(expected)
  })

  it('refuse a number that no fact has', () => {
    expect(() => proofOf(model, 999)).toThrow('no fact has the number 999')
  })
})

const is = (predicate: string) => (proof: Proof) => proof.fact.predicate === predicate

/** A copy of the proof with some nodes changed. */
function tampered(proof: Proof, where: (proof: Proof) => boolean, change: (proof: Proof) => Proof): Proof {
  const inner = (child: Proof) => tampered(child, where, change)
  const copy: Proof = proof.asserted
    ? proof
    : {
        ...proof,
        premises: proof.premises.map((premise) => {
          if (premise.kind === 'proof') return { ...premise, proof: inner(premise.proof) }
          if (premise.kind !== 'aggregate') return premise
          return { ...premise, matches: premise.matches.map((match) => match.map(inner)) }
        }),
      }
  return where(proof) ? change(copy) : copy
}
type Derived = Extract<Proof, { asserted: false }>

const step = (change: (proof: Derived) => Proof) => (proof: Proof) => (proof.asserted ? proof : change(proof))
const premise = (i: number, change: object) =>
  step((proof) => {
    const changed = { ...proof.premises[i], ...change } as ProofPremise
    return { ...proof, premises: proof.premises.with(i, changed) }
  })

describe('the proof checker', () => {
  it('accepts what the engine derived', () => {
    for (const { id } of model.facts) expect(checkProof(proofOf(model, id), context)).toEqual({ valid: true })
  })

  it.each<[string, (proof: Proof) => boolean, (proof: Proof) => Proof, string]>([
    [
      'a changed leaf',
      is('runs_on'),
      (proof) => ({ ...proof, fact: fact('runs_on', 'vpn', 'r2') }),
      'premise 1 of rule-2 is not the fact that the rule asks for',
    ],
    [
      'an invented leaf',
      is('alarm'),
      (proof) => ({ ...proof, source: 'alarms/7' }) as Proof,
      'the base gives this fact another source',
    ],
    ['a lowered leaf', is('alarm'), (proof) => ({ ...proof, tier: 0 }), 'the base gives this fact a higher tier'],
    ['a lowered conclusion', is('impaired'), (proof) => ({ ...proof, tier: 0 }), 'the tier is lower than that of a premise'],
    [
      'a derived fact that says it was given',
      is('impaired'),
      ({ fact, tier }) => ({ asserted: true, fact, tier }),
      'this fact is not in the base',
    ],
    [
      'another conclusion',
      is('at_risk'),
      (proof) => ({ ...proof, fact: fact('at_risk', 'bolt', 2) }),
      'the conclusion is not the head of rule-4',
    ],
    ['another rule', is('impaired'), step((proof) => ({ ...proof, rule: 'rule-2' })), 'no rule rule-2 derives impaired'],
    ['an unknown rule', is('impaired'), step((proof) => ({ ...proof, rule: 'rule-9' })), 'no rule rule-9 derives impaired'],
    [
      'the other rule for the same head',
      is('exposed'),
      step((proof) => ({ ...proof, rule: proof.rule === 'rule-2' ? 'rule-3' : 'rule-2' })),
      'the bindings are not those of rule-2',
    ],
    [
      'a dropped premise',
      is('impaired'),
      step((proof) => ({ ...proof, premises: proof.premises.slice(0, 1) })),
      'rule-1 has 2 premises, not 1',
    ],
    [
      'swapped premises',
      is('impaired'),
      step((proof) => ({ ...proof, premises: proof.premises.toReversed() })),
      'premise 1 of rule-1 is not the fact that the rule asks for',
    ],
    [
      'an absence of something else',
      is('impaired'),
      premise(1, { atom: { predicate: 'cleared', args: [{ term: literal('a9') }] } }),
      'premise 2 of rule-1 is not the absence that the rule asks for',
    ],
    [
      'a missing binding',
      is('impaired'),
      step((proof) => ({ ...proof, bindings: { r: literal('r1') } })),
      'the bindings are not those of rule-1',
    ],
    [
      'a binding for a free variable',
      is('at_risk'),
      step((proof) => ({ ...proof, bindings: { ...proof.bindings, s: literal('vpn') } })),
      'the bindings are not those of rule-4',
    ],
    [
      'a wrong count',
      is('at_risk'),
      premise(1, { result: integer(3) }),
      'premise 2 of rule-4 is an aggregate with another result',
    ],
    [
      'a count over fewer facts',
      is('at_risk'),
      premise(1, { matches: [] }),
      'premise 2 of rule-4 is an aggregate over other facts',
    ],
    [
      'another function',
      is('at_risk'),
      premise(1, { fn: 'sum' }),
      'premise 2 of rule-4 is not the aggregate that the rule asks for',
    ],
    [
      'another condition',
      is('at_risk'),
      premise(2, { op: '<=' }),
      'premise 3 of rule-4 is not the condition that the rule asks for',
    ],
    ['a cut proof', is('impaired'), step((proof) => ({ ...proof, premises: [], cut: true })), 'the proof is cut here'],
  ])('refuses %s', (_, where, change, why) => {
    expect(checkProof(tampered(atRisk(), where, change), context)).toMatchObject({ valid: false, why })
  })

  it('refuses an absence or a condition that does not hold', () => {
    const more = (predicate: string) => (predicate === 'cleared' ? [fact('cleared', 'a1')] : model.find(predicate))
    expect(checkProof(atRisk(), { ...context, closed: more })).toMatchObject({ valid: false, at: 'impaired("r1")' })
    const program = programOf('p(?x) :- q(?x), ?x < 3.')
    const five = { asserted: true, fact: fact('q', 5), tier: 0 } as const
    const condition = { kind: 'condition', op: '<', left: integer(5), right: integer(3) } as const
    const premises = [{ kind: 'proof', proof: five } as const, condition]
    const proof: Proof = { asserted: false, fact: fact('p', 5), tier: 0, rule: 'rule-1', bindings: { x: integer(5) }, premises }
    expect(checkProof(proof, { rules: program.rules, base: [fact('q', 5)], closed: () => [] })).toEqual({
      valid: false,
      at: `p("5"^^<${XSD}integer>)`,
      why: 'premise 2 of rule-1 is a condition that does not hold',
    })
  })

  it('refuses a fact that proves itself', () => {
    const { rules } = programOf('p(?x) :- p(?x).')
    const premises: { kind: 'proof'; proof: Proof }[] = []
    const proof: Proof = { asserted: false, fact: fact('p', 1), tier: 0, rule: 'rule-1', bindings: { x: integer(1) }, premises }
    premises.push({ kind: 'proof', proof })
    const verdict = checkProof(proof, { rules, base: [], closed: () => [] })
    expect(verdict).toMatchObject({ valid: false, why: 'the fact is used in its own proof' })
  })

  it('tries every clause that shares an id', () => {
    const rules = programOf('p(?x) :- q(?x). p(?x) :- r(?x).').rules.map((rule) => ({ ...rule, id: 'same' }))
    const base = [fact('r', 1)]
    const model = evaluate({ relations: [], rules }, base)
    expect(checkProof(proofOf(model, 1), { rules, base, closed: (predicate) => model.find(predicate) })).toEqual({ valid: true })
  })

  it('follows a chain that is longer than the call stack', () => {
    const { rules } = programOf('reached(?y) :- reached(?x), next(?x, ?y).')
    const base = [fact('reached', 0), ...Array.from({ length: 10_000 }, (_, i) => fact('next', i, i + 1))]
    const model = evaluate({ relations: [], rules }, base)
    const proof = proofOf(model, idOf(model, 'reached', integer(10_000)))
    expect(checkProof(proof, { rules, base, closed: (predicate) => model.find(predicate) })).toEqual({ valid: true })
  })

  it('checks many proofs over one context without checking the shared parts again', () => {
    let reads = 0
    const closed = (predicate: string) => {
      reads++
      return model.find(predicate)
    }
    const check = proofChecker({ ...context, closed })
    for (const { id } of model.facts) check(proofOf(model, id))
    // once for its facts and once for their tiers
    expect(reads).toBeLessThanOrEqual(8)
  })

  it('refuses a proof that is less sensitive than what it denies', () => {
    const parsed = parseRules('ok(?x) :- a(?x), not secret(?x).', { relations: [] })
    const rules = parsed.ok ? parsed.rules : []
    const facts = [{ predicate: 'a', args: [literal('x')] }, { predicate: 'secret', args: [literal('y')], tier: 3 }]
    const own = evaluate({ relations: [], rules }, facts)
    const proof = proofOf(own, own.find('ok')[0]?.id ?? -1)
    const check = proofChecker({ rules, base: facts, closed: (predicate) => own.find(predicate) })
    expect([proof.tier, check(proof)]).toEqual([3, { valid: true }])
    expect(check({ ...proof, tier: 0 })).toMatchObject({ valid: false, why: expect.stringContaining('denies or counts') as string })
  })
})

const ask = (predicate: string, ...args: (Term | undefined)[]) => whyNot(network, model, { predicate, args })

describe('why not', () => {
  it('names the part of the rule that failed, with its values', () => {
    const [best] = ask('at_risk', literal('bolt'), undefined)
    expect(best).toMatchObject({
      rule: 'rule-4',
      bindings: { c: literal('bolt'), limit: integer(1), n: integer(0) },
      satisfied: [{ kind: 'fact', fact: 7 }, { kind: 'aggregate', result: integer(0) }],
      missing: { kind: 'compare', op: '>=', left: { term: integer(0) }, right: { term: integer(1) } },
    })
  })

  it('puts the closest rule first', () => {
    const misses = ask('exposed', literal('dns'))
    expect(misses.map(({ rule, satisfied }) => `${rule} ${satisfied.length}`)).toEqual(['rule-2 1', 'rule-3 0'])
    expect(misses[0]?.missing).toEqual({ kind: 'atom', atom: { predicate: 'impaired', args: [{ term: literal('r2') }] } })
  })

  it('shows a fact that should have been absent', () => {
    const [best] = ask('impaired', literal('r2'))
    expect(best?.missing).toEqual({ kind: 'not', atom: { predicate: 'cleared', args: [{ term: literal('a2') }] } })
  })

  it('has nothing to say where the goal holds or no rule is about it', () => {
    expect(ask('exposed', literal('vpn'))).toEqual([])
    expect(ask('exposed', undefined)).toEqual([])
    expect(ask('unheard_of', iri('x:y'))).toEqual([])
    expect(ask('exposed', literal('vpn'), literal('too'), literal('many'))).toEqual([])
  })

  it('gives at most five, also where every row fails', () => {
    const program = programOf('p(?x) :- q(?x, ?y), ?y > 100.')
    const rows = Array.from({ length: 50 }, (_, i) => fact('q', 'a', i))
    const misses = whyNot(program, evaluate(program, rows), { predicate: 'p', args: [literal('a')] })
    expect(misses.map(({ bindings }) => bindings.y?.value)).toEqual(['0', '1', '2', '3', '4'])
  })

  const labs = programOf(`
    high(?p, ?v) :- patient(?p, ?name), ?v = latest(?w by ?t) { lab(?p, ?w, ?t) }, ?v > 7, contains(?name, "a").
    twice(?p, ?d) :- patient(?p, ?name), ?n = count { lab(?p, ?w, ?t), ?w > 5 }, ?d = ?n * 2.
    both(?p) :- high(?p, ?v), consent(?p), not blocked(?p).`)
  const labFacts = [
    fact('patient', 'p1', 'ann'), fact('patient', 'p2', 'bob'), fact('patient', 'p3', 'cora'),
    fact('lab', 'p1', 9, 1), fact('lab', 'p1', 6, 2), fact('lab', 'p2', 9, 1), fact('lab', 'p3', 8, 1), fact('lab', 'p3', 9, 1),
  ]
  const labModel = evaluate(labs, labFacts)
  const askLabs = (predicate: string, ...args: (Term | undefined)[]) => whyNot(labs, labModel, { predicate, args })

  it('names a test that fails, with its values', () => {
    const [best] = askLabs('high', literal('p2'), undefined)
    expect(best?.satisfied.map(({ kind }) => kind)).toEqual(['fact'])
    const expr = { call: 'contains', args: [{ term: literal('bob') }, { term: literal('a') }] }
    expect(best?.missing).toEqual({ kind: 'test', expr })
  })

  it('names an aggregate that has no result, or another one than asked for', () => {
    expect(askLabs('high', literal('p3'), undefined)[0]?.missing).toMatchObject({ kind: 'aggregate', fn: 'latest' })
    const [other] = askLabs('high', literal('p1'), integer(9))
    expect(other).toMatchObject({ missing: { kind: 'aggregate', fn: 'latest' }, instead: integer(6) })
    const [wrong] = askLabs('twice', literal('p1'), integer(5))
    expect(wrong).toMatchObject({ missing: { kind: 'assign', into: 'd' }, instead: integer(4) })
  })

  it('lists the other parts that would fail as well', () => {
    const [best] = askLabs('both', literal('p1'))
    expect(best?.missing).toMatchObject({ kind: 'atom', atom: { predicate: 'high' } })
    expect(best?.further).toEqual([{ kind: 'atom', atom: { predicate: 'consent', args: [{ term: literal('p1') }] } }])
  })

  it('says when it did not look at every instance', () => {
    const program = programOf('p(?x) :- q(?x, ?y), r(?y, ?z), ?z > 100.')
    const rows = Array.from({ length: 200 }, (_, i) => [fact('q', 'a', i), fact('r', i, i % 10)]).flat()
    const large = evaluate(program, rows)
    const goal = { predicate: 'p', args: [literal('a')] }
    const [cut] = whyNot(program, large, goal, { maxSteps: 50, limit: 2 })
    expect(cut).toMatchObject({ partial: true, satisfied: [{ kind: 'fact' }, { kind: 'fact' }], missing: { kind: 'compare' } })
    expect(whyNot(program, large, goal, { limit: 2 })).toMatchObject([{ satisfied: { length: 2 } }, { satisfied: { length: 2 } }])
    expect(whyNot(program, large, goal)[0]?.partial).toBeUndefined()
  })
})
