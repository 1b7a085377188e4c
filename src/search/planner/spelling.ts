/** Words that nobody knows and that differ by a slip of the pen from a word of the vocabulary. */
import { lemmaOf } from '../language/lemma.ts'
import { isKnownWord } from '../language/vectors.ts'
import { WORD_CLASSES, isLemma } from '../language/wordnet.ts'

/** Shorter words are too near to too many others; long ones may hold two slips. */
const SHORTEST = 5
const LONG = 8

/** The one word of the vocabulary that was meant, null where none or several are as near. */
export function meantBy(word: string, vocabulary: Iterable<readonly [one: string, many: string]>): string | null {
  if (word.length < SHORTEST || !/^[a-z]+$/.test(word) || isWord(word)) return null
  let least = word.length >= LONG ? 2 : 1
  let meant: string | null = null
  let rivals = 0
  for (const [one, many] of vocabulary) {
    if (one.length < SHORTEST - 1 || one[0] !== word[0]) continue
    const slips = Math.min(slipsBetween(word, one, least), slipsBetween(word, many, least))
    if (slips > least) continue
    rivals = slips < least || meant === null ? 1 : rivals + 1
    meant = one
    least = slips
  }
  return rivals === 1 ? meant : null
}

const isWord = (word: string): boolean =>
  isKnownWord(word) || [word, lemmaOf(word)].some((form) => WORD_CLASSES.some((kind) => isLemma(form, kind)))

/** Letters left out, added, changed, or two swapped: how many such slips lie between two words; more than `most` is not told apart. */
export function slipsBetween(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1]
      let slips = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) slips = Math.min(slips, before[j - 2]! + 1)
      row.push(slips)
    }
    before = last
    last = row
  }
  return last[b.length]!
}
