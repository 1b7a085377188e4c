/** What a question over one ontology is read with, made once: the forms of its terms, its rules, the ways between its classes. */
import type { Flavor } from '../../contracts/index.ts'
import type { Ontology } from '../../ontology/index.ts'
import { Ways } from './join-tree.ts'
import { type RuleBook, isAvailable, ruleBook } from './rule-heads.ts'
import { type TermIndex, termIndex } from './term-index.ts'

export interface Vocabulary {
  readonly index: TermIndex
  readonly ways: Ways
  readonly book: RuleBook
}

/** By the object itself: an ontology that was cut to another ceiling is another one, and so is its vocabulary. */
const known = new WeakMap<Ontology, WeakMap<Flavor, Vocabulary>>()

export function vocabularyOf(ontology: Ontology, flavor: Flavor): Vocabulary {
  const flavors = known.get(ontology) ?? new WeakMap<Flavor, Vocabulary>()
  known.set(ontology, flavors)
  const ready = flavors.get(flavor)
  if (ready !== undefined) return ready
  const book = ruleBook(flavor, ontology)
  const made = { index: termIndex(ontology, flavor, (predicate) => isAvailable(book, predicate)), ways: new Ways(ontology), book }
  flavors.set(flavor, made)
  return made
}
