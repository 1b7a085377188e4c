/** Random stratified programs for tests: d0 may use e*, d1 also d0 and so on; what is negated or counted lies strictly lower. */
import { literal, XSD } from '../term.ts'
import type { Term } from '../term.ts'
import type { Aggregate, Argument, Atom, BodyItem, Condition, DatalogRule, Expr, Fact, Program } from './program.ts'

export const ARITY: Readonly<Record<string, number>> = { e1: 1, e2: 2, e3: 3, d0: 1, d1: 2, d2: 1, d3: 2 }
export const DERIVED = ['d0', 'd1', 'd2', 'd3']
const relations = [{ name: 'e3', columns: [0, 1, 2].map((tier) => ({ name: `c${tier}`, tier })) }]
export const integer = (number: number | bigint) => literal(String(number), `${XSD}integer`)
const TERMS: readonly Term[] = [integer(0), integer(1), integer(2), literal('a'), literal('Bc'), literal('1.0', `${XSD}decimal`)]

const COMPARISONS = ['=', '!=', '<', '>='] as const

export interface RandomCase {
  readonly seed: number
  readonly program: Program
  readonly facts: readonly Fact[]
}

/** A case is its seed: a counterexample is repeated by its number. */
export function randomCase(seed: number): RandomCase {
  const { pick, chance } = dice(seed)
  const constant = (): Argument => ({ term: pick(TERMS) })
  const anyOf = (names: readonly string[]): Argument => (names.length > 0 ? { variable: pick(names) } : constant())
  const atom = (predicate: string, argument: () => Argument | null): Atom => ({
    predicate,
    args: times(ARITY[predicate] ?? 0, argument),
  })
  const sum = (depth: number, known: () => Argument): Expr => {
    if (depth === 0 || chance(0.2)) return known()
    if (chance(0.15)) return { minus: sum(depth - 1, known) }
    return { op: pick(['+', '-', '*', '/'] as const), left: sum(depth - 1, known), right: sum(depth - 1, known) }
  }
  const text = (known: () => Argument): Expr =>
    chance(0.5) ? known() : { call: pick(['str', 'ucase', 'lcase']), args: [chance(0.8) ? known() : sum(1, known)] }
  const value = (known: () => Argument): Expr => {
    if (chance(0.3)) return { call: 'strlen', args: [text(known)] }
    if (chance(0.3)) return { call: 'concat', args: [text(known), text(known)] }
    if (chance(0.3)) return { call: 'coalesce', args: [sum(1, known), known()] }
    return chance(0.5) ? { call: 'if', args: [truth(known), known(), text(known)] } : { call: 'abs', args: [sum(1, known)] }
  }
  const truth = (known: () => Argument): Expr => {
    if (chance(0.3)) return { call: pick(COMPARISONS), args: [value(known), chance(0.5) ? value(known) : sum(1, known)] }
    if (chance(0.3)) return { call: 'contains', args: [text(known), text(known)] }
    if (chance(0.3)) return { call: 'in', args: [known(), constant(), known()] }
    if (chance(0.5)) return { call: pick(['&&', '||']), args: [truth(known), truth(known)] }
    return chance(0.5) ? { call: '!', args: [truth(known)] } : known()
  }
  const comparison = (known: () => Argument): Condition => {
    if (chance(0.3)) return { kind: 'test', expr: truth(known) }
    return { kind: 'compare', op: pick(COMPARISONS), left: known(), right: chance(0.5) ? known() : constant() }
  }

  const rule = (id: string, layer: number): DatalogRule => {
    const lower = ['e1', 'e2', 'e2', 'e3', 'e3', ...DERIVED.slice(0, layer)]
    const own = DERIVED[layer] ?? ''
    const open = () => (chance(0.1) ? null : chance(0.1) ? constant() : anyOf(['x', 'y', 'z']))
    const calculates = chance(0.25)
    const atoms = times(pick([1, 1, 2, 2, 3]), () => atom(chance(0.2) && !calculates ? own : pick(lower), open))
    const bound = namesIn(atoms)
    const known = () => (chance(0.1) ? constant() : anyOf(bound))
    const worked = (): Expr => (chance(0.5) ? { op: '+', left: sum(2, known), right: known() } : value(known))
    const results: BodyItem[] = calculates ? [{ kind: 'assign', into: 'm', expr: worked() }] : []
    const sides = () => (calculates && chance(0.4) ? { variable: 'm' } : known())
    const tests = times(pick([0, 0, 1, 1, 2]), (): BodyItem => {
      if (chance(0.5)) return { kind: 'not', atom: atom(pick(lower), () => (chance(0.2) ? null : known())) }
      return comparison(sides)
    })
    const counted = chance(0.25) ? [aggregate(lower, known)] : []
    const head = atom(own, () => {
      if (calculates && chance(0.5)) return { variable: 'm' }
      return counted.length > 0 && chance(0.3) ? { variable: 'n' } : known()
    })
    const positive = atoms.map((atom): BodyItem => ({ kind: 'atom', atom }))
    const rest = [...counted, ...results, ...tests]
    return { id, head, body: chance(0.5) ? [...rest, ...positive] : [...positive, ...rest.toReversed()] }
  }

  const aggregate = (lower: readonly string[], known: () => Argument): Aggregate => {
    const inside = () => (chance(0.2) ? null : chance(0.5) ? anyOf(['u', 'w']) : known())
    const body = times(pick([1, 1, 2]), () => atom(pick(lower), inside))
    const free = namesIn(body).filter((name) => name === 'u' || name === 'w')
    const seen = () => (free.length > 0 && chance(0.6) ? anyOf(free) : known())
    const where = chance(0.4) ? { where: [comparison(seen)] } : {}
    const of = free[0]
    const by = free[1] ?? of
    if (of === undefined || by === undefined || chance(0.4)) {
      return { kind: 'aggregate', into: 'n', fn: 'count', of: null, body, ...where }
    }
    if (chance(0.5)) return { kind: 'aggregate', into: 'n', fn: 'latest', of, by, body, ...where }
    return { kind: 'aggregate', into: 'n', fn: pick(['sum', 'min', 'max'] as const), of, body, ...where }
  }

  const rules = times(pick([4, 8, 12]), (i) => rule(`r${i}`, i % DERIVED.length))
  const facts = times(pick([6, 12, 20]), (): Fact => {
    const predicate = pick(['e1', 'e2', 'e2', 'e3', 'e3'])
    return { predicate, args: times(ARITY[predicate] ?? 0, () => (chance(0.1) ? null : pick(TERMS))), tier: pick([0, 0, 1, 3]) }
  })
  return { seed, program: { relations, rules }, facts }
}

export const times = <T>(length: number, make: (i: number) => T): T[] => Array.from({ length }, (_, i) => make(i))

export function dice(seed: number) {
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
