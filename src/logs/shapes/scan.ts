/**
 * tokens.ts and shape.ts over UTF-8 bytes, without an object per token: what tokenise and partsOf say of a message, this says
 * of its bytes. The strings are the reference; scan.test.ts holds the two together.
 */
import {
  ALONE_BIT, CLASS, DIGIT_BIT, EMPTY, HOST, HEX, HEX_BIT, IDENTIFIER, IP, IRI, KIND_NAMES, LETTER_BIT, LIST, NAME, NUMBER, PATH, PUNCTUATION,
  QUOTED, SPACE_BIT, TEXT, TIMESTAMP, TRAILING_BIT, VERSION, WORD, WORD_BITS, kindAt,
} from './scan-kinds.ts'
import { isFileName } from './kinds.ts'
import { closingQuote, hasPort, isOctal, nameEnd, pathEnd, sameEnd, webEnd, webTokenEnd } from './scan-ends.ts'
import { DATE_WORD, LITERAL, VERSION_WORD, WordFlags, ZONE } from './scan-words.ts'
import { partsOf } from './shape.ts'
import { MAX_TOKENS } from './tokens.ts'

const [SLASH, COLON, EQUALS, DASH, QUOTE, APOSTROPHE, BACKSLASH] = [47, 58, 61, 45, 34, 39, 92] as const
/** One token may push three, the last one holds the rest, and nothing in brackets is a token too. */
const ROOM = MAX_TOKENS * 2 + 8

export class Scanner {
  /** the message, with zeros behind it: looking past its end finds nothing */
  bytes: Buffer = Buffer.alloc(4096)
  length = 0
  /** parts: constants have the kind WORD or PUNCTUATION */
  parts = 0
  readonly kind = new Uint8Array(ROOM)
  readonly start = new Int32Array(ROOM)
  readonly end = new Int32Array(ROOM)
  readonly spaced = new Uint8Array(ROOM)
  /** the name before `=`; none when the end is 0 */
  readonly keyStart = new Int32Array(ROOM)
  readonly keyEnd = new Int32Array(ROOM)
  /** beyond ASCII the keys are texts */
  keysAreTexts = false
  readonly keys: string[] = []
  readonly #words = new WordFlags()
  #tokens = 0
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
    this.#settle()
    this.#join()
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
    this.#tokens = 0
    for (const part of partsOf(message)) {
      this.#spaced = part.spaced ? 1 : 0
      const start = place(part.start)
      this.#push(part.slot ? KIND_NAMES.indexOf(part.kind) : WORD, start, place(part.end), 0, 0)
      this.keys[this.#tokens - 1] = part.slot ? part.key : ''
    }
    this.parts = this.#tokens
    this.keysAreTexts = true
  }

  #push(kind: number, start: number, end: number, keyStart: number, keyEnd: number): void {
    const i = this.#tokens
    this.kind[i] = kind
    this.start[i] = start
    this.end[i] = end
    this.spaced[i] = this.#spaced
    this.keyStart[i] = keyStart
    this.keyEnd[i] = keyEnd
    this.#tokens = i + 1
    this.#spaced = 0
    this.#at = end
  }

  #tokenise(): void {
    const b = this.bytes
    const { length } = this
    this.#tokens = 0
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
      if (this.#tokens >= MAX_TOKENS) {
        this.#push(TEXT, i, length, 0, 0)
        break
      }
      const name = this.#nameBefore(i)
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

  /** The token that is the key of `key=`, where the message goes on directly behind it; else -1. */
  #nameBefore(at: number): number {
    const equals = this.#tokens - 1
    const name = equals - 1
    if (name < 0 || this.end[equals] !== at || this.end[name] !== this.start[equals] || this.start[equals] !== at - 1) return -1
    if (this.bytes[at - 1] !== EQUALS || this.kind[name] === PUNCTUATION) return -1
    return ((CLASS[this.bytes[this.start[name] as number] as number] as number) & LETTER_BIT) === 0 ? -1 : name
  }

  #run(start: number, keyed: boolean, keyStart: number, keyEnd: number): void {
    const b = this.bytes
    const { length } = this
    let stop = start
    let slashes = 0
    let octal = -1
    let all = 0xff
    let hex: number = HEX_BIT
    while (stop < length) {
      const code = b[stop] as number
      const bits = CLASS[code] as number
      if ((bits & (SPACE_BIT | ALONE_BIT)) !== 0) break
      if (code === SLASH) slashes += 1
      else if (code === BACKSLASH && octal < 0 && isOctal(b, stop + 1)) octal = stop
      all &= bits
      hex &= bits
      stop += 1
    }
    // most runs are a word or a number and nothing else
    if (!keyed && (all & LETTER_BIT) !== 0 && (hex === 0 || stop - start < 8) && stop - start <= LONGEST_WORD) {
      return this.#push(WORD, start, stop, 0, 0)
    }
    if ((all & DIGIT_BIT) !== 0) return this.#push(NUMBER, start, stop, keyStart, keyEnd)
    if (octal === start) return this.#push(PUNCTUATION, start, start + 4, 0, 0)
    const token = webTokenEnd(b, start, length)
    if (token > start) return this.#push(IDENTIFIER, start, token, keyStart, keyEnd)
    // an address on the web and a path hold a slash or a backslash
    if (slashes > 0 || b[start + 2] === BACKSLASH) {
      const web = slashes > 0 ? webEnd(b, start, length) : -1
      if (web > start) return this.#push(IRI, start, web, keyStart, keyEnd)
      const path = pathEnd(b, start, length)
      if (path > start) return this.#push(PATH, start, path, keyStart, keyEnd)
    }
    if (octal > start) stop = octal
    let end = stop
    while (end > start && ((CLASS[b[end - 1] as number] as number) & TRAILING_BIT) !== 0) end -= 1
    if (end > start && (keyed || ((CLASS[b[start] as number] as number) & WORD_BITS) !== 0 || b[start] === COLON)) {
      const kind = kindAt(b, start, end)
      if (kind !== WORD && kind !== IDENTIFIER && kind !== HOST) return this.#push(kind, start, end, keyStart, keyEnd)
      const whole = !hasPort(b, start, end)
      if (whole && keyed) return this.#push(kind === WORD ? NAME : kind, start, end, keyStart, keyEnd)
      if (whole && kind !== WORD && this.#isQuoted(stop)) return this.#push(kind, start, stop, 0, 0)
    }
    this.#piece(start, stop, keyStart, keyEnd)
    while (this.#at < stop && this.#tokens < MAX_TOKENS) this.#piece(this.#at, stop, 0, 0)
  }

  /** The same quote stands directly before and at `stop`: a mark, or the octal number of one. */
  #isQuoted(stop: number): boolean {
    const last = this.#tokens - 1
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

  /** What a token is by what stands beside it, as `settled` of the reference. */
  #settle(): void {
    const b = this.bytes
    let empties = 0
    for (let i = 0; i < this.#tokens; i += 1) {
      const kind = this.kind[i] as number
      if (kind !== PUNCTUATION) this.kind[i] = this.#kindBeside(i, kind)
      else {
        const open = b[this.start[i] as number]
        if ((open === 40 || open === 91) && i + 1 < this.#tokens && this.#isEmptyPair(i, open)) empties += 1
      }
    }
    if (empties > 0) this.#insertEmpties(empties)
  }

  #kindBeside(i: number, kind: number): number {
    const last = i + 1 === this.#tokens
    if (!last && this.#isKey(i)) return WORD
    if (kind === NAME) return (this.keyEnd[i] as number) > 0 && !last && this.#isOpenedBehind(i) ? WORD : kind
    if ((kind === WORD || kind === IDENTIFIER) && this.#isBeforePort(i)) return HOST
    if (kind === IP) return i > 0 && (this.#flags(i - 1) & VERSION_WORD) !== 0 ? VERSION : kind
    if (kind !== WORD) return kind
    const flags = this.#flags(i)
    if (flags === 0) return kind
    const dated = i > 0 && this.kind[i - 1] === TIMESTAMP
    if ((flags & DATE_WORD) !== 0 && (dated || (!last && this.#isDated(i + 1)))) return TIMESTAMP
    if ((flags & ZONE) !== 0 && dated) return TIMESTAMP
    return (flags & LITERAL) !== 0 ? NAME : kind
  }

  #flags(i: number): number {
    return this.#words.of(this.bytes, this.start[i] as number, this.end[i] as number)
  }

  /** `Rect` of `bounds=Rect(0, 0)` */
  #isOpenedBehind(i: number): boolean {
    const end = this.end[i] as number
    const open = this.bytes[end]
    return this.start[i + 1] === end && (open === 40 || open === 91 || open === 123)
  }

  #isKey(i: number): boolean {
    const end = this.end[i] as number
    return this.keyEnd[i] === 0 && this.start[i + 1] === end && this.end[i + 1] === end + 1 && this.bytes[end] === EQUALS
      && ((CLASS[this.bytes[this.start[i] as number] as number] as number) & LETTER_BIT) !== 0
  }

  #isEmptyPair(i: number, open: number): boolean {
    const start = this.start[i] as number
    if (this.spaced[i] !== 1 || (this.end[i] as number) - start !== 1 || this.spaced[i + 1] === 1) return false
    return this.bytes[this.start[i + 1] as number] === (open === 40 ? 41 : 93)
  }

  /** From the end, so that nothing is overwritten before it has moved. */
  #insertEmpties(empties: number): void {
    let to = this.#tokens + empties - 1
    for (let i = this.#tokens - 1; i >= 0; i -= 1) {
      const open = this.bytes[this.start[i] as number] as number
      const empty = this.kind[i] === PUNCTUATION && (open === 40 || open === 91) && i + 1 < this.#tokens && this.#emptyBehind(i, to, open)
      if (empty) this.#put(to--, EMPTY, this.end[i] as number, this.end[i] as number, 0, 0, 0)
      this.#put(to--, this.kind[i] as number, this.start[i] as number, this.end[i] as number, this.spaced[i] as number, this.keyStart[i] as number, this.keyEnd[i] as number)
    }
    this.#tokens += empties
  }

  /** Whether the token behind, which has moved to `to + 1`, closes an empty pair. */
  #emptyBehind(i: number, to: number, open: number): boolean {
    const start = this.start[i] as number
    if (this.spaced[i] !== 1 || (this.end[i] as number) - start !== 1 || this.spaced[to + 1] === 1) return false
    return this.bytes[this.start[to + 1] as number] === (open === 40 ? 41 : 93)
  }

  #put(i: number, kind: number, start: number, end: number, spaced: number, keyStart: number, keyEnd: number): void {
    this.kind[i] = kind
    this.start[i] = start
    this.end[i] = end
    this.spaced[i] = spaced
    this.keyStart[i] = keyStart
    this.keyEnd[i] = keyEnd
  }

  #isBeforePort(i: number): boolean {
    const b = this.bytes
    const end = this.end[i] as number
    const code = b[end]
    if ((code !== COLON && code !== SLASH) || i + 2 >= this.#tokens) return false
    if (this.start[i + 1] !== end || this.start[i + 2] !== end + 1) return false
    const digits = (this.end[i + 2] as number) - (this.start[i + 2] as number)
    const port = this.kind[i + 2]
    const named = code === COLON
      ? port === NUMBER && digits >= 2 && digits <= 5 && b[this.end[i + 2] as number] !== COLON
      : code === SLASH && port === IP
    if (!named || isFileName(this.#text(i), 0, end - (this.start[i] as number))) return false
    let marks = 0
    for (let at = this.start[i] as number; at < end; at += 1) {
      const inside = b[at]
      if (inside === 46 || inside === DASH) marks += 1
      else if (inside === 95 || inside === 36) return false
    }
    return marks > 0
  }

  #isDated(i: number): boolean {
    if (this.spaced[i] !== 1) return false
    if (this.kind[i] === TIMESTAMP || (this.#flags(i) & DATE_WORD) !== 0) return true
    return this.kind[i] === NUMBER && (this.end[i] as number) - (this.start[i] as number) <= 2
  }

  #text(i: number): string {
    return this.bytes.toString('latin1', this.start[i], this.end[i])
  }

  /** Lists become one part; the tokens are moved together in place. */
  #join(): void {
    let parts = 0
    for (let i = 0; i < this.#tokens; parts += 1) {
      const value = (this.kind[i] as number) < WORD
      const bracketed = this.#isMarkAt(parts - 1, 91) ? this.#bracketEnd(i, this.#isMarkAt(parts - 2, EQUALS)) : -1
      const next = bracketed > i ? bracketed : value ? this.#listEnd(i) : i + 1
      if (next === i + 1 && i === parts && (value || bracketed < 0)) {
        i = next
        continue
      }
      const end = this.end[next - 1] as number
      this.kind[parts] = next - i > 1 || (bracketed > i && !value) ? LIST : (this.kind[i] as number)
      this.start[parts] = this.start[i] as number
      this.end[parts] = end
      this.spaced[parts] = this.spaced[i] as number
      this.keyStart[parts] = this.keyStart[i] as number
      this.keyEnd[parts] = this.keyEnd[i] as number
      i = next
    }
    this.parts = parts
  }

  /** Whether a part, which is where its token was or moved to, is this mark. */
  #isMarkAt(i: number, code: number): boolean {
    return i >= 0 && this.kind[i] === PUNCTUATION && this.bytes[this.start[i] as number] === code
      && (this.end[i] as number) - (this.start[i] as number) === 1
  }

  /** Where the elements of `[shanghai, suzhou]` end, or -1; a single one counts only behind `=`. */
  #bracketEnd(from: number, keyed: boolean): number {
    let at = from
    let elements = 0
    for (;;) {
      if (at >= this.#tokens || this.kind[at] === PUNCTUATION || (elements > 0 && this.spaced[at] === 0)) return -1
      elements += 1
      at += 1
      if (at >= this.#tokens) return -1
      if (this.#isMarkAt(at, 93)) break
      if (!this.#isMarkAt(at, 44)) return -1
      at += 1
    }
    return elements > 1 || keyed ? at : -1
  }

  /** Figures go together, anything else with its own kind. */
  #alike(i: number, other: number): boolean {
    return this.kind[i] === this.kind[other] || (isFigure(this.kind[i] as number) && isFigure(this.kind[other] as number))
  }

  #listEnd(from: number): number {
    const first = this.#elementEnd(from)
    if (first >= this.#tokens) return from + 1
    const marked = this.kind[first] === PUNCTUATION
    let end = first
    let elements = 1
    for (;;) {
      if (marked && !this.#sameMark(end, first)) break
      const next = marked ? end + 1 : end
      if (next >= this.#tokens || (this.kind[next] as number) >= WORD || (this.keyEnd[next] as number) > 0 || !this.#alike(from, next)) break
      if (!marked && this.spaced[next] === 0) break
      end = this.#elementEnd(next)
      elements += 1
    }
    if (elements === 1) return from + 1
    const comma = (this.end[first] as number) - (this.start[first] as number) === 1 && this.bytes[this.start[first] as number] === 44
    return elements >= (!marked || comma ? 2 : 3) ? end : from + 1
  }

  /** Marks are runs of one character: equal when that and their lengths are. */
  #sameMark(i: number, other: number): boolean {
    return i < this.#tokens && this.kind[i] === PUNCTUATION
      && (this.end[i] as number) - (this.start[i] as number) === (this.end[other] as number) - (this.start[other] as number)
      && this.bytes[this.start[i] as number] === this.bytes[this.start[other] as number]
  }

  #elementEnd(at: number): number {
    if (at + 2 >= this.#tokens || this.kind[at] !== IP || this.kind[at + 1] !== PUNCTUATION || this.kind[at + 2] !== NUMBER) return at + 1
    if (this.spaced[at + 1] === 1 || this.spaced[at + 2] === 1) return at + 1
    return this.end[at + 1] === (this.start[at + 1] as number) + 1 && this.bytes[this.start[at + 1] as number] === COLON ? at + 3 : at + 1
  }
}

const isFigure = (kind: number): boolean => kind === NUMBER || kind === HEX || kind === TIMESTAMP || kind === VERSION

/** A quote as its octal number behind a backslash. */
const isQuoteNumber = (b: Uint8Array, at: number): boolean =>
  b[at] === BACKSLASH && b[at + 1] === 48 && b[at + 2] === 52 && b[at + 3] === 50

/** Longer ones may be tokens of the web, which are told from their start. */
const LONGEST_WORD = 20

/** 1: a control character, which is cleaned away first; 2: beyond ASCII, where there may be some too. */
const NEEDS = new Uint8Array(256)
export const [CONTROL, BEYOND_ASCII] = [1, 2] as const
for (let byte = 0; byte < 256; byte += 1) NEEDS[byte] = byte >= 128 ? BEYOND_ASCII : (byte < 32 && byte !== 9) || byte === 127 ? CONTROL : 0
