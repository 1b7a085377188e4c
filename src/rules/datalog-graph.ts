/**
 * Datalog rule text over a graph. A class atom `Alarm(?a, state: "open")` asks for `?a a :Alarm` and `?a :Alarm.state "open"`;
 * a derived predicate with one argument is a class (`at_risk(?c)` gives `?c a :AtRisk`), with two a property
 * (`exposed(?s, ?r)` gives `?s :exposed ?r`), so that rules of every kind read what it derives.
 */
import { LIMITS, type Rule } from '../contracts/index.ts'
import { type DatalogRule, type RuleFault, parseRules } from '../kernel/datalog/index.ts'
import { translator } from './datalog-clause.ts'
import { headsAmong, headsOf } from './datalog-scan.ts'
import { predicateNames } from './predicate-names.ts'
import { type RuleVocabulary, classColumns, relationsOf } from './rule-vocabulary.ts'

export type CompiledDatalog =
  | { readonly ok: true; readonly rules: readonly DatalogRule[]; readonly notes: readonly string[] }
  | { readonly ok: false; readonly faults: readonly RuleFault[] }

/** Of `others` the Datalog rules run beside this one: it may read what they derive. */
export function compileDatalogRule(
  rule: Pick<Rule, 'id' | 'body'>,
  vocabulary: RuleVocabulary,
  baseIri: string,
  others: readonly Pick<Rule, 'kind' | 'body'>[] = [],
): CompiledDatalog {
  const classes = classColumns(vocabulary)
  const parsed = parseRules(rule.body, { relations: relationsOf(classes), id: rule.id })
  if (!parsed.ok) return parsed
  const large = parsed.rules.reduce((parts, { body }) => parts + 1 + body.length, 0)
  if (large > LIMITS.rule_parts) {
    const message = `the text has ${large} heads and conditions, at most ${LIMITS.rule_parts} are allowed: make several rules of it`
    return { ok: false, faults: [{ message, line: 1, column: 1 }] }
  }
  const heads = [...headsOf(rule.body), ...headsAmong(others).heads]
  const names = predicateNames({ classes, properties: vocabulary.properties, heads, baseIri })
  const clauses = parsed.rules.map((clause, n) => {
    // `a-2` may be the name of another rule; nobody can name a rule `a~2`
    const id = n === 0 ? rule.id : `${rule.id}~${n + 1}`
    return translator({ classes, names, text: rule.body }).clause({ ...clause, id })
  })
  const faults = clauses.flatMap((clause) => clause.faults)
  if (faults.length > 0) return { ok: false, faults }
  return { ok: true, rules: clauses.flatMap(({ rules }) => rules), notes: [...new Set(clauses.flatMap(({ notes }) => notes))] }
}
