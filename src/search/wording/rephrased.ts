/**
 * Whether one sentence says what another says, as far as words can tell. It is meant to refuse too much: every number, name, mark
 * and address must be there, no other, in the same order (who did what to whom hangs on it); every word that denies, counts or
 * compares must be there as often; and every other word must be one of the first sentence, or another word for one.
 */
import { lemmaOf } from '../language/lemma.ts'
import { synonymsOf } from '../language/synonyms.ts'
import { WORD_CLASSES, isLemma } from '../language/wordnet.ts'
import { isGlue } from '../planner/words.ts'

export function isRephrased(original: string, said: string): boolean {
  if (original === said) return true
  const [own, other] = [partsOf(original), partsOf(said)]
  return sameList(own.hard, other.hard) && sameList(own.turning.toSorted(), other.turning.toSorted())
    && other.soft.every((word) => isAmong(word, own.soft)) && own.soft.every((word) => isAmong(word, other.soft))
}

interface Parts {
  /** numbers, names, marks, whatever stands in quotation marks */
  readonly hard: readonly string[]
  /** words that turn a sentence into another one */
  readonly turning: readonly string[]
  readonly soft: readonly string[]
}

/** Addresses, marks, quoted texts, and words with what holds them together. */
const PIECE = /https?:\/\/\S+|\[\d+\]|"[^"]*"|“[^”]*”|[\p{L}\p{N}]+(?:[-_./:@+&'’,][\p{L}\p{N}]+)*%?|[^\s\p{L}\p{N}.,;:!?()'’"-]/gu

function partsOf(text: string): Parts {
  const hard: string[] = []
  const turning: string[] = []
  const soft: string[] = []
  for (const match of text.matchAll(PIECE)) {
    const piece = match[0].replace(/['’]s$/, '')
    const opens = /(?:^|[.!?]["”\])]*)\s*$/.test(text.slice(0, match.index))
    const lower = piece.toLowerCase()
    const word = /^[\p{L}'’]+$/u.test(piece)
    // where a sentence begins, a capital says nothing of a word that a dictionary has
    const plain = word && (piece === lower || (opens && isCommon(lower)))
    if (/n['’]t$/.test(lower)) turning.push('not')
    else if (!plain) hard.push(piece)
    else if (TURNING.has(lower)) turning.push(TURNING.get(lower)!)
    else if (!isGlue({ lower, text: lower })) soft.push(lemmaOf(lower))
  }
  return { hard, turning, soft }
}

const isCommon = (lower: string): boolean => isGlue({ lower, text: lower }) || TURNING.has(lower) || WORD_CLASSES.some((pos) => isLemma(lemmaOf(lower), pos))

const isAmong = (word: string, words: readonly string[]): boolean =>
  words.includes(word) || synonymsOf(word).some(({ lemma }) => words.includes(lemma))

const sameList = (a: readonly string[], b: readonly string[]): boolean => a.length === b.length && a.every((each, at) => each === b[at])

/** Each by what it does; those that do the same stand for each other. */
const TURNING: ReadonlyMap<string, string> = new Map(
  Object.entries({
    not: 'not no never none nothing nobody neither nor cannot without',
    only: 'only just merely', all: 'all every each entire whole', some: 'some several few many', any: 'any',
    most: 'most highest largest greatest', least: 'least lowest smallest fewest', more: 'more above over exceeds exceeding',
    less: 'less fewer below under', before: 'before earlier prior until', after: 'after later since', or: 'or either', if: 'if unless',
    because: 'because therefore thus hence causes caused', maybe: 'may might could possibly probably perhaps likely should', except: 'except but',
  }).flatMap(([does, words]) => words.split(' ').map((word): [string, string] => [word, does])),
)
