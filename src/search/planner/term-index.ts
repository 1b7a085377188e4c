/**
 * What words may mean: the names of classes and properties in the forms in which people say them, and the phrases of rules.
 * Made once per ontology, which has been cut to the ceiling before: what is above it has no form here and cannot be matched.
 */
import type { Flavor } from '../../contracts/index.ts'
import { XSD } from '../../kernel/term.ts'
import { singular, splitIdentifier } from '../../kernel/text/index.ts'
import type { Ontology, OntologyClass, OntologyProperty } from '../../ontology/index.ts'
import { WORD_CLASSES, isLemma } from '../language/wordnet.ts'
import { keyOf } from './sketch.ts'
import { ABBREVIATIONS, FUNCTION_WORDS, GENERIC_NOUNS, TABLE_PREFIXES } from './words.ts'

export type Term =
  /** `via`: said by the name of a foreign key that leads to it */
  | { readonly kind: 'class'; readonly cls: OntologyClass; readonly via?: string }
  | { readonly kind: 'property'; readonly cls: OntologyClass; readonly property: OntologyProperty }
  | { readonly kind: 'rule'; readonly predicate: string }

/** A way of saying a term. `weight` is 1 for its whole name and less for a part of it. */
export interface Form {
  readonly words: readonly string[]
  readonly term: Term
  readonly weight: number
  /** a property said together with its class */
  readonly qualified?: boolean
  /** only right before or right after this word */
  readonly before?: string
  readonly after?: string
}

export type TermIndex = ReadonlyMap<string, readonly Form[]>

export const termKey = (term: Term): string => {
  if (term.kind === 'class') return `c ${term.cls.name} ${term.via ?? ''}`
  return term.kind === 'rule' ? `r ${term.predicate}` : `p ${term.cls.name}.${term.property.name}`
}

const PART = { base: 0.12, share: 0.6, head: 0.1, generic: 0.2 } as const
const WITHOUT_CLASS = 0.97
const RULE = 1.5
const CLASS_PART = { head: 0.62, other: 0.4 } as const

/** `askable` are the rule heads that can be derived within the ceiling. */
export function termIndex(ontology: Ontology, flavor: Flavor, askable: (predicate: string) => boolean): TermIndex {
  const forms: Form[] = []
  const vocabulary = new Set(ontology.classes.flatMap((cls) => rawWords(cls.name)))
  for (const cls of ontology.classes) {
    const classNames = [cls.label, cls.name, ...cls.synonyms, ...(flavor.synonyms[cls.name] ?? [])]
    const own = unique(classNames.flatMap((name) => spellings(name, vocabulary, [])))
    for (const words of own) forms.push(...classForms(cls, words))
    for (const property of cls.properties) {
      const synonyms = [...property.synonyms, ...(flavor.synonyms[`${cls.name}.${property.name}`] ?? [])]
      const said = [property.label, property.name, ...synonyms]
      const names = unique(said.flatMap((name) => spellings(name, vocabulary, rawWords(cls.name))))
      if (property.kind === 'object') forms.push(...referenceForms(ontology, cls, property, names))
      else for (const words of names) forms.push(...propertyForms(cls, property, words, own))
    }
    forms.push(...fullName(cls, forms))
  }
  for (const { body, phrases } of flavor.rules) {
    const predicate = /^\s*([\p{L}_][\p{L}\p{N}_]*)/u.exec(body)?.[1]
    if (predicate === undefined || !askable(predicate)) continue
    for (const phrase of phrases) {
      forms.push({ words: phrase.toLowerCase().split(/\s+/).map(singular), term: { kind: 'rule', predicate }, weight: RULE })
    }
  }
  return byFirstWord(forms)
}

function classForms(cls: OntologyClass, words: readonly string[]): Form[] {
  const term: Term = { kind: 'class', cls }
  const forms: Form[] = [{ words, term, weight: 1 }]
  const bare = TABLE_PREFIXES.has(words[0] ?? '') && words.length > 1 ? words.slice(1) : words
  if (bare !== words) forms.push({ words: bare, term, weight: WITHOUT_CLASS })
  for (const part of properParts(bare)) {
    const own = part.at(-1) === bare.at(-1) ? CLASS_PART.head : CLASS_PART.other
    forms.push({ words: part, term, weight: isGeneric(part) ? PART.generic : own })
  }
  return forms
}

type Words = readonly string[]

/** Nothing but nouns that say of no name what it is about. */
const isGeneric = (words: Words): boolean => words.every((word) => GENERIC_NOUNS.has(word))

function propertyForms(cls: OntologyClass, property: OntologyProperty, words: Words, classNames: readonly Words[]): Form[] {
  const term: Term = { kind: 'property', cls, property }
  const own = new Set(classNames.map((name) => name.at(-1)))
  const forms: Form[] = [{ words, term, weight: 1, qualified: words.length > 1 && words.some((word) => own.has(word)) }]
  // "customer name" of a customer is its name, and the name of a customer may be asked for as "customer name"
  let bare = words
  for (const name of classNames) {
    const shared = name.filter((word, at) => words[at] === word).length
    const prefix = shared > 0 && shared < words.length ? words.slice(shared) : words
    if (prefix.length < bare.length) bare = prefix
  }
  if (bare !== words) forms.push({ words: bare, term, weight: WITHOUT_CLASS })
  for (const name of classNames) {
    if (!words.includes(name.at(-1) ?? '')) forms.push({ words: [...name, ...bare], term, weight: 1, qualified: true })
    const head = name.at(-1) ?? ''
    if (name.length > 1 && !words.includes(head)) forms.push({ words: [head, ...bare], term, weight: 0.9, qualified: true })
  }
  // an identifier is a number to people
  if (bare.at(-1) === 'id' && words.length > 1) {
    forms.push({ words: [...words.slice(0, -1), 'number'], term, weight: 0.8, qualified: true })
  }
  const text = property.range === `${XSD}string`
  if (text && bare.at(-1) !== 'name') forms.push({ words: [...bare, 'name'], term, weight: 0.85 })
  const tail = USUAL_TAILS.get(bare.at(-1) ?? '')
  if (tail !== undefined) forms.push({ words: [...bare, tail], term, weight: 0.95 })
  const moments = cls.properties.filter(({ range }) => range === `${XSD}date` || range === `${XSD}dateTime`)
  const onlyMoment = moments.length === 1 && moments[0] === property
  if (onlyMoment && bare.at(-1) !== 'date') forms.push({ words: ['date'], term, weight: 0.7 })
  // what a record is called is its name, whatever the column is called
  if (property.name === cls.labelProperty && bare.at(-1) !== 'name') {
    forms.push({ words: ['name'], term, weight: 0.85 })
    for (const name of classNames) forms.push({ words: [...name, 'name'], term, weight: 0.9, qualified: true })
  }
  if (bare.length === 2 && bare[1] !== 'number') forms.push({ words: [bare[1]!, 'of', bare[0]!], term, weight: 0.97 })
  for (const part of properParts(bare)) {
    const own = PART.base + PART.share * (part.length / bare.length) + (part.at(-1) === bare.at(-1) ? PART.head : 0)
    forms.push({ words: part, term, weight: isGeneric(part) ? PART.generic : own })
  }
  return forms
}

const FIRST_NAMES: ReadonlySet<string> = new Set(['first name', 'given name', 'forename'])
const LAST_NAMES: ReadonlySet<string> = new Set(['last name', 'family name', 'surname'])

/** The full name of what has a first and a last name, and nothing else by that name: one word for each. */
function fullName(cls: OntologyClass, forms: readonly Form[]): Form[] {
  const own = forms.filter(({ term, weight }) => term.kind === 'property' && term.cls === cls && weight >= WITHOUT_CLASS)
  const called = (names: ReadonlySet<string>) => own.find(({ words }) => names.has(words.join(' ')))?.term
  const [first, last] = [called(FIRST_NAMES), called(LAST_NAMES)]
  if (first === undefined || last === undefined || own.some(({ words }) => words.join(' ') === 'full name')) return []
  return [
    { words: ['full'], term: first, weight: FULL_NAME.first, before: 'name', qualified: false },
    { words: ['name'], term: last, weight: FULL_NAME.last, after: 'full', qualified: false },
  ]
}
/** Less than a name of its own, and the last name more than whatever else is a name. */
const FULL_NAME = { first: 0.75, last: 1 } as const

/** Nouns that people put behind a word that says it all. */
const USUAL_TAILS: ReadonlyMap<string, string> = new Map([
  ['email', 'address'], ['phone', 'number'], ['telephone', 'number'], ['mobile', 'number'], ['fax', 'number'],
  ['zip', 'code'], ['postal', 'code'],
])

/** A foreign key: the name of its column asks for the key behind it, the name of its role for the record. */
function referenceForms(ontology: Ontology, cls: OntologyClass, property: OntologyProperty, names: readonly Words[]): Form[] {
  const target = ontology.classes.find(({ name }) => name === property.range)
  if (target === undefined) return []
  const own = rawWords(target.name)
  const key = keyOf(target)
  const column = property.columns.length === 1 ? spellings(property.columns[0]!, new Set(own), own) : []
  const asKey = (words: Words): Form[] => {
    if (key === undefined || words.length === 1) return []
    return [{ words, term: { kind: 'property', cls: target, property: key }, weight: 0.95 }]
  }
  const asRole = (words: Words): Form => ({
    words, term: { kind: 'class', cls: target, via: `${cls.name}.${property.name}` }, weight: 0.9,
  })
  const ownName = new Set([target.label, target.name].map((name) => rawWords(name).join(' ')))
  const roles = names.filter((words) => !ownName.has(words.join(' ')))
  return [...column.flatMap(asKey), ...roles.map(asRole)]
}

/** The words of a name as people say them: singular, without articles; a short form also written out. */
function spellings(name: string, vocabulary: ReadonlySet<string>, own: readonly string[]): string[][] {
  const words = rawWords(name)
  const split = words.flatMap((word) => unglued(word, vocabulary, own))
  const out = split.flatMap((word, at) => {
    const long = split[at + 1] === 'name' ? INITIALS.get(word) : ABBREVIATIONS.get(word)
    return (long ?? word).split(' ')
  })
  const strip = (list: readonly string[]) => {
    const content = list.filter((word) => !FUNCTION_WORDS.has(word))
    return content.length === 0 ? [...list] : content
  }
  return unique([strip(words), strip(split), strip(out)]).filter((list) => list.length > 0)
}

const INITIALS: ReadonlyMap<string, string> = new Map([['f', 'first'], ['l', 'last'], ['m', 'middle']])

const rawWords = (name: string): string[] => splitIdentifier(name).map((word) => singular(word))

const ENDINGS = ['name', 'date', 'code', 'type', 'number', 'key', 'id', 'no'] as const

/** `lampid` is a lamp id where there are lamps, `lid` is one in the table of lamps; an initial before `name` says which name. */
function unglued(word: string, vocabulary: ReadonlySet<string>, own: readonly string[]): string[] {
  if (vocabulary.has(word) || ABBREVIATIONS.has(word)) return [word]
  const ending = ENDINGS.find((end) => word.endsWith(end) && word.length > end.length)
  if (ending === undefined) return inTwo(word)
  const rest = word.slice(0, -ending.length)
  const initial = ending === 'name' ? INITIALS.get(rest) : undefined
  if (initial !== undefined) return [initial, ending]
  // of its own class a letter may be left, of any other at least three
  const others = rest.length < 3 ? [] : [...vocabulary]
  const meant = [...own, ...others].find((candidate) => candidate.startsWith(rest))
  return meant === undefined ? inTwo(word) : [meant, ending]
}

/** `lampcolour` is no word, and is two of them: the more even the halves, the likelier. */
function inTwo(word: string): string[] {
  if (isWord(word)) return [word]
  const places = Array.from({ length: Math.max(0, word.length - 2 * LEAST_HALF + 1) }, (_, i) => i + LEAST_HALF)
  const even = places.toSorted((a, b) => Math.abs(2 * a - word.length) - Math.abs(2 * b - word.length) || a - b)
  const place = even.find((at) => isWord(word.slice(0, at)) && isWord(word.slice(at)))
  return place === undefined ? [word] : [word.slice(0, place), word.slice(place)]
}
const LEAST_HALF = 3
const isWord = (word: string): boolean => WORD_CLASSES.some((kind) => isLemma(word, kind))

/** Runs of neighbouring words that are not the whole. */
function properParts(words: readonly string[]): string[][] {
  const parts: string[][] = []
  for (let from = 0; from < words.length; from += 1) {
    for (let to = from + 1; to <= words.length; to += 1) if (to - from < words.length) parts.push(words.slice(from, to))
  }
  return parts
}

function byFirstWord(forms: readonly Form[]): TermIndex {
  const best = new Map<string, Form>()
  for (const form of forms) {
    if (form.words.length === 0 || (form.words.length === 1 && FUNCTION_WORDS.has(form.words[0]!))) continue
    const key = `${form.words.join(' ')}\n${termKey(form.term)}\n${form.before ?? ''} ${form.after ?? ''}`
    const known = best.get(key)
    if (known === undefined || known.weight < form.weight) best.set(key, form)
  }
  return Map.groupBy(best.values(), ({ words }) => words[0]!)
}

const unique = (lists: readonly Words[]): string[][] => [...new Map(lists.map((words) => [words.join(' '), [...words]])).values()]

/** Whether a word has the beginning of one that something is called by; the ends of verbs and nouns differ. */
export function soundsKnown(index: TermIndex, word: string): boolean {
  const stem = word.slice(0, STEM)
  return word.length >= STEM && [...index.keys()].some((known) => known.startsWith(stem))
}
const STEM = 5
