/** Per class the rules that use it: by its name, or by one of its properties. */
import type { Rule, RuleCoverage } from '../contracts/index.ts'
import { compareText } from '../kernel/term.ts'
import { readRule } from './rule-reading.ts'
import { termsOf } from './rule-terms.ts'
import type { RuleVocabulary } from './rule-vocabulary.ts'

export function coverageOf(rules: readonly Rule[], vocabulary: RuleVocabulary, baseIri: string): RuleCoverage {
  const ownersOf = Map.groupBy(vocabulary.properties, ({ iri }) => iri)
  const classesOf = (terms: Iterable<string>) =>
    new Set([...terms].flatMap((iri) => [iri, ...(ownersOf.get(iri) ?? []).map(({ domain }) => domain)]))
  const uses = rules.map((rule) => {
    const others = rules.filter((other) => other !== rule)
    const { reads, derives, either } = termsOf(readRule(rule, { vocabulary, baseIri, others }))
    const mutual = either.flatMap(([one, other]) => [one, other])
    return { rule, reads: classesOf([...reads.keys(), ...mutual]), derives: classesOf([...derives.keys(), ...mutual]) }
  })
  const classes = vocabulary.classes.map(({ iri, qname }) => ({
    iri,
    qname,
    rules: uses
      .filter(({ reads, derives }) => reads.has(iri) || derives.has(iri))
      .map(({ rule: { id, kind, enabled }, reads, derives }) => ({ id, kind, enabled, reads: reads.has(iri), derives: derives.has(iri) }))
      .toSorted((x, y) => compareText(x.id, y.id)),
  }))
  const covered = classes.filter(({ rules: some }) => some.length > 0).length
  return { classes: classes.toSorted((x, y) => compareText(x.iri, y.iri)), covered, total: classes.length }
}
