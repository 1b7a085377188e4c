/** Who is left without something when a rule goes: the rules that read what it alone gave. */
import type { Rule } from '../contracts/index.ts'
import { headsOf } from './datalog-scan.ts'
import { LIBRARY_BASE } from './library-base.ts'
import { predicateNames } from './predicate-names.ts'
import { readRule } from './rule-reading.ts'
import { type RuleTerms, termsOf } from './rule-terms.ts'
import { classColumns } from './rule-vocabulary.ts'
import type { RuleContext } from './validate.ts'

/** One look at each rule that is left, whatever their number: none of them is checked anew. */
export function losersOf(removed: Rule, left: readonly Rule[], context: Omit<RuleContext, 'others'>): Rule[] {
  const { vocabulary, known = new Set<string>(), baseIri = LIBRARY_BASE } = context
  const heads = new Map(left.filter(isDatalog).map((rule) => [rule, headsOf(rule.body)]))
  const lostHeads = isDatalog(removed) ? headsOf(removed.body) : []
  const all = [...heads.values()].flat()
  const names = predicateNames({
    classes: vocabulary === undefined ? [] : classColumns(vocabulary), properties: vocabulary?.properties ?? [], heads: all, baseIri,
  })
  // Datalog rules are not read again, since each is read by all the others: their heads say what they give
  const plain = new Map(left.filter((rule) => !isDatalog(rule)).map((rule) => [rule, termsOf(readRule(rule, context))]))
  const given = new Set([...known, ...[...(vocabulary?.classes ?? []), ...(vocabulary?.properties ?? [])].map(({ iri }) => iri)])
  const iriOf = ({ name, arity }: { name: string; arity: number }): string => {
    const meaning = names.inHead(name, arity)
    return 'iri' in meaning ? meaning.iri : 'predicate' in meaning ? meaning.predicate : name
  }
  for (const head of all) given.add(iriOf(head))
  for (const { derives } of plain.values()) for (const iri of derives.keys()) given.add(iri)
  const own: RuleTerms = isDatalog(removed) ? { reads: new Map(), derives: new Map(), either: [] } : termsOf(readRule(removed, context))
  const gave = [...lostHeads.map(iriOf), ...own.derives.keys(), ...own.either.flatMap(([one, two]) => [one, two])]
  const lost = new Set(gave.filter((iri) => !given.has(iri)))
  if (lost.size === 0) return []
  const words = new Set(lostHeads.filter((head) => lost.has(iriOf(head))).map(({ name }) => name))
  return left.filter((rule) => {
    const terms = plain.get(rule)
    if (terms === undefined) return namesIn(rule.body).some((name) => words.has(name))
    return [...terms.reads.keys(), ...terms.either.flatMap(([one, two]) => [one, two])].some((iri) => lost.has(iri))
  })
}

const isDatalog = ({ kind }: Rule): boolean => kind === 'datalog'
const namesIn = (text: string): readonly string[] => text.match(/[\p{L}_][\p{L}\p{M}\p{N}_-]*(?=\s*\()/gu) ?? []
