/** Syslog: RFC 5424 with its structured data, RFC 3164 with or without its priority, and the common log format of web servers. */
import { QUOTE, isDigitByte, isLetterByte, skipBlanks, standsAt, trimmedEnd, wordEnd } from './bytes.ts'
import { type Fields, type LineSkip, type Scratch, isEmpty, setRange } from './fields.ts'
import { roleOf } from './keys.ts'
import { ERROR, INFO, WARN, syslogLevel } from './level.ts'
import { readPlain } from './header.ts'
import type { TimeReader } from './time.ts'

/** `<34>1 2026-...` and `<34>Oct 11 22:14:15 host app[1]: ...`; undefined when the priority is none. */
export function readPriority(
  b: Uint8Array, start: number, end: number, fields: Fields, times: TimeReader, scratch: Scratch,
): LineSkip | null | undefined {
  let at = start + 1
  let priority = 0
  while (isDigitByte(b[at]) && at < start + 4) priority = priority * 10 + (b[at++] as number) - 48
  if (b[at] !== 62 || at === start + 1 || priority > 191) return undefined
  fields.level = syslogLevel(priority & 7)
  fields.levelled = true
  at += 1
  if (b[at] === 49 && b[at + 1] === 32) return read5424(b, at + 2, end, fields, times, scratch)
  if (!readBsd(b, at, end, fields, times)) {
    const level = fields.level
    const skip = readPlain(b, at, end, fields, times)
    fields.level = level
    return skip
  }
  return isEmpty(fields.message) ? 'no_message' : null
}

function read5424(b: Uint8Array, from: number, end: number, fields: Fields, times: TimeReader, scratch: Scratch): LineSkip | null {
  const stop = trimmedEnd(b, from, end)
  let at = from
  const timeEnd = wordEnd(b, at, stop)
  if (times.read(b, at, timeEnd)) {
    fields.tsMs = times.found.tsMs
    if (Number.isNaN(fields.tsMs)) fields.note = 'implausible_time'
  }
  at = skipBlanks(b, wordEnd(b, skipBlanks(b, timeEnd, stop), stop), stop) // behind the host
  const appEnd = wordEnd(b, at, stop)
  if (b[at] !== 45 || appEnd > at + 1) setRange(fields.service, b, at, appEnd)
  at = skipBlanks(b, wordEnd(b, skipBlanks(b, appEnd, stop), stop), stop) // behind the process
  const idStart = at
  const idEnd = wordEnd(b, at, stop)
  at = skipBlanks(b, idEnd, stop)
  const dataStart = at
  const dataEnd = b[at] === 91 ? structuredEnd(b, at, stop) : wordEnd(b, at, stop)
  at = skipBlanks(b, dataEnd, stop)
  if (standsAt(b, at, stop, '\u00ef\u00bb\u00bf')) at += 3
  if (b[dataStart] !== 91) setRange(fields.message, b, at, stop)
  else withData(b, { messageStart: at, stop, dataStart, dataEnd }, fields, scratch)
  // an id says what happened where nothing else does
  if (isEmpty(fields.message) && b[idStart] !== 45) setRange(fields.message, b, idStart, idEnd)
  return isEmpty(fields.message) ? 'no_message' : null
}

/** Behind the last `]` of `[id key="value"][id ...]`; a bracket inside quotes does not count. */
function structuredEnd(b: Uint8Array, from: number, stop: number): number {
  let quoted = false
  for (let at = from; at < stop; at += 1) {
    const byte = b[at]
    if (byte === 92) at += 1
    else if (byte === QUOTE) quoted = !quoted
    else if (byte === 93 && !quoted && b[at + 1] !== 91) return at + 1
  }
  return stop
}

interface Pieces {
  readonly messageStart: number
  readonly stop: number
  readonly dataStart: number
  readonly dataEnd: number
}

/** The parameters of the structured data stand behind the message as `key="value"`; a trace becomes the trace. */
function withData(b: Uint8Array, { messageStart, stop, dataStart, dataEnd }: Pieces, fields: Fields, scratch: Scratch): void {
  scratch.clear()
  scratch.append(b, messageStart, stop)
  for (let at = dataStart; at < dataEnd; at += 1) {
    if (b[at] !== 61 || b[at + 1] !== QUOTE) continue
    let keyStart = at
    while (keyStart > dataStart && b[keyStart - 1] !== 32 && b[keyStart - 1] !== 91) keyStart -= 1
    let close = at + 2
    while (close < dataEnd && b[close] !== QUOTE) close += b[close] === 92 ? 2 : 1
    if (roleOf(b, keyStart, at) === 'trace') setRange(fields.trace, b, at + 2, close)
    else {
      if (scratch.length > 0) scratch.push(32)
      scratch.append(b, keyStart, Math.min(close + 1, dataEnd))
    }
    at = close
  }
  setRange(fields.message, scratch.bytes, 0, scratch.length)
}

/** `Oct 11 22:14:15 host app[123]: message`, or with an ISO time as rsyslog writes it; false when it is no such line. */
export function readBsd(b: Uint8Array, start: number, end: number, fields: Fields, times: TimeReader): boolean {
  const stop = trimmedEnd(b, start, end)
  // a letter with a digit behind it is the level of klog
  if ((isLetterByte(b[start]) && isDigitByte(b[start + 1])) || !times.read(b, start, stop)) return false
  const { tsMs, end: behind, yearless } = times.found
  if (b[behind] !== 32) return false
  const hostStart = skipBlanks(b, behind, stop)
  const hostEnd = wordEnd(b, hostStart, stop)
  const tagStart = skipBlanks(b, hostEnd, stop)
  let tagEnd = tagStart
  while (tagEnd < stop && b[tagEnd] !== 58 && b[tagEnd] !== 91 && b[tagEnd] !== 32 && b[tagEnd] !== 40) tagEnd += 1
  let at = tagEnd
  if (b[at] === 40) while (at < stop && b[at] !== 41 && b[at] !== 32) at += 1
  if (b[at] === 41) at += 1
  if (b[at] === 91) {
    while (at < stop && b[at] !== 93 && b[at] !== 32) at += 1
    at += 1
  }
  if (tagEnd === tagStart || tagEnd - tagStart > 64 || b[at] !== 58 || at >= stop || b[hostEnd - 1] === 58) return false
  fields.tsMs = tsMs
  fields.note = Number.isNaN(tsMs) ? 'implausible_time' : yearless ? 'assumed_year' : null
  setRange(fields.service, b, tagStart, tagEnd)
  setRange(fields.message, b, skipBlanks(b, at + 1, stop), stop)
  return true
}

/** `host ident user [31/Jan/2026:10:20:30 +0000] "GET / HTTP/1.1" 200 5 ...`: the message is the line without its time. */
export function readAccess(b: Uint8Array, start: number, end: number, fields: Fields, times: TimeReader, scratch: Scratch): boolean {
  const stop = trimmedEnd(b, start, end)
  let at = start
  for (let words = 0; words < 3; words += 1) {
    const next = wordEnd(b, at, Math.min(stop, at + 256))
    if (next === at || b[next] !== 32) return false
    at = next + 1
  }
  if (b[at] !== 91 || !times.read(b, at + 1, stop)) return false
  const { tsMs, end: close } = times.found
  if (b[close] !== 93 || b[close + 1] !== 32 || b[close + 2] !== QUOTE) return false
  fields.tsMs = tsMs
  if (Number.isNaN(tsMs)) fields.note = 'implausible_time'
  let request = close + 3
  while (request < stop && b[request] !== QUOTE) request += b[request] === 92 ? 2 : 1
  const status = b[request + 2]
  fields.level = status === 53 ? ERROR : status === 52 ? WARN : INFO
  scratch.clear()
  scratch.append(b, start, at)
  scratch.append(b, close + 2, stop)
  setRange(fields.message, scratch.bytes, 0, scratch.length)
  return true
}
