/** What a word that has no place may have meant: names of the cut ontology that are near it. They are offered, never assumed. */
import { singular, splitIdentifier } from '../../kernel/text/index.ts'
import { compareText } from '../../kernel/term.ts'
import type { Ontology } from '../../ontology/index.ts'
import { lemmaOf } from '../language/lemma.ts'
import { broaderOf, narrowerOf, relatedOf, synonymsOf } from '../language/synonyms.ts'
import { similarity } from '../language/vectors.ts'
import { isLemma } from '../language/wordnet.ts'

const OFFERED = 3
/** How near is near: words that a dictionary puts together, and words that are merely used alike. */
const NEAR = { listed: 0.35, alike: 0.6 } as const

/** Labels, the nearest first; empty when nothing here is near. */
export function nearestNames({ classes }: Ontology, word: string): string[] {
  const lemma = lemmaOf(word.toLowerCase())
  // only what names a thing has a name beside it
  if (!isLemma(lemma, 'noun') || isLemma(lemma, 'adv')) return []
  const known = new Map<string, number>()
  for (const { lemma: other, weight } of [synonymsOf, relatedOf, broaderOf, narrowerOf].flatMap((words) => words(lemma))) {
    known.set(other, Math.max(known.get(other) ?? 0, weight))
  }
  const names = classes.flatMap(({ label, properties }) => [label, ...properties.map((property) => property.label)])
  return [...new Set(names.map((name) => name.toLowerCase()))]
    .map((label) => ({ label, near: nearness(lemma, label, known) }))
    .filter(({ near }) => near > 0)
    .toSorted((a, b) => b.near - a.near || compareText(a.label, b.label))
    .slice(0, OFFERED)
    .map(({ label }) => label)
}

/** 0 when it is not near. */
function nearness(lemma: string, label: string, known: ReadonlyMap<string, number>): number {
  const words = splitIdentifier(label).map((word) => singular(word))
  const listed = known.get(words.join(' ')) ?? 0
  // a phrase is like many words through its commonest one
  const alike = words.length === 1 ? (similarity(lemma, words[0]!) ?? 0) : 0
  return Math.max(listed >= NEAR.listed ? listed : 0, alike >= NEAR.alike ? alike : 0)
}
