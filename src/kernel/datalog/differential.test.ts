/** The engine against a plain evaluator on random stratified programs, and the laws that every model must obey. */
import { describe, expect, it } from 'vitest'
import { literal, termKey, XSD } from '../term.ts'
import type { Term } from '../term.ts'
import { proofChecker } from './check.ts'
import { evaluate } from './evaluate.ts'
import { proofOf } from './explain.ts'
import type { Argument, Atom, BodyItem, DatalogRule, Expr, Fact, Model, Program } from './program.ts'

// --- random programs: d0 may use e*, d1 also d0 and so on; what is negated or counted lies strictly lower ---

const ARITY: Readonly<Record<string, number>> = { e1: 1, e2: 2, e3: 3, d0: 1, d1: 2, d2: 1, d3: 2 }
const DERIVED = ['d0', 'd1', 'd2', 'd3']
const relations = [{ name: 'e3', columns: [0, 1, 2].map((tier) => ({ name: `c${tier}`, tier })) }]
const integer = (number: number) => literal(String(number), `${XSD}integer`)
const TERMS: readonly Term[] = [integer(0), integer(1), integer(2), literal('a'), literal('1.0', `${XSD}decimal`)]

/** A case is its seed: a counterexample is repeated by its number. */
function randomCase(seed: number): { seed: number; program: Program; facts: Fact[] } {
  const { pick, chance } = dice(seed)
  const constant = (): Argument => ({ term: pick(TERMS) })
  const anyOf = (names: readonly string[]): Argument => (names.length > 0 ? { variable: pick(names) } : constant())
  const atom = (predicate: string, argument: () => Argument | null): Atom => ({
    predicate,
    args: times(ARITY[predicate] ?? 0, argument),
  })

  const rule = (id: string, layer: number): DatalogRule => {
    const lower = ['e1', 'e2', 'e2', 'e3', 'e3', ...DERIVED.slice(0, layer)]
    const own = DERIVED[layer] ?? ''
    const open = () => (chance(0.1) ? null : chance(0.1) ? constant() : anyOf(['x', 'y', 'z']))
    const calculates = chance(0.2)
    const atoms = times(pick([1, 1, 2, 2, 3]), () => atom(chance(0.15) && !calculates ? own : pick(lower), open))
    const bound = namesIn(atoms)
    const known = () => (chance(0.1) ? constant() : anyOf(bound))
    const sum = (depth: number): Expr => {
      if (depth === 0 || chance(0.2)) return known()
      if (chance(0.15)) return { minus: sum(depth - 1) }
      return { op: pick(['+', '-', '*', '/'] as const), left: sum(depth - 1), right: sum(depth - 1) }
    }
    const results: BodyItem[] = calculates ? [{ kind: 'assign', into: 'm', expr: { op: '+', left: sum(2), right: known() } }] : []
    const tests = times(pick([0, 0, 1, 1, 2]), (): BodyItem => {
      if (chance(0.6)) return { kind: 'not', atom: atom(pick(lower), () => (chance(0.2) ? null : known())) }
      const op = pick(['=', '!=', '<', '>='] as const)
      const left = calculates && chance(0.5) ? { variable: 'm' } : known()
      return { kind: 'compare', op, left, right: chance(0.5) ? known() : constant() }
    })
    const inside = () => (chance(0.2) ? null : chance(0.4) ? anyOf(['u', 'w']) : known())
    const counted = chance(0.25) ? times(pick([1, 2]), () => atom(pick(lower), inside)) : []
    const count: BodyItem[] = counted.length > 0 ? [{ kind: 'aggregate', into: 'n', fn: 'count', of: null, body: counted }] : []
    const head = atom(own, () => {
      if (calculates && chance(0.5)) return { variable: 'm' }
      return counted.length > 0 && chance(0.3) ? { variable: 'n' } : known()
    })
    const positive = atoms.map((atom): BodyItem => ({ kind: 'atom', atom }))
    const rest = [...count, ...results, ...tests]
    return { id, head, body: chance(0.5) ? [...rest, ...positive] : [...positive, ...rest.toReversed()] }
  }

  const rules = times(pick([4, 8, 12]), (i) => rule(`r${i}`, i % DERIVED.length))
  const facts = times(pick([6, 12, 20]), (): Fact => {
    const predicate = pick(['e1', 'e2', 'e2', 'e3', 'e3'])
    return { predicate, args: times(ARITY[predicate] ?? 0, () => (chance(0.1) ? null : pick(TERMS))), tier: pick([0, 0, 1, 3]) }
  })
  return { seed, program: { relations, rules }, facts }
}

const times = <T>(length: number, make: (i: number) => T): T[] => Array.from({ length }, (_, i) => make(i))

function dice(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    const mixed = Math.imul(state ^ (state >>> 15), state | 1)
    return ((mixed ^ (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T
  return { pick, chance: (share: number) => next() < share }
}

function namesIn(atoms: readonly Atom[]): string[] {
  const args = atoms.flatMap((atom) => atom.args)
  return [...new Set(args.flatMap((arg) => (arg !== null && 'variable' in arg ? [arg.variable] : [])))]
}

// --- the plain evaluator: every rule over every combination of facts, again and again, layer by layer ---

type Values = ReadonlyMap<string, Term>
const key = ({ predicate, args }: Fact) => `${predicate}(${args.map((term) => (term ? termKey(term) : 'null')).join()})`
const isSame = (x: Term, y: Term) => termKey(x) === termKey(y)

function unify({ predicate, args }: Atom, fact: Fact, values: Values): Values | undefined {
  if (predicate !== fact.predicate) return undefined
  const more = new Map(values)
  for (const [i, arg] of args.entries()) {
    const value = fact.args[i] ?? null
    if (arg === null) continue
    const wanted = 'term' in arg ? arg.term : (more.get(arg.variable) ?? value)
    if (value === null || wanted === null || !isSame(wanted, value)) return undefined
    if ('variable' in arg) more.set(arg.variable, value)
  }
  return more
}

const allMatches = (atoms: readonly Atom[], facts: readonly Fact[], start: Values): Values[] =>
  atoms.reduce<Values[]>(
    (found, atom) => found.flatMap((values) => facts.flatMap((fact) => unify(atom, fact, values) ?? [])),
    [start],
  )

const isNumber = (term: Term) => term.kind === 'literal' && term.datatype !== `${XSD}string`

function plainHolds(op: string, x: Term, y: Term): boolean {
  if (isNumber(x) !== isNumber(y)) return op === '!='
  const [a, b] = isNumber(x) ? [Number(x.value), Number(y.value)] : [x.value, y.value]
  return op === '=' ? a === b : op === '!=' ? a !== b : op === '<' ? a < b : a >= b
}

/** A ratio of whole numbers, with a mark for what is no integer. */
type Ratio = readonly [above: bigint, below: bigint, decimal: boolean]

/** School arithmetic on ratios; only a quotient is rounded, to 18 digits. undefined where there is no result. */
function plainRatio(expr: Expr, value: (arg: Argument) => Term | null): Ratio | undefined {
  if ('minus' in expr) {
    const ratio = plainRatio(expr.minus, value)
    return ratio && [-ratio[0], ratio[1], ratio[2]]
  }
  if ('op' in expr) {
    const [x, y] = [plainRatio(expr.left, value), plainRatio(expr.right, value)]
    if (x === undefined || y === undefined || (expr.op === '/' && y[0] === 0n)) return undefined
    const decimal = x[2] || y[2] || expr.op === '/'
    if (expr.op === '+') return [x[0] * y[1] + y[0] * x[1], x[1] * y[1], decimal]
    if (expr.op === '-') return [x[0] * y[1] - y[0] * x[1], x[1] * y[1], decimal]
    if (expr.op === '*') return [x[0] * y[0], x[1] * y[1], decimal]
    const [above, below] = [x[0] * y[1] * 10n ** 19n, x[1] * y[0]]
    const digits = above / below // one digit too many, toward zero; the last one decides
    return [(digits + (digits < 0n ? -5n : 5n)) / 10n, 10n ** 18n, decimal]
  }
  const term = value(expr)
  if (term === null || !isNumber(term)) return undefined
  const [whole = '', behind = ''] = term.value.split('.')
  return [BigInt(whole + behind), 10n ** BigInt(behind.length), term.kind === 'literal' && term.datatype === `${XSD}decimal`]
}

function plainResult(expr: Expr, value: (arg: Argument) => Term | null): Term | undefined {
  const ratio = plainRatio(expr, value)
  if (ratio === undefined) return undefined
  const [above, below, decimal] = ratio
  if (!decimal) return integer(Number(above / below))
  const digits = (above < 0n ? -above : above) * (10n ** 200n / below)
  const text = `${digits / 10n ** 200n}.${String(digits % 10n ** 200n).padStart(200, '0')}`.replace(/\.?0+$/, '')
  return literal(`${above < 0n ? '-' : ''}${text}`, `${XSD}decimal`)
}

function plainModel(program: Program, base: readonly Fact[]): Set<string> {
  const known = new Map(base.map((fact) => [key(fact), fact]))
  for (const layer of DERIVED) {
    for (let before = -1; before < known.size; ) {
      before = known.size
      for (const { head, body } of program.rules.filter((rule) => rule.head.predicate === layer)) {
        const all = [...known.values()]
        for (const values of allMatches(body.flatMap((item) => (item.kind === 'atom' ? [item.atom] : [])), all, new Map())) {
          const full = new Map(values)
          for (const item of body) {
            if (item.kind !== 'aggregate') continue
            full.set(item.into, literal(String(allMatches(item.body, all, values).length), `${XSD}integer`))
          }
          const value = (arg: Argument | null) => {
            if (arg === null) return null
            return 'term' in arg ? arg.term : (full.get(arg.variable) ?? null)
          }
          for (const item of body) {
            const result = item.kind === 'assign' ? plainResult(item.expr, value) : undefined
            if (item.kind === 'assign' && result !== undefined) full.set(item.into, result)
          }
          const holds = body.every((item) => {
            if (item.kind === 'assign') return full.has(item.into)
            if (item.kind === 'not') return allMatches([item.atom], all, values).length === 0
            if (item.kind !== 'compare') return true
            const [left, right] = [value(item.left), value(item.right)]
            return left !== null && right !== null && plainHolds(item.op, left, right)
          })
          const fact = { predicate: head.predicate, args: head.args.map(value) }
          if (holds) known.set(key(fact), fact)
        }
      }
    }
  }
  return new Set(known.keys())
}

// --- laws ---

const keysOf = (model: Model, upTo = Infinity) => model.facts.filter(({ tier }) => tier <= upTo).map(key).toSorted()

/** The highest tier of what a predicate is made of, found by asking again until nothing changes. */
function reachOf(program: Program, model: Model): Map<string, number> {
  const reach = new Map(Object.keys(ARITY).map((name) => [name, Math.max(0, ...model.find(name).map(({ tier }) => tier))]))
  for (let round = 0; round < DERIVED.length + 1; round++) {
    for (const { head, body } of program.rules) {
      const atoms = body.flatMap((item) => (item.kind === 'aggregate' ? item.body : 'atom' in item ? [item.atom] : []))
      for (const atom of atoms) {
        reach.set(head.predicate, Math.max(reach.get(head.predicate) ?? 0, reach.get(atom.predicate) ?? 0, columnTier(atom)))
      }
    }
  }
  return reach
}

const columnTier = ({ predicate, args }: Atom) =>
  predicate === 'e3' ? Math.max(0, ...args.map((arg, i) => (arg === null ? 0 : i))) : 0

const tieredKeysOf = (model: Model) => model.facts.map((fact) => `${key(fact)} ${fact.tier}`).toSorted()

/** For heads of rules that lose their count. */
const withoutCount = (arg: Argument | null) =>
  arg !== null && 'variable' in arg && arg.variable === 'n' ? { term: integer(0) } : arg

const CASES = Array.from({ length: 300 }, (_, seed) => {
  const { program, facts } = randomCase(seed)
  return { seed, program, facts, model: evaluate(program, facts) }
})

describe('on 300 random programs with negation, comparison, arithmetic and count', () => {
  it('the engine derives what a plain evaluator derives', () => {
    for (const { seed, program, facts, model } of CASES) {
      expect(keysOf(model), `case ${seed}`).toEqual([...plainModel(program, facts)].toSorted())
    }
    // the comparison is worth something only if the programs do something
    const steps = CASES.flatMap(({ model }) => model.facts.flatMap(({ id }) => model.derivation(id) ?? []))
    expect(steps.length).toBeGreaterThan(1000)
    for (const kind of ['absent', 'condition', 'aggregate', 'computed']) {
      expect(steps.filter(({ premises }) => premises.some((premise) => premise.kind === kind)).length, kind).toBeGreaterThan(100)
    }
  })

  it('every derivation passes the proof checker, and its premises came before it', () => {
    for (const { seed, program, facts, model } of CASES) {
      const check = proofChecker({ rules: program.rules, base: facts, closed: (predicate) => model.find(predicate) })
      for (const { id } of model.facts) {
        const used = (model.derivation(id)?.premises ?? []).flatMap((premise) =>
          premise.kind === 'fact' ? [premise.fact] : premise.kind === 'aggregate' ? premise.matches.flat() : [],
        )
        expect(check(proofOf(model, id)), `case ${seed}`).toEqual({ valid: true })
        expect(used.every((fact) => fact < id)).toBe(true)
      }
    }
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
          const fact = premise?.kind === 'fact' ? model.facts[premise.fact] : undefined
          if (item.kind === 'atom') return Math.max(columnTier(item.atom), fact?.tier ?? NaN)
          const atoms = item.kind === 'not' ? [item.atom] : item.kind === 'aggregate' ? item.body : []
          return Math.max(0, ...atoms.map((atom) => Math.max(columnTier(atom), reach.get(atom.predicate) ?? NaN)))
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

  it('without negation and count, all that a cut base yields keeps its tier in the whole', () => {
    for (const { seed, program, facts } of CASES) {
      const rules = program.rules.map(({ id, head, body }) => ({
        id,
        head: { ...head, args: head.args.map(withoutCount) },
        body: body.filter(({ kind }) => kind !== 'not' && kind !== 'aggregate'),
      }))
      const positive = { relations, rules }
      expect(keysOf(evaluate(positive, facts), seed % 3), `case ${seed}`).toEqual(keysOf(cutModel(positive, facts, seed % 3)))
    }
  })

  it('the order of the facts changes neither the model nor its tiers', () => {
    for (const { seed, program, facts, model } of CASES) {
      expect(tieredKeysOf(evaluate(program, facts.toReversed())), `case ${seed}`).toEqual(tieredKeysOf(model))
    }
  })
})

/** The model of what lies at or below a ceiling: facts, and rules that look at no higher column. */
function cutModel(program: Program, facts: readonly Fact[], ceiling: number): Model {
  const isLow = (atom: Atom) => columnTier(atom) <= ceiling
  const rules = program.rules.filter(({ body }) =>
    body.every((item) => (item.kind === 'aggregate' ? item.body.every(isLow) : !('atom' in item) || isLow(item.atom))),
  )
  return evaluate({ relations, rules }, facts.filter(({ tier = 0 }) => tier <= ceiling))
}
