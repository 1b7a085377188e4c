/** What the words of a question may mean: classes and properties of the ontology, and the heads of the flavor's rules. */
import type { Flavor } from '../../contracts/index.ts'
import { singular, splitIdentifier } from '../../kernel/text/index.ts'
import type { Ontology, OntologyClass, OntologyProperty } from '../../ontology/index.ts'

export type Meaning =
  | { readonly kind: 'class'; readonly cls: OntologyClass }
  | { readonly kind: 'property'; readonly cls: OntologyClass; readonly property: OntologyProperty }
  | { readonly kind: 'rule'; readonly predicate: string }
  | { readonly kind: 'value'; readonly cls: OntologyClass; readonly property: OntologyProperty; readonly value: string }

export interface LexiconEntry {
  readonly words: readonly string[]
  readonly meaning: Meaning
}

/** Words of a name or phrase in the form tokens are compared in. */
export const lemmas = (name: string): string[] => splitIdentifier(name).map((word) => singular(word.toLowerCase()))

/** `askable` are the rule heads that can be derived within the ceiling. */
export function lexiconOf(ontology: Ontology, flavor: Flavor, askable: (predicate: string) => boolean): LexiconEntry[] {
  const extra = (term: string) => flavor.synonyms[term] ?? []
  const entries: LexiconEntry[] = []
  for (const cls of ontology.classes) {
    for (const name of [cls.label, cls.name, ...cls.synonyms, ...extra(cls.name)]) {
      entries.push({ words: lemmas(name), meaning: { kind: 'class', cls } })
    }
    for (const property of cls.properties) {
      for (const name of [property.label, property.name, ...property.synonyms, ...extra(`${cls.name}.${property.name}`)]) {
        entries.push({ words: lemmas(name), meaning: { kind: 'property', cls, property } })
      }
    }
  }
  for (const rule of flavor.rules) {
    const predicate = /^\s*([\p{L}_][\p{L}\p{N}_]*)/u.exec(rule.body)?.[1]
    if (predicate === undefined || !askable(predicate)) continue
    for (const phrase of rule.phrases) entries.push({ words: lemmas(phrase), meaning: { kind: 'rule', predicate } })
  }
  return dedupe(entries.filter((entry) => entry.words.length > 0))
}

const meaningKey = (meaning: Meaning): string => {
  switch (meaning.kind) {
    case 'class':
      return `c ${meaning.cls.name}`
    case 'property':
      return `p ${meaning.cls.name}.${meaning.property.name}`
    case 'rule':
      return `r ${meaning.predicate}`
    case 'value':
      return `v ${meaning.cls.name}.${meaning.property.name} ${meaning.value}`
  }
}
export { meaningKey }

function dedupe(entries: readonly LexiconEntry[]): LexiconEntry[] {
  const seen = new Map<string, LexiconEntry>()
  for (const entry of entries) seen.set(JSON.stringify([entry.words, meaningKey(entry.meaning)]), entry)
  return [...seen.values()]
}
