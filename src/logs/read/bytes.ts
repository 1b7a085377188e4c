/** Small questions about ASCII bytes, asked for every line: no strings, no regular expressions. */

export const SPACE = 32
export const TAB = 9
export const NEWLINE = 10
export const RETURN = 13
export const QUOTE = 34
export const BACKSLASH = 92

export const isDigitByte = (byte: number | undefined): boolean => byte !== undefined && byte >= 48 && byte <= 57
export const isLetterByte = (byte: number | undefined): boolean => byte !== undefined && (byte | 32) >= 97 && (byte | 32) <= 122
export const isBlankByte = (byte: number | undefined): boolean => byte === SPACE || byte === TAB

/** The first place at or behind `from` where no space or tab stands. */
export function skipBlanks(bytes: Uint8Array, from: number, end: number): number {
  let at = from
  while (at < end && (bytes[at] === SPACE || bytes[at] === TAB)) at += 1
  return at
}

/** Where the word that starts here ends. */
export function wordEnd(bytes: Uint8Array, from: number, end: number): number {
  let at = from
  while (at < end && bytes[at] !== SPACE && bytes[at] !== TAB) at += 1
  return at
}

/** The end of the range without the white space and line ends behind it. */
export function trimmedEnd(bytes: Uint8Array, from: number, end: number): number {
  let at = end
  while (at > from && (bytes[at - 1] as number) <= SPACE) at -= 1
  return at
}

/** Whether this ASCII text stands here. */
export function standsAt(bytes: Uint8Array, at: number, end: number, text: string): boolean {
  if (at + text.length > end) return false
  for (let i = 0; i < text.length; i += 1) if (bytes[at + i] !== text.charCodeAt(i)) return false
  return true
}

/** Equal texts give equal numbers, whatever the case of their ASCII letters. */
function foldedHash(bytes: Uint8Array, from: number, end: number): number {
  let hash = 0x811c9dc5 | 0
  for (let i = from; i < end; i += 1) hash = Math.imul(hash ^ small(bytes[i] as number), 0x01000193)
  return hash ^ (hash >>> 15)
}

interface Entry<T> {
  readonly word: Uint8Array
  readonly value: T
}

/** Words of a short list, found by their bytes in any case. */
export class WordTable<T> {
  readonly #entries: Entry<T>[] = []
  /** by hash: one more than the index of the entry, 0 where there is none */
  readonly #places: Uint16Array
  /** by first byte, a bit for each length that a word has, the last for all longer ones: most words are none of these at a glance */
  readonly #lengths = new Int32Array(256)

  constructor(words: Iterable<readonly [word: string, value: T]>) {
    for (const [text, value] of words) this.#entries.push({ word: Buffer.from(text.toLowerCase(), 'utf8'), value })
    this.#places = new Uint16Array(2 ** Math.ceil(Math.log2(4 * this.#entries.length + 1)))
    for (const [i, { word }] of this.#entries.entries()) {
      if (this.find(word, 0, word.length) !== undefined) throw new Error(`a word stands twice in a table: ${word.toString()}`)
      const mask = this.#places.length - 1
      let place = foldedHash(word, 0, word.length) & mask
      while (this.#places[place] !== 0) place = (place + 1) & mask
      this.#places[place] = i + 1
      this.#lengths[word[0] as number]! |= lengthBit(word.length)
    }
  }

  find(bytes: Uint8Array, from: number, end: number): T | undefined {
    if (end <= from || ((this.#lengths[small(bytes[from] as number)] as number) & lengthBit(end - from)) === 0) return undefined
    const mask = this.#places.length - 1
    let place = foldedHash(bytes, from, end) & mask
    for (let entry = this.#places[place] as number; entry !== 0; entry = this.#places[place] as number) {
      const { word, value } = this.#entries[entry - 1] as Entry<T>
      if (isWord(word, bytes, from, end)) return value
      place = (place + 1) & mask
    }
    return undefined
  }
}

const small = (byte: number): number => (byte >= 65 && byte <= 90 ? byte + 32 : byte)
const lengthBit = (length: number): number => 1 << Math.min(length, 31)

function isWord(word: Uint8Array, bytes: Uint8Array, from: number, end: number): boolean {
  if (word.length !== end - from) return false
  for (let i = 0; i < word.length; i += 1) if (small(bytes[from + i] as number) !== word[i]) return false
  return true
}

/** Bytes that are ASCII in nearly every case, as a text. */
export function textOf(bytes: Uint8Array, from: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, end - from).toString('utf8')
}
