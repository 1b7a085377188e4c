/** Lines that are JSON objects: the usual loggers, Docker's json-file, journald. Other fields become `key=value` behind the message. */
import { QUOTE, isDigitByte, isLetterByte, standsAt, textOf } from './bytes.ts'
import { type Fields, type LineSkip, Scratch, isEmpty, setRange } from './fields.ts'
import { ESCAPED, LIST, LITERAL, Members, TEXT, unescape } from './json-scan.ts'
import { type Role, rankedRole } from './keys.ts'
import { levelOfNumber, levelOfWord, otlpLevel } from './level.ts'
import { type TimeReader, epochMs } from './time.ts'

/** What to do with a line beside reading its fields. `wrapped`: the message is itself a line; `partial`: and its end is missing. */
export type JsonOutcome = LineSkip | 'otlp' | 'wrapped' | 'partial' | null

export class JsonLines {
  readonly #members = new Members()
  readonly #names = new Scratch()
  /** the member that plays each role, or -1 */
  readonly #best: Record<Role, number> = { time: -1, level: -1, service: -1, trace: -1, message: -1, ignored: -1 }
  readonly #rank: Record<Role, number> = { time: 0, level: 0, service: 0, trace: 0, message: 0, ignored: 0 }
  readonly #roles: (Role | null)[] = []

  /** `cut`: the end of the line is missing, so what stands before the fault is taken. */
  read(b: Uint8Array, start: number, end: number, cut: boolean, fields: Fields, times: TimeReader, scratch: Scratch): JsonOutcome {
    const m = this.#members
    const whole = m.scan(b, start, end)
    if (!whole && !cut) return 'bad_json'
    if (m.count > 0 && m.kind[0] === LIST && standsAt(m.nameBytes(0), m.nameStart[0] as number, m.nameEnd[0] as number, 'resourceLogs')) return 'otlp'
    const docker = this.#assignRoles()
    this.#names.clear()
    this.#readTime(b, fields, times)
    this.#readLevel(b, fields)
    this.#readName(b, this.#best.service, fields.service)
    this.#readName(b, this.#best.trace, fields.trace)
    if (docker) return this.#unwrapped(b, fields, scratch)
    this.#readMessage(b, fields, scratch)
    return isEmpty(fields.message) ? 'no_message' : null
  }

  /** True for what Docker's json-file driver writes: log, stream and time. */
  #assignRoles(): boolean {
    const m = this.#members
    const best = this.#best
    best.time = best.level = best.service = best.trace = best.message = -1
    let streamed = false
    for (let i = 0; i < m.count; i += 1) {
      const [bytes, from, to] = [m.nameBytes(i), m.nameStart[i] as number, m.nameEnd[i] as number]
      const ranked = rankedRole(bytes, from, to)
      this.#roles[i] = ranked?.role ?? null
      if (ranked === undefined) continue
      const { role, rank } = ranked
      if (role === 'ignored') {
        streamed ||= standsAt(bytes, from, to, 'stream')
        continue
      }
      const fits = role === 'message' ? m.kind[i] === TEXT || m.kind[i] === ESCAPED || m.kind[i] === LIST : m.kind[i] !== LIST
      if (fits && (best[role] < 0 || rank < this.#rank[role])) {
        best[role] = i
        this.#rank[role] = rank
      }
    }
    const said = best.message
    return streamed && said >= 0 && m.count <= 6 && standsAt(m.nameBytes(said), m.nameStart[said] as number, m.nameEnd[said] as number, 'log')
  }

  #readTime(b: Uint8Array, fields: Fields, times: TimeReader): void {
    const i = this.#best.time
    if (i < 0) return
    const m = this.#members
    const [start, end] = [m.start[i] as number, m.end[i] as number]
    if (m.kind[i] === LITERAL) fields.tsMs = epochMs(Number(textOf(b, start, end)))
    else if (times.read(b, start, end) && times.found.end === end) fields.tsMs = times.found.tsMs
    if (Number.isNaN(fields.tsMs)) fields.note = 'implausible_time'
  }

  #readLevel(b: Uint8Array, fields: Fields): void {
    const i = this.#best.level
    if (i < 0) return
    const m = this.#members
    const [start, end] = [m.start[i] as number, m.end[i] as number]
    const number = isDigitByte(b[start]) ? Number(textOf(b, start, end)) : Number.NaN
    const otlp = standsAt(m.nameBytes(i), m.nameStart[i] as number, m.nameEnd[i] as number, 'severityNumber')
    const level = Number.isNaN(number) ? levelOfWord(b, start, end) : otlp ? otlpLevel(number) : levelOfNumber(number)
    if (level === undefined) return
    fields.level = level
    fields.levelled = true
  }

  #readName(b: Uint8Array, i: number, into: Fields['service']): void {
    const m = this.#members
    if (i < 0 || m.kind[i] === LIST || standsAt(b, m.start[i] as number, m.end[i] as number, 'null')) return
    if (m.kind[i] !== ESCAPED) return setRange(into, b, m.start[i] as number, m.end[i] as number)
    const from = this.#names.length
    unescape(b, m.start[i] as number, m.end[i] as number, this.#names)
    setRange(into, this.#names.bytes, from, this.#names.length)
  }

  /** Docker: the log's own text, without its line end; one without a line end goes on in the next line. */
  #unwrapped(b: Uint8Array, fields: Fields, scratch: Scratch): JsonOutcome {
    const m = this.#members
    const i = this.#best.message
    const [start, end] = [m.start[i] as number, m.end[i] as number]
    const ended = end - start >= 2 && b[end - 2] === 92 && b[end - 1] === 110
    const stop = ended ? end - 2 : end
    if (m.kind[i] === TEXT) setRange(fields.message, b, start, stop)
    else {
      scratch.clear()
      unescape(b, start, stop, scratch)
      setRange(fields.message, scratch.bytes, 0, scratch.length)
    }
    return ended ? 'wrapped' : 'partial'
  }

  #readMessage(b: Uint8Array, fields: Fields, scratch: Scratch): void {
    const m = this.#members
    const said = this.#best.message
    let others = false
    for (let i = 0; i < m.count && !others; i += 1) others = this.#isPair(b, i)
    if (!others && said >= 0 && m.kind[said] === TEXT) return setRange(fields.message, b, m.start[said] as number, m.end[said] as number)
    scratch.clear()
    if (said >= 0) this.#appendText(b, said, scratch, fields)
    for (let i = 0; i < m.count; i += 1) if (this.#isPair(b, i)) this.#appendPair(b, i, scratch)
    setRange(fields.message, scratch.bytes, 0, scratch.length)
  }

  #appendText(b: Uint8Array, i: number, scratch: Scratch, fields: Fields): void {
    const m = this.#members
    const [start, end] = [m.start[i] as number, m.end[i] as number]
    if (m.kind[i] === TEXT) scratch.append(b, start, end)
    else if (m.kind[i] === ESCAPED) {
      if (!unescape(b, start, end, scratch)) fields.note ??= 'many_lines_in_one'
    } else for (const byte of textOf(b, start + 1, end - 1).split(',')) if (/^\s*\d{1,3}\s*$/.test(byte)) scratch.push(Number(byte) & 255)
  }

  /** A field beside the message says what it is about: a text, a number or a truth under a name. */
  #isPair(b: Uint8Array, i: number): boolean {
    const m = this.#members
    if (i === this.#best.message || m.kind[i] === LIST || this.#roles[i] === 'ignored') return false
    const role = this.#roles[i]
    if (role !== null && role !== undefined && this.#best[role] === i) return false
    if (m.kind[i] === LITERAL && b[m.start[i] as number] === 110) return false // null
    return isKey(m.nameBytes(i), m.nameStart[i] as number, m.nameEnd[i] as number)
  }

  #appendPair(b: Uint8Array, i: number, scratch: Scratch): void {
    const m = this.#members
    if (scratch.length > 0) scratch.push(32)
    scratch.append(m.nameBytes(i), m.nameStart[i] as number, m.nameEnd[i] as number)
    scratch.push(61)
    const [start, end] = [m.start[i] as number, m.end[i] as number]
    if (m.kind[i] === ESCAPED) {
      scratch.push(QUOTE)
      const from = scratch.length
      unescape(b, start, end, scratch)
      for (let at = from; at < scratch.length; at += 1) if (scratch.bytes[at] === QUOTE) scratch.bytes[at] = 39
      scratch.push(QUOTE)
    } else if (m.kind[i] === LITERAL || isBare(b, start, end)) scratch.append(b, start, end)
    else {
      scratch.push(QUOTE)
      scratch.append(b, start, end)
      scratch.push(QUOTE)
    }
  }
}

const MAX_KEY = 64

function isKey(b: Uint8Array, from: number, end: number): boolean {
  if (end === from || end - from > MAX_KEY || (!isLetterByte(b[from]) && b[from] !== 95)) return false
  for (let i = from; i < end; i += 1) {
    const byte = b[i]
    if (!isLetterByte(byte) && !isDigitByte(byte) && byte !== 95 && byte !== 46 && byte !== 45) return false
  }
  return true
}

/** A value that can stand without quotes: no blanks, no quotes, no brackets, no list marks. */
function isBare(b: Uint8Array, from: number, end: number): boolean {
  for (let i = from; i < end; i += 1) if (NEEDS_QUOTES[b[i] as number] === 1) return false
  return end > from
}

const NEEDS_QUOTES = new Uint8Array(256)
for (const char of ' \t"\'(){}[]<>,;|') NEEDS_QUOTES[char.charCodeAt(0)] = 1
