/** Of rules that read each other's results those that have all they read: the terms that are there, or that one of them gives. */
import type { Rule } from '../contracts/index.ts'
import { SH, STANDARD_PREFIXES } from '../kernel/rdf/index.ts'
import { type RuleReading, readRule } from './rule-reading.ts'
import { type RuleTerms, termsOf } from './rule-terms.ts'
import type { RuleContext } from './validate.ts'

const STANDARD = [...Object.values(STANDARD_PREFIXES), SH]

/** The largest such set. Two rules that feed each other stay or go together. */
export function openRules(rules: readonly Rule[], context: Omit<RuleContext, 'others'>): Rule[] {
  const { vocabulary, known = new Set<string>() } = context
  const given = new Set([...known, ...(vocabulary?.classes ?? []).map(({ iri }) => iri), ...(vocabulary?.properties ?? []).map(({ iri }) => iri)])
  const plain = new Map<Rule, { reading: RuleReading; terms: RuleTerms }>()
  const read = (rule: Rule, others: readonly Rule[]) => {
    const found = plain.get(rule)
    if (found !== undefined) return found
    const reading = readRule(rule, { ...context, others })
    const entry = { reading, terms: termsOf(reading) }
    // Datalog text is read by what the rules beside it are called
    if (rule.kind !== 'datalog') plain.set(rule, entry)
    return entry
  }
  for (let left = [...rules]; ; ) {
    const entries = left.map((rule) => ({ rule, ...read(rule, left) }))
    const terms = new Set(given)
    for (const { terms: { derives } } of entries) for (const iri of derives.keys()) terms.add(iri)
    for (const { terms: { either } } of entries) {
      for (const [one, other] of either) if (terms.has(one) || terms.has(other)) terms.add(one).add(other)
    }
    const isKnown = (iri: string) => terms.has(iri) || STANDARD.some((namespace) => iri.startsWith(namespace))
    const next = entries
      .filter(({ reading, terms: { reads, either } }) =>
        reading.errors.length === 0 && [...reads.keys()].every(isKnown) && either.every(([one]) => isKnown(one)))
      .map(({ rule }) => rule)
    if (next.length === left.length) return next
    left = next
  }
}
