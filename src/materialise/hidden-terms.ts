/**
 * What labels above the ceiling mean for rules. A rule that names a hidden class or property would tell of it by running, by
 * being refused and by finding nothing, so it is as if it were not there. Names are compared as the text writes them, because
 * a text that does not parse must not give them away either.
 */
import type { Rule, Tier } from '../contracts/index.ts'
import { UNLABELLED, isTier, maxTier, within } from '../contracts/index.ts'
import { type Quad, RDFS, STANDARD_PREFIXES } from '../kernel/rdf/index.ts'
import { pascalCase } from '../kernel/text/index.ts'
import { readRule, termsOf } from '../rules/index.ts'
import type { TieredQuad } from './materialisation.ts'
import { labelledTiers, tiered } from './tiers.ts'

/** A hidden property `Class.column`, which Datalog text calls `column`. */
interface HiddenColumn {
  /** the names of the classes that have it */
  readonly classes: Set<string>
  /** no property that may be seen is called so too, hence the bare name can mean only this one */
  isAlone: boolean
}

export interface HiddenTerms {
  readonly iris: ReadonlySet<string>
  /** the same without the namespace */
  readonly names: ReadonlySet<string>
  readonly columns: ReadonlyMap<string, HiddenColumn>
}

/** `asserted` is the whole graph: what is above the ceiling says what to hide. */
export function hiddenTerms(asserted: readonly TieredQuad[], baseIri: string, ceiling: Tier): HiddenTerms {
  const iris = new Set<string>()
  if (ceiling !== UNLABELLED) {
    for (const { subject, object } of labelsIn(asserted, baseIri)) {
      if (subject.kind === 'iri' && isTier(object.value) && !within(object.value, ceiling)) iris.add(subject.value)
    }
  }
  return hiddenAmong(iris, asserted, baseIri)
}

/** The same for terms that somebody else found hidden. */
export function hiddenAmong(iris: ReadonlySet<string>, asserted: readonly TieredQuad[], baseIri: string): HiddenTerms {
  const names = new Set([...iris].map((iri) => localName(iri, baseIri)))
  return { iris, names, columns: iris.size === 0 ? new Map() : hiddenColumns(asserted, iris, baseIri) }
}

/**
 * Whether a rule takes part under a ceiling. One that was saved with a tier was written by somebody who saw no more than that,
 * so new names in it are their own, whatever else may be called so: only what it reads counts.
 */
export function isOpen(rule: Rule, hidden: HiddenTerms, ceiling: Tier): boolean {
  if (rule.tier === undefined) return !mentions(rule, hidden)
  if (!within(rule.tier, ceiling)) return false
  if (rule.kind === 'datalog') return !mentions({ ...rule, body: rule.body.replaceAll(/(^|\.)[^.()]*\([^()]*\)\s*:-/g, '$1 ') }, hidden)
  return hidden.iris.size === 0 || [...termsOf(readRule(rule)).reads.keys()].every((iri) => !hidden.iris.has(iri))
}

/** Whether a rule names something hidden in its text, its slots, or as cause or effect. */
export function mentions(rule: Rule, hidden: HiddenTerms): boolean {
  if (hidden.iris.size === 0) return false
  const slots = [rule.cause_class, rule.effect_class, ...namesIn(rule.meta)].filter((name) => name !== undefined)
  if (slots.some((text) => mentionsIri(text, hidden) || hasHiddenWord(text, hidden))) return true
  const text = unescaped(rule.body)
  if (mentionsIri(text, hidden)) return true
  return rule.kind === 'datalog' ? hasHiddenWord(text.replace(NO_WORDS, ' '), hidden) : mentionsPrefixed(text, hidden)
}

/** Axioms are as sensitive as the most sensitive term they name; nobody hides what has no label. */
export function tieredAxioms(axioms: readonly Quad[], asserted: readonly TieredQuad[], baseIri: string): TieredQuad[] {
  if (axioms.length === 0) return []
  const labels = labelsIn(asserted, baseIri)
  const { of } = labelledTiers([...labels, ...axioms], baseIri)
  return tiered([...labels, ...axioms], [], baseIri)
    .slice(labels.length)
    .map(({ quad, tier }) => ({ quad, tier: maxTier(tier, of(quad.predicate) ?? 'Public') }))
}

function labelsIn(asserted: readonly TieredQuad[], baseIri: string): Quad[] {
  const property = `${baseIri}sensitivityTier`
  return asserted.flatMap(({ quad }) => (quad.predicate.value === property ? [quad] : []))
}

function localName(iri: string, baseIri: string): string {
  return iri.startsWith(baseIri) ? iri.slice(baseIri.length) : iri.slice(Math.max(iri.lastIndexOf('#'), iri.lastIndexOf('/')) + 1)
}

/** `state` of `Alarm.state`; undefined for a name that is not of that form. */
const columnOf = (name: string): string | undefined => (name.includes('.') ? name.slice(name.lastIndexOf('.') + 1) : undefined)

function hiddenColumns(asserted: readonly TieredQuad[], iris: ReadonlySet<string>, baseIri: string): Map<string, HiddenColumn> {
  const columns = new Map<string, HiddenColumn>()
  const owners = new Map<string, HiddenColumn>()
  for (const iri of iris) {
    const name = localName(iri, baseIri)
    const column = columnOf(name)
    if (column === undefined) continue
    const known = columns.get(column) ?? { classes: new Set(), isAlone: true }
    known.classes.add(name.slice(0, name.lastIndexOf('.')))
    columns.set(column, known)
    owners.set(iri, known)
  }
  if (columns.size === 0) return columns
  const below = new Map<string, string[]>()
  for (const { quad } of asserted) {
    const { subject, predicate, object } = quad
    if (predicate.value === `${RDFS}subClassOf`) {
      const parent = localName(object.value, baseIri)
      below.set(parent, [...(below.get(parent) ?? []), localName(subject.value, baseIri)])
    } else if (predicate.value === `${RDFS}domain`) owners.get(subject.value)?.classes.add(localName(object.value, baseIri))
    for (const { value } of [subject, predicate]) {
      if (!value.startsWith(baseIri) || iris.has(value)) continue
      const name = localName(value, baseIri)
      const twin = columns.get(columnOf(name) ?? name)
      if (twin !== undefined) twin.isAlone = false
    }
  }
  // a class inherits the columns of those above it; the set grows while it is walked
  for (const { classes } of columns.values()) for (const cls of classes) for (const sub of below.get(cls) ?? []) classes.add(sub)
  return columns
}

/** The texts among slots that name things. A plain value is no name; older sessions hold anything. */
function namesIn(slots: unknown): string[] {
  if (typeof slots === 'string') return [slots]
  if (Array.isArray(slots)) return slots.flatMap(namesIn)
  if (typeof slots !== 'object' || slots === null) return []
  return Object.entries(slots).flatMap(([key, value]) => {
    const named = key === 'value' && Array.isArray(value) ? value.filter((one) => typeof one === 'object') : value
    return key === 'value' && typeof named === 'string' ? [] : namesIn(named)
  })
}

/** Turtle and SPARQL may spell any letter of a name by its number, and put a backslash before a mark. */
const unescaped = (text: string): string =>
  text
    .replaceAll(/\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})/g, (all, short?: string, long?: string) => {
      const code = Number.parseInt(short ?? long ?? '', 16)
      return code > 0x10ffff ? all : String.fromCodePoint(code)
    })
    .replaceAll(/\\([_~.!$&*+,;=/?#@%-])/g, '$1')

const mentionsIri = (text: string, { iris, names }: HiddenTerms): boolean =>
  text.split(/[\s<>"']+/).some((part) => iris.has(part)) ||
  // relative to a BASE that the text declares
  [...text.matchAll(/<[^<>\s:]*?([^<>\s:#/]*)>/g)].some(([, name = '']) => isHiddenName(name, names))

/** `Alarm.state` tells of `Alarm` too. */
const isHiddenName = (name: string, names: ReadonlySet<string>): boolean =>
  names.has(name) || (name.includes('.') && names.has(name.slice(0, name.lastIndexOf('.'))))

const PREFIXED = /([\p{L}_][\p{L}\p{M}\p{N}_.-]*)?:([\p{L}\p{M}\p{N}_:.%~!$&'()*+;=@-]*)/gu

/** `prefix:name`: by its IRI where the text says which namespace that is, else by the name alone. */
function mentionsPrefixed(text: string, { iris, names }: HiddenTerms): boolean {
  const namespaces = new Map(Object.entries(STANDARD_PREFIXES).map(([prefix, namespace]) => [prefix, [namespace]]))
  for (const [, prefix = '', namespace = ''] of text.matchAll(/prefix\s+([^\s:<]*):\s*<([^<>]*)>/gi)) {
    namespaces.set(prefix, [...(namespaces.get(prefix) ?? []), namespace])
  }
  // shapes declare prefixes for their queries once more, in another way
  const isCertain = !/declare/.test(text)
  return [...text.matchAll(PREFIXED)].some(([, prefix = '', rest = '']) => {
    const known = namespaces.get(prefix) ?? []
    // marks that end a name here may be part of one after a backslash: the longest reading and the plain one
    const readings = [rest, rest.replace(/[^\p{L}\p{M}\p{N}_.%-].*$/u, '')].map((name) => name.replace(/\.+$/, ''))
    return readings.some((name) => {
      const owner = name.slice(0, Math.max(0, name.lastIndexOf('.')))
      if (known.some((namespace) => iris.has(namespace + name) || (owner !== '' && iris.has(namespace + owner)))) return true
      const isResolved = isCertain && known.length > 0 && known.every((namespace) => namespace.includes(':'))
      return !isResolved && isHiddenName(name, names)
    })
  })
}

/** Strings, full IRIs and comments of Datalog text. */
const NO_WORDS = /"(?:[^"\\\n]|\\.)*"|<[^<>\s]*>|%[^\n]*/g

const WORD = /(?<![?\p{L}\p{M}\p{N}_.-])[\p{L}_][\p{L}\p{M}\p{N}_]*(?:[.-][\p{L}\p{M}\p{N}_]+)*/gu

/** Names as they stand: those of Datalog text and of slots. A derived predicate `at_risk` is the class `AtRisk`. */
function hasHiddenWord(text: string, { names, columns }: HiddenTerms): boolean {
  const words = new Set([...text.matchAll(WORD)].map(([word]) => word))
  return [...words].some((word) => {
    if (isHiddenName(word, names) || names.has(encodeURIComponent(word)) || names.has(pascalCase(word))) return true
    const column = columns.get(word)
    return column !== undefined && (column.isAlone || [...column.classes].some((cls) => words.has(cls)))
  })
}
