/**
 * tokens.ts and shape.ts over UTF-8 bytes, without an object per token: what tokenise and partsOf say of a message, this says
 * of its bytes. The strings are the reference; scan.test.ts holds the two together.
 */
import { settle } from './scan-beside.ts'
import { Tokens } from './scan-columns.ts'
import { closingQuote, firstOctal, hasPort, nameEnd, pathEnd, sameEnd, webEnd, webTokenEnd } from './scan-ends.ts'
import { BITS, BYTE_CLASS, KIND_NAMES, KINDS } from './scan-classes.ts'
import { kindAt } from './scan-kinds.ts'
import { HASH_START, textHashOne, textHashTwo } from './scan-hash.ts'
import { join } from './scan-lists.ts'
import { maybeListed } from './scan-words.ts'
import { partsOf } from './shape.ts'
import { MAX_TOKENS } from './tokens.ts'

const CLASS = BYTE_CLASS
const { ALONE_BIT, BACKSLASH_BIT, COLON_BIT, DIGIT_BIT, HEX_BIT, LETTER_BIT, SLASH_BIT, SPACE_BIT, TRAILING_BIT, WORD_BITS } = BITS
const { HOST, IDENTIFIER, IRI, NAME, NUMBER, PATH, PUNCTUATION, QUOTED, TEXT, WORD } = KINDS
const { HASH_ONE, HASH_TWO } = HASH_START
const [SLASH, COLON, EQUALS, DASH, QUOTE, APOSTROPHE, BACKSLASH] = [47, 58, 61, 45, 34, 39, 92] as const

export class Scanner extends Tokens {
  /** parts: constants have the kind WORD or PUNCTUATION */
  parts = 0
  /** beyond ASCII the keys are texts */
  keysAreTexts = false
  readonly keys: string[] = []
  #spaced = 0
  #at = 0

  /** Takes over a message; the bits of all its bytes, or-ed, tell whether it needs cleaning first. */
  load(b: Uint8Array, start: number, end: number): number {
    const length = end - start
    if (length + 8 > this.bytes.length) this.bytes = Buffer.alloc(Math.max(length + 8, this.bytes.length * 2))
    const own = this.bytes
    let seen = 0
    for (let i = 0; i < length; i += 1) {
      const byte = b[start + i] as number
      own[i] = byte
      seen |= NEEDS[byte] as number
    }
    for (let i = length; i < length + 8; i += 1) own[i] = 0
    this.length = length
    return seen
  }

  /** Parts of the message that was loaded; `seen` is what load said of it. */
  scan(seen: number): void {
    if ((seen & BEYOND_ASCII) !== 0) return this.#asReference()
    this.#tokenise()
    settle(this)
    this.parts = join(this)
  }

  /** Beyond ASCII bytes and characters are counted differently, so the reference itself is asked. */
  #asReference(): void {
    const message = this.bytes.toString('utf8', 0, this.length)
    let [chars, bytes] = [0, 0]
    const place = (to: number): number => {
      bytes += Buffer.byteLength(message.slice(chars, to), 'utf8')
      chars = to
      return bytes
    }
    this.count = 0
    this.unsettled = 0
    for (const part of partsOf(message)) {
      this.#spaced = part.spaced ? 1 : 0
      const start = place(part.start)
      this.#push(part.slot ? KIND_NAMES.indexOf(part.kind) : WORD, start, place(part.end), 0, 0)
      this.keys[this.count - 1] = part.slot ? part.key : ''
    }
    this.parts = this.count
    this.keysAreTexts = true
  }

  #push(kind: number, start: number, end: number, keyStart: number, keyEnd: number): void {
    this.put(this.count, kind, start, end, this.#spaced, keyStart, keyEnd)
    // only as a key is a number something else, and of the marks only brackets may hold nothing
    if (kind === PUNCTUATION ? OPENS[this.bytes[start] as number] === 1 : kind !== NUMBER || this.bytes[end] === EQUALS) this.toSettle[this.unsettled++] = this.count
    this.count += 1
    this.#spaced = 0
    this.#at = end
  }

  #tokenise(): void {
    const b = this.bytes
    const { length } = this
    this.count = 0
    this.unsettled = 0
    this.#spaced = 0
    this.#at = 0
    this.keysAreTexts = false
    while (this.#at < length) {
      const i = this.#at
      const code = b[i] as number
      const bits = CLASS[code] as number
      if ((bits & SPACE_BIT) !== 0) {
        this.#spaced = 1
        this.#at = i + 1
        continue
      }
      if (this.count >= MAX_TOKENS) {
        this.#push(TEXT, i, length, 0, 0)
        break
      }
      const behindEquals = i > 0 && b[i - 1] === EQUALS
      if (!behindEquals && (bits & LETTER_BIT) !== 0 && this.#word(i, code, bits)) continue
      const name = behindEquals ? this.#nameBefore(i) : -1
      const keyStart = name < 0 ? 0 : (this.start[name] as number)
      const keyEnd = name < 0 ? 0 : (this.end[name] as number)
      if (name >= 0 && (code === QUOTE || code === APOSTROPHE)) {
        const close = closingQuote(b, i, length)
        if (close > i + 1) {
          this.#push(PUNCTUATION, i, i + 1, 0, 0)
          this.#push(QUOTED, i + 1, close, keyStart, keyEnd)
          this.#push(PUNCTUATION, close, close + 1, 0, 0)
          continue
        }
      }
      if ((bits & ALONE_BIT) !== 0) this.#push(PUNCTUATION, i, sameEnd(b, i, length), 0, 0)
      else this.#run(i, name >= 0, keyStart, keyEnd)
    }
  }

  /**
   * A run of letters alone is a word, and most runs are: its hash is made in the same pass. The zeros behind the message end it.
   * Eight hex digits and more may be a number, and long ones tokens of the web.
   */
  #word(start: number, first: number, bits: number): boolean {
    const b = this.bytes
    let one = textHashOne(HASH_ONE, first)
    let two = textHashTwo(HASH_TWO, first)
    let hex = bits
    let stop = start + 1
    let after = 0
    for (;;) {
      const code = b[stop] as number
      after = CLASS[code] as number
      if ((after & LETTER_BIT) === 0) break
      hex &= after
      one = textHashOne(one, code)
      two = textHashTwo(two, code)
      stop += 1
    }
    const length = stop - start
    if ((after & (SPACE_BIT | ALONE_BIT)) === 0 || length > LONGEST_WORD || ((hex & HEX_BIT) !== 0 && length >= 8)) return false
    const i = this.count
    this.kind[i] = WORD
    this.start[i] = start
    this.end[i] = stop
    this.spaced[i] = this.#spaced
    this.keyEnd[i] = 0
    this.hashOne[i] = one
    this.hashTwo[i] = two
    // before a space nothing but its own letters makes a word something else
    if ((after & SPACE_BIT) === 0 || maybeListed(first, b[start + 1] as number, length)) this.toSettle[this.unsettled++] = i
    this.count = i + 1
    // the space behind it is passed at once
    const spaced = after & SPACE_BIT
    this.#spaced = spaced
    this.#at = stop + spaced
    return true
  }

  /** The token that is the key of `key=`, where the message goes on directly behind it; else -1. */
  #nameBefore(at: number): number {
    const equals = this.count - 1
    const name = equals - 1
    if (name < 0 || this.end[equals] !== at || this.end[name] !== this.start[equals] || this.start[equals] !== at - 1) return -1
    if (this.bytes[at - 1] !== EQUALS || this.kind[name] === PUNCTUATION) return -1
    return ((CLASS[this.bytes[this.start[name] as number] as number] as number) & LETTER_BIT) === 0 ? -1 : name
  }

  #run(start: number, keyed: boolean, keyStart: number, keyEnd: number): void {
    const b = this.bytes
    const { length } = this
    let stop = start
    let all = 0xff
    let any = 0
    while (stop < length) {
      const bits = CLASS[b[stop] as number] as number
      if ((bits & (SPACE_BIT | ALONE_BIT)) !== 0) break
      all &= bits
      any |= bits
      stop += 1
    }
    if ((all & DIGIT_BIT) !== 0) return this.#push(NUMBER, start, stop, keyStart, keyEnd)
    const octal = (any & BACKSLASH_BIT) === 0 ? -1 : firstOctal(b, start, stop)
    if (octal === start) return this.#push(PUNCTUATION, start, start + 4, 0, 0)
    const token = webTokenEnd(b, start, length)
    if (token > start) return this.#push(IDENTIFIER, start, token, keyStart, keyEnd)
    // an address on the web and a path hold a slash or a backslash
    if ((any & SLASH_BIT) !== 0 || b[start + 2] === BACKSLASH) {
      const web = (any & SLASH_BIT) !== 0 ? webEnd(b, start, length) : -1
      if (web > start) return this.#push(IRI, start, web, keyStart, keyEnd)
      const path = pathEnd(b, start, length)
      if (path > start) return this.#push(PATH, start, path, keyStart, keyEnd)
    }
    if (octal > start) stop = octal
    if (!keyed && b[start] === SLASH) {
      // no path, as was just seen: a mark, and what stands behind it
      this.#push(PUNCTUATION, start, Math.min(stop, sameEnd(b, start, length)), 0, 0)
      return this.#pieces(stop)
    }
    let end = stop
    while (end > start && ((CLASS[b[end - 1] as number] as number) & TRAILING_BIT) !== 0) end -= 1
    if (end > start && (keyed || ((CLASS[b[start] as number] as number) & WORD_BITS) !== 0 || b[start] === COLON)) {
      const kind = kindAt(b, start, end)
      if (kind !== WORD && kind !== IDENTIFIER && kind !== HOST) return this.#push(kind, start, end, keyStart, keyEnd)
      const whole = (any & COLON_BIT) === 0 || !hasPort(b, start, end)
      if (whole && keyed) return this.#push(kind === WORD ? NAME : kind, start, end, keyStart, keyEnd)
      if (whole && kind !== WORD && this.#isQuoted(stop)) return this.#push(kind, start, stop, 0, 0)
      // the piece is the whole more often than not: what that is has just been said
      if (((CLASS[b[start] as number] as number) & WORD_BITS) !== 0 && nameEnd(b, start, stop) === end) {
        this.#push(kind, start, end, keyStart, keyEnd)
        return this.#pieces(stop)
      }
    }
    this.#piece(start, stop, keyStart, keyEnd)
    this.#pieces(stop)
  }

  /** What is left of a run. */
  #pieces(stop: number): void {
    while (this.#at < stop && this.count < MAX_TOKENS) this.#piece(this.#at, stop, 0, 0)
  }

  /** The same quote stands directly before and at `stop`: a mark, or the octal number of one. */
  #isQuoted(stop: number): boolean {
    const last = this.count - 1
    if (last < 0 || this.kind[last] !== PUNCTUATION || stop >= this.length) return false
    const b = this.bytes
    const start = this.start[last] as number
    const size = (this.end[last] as number) - start
    const quote = size === 1 ? b[start] === QUOTE || b[start] === APOSTROPHE : size === 4 && isQuoteNumber(b, start)
    return quote && (size === 1 ? b[stop] === b[start] : isQuoteNumber(b, stop))
  }

  #piece(start: number, stop: number, keyStart: number, keyEnd: number): void {
    const b = this.bytes
    const code = b[start] as number
    if (((CLASS[code] as number) & WORD_BITS) === 0) {
      const afterMark = start === 0 || ((CLASS[b[start - 1] as number] as number) & WORD_BITS) === 0
      if (code === SLASH && afterMark) {
        const path = pathEnd(b, start, this.length)
        if (path > start) return this.#push(PATH, start, path, keyStart, keyEnd)
      }
      const signed = (code === DASH || code === 43) && afterMark && ((CLASS[b[start + 1] as number] as number) & DIGIT_BIT) !== 0
      if (!signed) return this.#push(PUNCTUATION, start, Math.min(stop, sameEnd(b, start, this.length)), 0, 0)
      const end = nameEnd(b, start + 1, stop)
      return this.#push(kindAt(b, start, end), start, end, keyStart, keyEnd)
    }
    const end = nameEnd(b, start, stop)
    this.#push(kindAt(b, start, end), start, end, keyStart, keyEnd)
  }
}

/** A quote as its octal number behind a backslash. */
const isQuoteNumber = (b: Uint8Array, at: number): boolean =>
  b[at] === BACKSLASH && b[at + 1] === 48 && b[at + 2] === 52 && b[at + 3] === 50

const OPENS = new Uint8Array(256)
OPENS[40] = OPENS[91] = 1

/** Longer ones may be tokens of the web, which are told from their start. */
const LONGEST_WORD = 20

/** 1: a control character, which is cleaned away first; 2: beyond ASCII, where there may be some too. */
const NEEDS = new Uint8Array(256)
export const [CONTROL, BEYOND_ASCII] = [1, 2] as const
for (let byte = 0; byte < 256; byte += 1) NEEDS[byte] = byte >= 128 ? BEYOND_ASCII : (byte < 32 && byte !== 9) || byte === 127 ? CONTROL : 0
