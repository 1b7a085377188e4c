/** Where the pieces of a message end, over bytes: the helpers of tokens.ts under the same names. */
import { BITS, BYTE_CLASS } from './scan-classes.ts'
import { isIpv4Bytes } from './scan-kinds.ts'

const CLASS = BYTE_CLASS
const { DIGIT_BIT, ENDS_PATH_BIT, INNER_BIT, LETTER_BIT, SPACE_BIT, TRAILING_BIT, WORD_BITS } = BITS
const [SLASH, COLON, EQUALS, DASH, BACKSLASH] = [47, 58, 61, 45, 92] as const

export function closingQuote(b: Uint8Array, from: number, length: number): number {
  const quote = b[from]
  for (let i = from + 1; i < length; i += 1) {
    const code = b[i]
    if (code === BACKSLASH) i += 1
    else if (code === quote) return i
  }
  return -1
}

export function sameEnd(b: Uint8Array, from: number, length: number): number {
  const code = b[from]
  let i = from + 1
  while (i < length && b[i] === code) i += 1
  return i
}

export function nameEnd(b: Uint8Array, from: number, stop: number): number {
  let i = from + 1
  while (i < stop) {
    const bits = CLASS[b[i] as number] as number
    if ((bits & WORD_BITS) !== 0) i += 1
    else if ((bits & INNER_BIT) !== 0) {
      const after = sameEnd(b, i, stop)
      if (after >= stop || ((CLASS[b[after] as number] as number) & WORD_BITS) === 0 || (after > i + 1 && b[i] !== DASH)) break
      i = after + 1
    } else break
  }
  return Math.min(i, stop)
}

export function webEnd(b: Uint8Array, start: number, length: number): number {
  let i = start
  while (i < length && ((CLASS[b[i] as number] as number) & WORD_BITS) !== 0) i += 1
  if (i - start < 2 || b[i] !== COLON || b[i + 1] !== SLASH) return -1
  return b[i + 2] === SLASH ? pathStop(b, i + 3, i + 3, length) : -1
}

export function pathEnd(b: Uint8Array, start: number, length: number): number {
  const first = b[start] as number
  const letter = ((CLASS[first] as number) & LETTER_BIT) !== 0
  if (letter && b[start + 1] === COLON && b[start + 2] === BACKSLASH) return pathStop(b, start + 3, start + 2, length)
  const next = b[start + 1]
  if (first === 46 && (next === SLASH || (next === 46 && b[start + 2] === SLASH))) return pathStop(b, start + 2, start + 2, length)
  const rooted = first === SLASH || (first === 126 && next === SLASH)
  const second = CLASS[next as number] as number
  if (rooted ? first === SLASH && (second & WORD_BITS) === 0 && next !== 46 : !letter) return -1
  let steps = 0
  let digits = 0
  let i = start
  for (; i < length; i += 1) {
    const code = b[i] as number
    if (((CLASS[code] as number) & (SPACE_BIT | ENDS_PATH_BIT)) !== 0) break
    if (code === SLASH) steps += 1
    else if (code >= 48 && code <= 57) digits += 1
    if ((code === COLON || code === EQUALS) && (!rooted || steps < 2)) return -1
    if (!rooted && code === SLASH && steps === 1 && ((CLASS[b[i + 1] as number] as number) & DIGIT_BIT) !== 0) return -1
  }
  let stop = i
  while (stop > start && ((CLASS[b[stop - 1] as number] as number) & TRAILING_BIT) !== 0) stop -= 1
  if (stop <= start + 1) return -1
  if (!rooted) return steps >= 2 ? stop : -1
  if (steps === 1) return digits > 0 && (second & LETTER_BIT) !== 0 ? stop : -1
  return startsAsAddress(b, start + 1, stop) ? -1 : stop
}

/** The end of a JSON web token, or -1. */
export function webTokenEnd(b: Uint8Array, start: number, length: number): number {
  if (b[start] !== 101 || b[start + 1] !== 121 || b[start + 2] !== 74) return -1
  let i = start
  while (i < length && (((CLASS[b[i] as number] as number) & WORD_BITS) !== 0 || b[i] === 46 || b[i] === DASH)) i += 1
  return i - start > MIN_TOKEN ? i : -1
}

const MIN_TOKEN = 20

function startsAsAddress(b: Uint8Array, start: number, stop: number): boolean {
  let i = start
  while (i < stop && (((CLASS[b[i] as number] as number) & DIGIT_BIT) !== 0 || b[i] === 46)) i += 1
  return isIpv4Bytes(b, start, i)
}

function pathStop(b: Uint8Array, from: number, least: number, length: number): number {
  let i = from
  while (i < length && ((CLASS[b[i] as number] as number) & (SPACE_BIT | ENDS_PATH_BIT)) === 0) i += 1
  while (i > least && ((CLASS[b[i - 1] as number] as number) & TRAILING_BIT) !== 0) i -= 1
  return i
}

/** The first backslash with three digits up to 7 behind it, or -1. */
export function firstOctal(b: Uint8Array, start: number, stop: number): number {
  for (let i = start; i < stop; i += 1) if (b[i] === BACKSLASH && isOctal(b, i + 1)) return i
  return -1
}

function isOctal(b: Uint8Array, at: number): boolean {
  for (let i = at; i < at + 3; i += 1) if ((b[i] as number) < 48 || (b[i] as number) > 55) return false
  return true
}

export function hasPort(b: Uint8Array, start: number, end: number): boolean {
  let i = start
  while (i < end && b[i] !== COLON) i += 1
  return i < end && isIpv4Bytes(b, start, i)
}
