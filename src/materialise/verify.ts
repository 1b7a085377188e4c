/** Every derivation goes through the independent checker before anything is written. */
import type { DatalogRule, Fact, Model, Verdict } from '../kernel/datalog/index.ts'
import { checkModel } from '../kernel/datalog/index.ts'
import { oxigraphJudge } from '../graph-store/index.ts'

export const verifyDerivations = (model: Model, rules: readonly DatalogRule[], base: readonly Fact[]): Verdict =>
  checkModel({ rules, base, model, judge: oxigraphJudge() })
