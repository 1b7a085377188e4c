/** Whole runs before the checker: what the engine made passes, anything else is refused at the step that is wrong. */
import { describe, expect, it } from 'vitest'
import { oxigraphJudge } from '../../../graph-store/judge.ts'
import { iri, literal } from '../../term.ts'
import { UNFINISHED, checkModel } from './model.ts'
import { evaluate } from '../evaluate.ts'
import { parseRules } from '../parse.ts'
import type { Derivation, Fact, Premise, Program, StoredFact } from '../program.ts'
import { dice, integer, randomCase } from '../random-programs.test-support.ts'

const judge = oxigraphJudge()
const fact = (predicate: string, ...args: (string | number)[]): Fact => ({
  predicate,
  args: args.map((value) => (typeof value === 'number' ? integer(value) : literal(value))),
})

function programOf(text: string): Program {
  const parsed = parseRules(text, { relations: [] })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults))
  return { relations: [], rules: parsed.rules }
}

/** A run laid open, so that a test may forge it. */
interface Run {
  readonly program: Program
  readonly base: readonly Fact[]
  readonly facts: StoredFact[]
  readonly derivations: Derivation[][]
}

function runOf(program: Program, base: readonly Fact[]): Run {
  const model = evaluate(program, base, { provenance: 'all' })
  return { program, base, facts: [...model.facts], derivations: model.facts.map(({ id }) => [...model.derivations(id)]) }
}

function verdictOn({ program, base, facts, derivations }: Run, withJudge = true) {
  const model = {
    size: facts.length,
    fact: (id: number) => facts[id] as StoredFact,
    derivations: (id: number) => derivations[id] ?? [],
  }
  return checkModel({ ...program, base, model, ...(withJudge ? { judge } : {}) })
}

const copy = (run: Run): Run => ({ ...run, facts: [...run.facts], derivations: run.derivations.map((all) => [...all]) })

/** The run with one derivation changed. */
function changed(run: Run, id: number, change: (derivation: Derivation) => Derivation): Run {
  const forged = copy(run)
  forged.derivations[id] = (run.derivations[id] ?? []).map((derivation, n) => (n === 0 ? change(derivation) : derivation))
  return forged
}

type AggregatePremise = Extract<Premise, { kind: 'aggregate' }>

const withPremise = (derivation: Derivation, at: number, premise: Premise): Derivation => ({
  ...derivation,
  premises: derivation.premises.with(at, premise),
})

const network = programOf(`
  impaired(?r) :- alarm(?a, ?r), not cleared(?a).
  cleared(?a) :- closed(?a, ?by), contains(?by, "ops").
  load(?r, ?n) :- resource(?r), ?n = count { alarm(?a, ?r), ?a != "a9" }.
  last(?r, ?v) :- resource(?r), ?v = latest(?w by ?t) { reading(?r, ?w, ?t) }.
  hot(?r, ?d) :- last(?r, ?v), ?d = ?v - 40, ?d > 0, strlen(?r) < 5.
  linked(?x, ?y) :- link(?x, ?y).
  linked(?x, ?z) :- linked(?x, ?y), link(?y, ?z).
  looped(?x) :- link(?x, ?x).
  straight(?x) :- link(?x, ?y), not looped(?x).
  known(?r) :- last(?r, ?v).
  unread(?r) :- resource(?r), not known(?r).`)
const base = [
  { ...fact('alarm', 'a1', 'r1'), tier: 1 }, fact('alarm', 'a2', 'r2'), fact('alarm', 'a9', 'r2'), fact('closed', 'a2', 'ops-7'),
  fact('resource', 'r1'), fact('resource', 'r2'),
  fact('reading', 'r1', 30, 1), fact('reading', 'r1', 50, 2), fact('reading', 'r2', 45, 1),
  // two values at once: none of them is the latest
  fact('resource', 'r3'), fact('reading', 'r3', 1, 1), fact('reading', 'r3', 2, 1),
  fact('link', 'x', 'y'), fact('link', 'y', 'z'), fact('link', 'z', 'x'),
]
const run = runOf(network, base)
const idOf = (predicate: string, ...args: (string | number)[]) => {
  const wanted = JSON.stringify(fact(predicate, ...args).args)
  const found = run.facts.findIndex((known) => known.predicate === predicate && JSON.stringify(known.args) === wanted)
  if (found < 0) throw new Error(`no ${predicate}(${args.join()})`)
  return found
}

describe('a run', () => {
  it('passes as the engine made it, with negation, tests, calculations, counts and cycles', () => {
    expect(run.facts.filter(({ asserted }) => !asserted).length).toBeGreaterThan(12)
    expect(verdictOn(run)).toEqual({ valid: true })
  })

  it('is refused without a judge where it calls a function', () => {
    expect(verdictOn(run, false)).toMatchObject({ valid: false, why: 'premise 2 of rule-2 is a test that cannot be judged here' })
  })

  it.each<[string, () => Run, string]>([
    [
      'a changed binding',
      () => {
        const rebound = (derivation: Derivation) => ({ ...derivation, bindings: { ...derivation.bindings, a: literal('a7') } })
        return changed(run, idOf('impaired', 'r1'), rebound)
      },
      'premise 1 of rule-1 is not the fact that the rule asks for',
    ],
    [
      'a dropped premise',
      () => changed(run, idOf('impaired', 'r1'), (derivation) => ({ ...derivation, premises: derivation.premises.slice(1) })),
      'rule-1 has 2 premises, not 1',
    ],
    [
      'another rule',
      () => changed(run, idOf('linked', 'x', 'y'), (derivation) => ({ ...derivation, rule: 'rule-7' })),
      'the bindings are not those of rule-7',
    ],
    [
      'a rule of another head',
      () => changed(run, idOf('linked', 'x', 'y'), (derivation) => ({ ...derivation, rule: 'rule-1' })),
      'no rule rule-1 derives linked',
    ],
    [
      'a fact that rests on itself',
      () => {
        const forged = copy(run)
        const id = idOf('linked', 'x', 'y')
        forged.derivations[id] = (forged.derivations[id] ?? []).toReversed()
        return forged
      },
      'a premise did not come before its conclusion',
    ],
    [
      'an invented given fact',
      () => {
        const forged = copy(run)
        forged.facts.push({ ...fact('link', 'q', 'x'), id: forged.facts.length, tier: 0, asserted: true })
        return forged
      },
      'this fact is not in the base',
    ],
    [
      'a fact without a derivation',
      () => ({ ...run, derivations: run.derivations.with(idOf('impaired', 'r1'), []) }),
      'it was not given, and nothing says what it follows from',
    ],
    [
      'a lowered tier',
      () => ({ ...run, facts: run.facts.map((known) => (known.predicate === 'impaired' ? { ...known, tier: 0 } : known)) }),
      'the tier is not the one that its premises give it',
    ],
    [
      'a raised tier',
      () => ({ ...run, facts: run.facts.map((known) => (known.predicate === 'linked' ? { ...known, tier: 2 } : known)) }),
      'the tier is not the one that its premises give it',
    ],
    [
      'a lowered given tier',
      () => ({ ...run, facts: run.facts.map((known) => (known.predicate === 'alarm' ? { ...known, tier: 0 } : known)) }),
      'the base gives this fact a higher tier',
    ],
    [
      'a count over fewer facts',
      () =>
        changed(run, idOf('load', 'r1', 1), (derivation) =>
          withPremise(derivation, 1, { ...(derivation.premises[1] as AggregatePremise), matches: [] }),
        ),
      'premise 2 of rule-3 is an aggregate over other facts',
    ],
    [
      'a count without its condition',
      () =>
        changed(run, idOf('load', 'r2', 1), (derivation) => {
          const { where: _, ...open } = derivation.premises[1] as AggregatePremise
          return withPremise(derivation, 1, open)
        }),
      'premise 2 of rule-3 is not the aggregate that the rule asks for',
    ],
    [
      'an earlier value as the latest',
      () => {
        const id = idOf('last', 'r1', 50)
        const forged = changed(run, id, (derivation) => ({
          ...withPremise(derivation, 1, { ...(derivation.premises[1] as AggregatePremise), result: integer(30) }),
          bindings: { ...derivation.bindings, v: integer(30) },
        }))
        forged.facts[id] = { ...(forged.facts[id] as StoredFact), args: [literal('r1'), integer(30)] }
        return forged
      },
      'premise 2 of rule-4 is an aggregate with another result',
    ],
    [
      'another test',
      () =>
        changed(run, idOf('hot', 'r1', 10), (derivation) => {
          const at = derivation.premises.findIndex(({ kind }) => kind === 'tested')
          return withPremise(derivation, at, { kind: 'tested', expr: { term: literal('true') } })
        }),
      'premise 4 of rule-5 is not the test that the rule asks for',
    ],
    [
      'an absence that a hidden derived fact belies',
      () => withImpairedR2((known) => known.predicate === 'cleared'),
      'rule-2 yields this fact, but it is missing',
    ],
    [
      'an absence that a hidden given fact belies',
      () => withImpairedR2((known) => known.predicate === 'cleared' || known.predicate === 'closed'),
      'the base has this fact, but it is missing',
    ],
  ])('is refused with %s', (_, forge, why) => {
    expect(verdictOn(forge())).toMatchObject({ valid: false, why })
  })
})

/** The run without some facts, and with the conclusion that their absence would allow. */
function withImpairedR2(isHidden: (known: StoredFact) => boolean): Run {
  const kept = run.facts.filter((known) => !isHidden(known))
  const number = new Map(kept.map(({ id }, at) => [id, at]))
  const renumbered = (premise: Premise): Premise => {
    if (premise.kind === 'fact') return { kind: 'fact', fact: number.get(premise.fact) ?? -1 }
    if (premise.kind !== 'aggregate') return premise
    return { ...premise, matches: premise.matches.map((match) => match.map((id) => number.get(id) ?? -1)) }
  }
  const facts = kept.map((known, id) => ({ ...known, id }))
  const derivations = kept.map(({ id }) =>
    (run.derivations[id] ?? []).map((derivation) => ({ ...derivation, premises: derivation.premises.map(renumbered) })),
  )
  const alarm = facts.find((known) => JSON.stringify(known.args) === JSON.stringify(fact('alarm', 'a2', 'r2').args))
  facts.push({ ...fact('impaired', 'r2'), id: facts.length, tier: 0, asserted: false })
  derivations.push([
    {
      rule: 'rule-1', bindings: { a: literal('a2'), r: literal('r2') },
      premises: [
        { kind: 'fact', fact: alarm?.id ?? -1 },
        { kind: 'absent', atom: { predicate: 'cleared', args: [{ term: literal('a2') }] } },
      ],
    },
  ])
  // no tier above zero, so that the tiers of what is hidden play no part
  const flat = <T extends Fact>(known: T): T => ({ ...known, tier: 0 })
  return { ...run, base: base.map(flat), facts: facts.map(flat), derivations }
}

it('a random run is refused after any change that makes one of its steps wrong', () => {
  const refused = new Map<string, number>()
  for (let seed = 0; seed < 150; seed++) {
    const { program, facts } = randomCase(seed)
    const original = runOf(program, facts)
    const derived = original.facts.filter(({ asserted }) => !asserted)
    if (derived.length === 0) continue
    const { pick } = dice(seed)
    const target = pick(derived)
    const [first] = original.derivations[target.id] ?? []
    if (first === undefined) throw new Error('a derived fact has a derivation')
    const unheard = literal('unheard of')
    const isBound = Object.keys(first.bindings).length > 0
    const isPositive = first.premises.findIndex(({ kind }) => kind === 'fact')
    const restated = (change: (known: StoredFact) => StoredFact): Run => ({
      ...original,
      facts: original.facts.map((known) => (known.id === target.id ? change(known) : known)),
    })
    const itself: Premise = { kind: 'fact', fact: target.id }
    const forgeries: [string, Run][] = [
      ['rule', changed(original, target.id, (derivation) => ({ ...derivation, rule: 'unheard of' }))],
      ['premise', changed(original, target.id, (derivation) => ({ ...derivation, premises: derivation.premises.slice(1) }))],
      ['tier', restated((known) => ({ ...known, tier: known.tier + 1 }))],
      ['given', restated((known) => ({ ...known, asserted: true }))],
      ['conclusion', restated((known) => ({ ...known, args: known.args.map(() => unheard) }))],
      ...(isBound
        ? [['binding', changed(original, target.id, (derivation) => ({
            ...derivation, bindings: { ...derivation.bindings, [pick(Object.keys(derivation.bindings))]: unheard },
          }))] as [string, Run]]
        : []),
      ['cycle', changed(original, target.id, (derivation) => withPremise(derivation, isPositive, itself))],
    ]
    for (const [kind, forged] of forgeries) {
      expect(verdictOn(forged).valid, `case ${seed}: ${kind}`).toBe(false)
      refused.set(kind, (refused.get(kind) ?? 0) + 1)
    }
  }
  expect(refused.size).toBe(7)
  expect(Math.min(...refused.values())).toBeGreaterThan(80)
})

it('a random run is refused when a fact is hidden that a negation or an aggregate looks at', () => {
  let hidden = 0
  for (let seed = 0; seed < 150; seed++) {
    const { program, facts } = randomCase(seed)
    const whole = runOf(program, facts)
    const lookedAt = new Set(
      whole.derivations.flat(2).flatMap(({ premises }) => premises.flatMap((premise) => {
        if (premise.kind === 'absent') return [premise.atom.predicate]
        return premise.kind === 'aggregate' ? premise.body.map(({ predicate }) => predicate) : []
      })),
    )
    const target = facts.find(({ predicate }) => lookedAt.has(predicate))
    if (target === undefined) continue
    // the run over the other facts is a right one, but not of this base
    const spelled = ({ predicate, args }: Fact) => JSON.stringify([predicate, args])
    const rest = facts.filter((known) => spelled(known) !== spelled(target))
    const cut = runOf(program, rest)
    const looks = cut.derivations.flat(2).some(({ premises }) =>
      premises.some((premise) => {
        if (premise.kind === 'absent') return premise.atom.predicate === target.predicate
        return premise.kind === 'aggregate' && premise.body.some(({ predicate }) => predicate === target.predicate)
      }),
    )
    if (!looks) continue
    hidden++
    expect(verdictOn({ ...cut, base: facts }), `case ${seed}`).toMatchObject({ valid: false })
  }
  expect(hidden).toBeGreaterThan(30)
})

it('checks long chains and many facts without running out of stack', () => {
  const chain = programOf('reached(?y) :- reached(?x), next(?x, ?y). lonely(?x) :- node(?x), not reached(?x).')
  const length = process.env['WHEREFORE_FULL'] === '1' ? 100_000 : 5000
  const links = Array.from({ length }, (_, i) => fact('next', i, i + 1))
  const facts = [fact('reached', 0), ...links, fact('node', 3), fact('node', -1)]
  const model = evaluate(chain, facts)
  expect(checkModel({ ...chain, base: facts, model })).toEqual({ valid: true })
  expect(model.find('lonely').length).toBe(1)
})

it('a check that is called off says neither yes nor no', () => {
  const chain = Array.from({ length: 120 }, (_, n) => ({ predicate: 'edge', args: [iri(`urn:${n}`), iri(`urn:${n + 1}`)] }))
  const parsed = parseRules('reach(?x, ?y) :- edge(?x, ?y). reach(?x, ?z) :- reach(?x, ?y), edge(?y, ?z). far(?x) :- edge(?x, ?y), not reach(?y, ?x).', { relations: [] })
  const rules = parsed.ok ? parsed.rules : []
  const model = evaluate({ relations: [], rules }, chain)
  expect(checkModel({ rules, base: chain, model })).toEqual({ valid: true })
  expect(checkModel({ rules, base: chain, model, shouldStop: () => true })).toMatchObject({ valid: false, why: UNFINISHED })
})
