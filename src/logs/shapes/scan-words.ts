/** What the reference says of a word, remembered: its lists of words stay in one place, and no text is made of a word twice. */
import { WORDS_OF_LISTS, isDateWord, isLiteral, isVersionWord, isZone } from './kinds.ts'

export const WORD_FLAGS = { DATE_WORD: 1, ZONE: 2, LITERAL: 4, VERSION_WORD: 8 } as const
const { DATE_WORD, ZONE, LITERAL, VERSION_WORD } = WORD_FLAGS
/** No word of the lists is longer. */
const LONGEST = 9
const SHORTEST = 2
const PLACES = 8192
const WIDTH = LONGEST + 2

/** By the first two letters, whatever their case, a bit for each length that a word of the lists has: most words stop here. */
const STARTS = new Uint8Array(128 * 128)
const startOf = (first: number, second: number): number => ((first | 32) & 127) * 128 + ((second | 32) & 127)
for (const word of WORDS_OF_LISTS) STARTS[startOf(word.charCodeAt(0), word.charCodeAt(1))]! |= 1 << (word.length - SHORTEST)

/** Whether a word may be one of the lists; most are not, and this costs one look at a table. */
export function maybeListed(first: number, second: number, length: number): boolean {
  return length >= SHORTEST && length <= LONGEST && ((STARTS[startOf(first, second)] as number) & (1 << (length - SHORTEST))) !== 0
}

export class WordFlags {
  /** per place: length, flags, bytes; a length of 0 is an empty place */
  readonly #places = new Uint8Array(PLACES * WIDTH)

  of(b: Uint8Array, start: number, end: number): number {
    const length = end - start
    if (!maybeListed(b[start] as number, b[start + 1] as number, length)) return 0
    let hash = length
    for (let i = start; i < end; i += 1) hash = Math.imul(hash ^ (b[i] as number), 0x01000193)
    const at = ((hash ^ (hash >>> 15)) & (PLACES - 1)) * WIDTH
    const places = this.#places
    if (places[at] === length) {
      let i = 0
      while (i < length && places[at + 2 + i] === b[start + i]) i += 1
      if (i === length) return places[at + 1] as number
    }
    const flags = flagsOf(Buffer.from(b.buffer, b.byteOffset + start, length).toString('latin1'))
    places[at] = length
    places[at + 1] = flags
    for (let i = 0; i < length; i += 1) places[at + 2 + i] = b[start + i] as number
    return flags
  }
}

function flagsOf(word: string): number {
  const { length } = word
  return (isDateWord(word, 0, length) ? DATE_WORD : 0) | (isZone(word, 0, length) ? ZONE : 0)
    | (isLiteral(word, 0, length) ? LITERAL : 0) | (isVersionWord(word, 0, length) ? VERSION_WORD : 0)
}
