/** Every derivation goes through the independent checker before anything is written. One that fails is a bug of ours. */
import type { DatalogRule, Fact, Model } from '../kernel/datalog/index.ts'
import { checkModel } from '../kernel/datalog/index.ts'
import { oxigraphJudge } from '../graph-store/index.ts'

export function verifyDerivations(model: Model, rules: readonly DatalogRule[], base: readonly Fact[]): void {
  const verdict = checkModel({ rules, base, model, judge: oxigraphJudge() })
  if (!verdict.valid) throw new Error(`a derivation fails its check at ${verdict.at}: ${verdict.why}`)
}
