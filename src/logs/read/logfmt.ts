/** `time=2026-01-31T10:20:30Z level=info msg="link down" node=crt-07`: pairs all the way, a message among them. */
import { BACKSLASH, QUOTE, isDigitByte, isLetterByte, skipBlanks, textOf, trimmedEnd } from './bytes.ts'
import { type Fields, type Scratch, isEmpty, setRange } from './fields.ts'
import { rankedRole } from './keys.ts'
import { levelOfNumber, levelOfWord } from './level.ts'
import { type TimeReader, epochMs } from './time.ts'

/**
 * False when the line is no logfmt: it must start with a pair, consist of pairs, and name a message or a level. A plain
 * message that merely starts with `key=value` is none.
 */
export function readLogfmt(b: Uint8Array, start: number, end: number, fields: Fields, times: TimeReader, scratch: Scratch): boolean {
  const stop = trimmedEnd(b, start, end)
  let told = false
  let pairs = 0
  for (let at = start; at < stop; pairs += 1) {
    const split = keyEnd(b, at, stop)
    if (split < 0) return false
    const role = rankedRole(b, at, split)?.role
    told ||= role === 'message' || role === 'level'
    at = skipBlanks(b, valueEnd(b, split + 1, stop), stop)
  }
  if (!told || pairs < 2) return false
  scratch.clear()
  // the message first, whatever its place
  for (let at = start; at < stop; ) {
    const split = keyEnd(b, at, stop)
    const close = valueEnd(b, split + 1, stop)
    const quoted = b[split + 1] === QUOTE ? 1 : 0
    const [from, to] = [split + 1 + quoted, close - quoted]
    const role = rankedRole(b, at, split)?.role
    if (role === 'message' && scratch.length === 0) appendUnquoted(b, from, to, scratch)
    else if (role === 'time' && Number.isNaN(fields.tsMs)) readTime(b, from, to, fields, times)
    else if (role === 'level' && !fields.levelled) {
      const level = isDigitByte(b[from]) ? levelOfNumber(Number(textOf(b, from, to))) : levelOfWord(b, from, to)
      fields.levelled = level !== undefined
      if (level !== undefined) fields.level = level
    } else if (role === 'service' && isEmpty(fields.service)) setRange(fields.service, b, from, to)
    else if (role === 'trace' && isEmpty(fields.trace)) setRange(fields.trace, b, from, to)
    at = skipBlanks(b, close, stop)
  }
  for (let at = start; at < stop; ) {
    const split = keyEnd(b, at, stop)
    const close = valueEnd(b, split + 1, stop)
    if (rankedRole(b, at, split) === undefined) {
      if (scratch.length > 0) scratch.push(32)
      scratch.append(b, at, close)
    }
    at = skipBlanks(b, close, stop)
  }
  setRange(fields.message, scratch.bytes, 0, scratch.length)
  return true
}

function readTime(b: Uint8Array, from: number, to: number, fields: Fields, times: TimeReader): void {
  if (times.read(b, from, to) && times.found.end === to) fields.tsMs = times.found.tsMs
  else if (isDigitByte(b[from])) fields.tsMs = epochMs(Number(textOf(b, from, to)))
  if (Number.isNaN(fields.tsMs)) fields.note = 'implausible_time'
}

/** The place of the `=` behind a name that starts here, or -1. */
function keyEnd(b: Uint8Array, from: number, stop: number): number {
  if (!isLetterByte(b[from]) && b[from] !== 95 && b[from] !== 64) return -1
  for (let at = from + 1; at < stop && at - from <= 64; at += 1) {
    const byte = b[at] as number
    if (byte === 61) return at
    if (!isLetterByte(byte) && !isDigitByte(byte) && byte !== 95 && byte !== 46 && byte !== 45 && byte !== 64 && byte !== 47) return -1
  }
  return -1
}

function valueEnd(b: Uint8Array, from: number, stop: number): number {
  if (b[from] !== QUOTE) {
    let at = from
    while (at < stop && b[at] !== 32 && b[at] !== 9) at += 1
    return at
  }
  let at = from + 1
  while (at < stop && b[at] !== QUOTE) at += b[at] === BACKSLASH ? 2 : 1
  return Math.min(at + 1, stop)
}

function appendUnquoted(b: Uint8Array, from: number, to: number, scratch: Scratch): void {
  for (let at = from; at < to; at += 1) {
    if (b[at] === BACKSLASH && at + 1 < to) {
      at += 1
      const byte = b[at] as number
      scratch.push(byte === 110 || byte === 116 || byte === 114 ? 32 : byte)
    } else scratch.push(b[at] as number)
  }
}
