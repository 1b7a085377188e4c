/** kinds.ts over UTF-8 bytes: the same questions in the same order. scan.test.ts holds the two together. */
import { HOST_ENDS, isHostName } from './kinds.ts'
import { BITS, BYTE_CLASS, KINDS } from './scan-classes.ts'

const CLASS = BYTE_CLASS
const { DIGIT_BIT, HEX_BIT, LETTER_BIT, WORD_BITS } = BITS
const { BYTES, DURATION, EMAIL, HEX, HOST, IDENTIFIER, IP, NUMBER, TIMESTAMP, UUID, VERSION, WORD } = KINDS
const DOT = 46
const DASH = 45
const COLON = 58
const SLASH = 47

/** Up to five letters as one number, whatever their case; 0 when something else is among them. */
function packed(b: Uint8Array, start: number, end: number): number {
  let value = 0
  for (let i = start; i < end; i += 1) {
    const letter = ((b[i] as number) | 32) - 96
    if (letter < 1 || letter > 26 || (b[i] as number) < 65) return 0
    value = value * 27 + letter
  }
  return value
}

const packWords = (words: string): ReadonlySet<number> =>
  new Set(words.split(' ').map((word) => packed(new TextEncoder().encode(word), 0, word.length)))
const DURATIONS = packWords('ns us ms s sec secs min mins m h hrs d')
const SIZES = packWords('b k m g kb mb gb tb kib mib gib tib bytes')

/** What a byte adds to counts that lie side by side in one number, 8 bits each: no branch per byte. Longer ones are counted on. */
const TALLIED = 127
const WORD_TALLY = new Int32Array(256)
const MARK_TALLY = new Int32Array(256)
for (let byte = 0; byte < 256; byte += 1) {
  WORD_TALLY[byte] = (CLASS[byte]! & LETTER_BIT) !== 0 ? 1 : (CLASS[byte]! & DIGIT_BIT) !== 0 ? 1 << 8 : 0
}
MARK_TALLY[DOT] = 1
MARK_TALLY[DASH] = 1 << 8
MARK_TALLY[COLON] = 1 << 16
MARK_TALLY[64] = 1 << 24

export function kindAt(b: Uint8Array, start: number, end: number): number {
  if (start >= end) return WORD
  let words = 0
  let marks = 0
  const tallied = Math.min(end, start + TALLIED)
  for (let i = start; i < tallied; i += 1) {
    words += WORD_TALLY[b[i] as number] as number
    marks += MARK_TALLY[b[i] as number] as number
  }
  let letters = words & 0xff
  let digits = words >>> 8
  let dots = marks & 0xff
  let dashes = (marks >>> 8) & 0xff
  let colons = (marks >>> 16) & 0xff
  let at = marks >>> 24
  for (let i = tallied; i < end; i += 1) {
    const code = b[i] as number
    const bits = CLASS[code] as number
    if ((bits & LETTER_BIT) !== 0) letters += 1
    else if ((bits & DIGIT_BIT) !== 0) digits += 1
    else if (code === DOT) dots += 1
    else if (code === DASH) dashes += 1
    else if (code === COLON) colons += 1
    else if (code === 64) at += 1
  }
  if (at === 1 && dots > 0 && isEmail(b, start, end)) return EMAIL
  if (colons === 3 && dots === 3 && isMappedIpv4(b, start, end)) return IP
  if (colons >= 2 && isHardwareOrIpv6(b, start, end)) return end - start === 3 * colons + 2 ? HEX : IP
  if (dots > 0 && letters > 0 && at === 0 && colons === 0 && isHost(b, start, end)) return HOST
  if (letters > 0 && isHex(b, start, end, digits)) return HEX
  if (digits === 0) return WORD
  if (dots === 3 && letters === 0 && isIpv4Bytes(b, start, end)) return IP
  const numeric = numericKind(b, start, end)
  if (numeric >= 0) return numeric
  if (dashes === 4 && end - start === 36 && isUuid(b, start, end)) return UUID
  if (isTimestamp(b, start, end)) return TIMESTAMP
  return dots > 0 && colons === 0 && (letters === 0 || isProduct(b, start, end)) ? VERSION : IDENTIFIER
}

/** `::ffff:10.0.0.1` */
function isMappedIpv4(b: Uint8Array, start: number, end: number): boolean {
  if (b[start] !== COLON || b[start + 1] !== COLON || b[start + 6] !== COLON) return false
  for (let i = start + 2; i < start + 6; i += 1) if (((b[i] as number) | 32) !== 102) return false
  return isIpv4Bytes(b, start + 7, end)
}

/** `HTTP/1.1`, `curl/7.88.1` */
function isProduct(b: Uint8Array, start: number, end: number): boolean {
  let i = start
  while (i < end && (((CLASS[b[i] as number] as number) & LETTER_BIT) !== 0 || b[i] === DASH)) i += 1
  if (i === start || i + 1 >= end || b[i] !== SLASH || !isDigitAt(b, i + 1)) return false
  for (i += 1; i < end; i += 1) if (!isDigitAt(b, i) && b[i] !== DOT) return false
  return true
}

/** First letters of the endings of hosts: most names with dots end otherwise. */
const HOST_STARTS = new Uint8Array(256)
for (const ending of HOST_ENDS) HOST_STARTS[ending.charCodeAt(0)] = 1

/** The lists of endings are the reference's own: it is asked only when all else fits. */
function isHost(b: Uint8Array, start: number, end: number): boolean {
  let last = start
  for (let i = start; i < end; i += 1) {
    const code = b[i] as number
    if (code === DOT) last = i + 1
    else if (((CLASS[code] as number) & WORD_BITS) === 0 && code !== DASH) return false
  }
  if (end - last < 2 || end - last > 11) return false
  if (end - last > 2 && HOST_STARTS[b[last] as number] !== 1) return false
  for (let i = last; i < end; i += 1) if ((b[i] as number) < 97 || (b[i] as number) > 122) return false
  return isHostName(Buffer.from(b.buffer, b.byteOffset + start, end - start).toString('latin1'), 0, end - start)
}

const isDigitAt = (b: Uint8Array, i: number): boolean => ((CLASS[b[i] as number] as number) & DIGIT_BIT) !== 0

function numericKind(b: Uint8Array, start: number, end: number): number {
  const first = b[start]
  let i = digitsEnd(b, first === DASH || first === 43 ? start + 1 : start, end)
  if (i === 0 || !isDigitAt(b, i - 1)) return -1
  if (i < end && b[i] === DOT) {
    const after = digitsEnd(b, i + 1, end)
    if (after === i + 1) return -1
    i = after
  }
  if (i === end) return NUMBER
  if (((b[i] as number) | 32) === 101) {
    const sign = b[i + 1]
    const from = sign === DASH || sign === 43 ? i + 2 : i + 1
    const after = digitsEnd(b, from, end)
    if (after > from && after === end) return NUMBER
  }
  if (end - i > 5) return -1
  const unit = packed(b, i, end)
  if (unit === 0) return -1
  if (DURATIONS.has(unit) && isLowerCase(b, i, end)) return DURATION
  return SIZES.has(unit) ? BYTES : -1
}

/** `5m` is minutes, `5M` a size. */
function isLowerCase(b: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i += 1) if ((b[i] as number) < 97) return false
  return true
}

function digitsEnd(b: Uint8Array, from: number, end: number): number {
  let i = from
  while (i < end && isDigitAt(b, i)) i += 1
  return i
}

function isHex(b: Uint8Array, start: number, end: number, figures: number): boolean {
  const marked = b[start] === 48 && ((b[start + 1] as number) | 32) === 120
  const from = marked ? start + 2 : start
  if (end - from < (marked ? 1 : figures > 1 ? 6 : 8)) return false
  for (let i = from; i < end; i += 1) if (((CLASS[b[i] as number] as number) & HEX_BIT) === 0) return false
  return true
}

function isUuid(b: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i += 1) {
    const at = i - start
    const dash = at === 8 || at === 13 || at === 18 || at === 23
    if (dash ? b[i] !== DASH : ((CLASS[b[i] as number] as number) & HEX_BIT) === 0) return false
  }
  return true
}

export function isIpv4Bytes(b: Uint8Array, start: number, end: number): boolean {
  let i = start
  for (let group = 0; group < 4; group += 1) {
    const from = i
    let value = 0
    while (i < end && i < from + 3 && isDigitAt(b, i)) {
      value = value * 10 + (b[i] as number) - 48
      i += 1
    }
    if (i === from || value > 255) return false
    if (group < 3) {
      if (i >= end || b[i] !== DOT) return false
      i += 1
    }
  }
  return i === end
}

function isHardwareOrIpv6(b: Uint8Array, start: number, end: number): boolean {
  if (end - start > 64) return false
  let groups = 0
  let doubled = 0
  let length = 0
  let pairs = true
  for (let i = start; i <= end; i += 1) {
    const code = i < end ? (b[i] as number) : COLON
    if (code === COLON) {
      if (length > 0) groups += 1
      else if (i > start && i < end && b[i - 1] === COLON) doubled += 1
      if (length !== 2) pairs = false
      length = 0
    } else if (((CLASS[code] as number) & HEX_BIT) !== 0 && length < 4) length += 1
    else return false
  }
  if (groups >= 4 && pairs && doubled === 0) return true
  return doubled === 0 ? groups === 8 : doubled === 1 && groups >= 1 && groups < 8
}

function isEmail(b: Uint8Array, start: number, end: number): boolean {
  let at = -1
  let dot = -1
  for (let i = start; i < end; i += 1) {
    const code = b[i] as number
    if (code === 64) at = i
    else if (at >= 0 && code === DOT) dot = i
    else if (((CLASS[code] as number) & WORD_BITS) === 0 && code !== DASH && code !== DOT && !(at < 0 && code === 43)) return false
  }
  return at > start && dot > at + 1 && dot < end - 2
}

function isTimestamp(b: Uint8Array, start: number, end: number): boolean {
  let marks = 0
  let previous = 0
  for (let i = start; i < end; i += 1) {
    const code = b[i] as number
    const digit = code >= 48 && code <= 57
    if (code === DASH || code === SLASH || code === COLON) marks += 1
    else if (code === 84 || code === 90 || code === 43 || code === DOT) {
      if (marks < 2) return false
    } else if (!digit) return false
    if (!digit && (i === start || (!(previous >= 48 && previous <= 57) && code !== 43))) return false
    previous = code
  }
  const clock = end - start === 5 && b[start + 2] === COLON
  return (marks >= 2 || clock) && ((previous >= 48 && previous <= 57) || previous === 90)
}
