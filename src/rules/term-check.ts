/** A rule that reads a class or property which nothing has and nothing gives never fires: the term is unknown, or mistyped. */
import type { Fault } from '../contracts/index.ts'
import { SH, STANDARD_PREFIXES } from '../kernel/rdf/index.ts'
import { LIBRARY_BASE } from './library-base.ts'
import { type RuleReading, type RuleText, readRule } from './rule-reading.ts'
import { type TermKind, termsOf } from './rule-terms.ts'
import { type RuleVocabulary, likelyNames } from './rule-vocabulary.ts'
import { iriText } from './term-text.ts'
import { placeOfIri } from './text-place.ts'
import type { Findings, RuleContext } from './validate.ts'

export function termFindings(rule: RuleText, reading: RuleReading, context: RuleContext): Findings {
  const { vocabulary, baseIri = LIBRARY_BASE } = context
  if (vocabulary === undefined) return {}
  const { reads, derives, either } = termsOf(reading)
  const known = knownTerms(vocabulary, context, derives)
  const isKnown = (iri: string) => known.has(iri) || STANDARD.some((namespace) => iri.startsWith(namespace))
  // of two terms that say each other, the one that is there gives the other
  const given = new Set(either.flatMap(([one, other]) => (isKnown(one) || isKnown(other) ? [one, other] : [])))
  const lacking = [
    ...[...reads].filter(([iri]) => !isKnown(iri) && !given.has(iri)),
    ...either.flatMap(([one, other, kind]) => (given.has(one) ? [] : [[one, kind] as const, [other, kind] as const])),
  ]
  const errors = [...new Map(lacking)].map(([iri, kind]) => unknownTerm(rule.body, iri, kind, known, baseIri))
  return { errors: errors.toSorted((x, y) => (x.line ?? 0) - (y.line ?? 0) || (x.column ?? 0) - (y.column ?? 0)) }
}

const STANDARD = [...Object.values(STANDARD_PREFIXES), SH]

/** The vocabulary, and what this rule and the others give. */
function knownTerms(vocabulary: RuleVocabulary, context: RuleContext, own: ReadonlyMap<string, TermKind>): Map<string, TermKind> {
  const known = new Map<string, TermKind>(own)
  for (const { iri } of vocabulary.classes) known.set(iri, 'class')
  for (const { iri } of vocabulary.properties) known.set(iri, 'property')
  for (const iri of context.known ?? []) if (!known.has(iri)) known.set(iri, 'property')
  for (const other of context.others ?? []) {
    const { derives, either } = termsOf(readRule(other, context))
    for (const [iri, kind] of derives) known.set(iri, kind)
    for (const [one, two, kind] of either) if (known.has(one) || known.has(two)) known.set(one, kind).set(two, kind)
  }
  return known
}

function unknownTerm(text: string, iri: string, kind: TermKind, known: ReadonlyMap<string, TermKind>, baseIri: string): Fault {
  const name = iriText(baseIri, iri)
  const names = [...known].filter(([, each]) => each === kind).map(([each]) => iriText(baseIri, each))
  const likely = likelyNames(name, names)
  const hint = likely.length > 0 ? `; did you mean ${likely.join(' or ')}?` : ''
  return { message: `no ${kind} of the ontology is called ${name}${hint}`, ...(placeOfIri(text, iri) ?? { line: 1, column: 1 }) }
}
