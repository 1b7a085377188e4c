/** stub */
import type { Rule } from '../contracts/index.ts'
import type { RuleReading } from './rule-reading.ts'
export function summaryOf(rule: Rule, _reading: RuleReading, _baseIri: string): string {
  return rule.label
}
