/** Rules that deny or count what they give themselves have no meaning: refused alone, and beside the rules that will run with them. */
import type { Fault } from '../contracts/index.ts'
import type { DatalogRule } from '../kernel/datalog/index.ts'
import { faultsOver } from '../kernel/rdf/index.ts'
import { type RuleReading, type RuleText, readRule } from './rule-reading.ts'
import type { Findings, RuleContext } from './validate.ts'

export function strataFindings({ id }: RuleText, { rules }: RuleReading, context: RuleContext): Findings {
  if (rules.length === 0) return {}
  const alone = faultsIn(id, rules)
  if (alone.length > 0) return { errors: alone }
  const others = (context.others ?? []).flatMap((other) => readRule(other, context).rules)
  if (![...rules, ...others].some(({ body }) => body.some(({ kind }) => kind === 'not' || kind === 'aggregate'))) return {}
  // others that cannot run together are no fault of this one
  return faultsIn(id, others).length > 0 ? {} : { errors: faultsIn(id, [...others, ...rules]) }
}

const faultsIn = (id: string, rules: readonly DatalogRule[]): Fault[] =>
  faultsAmong(rules).map((fault) => ({ ...fault, message: fault.message.replace(`${id}: `, '') }))

/** Each message begins with the rule it is about. */
export const faultsAmong = (rules: readonly DatalogRule[]): Fault[] =>
  faultsOver({ facts: [], rules: distinctRules(rules) }).map(({ message, line, column }) => ({
    message, line: Math.max(1, line), column: Math.max(1, column),
  }))

/** Two rules may follow the same path: its steps are the same rules. */
const distinctRules = (rules: readonly DatalogRule[]): DatalogRule[] => [...new Map(rules.map((rule) => [rule.id, rule])).values()]
