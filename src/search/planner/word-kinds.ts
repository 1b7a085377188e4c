/** Words that no term stands for: verbs, which a foreign key may stand for, and words that should have had a meaning. Periods. */
import { lemmaOf } from '../language/lemma.ts'
import { type Pos, posOf } from '../language/part-of-speech.ts'
import { readTime } from '../language/time.ts'
import { isLemma } from '../language/wordnet.ts'
import type { Element, WordElement } from './elements.ts'
import { operationsAt } from './operators.ts'
import { type Token, numberOf } from './tokens.ts'
import { FUNCTION_WORDS, LINKING_VERBS } from './words.ts'

/** Words for units behind a number: what is measured is the column's to say. */
const UNITS = new Set(
  `year years dollar dollars euro euros pound pounds
  kg km meter meters metre metres mile miles foot feet inch inches percent times people units mb gb usd`.split(/\s+/),
)

/** A figure of time is in minutes here and in days there: only a column that is called so has it in them. */
const UNITS_OF_TIME = new Set('month months week weeks day days hour hours minute minutes second seconds'.split(' '))

const tagged = new WeakMap<readonly Token[], readonly Pos[]>()

/** The class of each word, found once for a question. */
export function partsOfSpeech(tokens: readonly Token[]): readonly Pos[] {
  const parts = tagged.get(tokens) ?? posOf(tokens.map(({ text }) => text))
  tagged.set(tokens, parts)
  return parts
}

/** `sounds` tells whether something of the vocabulary is called like a word: "enrolled" where there are enrolments. */
export function kindsOf(tokens: readonly Token[], sounds: (word: string) => boolean = () => false): (at: number) => WordElement['content'] {
  return (at) => {
    const token = tokens[at]!
    const counted = at > 0 && numberOf(tokens[at - 1]!) !== null
    if (counted && (UNITS.has(token.lower) || (UNITS_OF_TIME.has(token.lower) && sounds(token.lower)))) return 'none'
    if (token.lower === 'all') return isEvery(tokens, at) ? 'other' : 'none'
    if (token.lower === 'but') return addsClause(tokens, at) ? 'none' : 'other'
    // "right now", "take part in"
    if (token.lower === 'right' && tokens[at + 1]?.lower === 'now') return 'none'
    if (token.lower === 'part' && /^(?:take|takes|took|taken|taking)$/.test(tokens[at - 1]?.lower ?? '')) return 'none'
    // "in the database", "in our records" is where everything stands
    if (/^(?:databases?|records)$/.test(token.lower) && /^in (?:the|our|this|your)$/.test(wordsAt(tokens, at - 2, 2))) return 'none'
    // "colours shared by more than two lamps", not "shared by A and B", which is said of both
    if (token.lower === 'shared' && SHARED_BY.test(wordsAt(tokens, at + 1, 3))) return 'verb'
    // a word that operates on others may not be passed over
    const operates = operationsAt(tokens, at).some(({ length, operation: { kind } }) => (length === 1 && kind !== 'back') || kind === 'order')
    if (operates) return 'other'
    // an order that is none of ours: "delete the guests"
    if (token.opens) return 'other'
    const verb = LINKING_VERBS.has(token.lower) || partsOfSpeech(tokens)[at] === 'verb' || couldBeVerb(tokens, at)
    // any other verb says something of its own: "which lamps exploded"
    const links = LINKING_VERBS.has(token.lower) || LINKING_VERBS.has(lemmaOf(token.lower, 'verb')) || sounds(token.lower)
    return verb && links ? 'verb' : 'other'
  }
}

const wordsAt = (tokens: readonly Token[], from: number, count: number): string =>
  tokens.slice(Math.max(0, from), Math.max(0, from) + count).map(({ lower, quoted }) => (quoted ? '"' : lower)).join(' ')

const SHARED_BY = /^by (?:more than|at least|the (?:most|greatest|largest|highest|fewest)|multiple|several)/

/** "lamps from Oslo but not red", "but with a price above 5"; "all but the red ones" leaves them out. */
function addsClause(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1]
  if (next === undefined || next.quoted || /^(?:a|an|the|for|all|any|some|one)$/.test(next.lower)) return false
  const operations = operationsAt(tokens, at + 1).map(({ operation }) => operation.kind)
  return FUNCTION_WORDS.has(next.lower) || operations.some((kind) => kind === 'negation' || kind === 'compare')
}

/** A word that says how something is, not what it is: "open", "degraded". */
export function describersOf(tokens: readonly Token[]): (at: number) => boolean {
  return (at) => {
    const parts = partsOfSpeech(tokens)
    return (parts[at] !== 'noun' && parts[at] !== 'num') || isInflectedVerb(tokens[at]!.lower)
  }
}

/** "names of all guests" is every guest; "stands on all shelves" is a condition that no plan here can say. */
const isEvery = (tokens: readonly Token[], at: number): boolean => {
  const before = tokens[at - 1]
  // "sort all the lamps", "the average price in all shops"
  // "what are all the cities"; "whose orders are all closed"
  const asked = ASKING.has(tokens[at - 2]?.lower ?? '') && /^(?:is|are|were|was)$/.test(before?.lower ?? '')
  const plain = before === undefined || asked || tokens[at]!.opens || before.opens || BEFORE_ALL.has(before.lower) || isFolded(tokens, at)
  return !plain || ASKS_WHETHER.test(tokens[0]?.lower ?? '')
}
const ASKING: ReadonlySet<string> = new Set(['what', 'which', 'who', 'where', 'and'])
const BEFORE_ALL: ReadonlySet<string> = new Set(
  'of for list show find give me display get return tell what which name names across among about and count us'.split(' '),
)
const isFolded = (tokens: readonly Token[], at: number): boolean =>
  tokens.slice(0, at).some((_, i) => operationsAt(tokens, i).some(({ operation }) => operation.kind === 'fold'))
const ASKS_WHETHER = /^(?:is|are|do|does|did|was|were|have|has)$/

/** The tagger takes "drivers load lamps" for nouns; after a plural or a relative pronoun a verb is the likelier. */
function couldBeVerb(tokens: readonly Token[], at: number): boolean {
  const before = at > 1 ? tokens[at - 1] : undefined
  if (before === undefined || !isLemma(lemmaOf(tokens[at]!.lower, 'verb'), 'verb')) return false
  const afterPlural = before.lemma !== before.lower && at + 1 < tokens.length
  return BEFORE_VERBS.has(before.lower) || afterPlural
}
const BEFORE_VERBS: ReadonlySet<string> = new Set('that which who to be been being is are was were'.split(' '))

const WORTH = { bare: 0.6, word: 0.75 } as const

export function timeReader(tokens: readonly Token[], today: Date): (at: number) => Element | null {
  return (at) => {
    const found = readTime(tokens, at, today)
    if (found === null) return null
    const { range, length, bare } = found
    if (length === 1 && tokens[at]!.lower === 'now') return null // "open now" is open
    return { kind: 'time', start: at, end: at + length, score: bare ? WORTH.bare : WORTH.word * length, ...range, bare }
  }
}

/** "started", "taken": the form of a verb, which may sound like a column without meaning one. */
export function isInflectedVerb(word: string): boolean {
  const lemma = lemmaOf(word, 'verb')
  return lemma !== word && isLemma(lemma, 'verb') && !word.endsWith('s')
}
