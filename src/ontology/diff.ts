/**
 * What changed between two ontologies, in words and as values, so that a changed schema is noticed and the rules that spoke
 * of what is gone are found. Descriptions do not count: they may name how many values were seen.
 */
import type { Quad } from '../kernel/rdf/index.ts'
import { OWL, RDF, RDFS, RDF_TYPE } from '../kernel/rdf/index.ts'
import { hash64 } from '../kernel/text/index.ts'
import { compareText, termKey } from '../kernel/term.ts'
import type { Ontology } from './ontology.ts'
import { SKOS, ontologyQuads } from './turtle.ts'

export interface TermChange {
  readonly iri: string
  readonly kind: 'class' | 'property'
  readonly change: 'added' | 'removed' | 'changed'
  /** for a change: each aspect that differs, with what it was and what it is (words joined by ", ", empty for nothing) */
  readonly aspects: readonly { readonly aspect: string; readonly before: string; readonly after: string }[]
}

export interface OntologyDiff {
  /** sorted by IRI */
  readonly changes: readonly TermChange[]
  /** one sentence per change, in the same order */
  readonly words: readonly string[]
}

export type OntologyLike = Ontology | readonly Quad[]

export function diffOntology(before: OntologyLike, after: OntologyLike): OntologyDiff {
  const [old, now] = [termsOf(before), termsOf(after)]
  const changes = [...new Set([...old.keys(), ...now.keys()])].toSorted(compareText).flatMap((iri): TermChange[] => {
    const [was, is] = [old.get(iri), now.get(iri)]
    if (was === undefined && is !== undefined) return [{ iri, kind: is.kind, change: 'added', aspects: [] }]
    if (was !== undefined && is === undefined) return [{ iri, kind: was.kind, change: 'removed', aspects: [] }]
    const aspects = was === undefined || is === undefined ? [] : differing(was, is)
    return aspects.length === 0 || is === undefined ? [] : [{ iri, kind: is.kind, change: 'changed', aspects }]
  })
  return { changes, words: changes.map(sentence) }
}

/** Equal exactly when `diffOntology` finds nothing between the two. */
export function ontologyFingerprint(of: OntologyLike): string {
  const terms = [...termsOf(of)].toSorted(([x], [y]) => compareText(x, y))
  return hash64(JSON.stringify(terms.map(([iri, { kind, aspects }]) => [iri, kind, sorted(aspects)])))
}

interface Described {
  readonly kind: 'class' | 'property'
  readonly aspects: ReadonlyMap<string, ReadonlySet<string>>
}

const CLASS_TYPE = `${OWL}Class`
const PROPERTY_TYPES = new Set([`${OWL}DatatypeProperty`, `${OWL}ObjectProperty`])
const ASPECTS = new Map([
  [`${RDFS}label`, 'label'],
  [`${SKOS}altLabel`, 'synonyms'],
  [`${RDFS}domain`, 'domain'],
  [`${RDFS}range`, 'range'],
  [`${RDFS}subClassOf`, 'parents'],
  [`${OWL}inverseOf`, 'inverse'],
])

function termsOf(of: OntologyLike): Map<string, Described> {
  const quads = 'classes' in of ? ontologyQuads(of) : of
  const about = Map.groupBy(quads, ({ subject }) => termKey(subject))
  const terms = new Map<string, { kind: Described['kind']; aspects: Map<string, Set<string>> }>()
  for (const { subject, predicate, object } of quads) {
    if (subject.kind !== 'iri' || predicate.value !== RDF_TYPE) continue
    if (object.value === CLASS_TYPE) terms.set(subject.value, { kind: 'class', aspects: new Map() })
    if (PROPERTY_TYPES.has(object.value)) terms.set(subject.value, { kind: 'property', aspects: new Map() })
  }
  const note = (iri: string, aspect: string, value: string): void => {
    const aspects = terms.get(iri)?.aspects
    aspects?.set(aspect, (aspects.get(aspect) ?? new Set()).add(value))
  }
  for (const { subject, predicate, object } of quads) {
    if (subject.kind === 'bnode') {
      if (predicate.value === `${OWL}onProperty`) note(object.value, 'presence', 'required')
      const group = predicate.value === `${OWL}members` ? listed(termKey(object), about) : []
      const together = groupName(group)
      for (const member of group) note(member, 'disjoint group', together)
      continue
    }
    const aspect = ASPECTS.get(predicate.value)
    if (aspect !== undefined && object.kind !== 'bnode') note(subject.value, aspect, object.value)
    if (predicate.value.endsWith('sensitivityTier')) note(subject.value, 'tier', object.value)
    if (predicate.value === `${OWL}hasKey`) note(subject.value, 'key', listed(termKey(object), about).join(' '))
    if (predicate.value === RDF_TYPE && object.value !== CLASS_TYPE) note(subject.value, 'type', object.value)
  }
  return terms
}

/** By its members while they can be read at a glance, else by their number and a hash of them. */
const groupName = (members: readonly string[]): string => {
  const names = members.map(shortName).join(' ')
  return members.length <= 20 ? names : `${members.length} classes ${hash64(names)}`
}

/** The members of an RDF list; one that runs in a circle ends where it began. */
function listed(head: string, about: ReadonlyMap<string, readonly Quad[]>): string[] {
  const members: string[] = []
  const seen = new Set<string>()
  for (let node = head; about.has(node) && !seen.has(node); ) {
    seen.add(node)
    const cell = about.get(node) ?? []
    const first = cell.find(({ predicate }) => predicate.value === `${RDF}first`)
    const rest = cell.find(({ predicate }) => predicate.value === `${RDF}rest`)
    if (first !== undefined) members.push(first.object.value)
    node = rest === undefined ? '' : termKey(rest.object)
  }
  return members
}

function differing(was: Described, is: Described): TermChange['aspects'] {
  if (was.kind !== is.kind) return [{ aspect: 'kind', before: was.kind, after: is.kind }]
  const [old, now] = [new Map(sorted(was.aspects)), new Map(sorted(is.aspects))]
  return [...new Set([...old.keys(), ...now.keys()])]
    .toSorted(compareText)
    .map((aspect) => ({ aspect, before: old.get(aspect) ?? [], after: now.get(aspect) ?? [] }))
    .filter(({ before, after }) => JSON.stringify(before) !== JSON.stringify(after))
    .map(({ aspect, before, after }) => ({ aspect, before: inWords(before), after: inWords(after) }))
}

const inWords = (values: readonly string[]): string => values.map(shortName).join(', ')

const sorted = (aspects: Described['aspects']): [string, string[]][] =>
  [...aspects]
    .map(([aspect, values]): [string, string[]] => [aspect, [...values].toSorted(compareText)])
    .toSorted(([x], [y]) => compareText(x, y))

/** What follows the last `#` or `/`, as people name it. */
const shortName = (iri: string): string => /[#/]([^#/]+)$/.exec(iri)?.[1] ?? iri

function sentence({ iri, kind, change, aspects }: TermChange): string {
  const name = `The ${kind} ${shortName(iri)}`
  if (change !== 'changed') return `${name} was ${change}.`
  const said = (text: string): string => (text === '' ? 'nothing' : text)
  const parts = aspects.map(({ aspect, before, after }) => `${aspect} was ${said(before)} and is ${said(after)}`)
  return `${name} changed: ${parts.join('; ')}.`
}

/** A rule as far as it matters here: what it says, and the classes that stand beside its text. */
export interface RuleText {
  readonly id: string
  readonly body: string
  readonly cause_class?: string
  readonly effect_class?: string
}

/** Ids of the rules that speak of a removed term, or of one whose meaning changed. Another label makes no rule stale. */
export function staleRules(diff: OntologyDiff, rules: readonly RuleText[]): string[] {
  const gone = diff.changes.filter(
    ({ change, aspects }) => change === 'removed' || aspects.some(({ aspect }) => aspect !== 'label' && aspect !== 'synonyms'),
  )
  return rules.filter((rule) => gone.some(speaksIn(rule))).map(({ id }) => id)
}

/** In Turtle and SPARQL a term is an IRI or a prefixed name, in a Datalog rule `Class(property: ...)`. */
function speaksIn({ body, cause_class: cause, effect_class: effect }: RuleText): (term: { readonly iri: string }) => boolean {
  const plain = body.replaceAll(/"(?:[^"\\\n]|\\.)*"/g, '""')
  const iris = new Set([...plain.matchAll(/<([^<>\s]+)>/g)].map(([, iri = '']) => iri))
  // a dot inside a prefixed name belongs to it, one at its end closes the statement
  const prefixed = [...plain.matchAll(/:([\p{L}\p{N}_][\p{L}\p{N}\p{M}_.-]*)/gu)].map(([, name = '']) => name.replace(/\.+$/, ''))
  const atoms = [...plain.matchAll(/([\p{L}_][\p{L}\p{N}\p{M}_-]*)\s*\(([^()]*)/gu)].flatMap(([, name = '', args = '']) => [
    name,
    ...[...args.matchAll(/([\p{L}_][\p{L}\p{N}\p{M}_-]*)\s*:/gu)].map(([, argument = '']) => `${name}.${argument}`),
  ])
  const names = new Set([...prefixed, ...atoms, ...[cause, effect].filter((name) => name !== undefined)])
  return ({ iri }) => iris.has(iri) || names.has(iri) || names.has(shortName(iri))
}
