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

/** ASCII letters in lower case folded into a number below 2^32; equal texts give equal numbers, whatever their case. */
export function foldedHash(bytes: Uint8Array, from: number, end: number): number {
  let hash = 0x811c9dc5
  for (let i = from; i < end; i += 1) {
    const byte = bytes[i] as number
    hash = Math.imul(hash ^ (byte >= 65 && byte <= 90 ? byte + 32 : byte), 0x01000193)
  }
  return hash >>> 0
}

const utf8 = new TextEncoder()

/** Words of a short list, found by their bytes in any case. */
export class WordTable<T> {
  readonly #found = new Map<number, { readonly word: Uint8Array; readonly value: T }>()
  #longest = 0

  constructor(words: Iterable<readonly [word: string, value: T]>) {
    for (const [text, value] of words) {
      const word = utf8.encode(text.toLowerCase())
      const hash = foldedHash(word, 0, word.length)
      if (this.#found.has(hash)) throw new Error(`two words of one table share a hash: ${text}`)
      this.#found.set(hash, { word, value })
      this.#longest = Math.max(this.#longest, word.length)
    }
  }

  find(bytes: Uint8Array, from: number, end: number): T | undefined {
    const length = end - from
    if (length === 0 || length > this.#longest) return undefined
    const found = this.#found.get(foldedHash(bytes, from, end))
    if (found === undefined || found.word.length !== length) return undefined
    for (let i = 0; i < length; i += 1) {
      const byte = bytes[from + i] as number
      if ((byte >= 65 && byte <= 90 ? byte + 32 : byte) !== found.word[i]) return undefined
    }
    return found.value
  }
}

/** Bytes that are ASCII in nearly every case, as a text. */
export function textOf(bytes: Uint8Array, from: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, end - from).toString('utf8')
}
