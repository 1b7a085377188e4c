/** The contradictions that the consistency rules found, one sentence each. */
import { tierAt } from '../contracts/index.ts'
import { inconsistentRule, isInconsistency, sayInconsistency } from '../kernel/owl/index.ts'
import { compareText } from '../kernel/term.ts'
import type { Inconsistency, Materialisation } from './materialisation.ts'
import { words } from './words.ts'

export function inconsistenciesOf(m: Pick<Materialisation, 'model' | 'baseIri'>): Inconsistency[] {
  const say = words(m.baseIri, () => [])
  const found = new Map<string, Inconsistency>()
  for (const fact of m.model.predicates.filter(isInconsistency).flatMap((predicate) => m.model.find(predicate))) {
    const rule = inconsistentRule(fact.predicate)
    const text = sayInconsistency(rule, fact.args.map((term) => (term === null ? '' : say.term(term))))
    // a pair is met in both orders
    const pair = `${rule} ${fact.args.map((term) => (term === null ? '' : say.term(term))).toSorted(compareText).join(' ')}`
    const known = found.get(pair)
    if (known === undefined || compareText(text, known.text) < 0) found.set(pair, { rule, text, fact: fact.id, tier: tierAt(fact.tier) })
  }
  return [...found.values()].toSorted((x, y) => compareText(x.text, y.text))
}
