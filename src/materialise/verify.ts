/** Every derivation goes through the independent checker before anything is written. */
import { ServiceError } from '../contracts/index.ts'
import type { Budget, DatalogRule, Fact, Model, Verdict } from '../kernel/datalog/index.ts'
import { UNFINISHED, checkModel } from '../kernel/datalog/index.ts'
import { oxigraphJudge } from '../graph-store/index.ts'

/** A check that runs out of time throws: what it has not looked at must not leave. */
export function verifyDerivations(model: Model, rules: readonly DatalogRule[], base: readonly Fact[], budget: Budget = {}): Verdict {
  const { shouldStop } = budget
  const verdict = checkModel({ rules, base, model, judge: oxigraphJudge(), ...(shouldStop === undefined ? {} : { shouldStop }) })
  if (verdict.valid || verdict.why !== UNFINISHED) return verdict
  throw new ServiceError('deadline_exceeded', 'checking what the rules derive ran past its limit', {
    hint: 'disable the rules that derive most, or reason over fewer instances',
  })
}
