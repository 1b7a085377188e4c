/**
 * Checks a proof without trusting the engine that made it. It shares types and terms with the engine, no code: its matching,
 * its comparisons and its aggregates are its own, and as plain as possible.
 */
import { termKey } from '../term.ts'
import type { Term } from '../term.ts'
import { conditionHolds, refold } from './check-values.ts'
import type { Proof, ProofPremise, ProvenFact } from './explain.ts'
import { recalculate } from './check-arithmetic.ts'
import type { Argument, Atom, BodyItem, DatalogRule, Expr, Fact } from './program.ts'

export interface CheckContext {
  readonly rules: readonly DatalogRule[]
  /** the facts that need no proof */
  readonly base: readonly Fact[]
  /** all facts of a predicate: what is not among them is absent */
  readonly closed: (predicate: string) => readonly Fact[]
}

/** `at` is the fact whose step failed. */
export type Verdict = { readonly valid: true } | { readonly valid: false; readonly at: string; readonly why: string }

type Step = Extract<Proof, { asserted: false }>
type Values = ReadonlyMap<string, Term>

export const checkProof = (proof: Proof, context: CheckContext): Verdict => proofChecker(context)(proof)

/** A checker for many proofs over the same facts: it reads the context once, and checks a shared part of two proofs once. */
export function proofChecker(context: CheckContext): (proof: Proof) => Verdict {
  const rules = Map.groupBy(context.rules, (rule) => rule.id)
  const base = Map.groupBy(context.base, factKey)
  const closed = closedWorld(context.closed)
  const accepted = new WeakSet<Proof>()

  const fault = (proof: Proof): string | undefined => {
    if (proof.asserted) {
      const same = base.get(factKey(proof.fact)) ?? []
      if (same.length === 0) return 'this fact is not in the base'
      if (!same.some(({ source }) => source === proof.source)) return 'the base gives this fact another source'
      return same.some(({ tier = 0 }) => tier <= proof.tier) ? undefined : 'the base gives this fact a higher tier'
    }
    if (proof.cut) return 'the proof is cut here'
    const named = (rules.get(proof.rule) ?? []).filter(({ head }) => head.predicate === proof.fact.predicate)
    if (named.length === 0) return `no rule ${proof.rule} derives ${proof.fact.predicate}`
    if (children(proof).some(({ tier }) => tier > proof.tier)) return 'the tier is lower than that of a premise'
    // a front end may give one id to several clauses
    let why: string | undefined
    for (const rule of named) {
      why = stepFault(proof, rule, closed)
      if (why === undefined) return undefined
    }
    return why
  }

  // depth first without recursion: a chain of premises may be longer than the call stack
  return (root) => {
    const path = new Set<Proof>()
    const stack = [root]
    for (let proof = stack.at(-1); proof !== undefined; proof = stack.at(-1)) {
      if (accepted.has(proof) || path.has(proof)) {
        stack.pop()
        path.delete(proof)
        accepted.add(proof)
        continue
      }
      const why = fault(proof)
      if (why !== undefined) return { valid: false, at: written(proof.fact), why }
      path.add(proof)
      for (const child of children(proof)) {
        if (path.has(child)) return { valid: false, at: written(child.fact), why: 'the fact is used in its own proof' }
        if (!accepted.has(child)) stack.push(child)
      }
    }
    return { valid: true }
  }
}

function children(proof: Proof): Proof[] {
  if (proof.asserted) return []
  return proof.premises.flatMap((premise) => {
    if (premise.kind === 'proof') return [premise.proof]
    return premise.kind === 'aggregate' ? premise.matches.flat() : []
  })
}

function stepFault(step: Step, rule: DatalogRule, closed: ClosedWorld): string | undefined {
  const values: Values = new Map(Object.entries(step.bindings))
  const bound = new Set(
    rule.body.flatMap((item) => (item.kind === 'atom' ? namesIn(item.atom) : 'into' in item ? [item.into] : [])),
  )
  // a value for a variable that ranges freely inside an aggregate would narrow what is counted
  const isComplete = bound.size === values.size && [...bound].every((name) => values.has(name))
  if (!isComplete) return `the bindings are not those of ${rule.id}`
  if (!fits(rule.head, step.fact, values)) return `the conclusion is not the head of ${rule.id}`
  if (rule.body.length !== step.premises.length) return `${rule.id} has ${rule.body.length} premises, not ${step.premises.length}`
  for (const [i, item] of rule.body.entries()) {
    const premise = step.premises[i]
    const why = premise === undefined ? 'is missing' : premiseFault(item, premise, values, closed)
    if (why !== undefined) return `premise ${i + 1} of ${rule.id} ${why}`
  }
  return undefined
}

function premiseFault(item: BodyItem, premise: ProofPremise, values: Values, closed: ClosedWorld): string | undefined {
  if (item.kind === 'atom') {
    const isAsked = premise.kind === 'proof' && fits(item.atom, premise.proof.fact, values)
    return isAsked ? undefined : 'is not the fact that the rule asks for'
  }
  if (item.kind === 'not') {
    if (premise.kind !== 'absent' || atomKey(premise.atom) !== atomKey(ground(item.atom, values, null))) {
      return 'is not the absence that the rule asks for'
    }
    return closed(premise.atom).length > 0 ? 'says absent, but there is such a fact' : undefined
  }
  if (item.kind === 'compare') {
    const [left, right] = [valueIn(item.left, values), valueIn(item.right, values)]
    if (premise.kind !== 'condition' || premise.op !== item.op || !isTerm(left, premise.left) || !isTerm(right, premise.right)) {
      return 'is not the condition that the rule asks for'
    }
    return conditionHolds(premise.op, premise.left, premise.right) ? undefined : 'is a condition that does not hold'
  }
  if (item.kind === 'assign') {
    const expr = groundExpr(item.expr, values)
    if (premise.kind !== 'computed' || premise.into !== item.into || exprKey(premise.expr) !== exprKey(expr)) {
      return 'is not the calculation that the rule asks for'
    }
    const result = recalculate(expr)
    const isRight = result !== null && isTerm(result, premise.result) && isTerm(values.get(item.into), result)
    return isRight ? undefined : 'is a calculation with another result'
  }
  const body = item.body.map((atom) => ground(atom, values))
  if (premise.kind !== 'aggregate' || premise.fn !== item.fn || premise.body.map(atomKey).join() !== body.map(atomKey).join()) {
    return 'is not the aggregate that the rule asks for'
  }
  const matches = matchAll(body, closed)
  const of = item.of ?? ''
  const result = refold(item.fn, matches.map((match) => match.values.get(of) ?? values.get(of) ?? NO_VALUE))
  if (result === null || !isTerm(result, premise.result) || !isTerm(values.get(item.into), result)) {
    return 'is an aggregate with another result'
  }
  const found = matchKeys(matches.map(({ facts }) => facts))
  const stated = matchKeys(premise.matches.map((match) => match.map(({ fact }) => fact)))
  const isSame = found.length === stated.length && found.every((key, i) => key === stated[i])
  return isSame ? undefined : 'is an aggregate over other facts'
}

const matchKeys = (matches: readonly (readonly ProvenFact[])[]): string[] =>
  matches.map((match) => match.map(factKey).join()).toSorted()

/** Stands for the value of a match that is only counted. */
const NO_VALUE: Term = { kind: 'bnode', value: '' }

/** Facts that an atom of terms, variables and open arguments matches. */
type ClosedWorld = (atom: Atom) => readonly Fact[]

function closedWorld(factsOf: (predicate: string) => readonly Fact[]): ClosedWorld {
  const shelves = new Map<string, Map<string, readonly Fact[]>>()
  return (atom) => {
    const columns = atom.args.flatMap((arg, i) => (arg !== null && 'term' in arg ? [i] : []))
    const name = JSON.stringify([atom.predicate, columns])
    let shelf = shelves.get(name)
    if (shelf === undefined) {
      const distinct = new Map(factsOf(atom.predicate).map((fact) => [factKey(fact), fact]))
      const usable = [...distinct.values()].filter(({ args }) => columns.every((i) => args[i] !== null && args[i] !== undefined))
      shelf = Map.groupBy(usable, ({ args }) => keyOf(columns.map((i) => args[i])))
      shelves.set(name, shelf)
    }
    const found = shelf.get(keyOf(columns.map((i) => termIn(atom.args[i])))) ?? []
    return found.filter((fact) => valuesOf(atom, fact) !== undefined)
  }
}

function matchAll(atoms: readonly Atom[], closed: ClosedWorld): { facts: Fact[]; values: Values }[] {
  let matches: { facts: Fact[]; values: Values }[] = [{ facts: [], values: new Map() }]
  for (const atom of atoms) {
    matches = matches.flatMap(({ facts, values }) => {
      const asked = ground(atom, values)
      return closed(asked).map((fact) => {
        const more = valuesOf(asked, fact) ?? new Map<string, Term>()
        return { facts: [...facts, fact], values: new Map([...values, ...more]) }
      })
    })
  }
  return matches
}

/** The values of an atom's variables in a fact, or undefined where the two do not fit. An unknown value gives a variable none. */
function valuesOf(atom: Atom, fact: ProvenFact): Values | undefined {
  if (atom.predicate !== fact.predicate || atom.args.length !== fact.args.length) return undefined
  const values = new Map<string, Term>()
  for (const [i, arg] of atom.args.entries()) {
    const value = fact.args[i]
    if (arg === null) continue
    if (value === null || value === undefined) return undefined
    if (!isTerm('term' in arg ? arg.term : (values.get(arg.variable) ?? value), value)) return undefined
    if ('variable' in arg) values.set(arg.variable, value)
  }
  return values
}

/** Whether the fact is the atom with these values, every variable having one. */
const fits = (atom: Atom, fact: ProvenFact, values: Values): boolean =>
  valuesOf(ground(atom, values), fact) !== undefined && namesIn(atom).every((name) => values.has(name))

/** The atom with its values put in; variables without one become `otherwise`, or stay. */
const ground = (atom: Atom, values: Values, otherwise?: null): Atom => ({
  predicate: atom.predicate,
  args: atom.args.map((arg) => {
    if (arg === null || 'term' in arg) return arg
    const term = values.get(arg.variable)
    return term !== undefined ? { term } : otherwise === null ? null : arg
  }),
})

const groundExpr = (expr: Expr, values: Values): Expr => {
  if ('op' in expr) return { op: expr.op, left: groundExpr(expr.left, values), right: groundExpr(expr.right, values) }
  if ('minus' in expr) return { minus: groundExpr(expr.minus, values) }
  const term = valueIn(expr, values)
  return term === undefined ? expr : { term }
}

/** Prefix notation: two calculations share it exactly when they are the same. */
const exprKey = (expr: Expr): string => {
  if ('op' in expr) return `${expr.op} ${exprKey(expr.left)} ${exprKey(expr.right)}`
  if ('minus' in expr) return `~ ${exprKey(expr.minus)}`
  return 'term' in expr ? termKey(expr.term) : `?${expr.variable}`
}

const namesIn = (atom: Atom): string[] => atom.args.flatMap((arg) => (arg !== null && 'variable' in arg ? [arg.variable] : []))
const valueIn = (arg: Argument, values: Values): Term | undefined => ('term' in arg ? arg.term : values.get(arg.variable))
const termIn = (arg: Argument | null | undefined): Term | undefined => (arg && 'term' in arg ? arg.term : undefined)
const isTerm = (x: Term | undefined, y: Term): boolean => x !== undefined && termKey(x) === termKey(y)

const keyOf = (terms: readonly (Term | null | undefined)[]): string =>
  JSON.stringify(terms.map((term) => (term ? termKey(term) : null)))
const factKey = (fact: ProvenFact): string => `${JSON.stringify(fact.predicate)}${keyOf(fact.args)}`
const atomKey = ({ predicate, args }: Atom): string =>
  JSON.stringify([predicate, args.map((arg) => (arg === null ? null : 'term' in arg ? termKey(arg.term) : `?${arg.variable}`))])

const written = ({ predicate, args }: ProvenFact): string =>
  `${predicate}(${args.map((term) => (term === null ? '_' : termKey(term))).join(', ')})`
