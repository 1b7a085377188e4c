/**
 * Other words for the words of a vocabulary: a question says "client" where the tables have customers. Each is a weak link with
 * a name for how it came about; readings that use it exist, and lose to readings by real names.
 */
import { compareText } from '../../kernel/term.ts'
import { plural } from '../../kernel/text/index.ts'
import { lemmaOf } from '../language/lemma.ts'
import { broaderOf, narrowerOf, relatedOf, synonymsOf } from '../language/synonyms.ts'
import { similarity } from '../language/vectors.ts'
import { isLemma } from '../language/wordnet.ts'
import type { Link } from './elements.ts'
import { operationsAt } from './operators.ts'
import type { TermIndex } from './term-index.ts'
import { type Token, numberOf } from './tokens.ts'
import { FUNCTION_WORDS, LINKING_VERBS, isGlue } from './words.ts'

/** The tokens [at, at + length) may stand for these words of the vocabulary. */
export interface Saying {
  readonly length: number
  readonly words: readonly string[]
  /** 0..1: 1 for the very word */
  readonly nearness: number
  readonly link: Link
}

/** How much each kind of link is trusted: at the least, and more with its weight in the table or its cosine. */
const TRUST = {
  synonym: { least: 0.5, more: 0.25 },
  derived: { least: 0.45, more: 0.2 },
  kind: { least: 0.4, more: 0.2 },
  vector: { least: 0.3, more: 0.4 },
} as const
const LEAST_LISTED = 0.1
const LEAST_COSINE = 0.45
/** Meanings of one word that are worth a look, and how far they may fall behind the best. */
const FEW = 4
const BEHIND = 0.15
const LONGEST = 3

/** What the words at a token may stand for, the very word first. */
export function sayingsOf(tokens: readonly Token[], index: TermIndex): (at: number) => readonly Saying[] {
  const words = wordsOf(index)
  return (at) => {
    const token = tokens[at]!
    if (token.quoted) return []
    const own = [...new Set([token.lemma, token.lower])].map((word): Saying => ({ length: 1, words: [word], nearness: 1, link: 'whole' }))
    return [...own, ...othersAt(tokens, at, words)]
  }
}

interface Words {
  /** single words of names */
  readonly all: ReadonlySet<string>
  /** runs of them, as a dictionary has them: "last name" */
  readonly runs: ReadonlySet<string>
  /** those that are nouns, with their plurals */
  readonly nouns: readonly (readonly [one: string, many: string])[]
}

const known = new WeakMap<TermIndex, Words>()

function wordsOf(index: TermIndex): Words {
  const ready = known.get(index)
  if (ready !== undefined) return ready
  const forms = [...index.values()].flat().filter(({ term }) => term.kind !== 'rule')
  const all = new Set(forms.flatMap(({ words }) => words).filter((word) => !FUNCTION_WORDS.has(word)))
  const runs = new Set(forms.filter(({ words }) => words.length === 2 || words.length === 3).map(({ words }) => words.join(' ')))
  const nouns = [...all].filter((word) => isLemma(word, 'noun')).map((word) => [word, plural(word)] as const)
  const made = { all, runs, nouns }
  known.set(index, made)
  return made
}

function othersAt(tokens: readonly Token[], at: number, { all, runs, nouns }: Words): Saying[] {
  const found: Saying[] = []
  for (let length = 1; length <= LONGEST && at + length <= tokens.length; length += 1) {
    const span = tokens.slice(at, at + length)
    if (span.some(({ quoted, paused, opens }, i) => quoted || (i > 0 && (paused || opens)))) break
    if (length === 1 && !mayStandFor(tokens, at, all)) continue
    const lemma = [...span.slice(0, -1).map(({ lower }) => lower), span.at(-1)!.lemma].join(' ')
    if (length > 1 && !isLemma(lemma, 'noun')) continue
    const near = new Map<string, Saying>()
    const keep = (word: string, nearness: number, link: Link) => {
      if ((near.get(word)?.nearness ?? 0) >= nearness) return
      near.set(word, { length, words: word.split(' '), nearness, link })
    }
    for (const own of length === 1 ? formsOf(span[0]!) : [lemma]) {
      for (const [words, link] of LISTS) {
        for (const { lemma: other, weight } of words(own)) {
          if (weight < LEAST_LISTED || !(all.has(other) || runs.has(other))) continue
          keep(other, TRUST[link].least + TRUST[link].more * weight, link)
        }
      }
    }
    if (length === 1 && isNoun(span[0]!)) {
      for (const [word, many] of nouns) {
        const cosine = nearInUse(span[0]!, word, many)
        if (cosine < LEAST_COSINE) continue
        const listed = near.get(word)
        const own = TRUST.vector.least + (TRUST.vector.more * (cosine - LEAST_COSINE)) / (1 - LEAST_COSINE)
        keep(word, listed === undefined ? own : Math.max(own, listed.nearness + 0.1), listed?.link ?? 'vector')
      }
    }
    const best = [...near.values()].toSorted((a, b) => b.nearness - a.nearness || compareText(a.words.join(' '), b.words.join(' ')))
    found.push(...best.slice(0, FEW).filter(({ nearness }) => nearness >= best[0]!.nearness - BEHIND))
  }
  return found
}

const LISTS = [[synonymsOf, 'synonym'], [relatedOf, 'derived'], [broaderOf, 'kind'], [narrowerOf, 'kind']] as const

const formsOf = ({ lower, lemma }: Token): string[] => [...new Set([lemma, lower, lemmaOf(lower)])]

/** A word that names no thing here itself, operates on nothing and is no figure. */
function mayStandFor(tokens: readonly Token[], at: number, all: ReadonlySet<string>): boolean {
  const token = tokens[at]!
  if (all.has(token.lemma) || all.has(token.lower) || isGlue(token.lower) || LINKING_VERBS.has(token.lower) || numberOf(token) !== null) return false
  return !operationsAt(tokens, at).some(({ length }) => length === 1)
}

const isNoun = ({ lower, lemma }: Token): boolean => isLemma(lemma, 'noun') || isLemma(lower, 'noun')

/** Words that are used alike, each in the number that it stands in. */
function nearInUse({ lower, lemma }: Token, one: string, many: string): number {
  const same = similarity(lemma, one) ?? 0
  return lower === lemma ? same : Math.max(same, similarity(lower, many) ?? 0)
}
