/** Plain lines: a time, a level, who speaks, and the message behind them; every one of the first three may be missing. */
import { isBlankByte, isDigitByte, isLetterByte, skipBlanks, trimmedEnd, wordEnd } from './bytes.ts'
import { type Fields, type LineSkip, isEmpty, setRange } from './fields.ts'
import { CRITICAL, DEBUG, ERROR, INFO, type Level, WARN, isLevelInHeader, levelOfWord } from './level.ts'
import type { TimeReader } from './time.ts'

/** How many words of a header may stand between the time and the level: a process, a thread, a host. */
const WORDS_BEFORE_LEVEL = 3
/** Before the time: an alert mark, a file name, a number. */
const WORDS_BEFORE_TIME = 3
const HEADER_BYTES = 160

const LETTER_LEVELS: Readonly<Record<number, Level>> = { 86: DEBUG, 68: DEBUG, 73: INFO, 87: WARN, 69: ERROR, 70: CRITICAL }

/** Reads `start..end` of a line whose time may have been found by an outer format already. */
export function readPlain(b: Uint8Array, start: number, end: number, fields: Fields, times: TimeReader): LineSkip | null {
  let at = skipBlanks(b, start, end)
  const stop = trimmedEnd(b, at, end)
  let timed = false
  for (let word = at, words = 0; words < WORDS_BEFORE_TIME; words += 1) {
    const behind = readTime(b, word, stop, fields, times)
    if (behind >= 0) {
      timed = true
      const letter = isLetterByte(b[word]) && isDigitByte(b[word + 1]) ? LETTER_LEVELS[b[word] as number] : undefined
      if (letter !== undefined) return klog(b, behind, stop, letter, fields)
      at = skipJoint(b, behind, stop)
      break
    }
    const next = wordEnd(b, word, Math.min(stop, word + HEADER_BYTES))
    if (isSpoken(b, word, next)) break
    word = skipBlanks(b, next, stop)
  }
  at = readLevel(b, at, stop, fields, timed)
  setRange(fields.message, b, at, stop)
  return isEmpty(fields.message) ? 'no_message' : null
}

/** Behind the time that starts here, in brackets or not; -1 when there is none. */
function readTime(b: Uint8Array, at: number, stop: number, fields: Fields, times: TimeReader): number {
  const open = b[at] === 91 ? 1 : 0
  if (!times.read(b, at + open, stop)) return -1
  const { tsMs, end, yearless } = times.found
  const closed = b[end] === 93
  if (open === 1 && !closed && b[end] !== 32) return -1
  fields.tsMs = tsMs
  fields.note = Number.isNaN(tsMs) ? 'implausible_time' : yearless ? 'assumed_year' : fields.note
  return closed ? end + 1 : end
}

/** A word of a sentence: a time behind it is part of what is said. */
function isSpoken(b: Uint8Array, from: number, end: number): boolean {
  for (let i = from; i < end; i += 1) if (!isLetterByte(b[i])) return false
  return true
}

/** `I0131 10:20:30.123456    1234 file.go:12] message` */
function klog(b: Uint8Array, from: number, stop: number, level: Level, fields: Fields): LineSkip | null {
  const limit = Math.min(stop, from + HEADER_BYTES)
  let at = from
  while (at < limit && b[at] !== 93) at += 1
  fields.level = level
  fields.levelled = true
  setRange(fields.message, b, skipBlanks(b, at < limit ? at + 1 : from, stop), stop)
  return isEmpty(fields.message) ? 'no_message' : null
}

/** White space and the marks that stand between the parts of a header: `: | , -`. */
function skipJoint(b: Uint8Array, from: number, end: number): number {
  let at = from
  while (at < end && (isBlankByte(b[at]) || b[at] === 58 || b[at] === 124 || b[at] === 44 || b[at] === 45)) at += 1
  return at
}

/** Where the message starts. Without a level the whole rest is message: a guess would cut words off. */
function readLevel(b: Uint8Array, from: number, stop: number, fields: Fields, timed: boolean): number {
  let at = from
  const limit = Math.min(stop, from + HEADER_BYTES)
  for (let words = 0; words <= (timed ? WORDS_BEFORE_LEVEL : 0) && at < limit; words += 1) {
    const end = wordEnd(b, at, stop)
    let left = at
    let right = end
    while (left < right && isBracket(b[left] as number)) left += 1
    while (right > left && (isBracket(b[right - 1] as number) || b[right - 1] === 58 || b[right - 1] === 44)) right -= 1
    const level = levelOfWord(b, left, right)
    const marked = left > at || right < end
    if (level !== undefined && (words === 0 || marked || isLevelInHeader(b, left, right))) {
      fields.level = level
      fields.levelled = true
      return readSpeaker(b, skipJoint(b, end, stop), stop, fields)
    }
    // logcat: `1702  2395 D WindowManager: message`
    const letter = end === at + 1 && words > 0 && isDigitByte(b[from]) ? LETTER_LEVELS[b[at] as number] : undefined
    if (letter !== undefined) {
      fields.level = letter
      fields.levelled = true
      return readSpeaker(b, skipJoint(b, end, stop), stop, fields)
    }
    at = skipBlanks(b, end, stop)
  }
  return from
}

const isBracket = (byte: number): boolean =>
  byte === 91 || byte === 93 || byte === 60 || byte === 62 || byte === 40 || byte === 41 || byte === 124

/** `router: link down`, `[main] router: link down`, `[router] link down`: who speaks stands behind the level. */
function readSpeaker(b: Uint8Array, from: number, stop: number, fields: Fields): number {
  let at = from
  let bracketed = -1
  let behind = from
  for (let words = 0; words < 3 && at < stop; words += 1) {
    const end = wordEnd(b, at, Math.min(stop, at + HEADER_BYTES))
    if (b[at] === 91 && b[end - 1] === 93 && end - at > 2) {
      if (bracketed < 0) bracketed = at
      at = behind = skipJoint(b, end, stop)
      continue
    }
    const colon = b[end - 1] === 58 ? end - 1 : -1
    if (colon > at && isName(b, at, colon)) {
      setRange(fields.service, b, at, colon)
      return skipJoint(b, end, stop)
    }
    break
  }
  if (bracketed < 0) return from
  const close = b.indexOf(93, bracketed)
  if (isName(b, bracketed + 1, close)) setRange(fields.service, b, bracketed + 1, close)
  return behind
}

/** A letter, then letters, digits and `_ . - $ / #`; at most 96 bytes. */
function isName(b: Uint8Array, from: number, end: number): boolean {
  if (end - from > 96 || !isLetterByte(b[from])) return false
  for (let i = from; i < end; i += 1) {
    const byte = b[i] as number
    const fits = isLetterByte(byte) || isDigitByte(byte) || byte === 95 || byte === 46 || byte === 45 || byte === 36 || byte === 47 || byte === 35
    if (!fits) return false
  }
  return true
}
