/** The Datalog rules without which a Datalog rule cannot be read: those that give the predicates it names, and so on. */
import type { Rule } from '../contracts/index.ts'
import { headsOf } from './datalog-scan.ts'

export function companionsOf(rule: Pick<Rule, 'kind' | 'body'>, others: readonly Rule[]): Rule[] {
  if (rule.kind !== 'datalog') return []
  const datalog = others.filter(({ kind }) => kind === 'datalog').map((other) => ({ other, heads: headsOf(other.body).map(({ name }) => name) }))
  const found = new Set<Rule>()
  const pending = [rule.body]
  for (let text = pending.pop(); text !== undefined; text = pending.pop()) {
    const words = new Set(text.match(/[\p{L}_][\p{L}\p{M}\p{N}_-]*/gu))
    for (const { other, heads } of datalog) {
      if (found.has(other) || !heads.some((head) => words.has(head))) continue
      found.add(other)
      pending.push(other.body)
    }
  }
  return [...found]
}
