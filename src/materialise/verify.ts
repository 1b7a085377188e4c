/** Every derivation goes through the independent checker before anything is written. */
import { ServiceError } from '../contracts/index.ts'
import type { Budget, DatalogRule, Fact, Model, Verdict } from '../kernel/datalog/index.ts'
import { UNFINISHED, checkModel, proofChecker, proofOf } from '../kernel/datalog/index.ts'
import { oxigraphJudge } from '../graph-store/index.ts'
import type { Materialisation } from './materialisation.ts'

/** A check that runs out of time throws: what it has not looked at must not leave. */
export function verifyDerivations(model: Model, rules: readonly DatalogRule[], base: readonly Fact[], budget: Budget = {}): Verdict {
  const { shouldStop } = budget
  const verdict = checkModel({ rules, base, model, judge: oxigraphJudge(), ...(shouldStop === undefined ? {} : { shouldStop }) })
  if (verdict.valid || verdict.why !== UNFINISHED) return verdict
  throw new ServiceError('deadline_exceeded', 'checking what the rules derive ran past its limit', {
    hint: 'disable the rules that derive most, or reason over fewer instances',
  })
}

const checkers = new WeakMap<Materialisation, (fact: number) => Verdict>()

/** Checks single facts of a graph again, each with its whole proof, by the checker that shares no code with the engine. */
export function factChecker(m: Materialisation): (fact: number) => Verdict {
  const known = checkers.get(m)
  if (known !== undefined) return known
  const check = proofChecker({
    rules: [...m.rules.values()], base: m.base, closed: (predicate) => m.model.find(predicate), judge: oxigraphJudge(),
  })
  const checker = (fact: number): Verdict => check(proofOf(m.model, fact))
  checkers.set(m, checker)
  return checker
}
