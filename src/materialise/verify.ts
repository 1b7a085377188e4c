/** Every derivation goes through the independent checker before anything is written. One that fails is a bug of ours. */
import type { DatalogRule, Fact, Model } from '../kernel/datalog/index.ts'
import { proofChecker, proofOf } from '../kernel/datalog/index.ts'

export function verifyDerivations(model: Model, rules: readonly DatalogRule[], base: readonly Fact[]): void {
  const check = proofChecker({ rules, base, closed: (predicate) => model.find(predicate) })
  for (const fact of model.facts) {
    if (fact.asserted) continue
    const verdict = check(proofOf(model, fact.id))
    if (!verdict.valid) throw new Error(`a derivation fails its check at ${verdict.at}: ${verdict.why}`)
  }
}
