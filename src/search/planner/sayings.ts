/**
 * Other words for the words of a vocabulary: a question says "client" where the tables have customers. Each is a weak link with
 * a name for how it came about; readings that use it exist, and lose to readings by real names.
 */
import { compareText } from '../../kernel/term.ts'
import { plural } from '../../kernel/text/index.ts'
import { lemmaOf } from '../language/lemma.ts'
import type { Pos } from '../language/part-of-speech.ts'
import { broaderOf, narrowerOf, synonymsOf } from '../language/synonyms.ts'
import { usedFor } from '../language/usual-words.ts'
import { similarity } from '../language/vectors.ts'
import { WORD_CLASSES, areOpposite, derivedFrom, fieldsOf, isLemma } from '../language/wordnet.ts'
import type { Link } from './elements.ts'
import { operationsAt } from './operators.ts'
import { meantBy } from './spelling.ts'
import type { TermIndex } from './term-index.ts'
import { type Token, numberOf } from './tokens.ts'
import { partsOfSpeech } from './word-kinds.ts'
import { FUNCTION_WORDS, GENERIC_NOUNS, LINKING_VERBS, isGlue } from './words.ts'

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
  usual: { least: 0.8, more: 0 },
  synonym: { least: 0.55, more: 0.25 },
  derived: { least: 0.5, more: 0 },
  kind: { least: 0.4, more: 0.2 },
  vector: { least: 0.3, more: 0.4 },
  spelling: { least: 0.9, more: 0 },
} as const
const LEAST_LISTED = 0.1
/** Cosines of words that speak of things of one field (people, places, times), and of words that nobody knows the field of. */
const LEAST_COSINE = { sameField: 0.6, noField: 0.7 } as const
/** Used alike as well as listed together. */
const BOTH = 0.08
/** Meanings of one word that are worth a look, and how far they may fall behind the best. */
const FEW = 4
const BEHIND = 0.15
const LONGEST = 3
const SPACED = 0.95

/** What the words at a token may stand for, the very word first. */
export function sayingsOf(tokens: readonly Token[], index: TermIndex): readonly (readonly Saying[])[] {
  const words = wordsOf(index)
  const parts = partsOfSpeech(tokens)
  return tokens.map((token, at) => {
    if (token.quoted) return []
    const own = [...new Set([token.lemma, token.lower])].map((word): Saying => ({ length: 1, words: [word], nearness: 1, link: 'whole' }))
    return [...own, ...otherSpaces(tokens, at, words), ...(mayStandFor(tokens, at, words.all) ? forWord(token, parts[at]!, words) : []), ...forPhrase(tokens, at, words)]
  })
}

interface Words {
  /** single words of names */
  readonly all: ReadonlySet<string>
  /** runs of them, as a dictionary has them: "last name" */
  readonly runs: ReadonlySet<string>
  /** runs of two by the one word that they make: a lampshade is a lamp shade */
  readonly joined: ReadonlyMap<string, readonly string[]>
  /** single words that are nouns and say something, with their plurals */
  readonly nouns: readonly (readonly [one: string, many: string])[]
  /** all single words with their plurals */
  readonly spelled: readonly (readonly [one: string, many: string])[]
}

const known = new WeakMap<TermIndex, Words>()

function wordsOf(index: TermIndex): Words {
  const ready = known.get(index)
  if (ready !== undefined) return ready
  const forms = [...index.values()].flat().filter(({ term }) => term.kind !== 'rule')
  const all = new Set(forms.flatMap(({ words }) => words).filter((word) => !FUNCTION_WORDS.has(word)))
  const runs = new Set(forms.filter(({ words }) => words.length === 2 || words.length === 3).map(({ words }) => words.join(' ')))
  const nouns = [...all].filter((word) => isLemma(word, 'noun') && !GENERIC_NOUNS.has(word)).map((word) => [word, plural(word)] as const)
  const pairs = [...runs].map((run) => run.split(' ')).filter(({ length }) => length === 2)
  const joined = new Map(pairs.map((words) => [words.join(''), words]))
  const spelled = [...all].map((word) => [word, plural(word)] as const)
  const made = { all, runs, joined, nouns, spelled }
  known.set(index, made)
  return made
}

/** "lamp shade" for a lampshade, or the other way round: the same letters. */
function otherSpaces(tokens: readonly Token[], at: number, { all, joined }: Words): Saying[] {
  const [token, next] = [tokens[at]!, tokens[at + 1]]
  const split = joined.get(token.lemma)
  const glued = next === undefined || next.quoted || next.paused || next.opens ? '' : token.lower + next.lemma
  return [
    ...(split === undefined || all.has(token.lemma) ? [] : [{ length: 1, words: split, nearness: SPACED, link: 'whole' as const }]),
    ...(all.has(glued) ? [{ length: 2, words: [glued], nearness: SPACED, link: 'whole' as const }] : []),
  ]
}

/** A part of all is a figure to be worked out, and no other word for what it is a part of. */
const SHARES: ReadonlySet<string> = new Set(['share', 'fraction', 'proportion', 'portion', 'percentage', 'percent', 'ratio'])
/** Lengths of time that records are counted by: no other word says the same. */
export const GRAINS: ReadonlySet<string> = new Set(['day', 'week', 'month', 'quarter', 'year', 'decade', 'century', 'hour', 'weekday'])

/** A word in small letters that names nothing here itself, operates on nothing and is no figure. */
function mayStandFor(tokens: readonly Token[], at: number, all: ReadonlySet<string>): boolean {
  const token = tokens[at]!
  if (all.has(token.lemma) || all.has(token.lower) || isGlue(token) || numberOf(token) !== null) return false
  if (SHARES.has(token.lemma) || GRAINS.has(token.lemma) || LINKING_VERBS.has(token.lower) || (!token.opens && /^\p{Lu}/u.test(token.text))) return false
  return operationsAt(tokens, at).every(({ operation }) => operation.kind === 'everything')
}

function forWord(token: Token, pos: Pos, { all, runs, nouns, spelled }: Words): Saying[] {
  const near = new Nearest(1, (word) => all.has(word) || runs.has(word))
  const forms = [...new Set([token.lemma, token.lower, lemmaOf(token.lower)])]
  const noun = pos === 'noun'
  for (const form of forms) {
    for (const { lemma, weight } of usedFor(form)) near.keep(lemma, weight, 'usual')
    for (const kind of WORD_CLASSES) for (const lemma of derivedFrom(form, kind)) near.keep(lemma, 1, 'derived')
    if (noun) near.listed(form)
  }
  const meant = meantBy(token.lower, spelled)
  if (meant !== null) near.keep(meant, 1, 'spelling')
  if (noun) {
    for (const [one, many] of nouns) {
      const cosine = nearInUse(token, one, many)
      const alike = sameField(forms, one)
      if (cosine >= LEAST_COSINE[alike === null ? 'noField' : 'sameField'] && alike !== false && !areOpposite(token.lemma, one)) {
        near.keep(one, 2 * cosine - 1, 'vector')
      }
    }
  }
  return near.best()
}

/** "family name", "alcoholic drink": several words that a dictionary has as one. */
function forPhrase(tokens: readonly Token[], at: number, { all, runs }: Words): Saying[] {
  const found: Saying[] = []
  for (let length = 2; length <= LONGEST && at + length <= tokens.length; length += 1) {
    const span = tokens.slice(at, at + length)
    if (span.some(({ quoted, paused, opens }, i) => quoted || (i > 0 && (paused || opens)))) break
    const phrase = [...span.slice(0, -1).map(({ lower }) => lower), span.at(-1)!.lemma].join(' ')
    if (runs.has(phrase)) continue
    const near = new Nearest(length, (word) => all.has(word) || runs.has(word))
    for (const { lemma, weight } of usedFor(phrase)) near.keep(lemma, weight, 'usual')
    if (isLemma(phrase, 'noun')) near.listed(phrase)
    found.push(...near.best())
  }
  return found
}

/** The words of the vocabulary that are nearest to one word or phrase, each by its best link. */
class Nearest {
  private readonly found = new Map<string, Saying>()
  private readonly length: number
  private readonly isKnown: (word: string) => boolean

  constructor(length: number, isKnown: (word: string) => boolean) {
    this.length = length
    this.isKnown = isKnown
  }

  keep(word: string, weight: number, link: keyof typeof TRUST): void {
    if (!this.isKnown(word)) return
    if (GENERIC_NOUNS.has(word) && link !== 'usual' && link !== 'synonym' && link !== 'spelling') return
    const { least, more } = TRUST[link]
    const before = this.found.get(word)
    const nearness = least + more * weight
    if (before === undefined || before.nearness < nearness) {
      this.found.set(word, { length: this.length, words: word.split(' '), nearness, link })
    } else if (link === 'vector') this.found.set(word, { ...before, nearness: before.nearness + BOTH })
  }

  /** What a dictionary has beside a noun. */
  listed(noun: string): void {
    for (const [words, link] of LISTS) {
      for (const { lemma, weight } of words(noun, 'noun')) if (weight >= LEAST_LISTED) this.keep(lemma, weight, link)
    }
  }

  best(): Saying[] {
    const all = [...this.found.values()].toSorted((a, b) => b.nearness - a.nearness || compareText(a.words.join(' '), b.words.join(' ')))
    return all.slice(0, FEW).filter(({ nearness }) => nearness >= all[0]!.nearness - BEHIND)
  }
}

const LISTS = [[synonymsOf, 'synonym'], [broaderOf, 'kind'], [narrowerOf, 'kind']] as const

/** Cosine of two nouns, each in the number that it stands in. */
function nearInUse({ lower, lemma }: Token, one: string, many: string): number {
  const same = similarity(lemma, one) ?? 0
  return lower === lemma ? same : Math.max(same, similarity(lower, many) ?? 0)
}

/** WordNet's letters for animals, people, quantities and times: there, words that are used alike are those that exclude each other. */
const CONTRASTING: ReadonlySet<string> = new Set(['c', 'p', 'u', 'z'])

/** Whether two nouns speak of things of one field; null: one of them is in no dictionary. */
function sameField(forms: readonly string[], word: string): boolean | null {
  const [own, other] = [forms.flatMap(fieldsOf), fieldsOf(word)]
  return own.length === 0 || other.length === 0 ? null : own.some((field) => other.includes(field) && !CONTRASTING.has(field))
}
