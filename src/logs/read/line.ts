/**
 * One line by its format, told from its first bytes: no state, so that a line reads the same wherever a log is cut. What Docker
 * and Kubernetes wrap around a line is taken off, and the line inside is read by its own format.
 */
import { RETURN, isDigitByte, isLetterByte, skipBlanks, standsAt, trimmedEnd } from './bytes.ts'
import { type Fields, type LineSkip, Scratch, isEmpty, setRange } from './fields.ts'
import { isContinuation } from './fold.ts'
import { readPlain } from './header.ts'
import { JsonLines } from './json.ts'
import { readLogfmt } from './logfmt.ts'
import { readAccess, readBsd, readPriority } from './syslog.ts'
import type { TimeReader } from './time.ts'

export const FORMATS = ['json', 'otlp', 'docker', 'cri', 'syslog', 'access', 'logfmt', 'plain'] as const
export type Format = (typeof FORMATS)[number]

/** What a line is. `wrapped` and `partial`: `fields.message` holds a line inside, whole or in part; `record`: all fields are set. */
export type LineOutcome = 'record' | 'continuation' | 'wrapped' | 'partial' | 'otlp' | LineSkip

const hasMark = (b: Uint8Array, from: number, to: number): boolean => {
  for (let i = from; i < to; i += 1) if (b[i] === 46 || b[i] === 58) return true
  return false
}

export class LineReader {
  /** the format of the last line */
  format: Format = 'plain'
  /** 1 stdout, 2 stderr, for wrapped lines */
  stream = 0
  readonly #json = new JsonLines()
  readonly #outer = new Scratch()
  readonly #inner = new Scratch()
  readonly #times: TimeReader

  constructor(times: TimeReader) {
    this.#times = times
  }

  /** A line as it stands in the file. */
  read(b: Uint8Array, start: number, end: number, cut: boolean, fields: Fields): LineOutcome {
    fields.clear()
    return this.#read(b, start, end, cut, fields, this.#outer, true)
  }

  /** The line inside a wrapped one, whose time counts where the line itself has none. */
  readInside(b: Uint8Array, start: number, end: number, cut: boolean, fields: Fields): LineOutcome {
    const wrapper = this.format
    const [outerTime, outerNote] = [fields.tsMs, fields.note]
    fields.clear()
    const outcome = this.#read(b, start, end, cut, fields, this.#inner, false)
    if (Number.isNaN(fields.tsMs)) {
      fields.tsMs = outerTime
      fields.note = outerNote
    }
    this.format = wrapper
    return outcome
  }

  #read(b: Uint8Array, start: number, end: number, cut: boolean, fields: Fields, scratch: Scratch, outermost: boolean): LineOutcome {
    const from = skipBlanks(b, start, end)
    const stop = trimmedEnd(b, from, end)
    if (stop === from) return 'blank'
    const first = b[from] as number
    if (first === 123 && (b[from + 1] === 34 || b[from + 1] === 32 || b[from + 1] === 125)) {
      return this.#readJson(b, from, stop, cut, fields, scratch, outermost)
    }
    if (isContinuation(b, start, stop)) return 'continuation'
    if (isDigitByte(first)) {
      if (outermost && this.#isCri(b, from, b[end - 1] === RETURN ? end - 1 : end, fields)) return this.stream < 0 ? 'partial' : 'wrapped'
      // an address has a dot or a colon near its start, and no time has one there
      if (hasMark(b, from, Math.min(stop, from + 5)) && this.#accept('access', readAccess(b, from, stop, fields, this.#times, scratch))) return 'record'
    } else if (first === 60 && isDigitByte(b[from + 1])) {
      const outcome = readPriority(b, from, stop, fields, this.#times, scratch)
      if (outcome !== undefined) {
        this.format = 'syslog'
        return outcome ?? 'record'
      }
    } else if (isLetterByte(first)) {
      if (first < 91 && this.#accept('syslog', readBsd(b, from, stop, fields, this.#times))) return isEmpty(fields.message) ? 'no_message' : 'record'
      if (this.#accept('logfmt', readLogfmt(b, from, stop, fields, this.#times, scratch))) return isEmpty(fields.message) ? 'no_message' : 'record'
    }
    if (first === 58 && this.#accept('access', readAccess(b, from, stop, fields, this.#times, scratch))) return 'record'
    this.format = 'plain'
    return readPlain(b, from, stop, fields, this.#times) ?? 'record'
  }

  #accept(format: Format, accepted: boolean): boolean {
    if (accepted) this.format = format
    return accepted
  }

  #readJson(b: Uint8Array, from: number, stop: number, cut: boolean, fields: Fields, scratch: Scratch, outermost: boolean): LineOutcome {
    this.format = 'json'
    const outcome = this.#json.read(b, from, stop, cut, fields, this.#times, scratch)
    if (outcome === 'otlp') this.format = 'otlp'
    if (outcome !== 'wrapped' && outcome !== 'partial') return outcome ?? 'record'
    if (!outermost) return isEmpty(fields.message) ? 'no_message' : 'record'
    this.format = 'docker'
    this.stream = 1
    return outcome
  }

  /** `2026-01-31T10:20:30.123456789Z stdout F message`; P instead of F when the rest comes in the next line. */
  #isCri(b: Uint8Array, from: number, stop: number, fields: Fields): boolean {
    if (b[from + 10] !== 84 || !this.#times.read(b, from, stop)) return false
    const { tsMs, end } = this.#times.found
    const named = b[end] === 32 && (standsAt(b, end + 1, stop, 'stdout ') || standsAt(b, end + 1, stop, 'stderr '))
    if (!named) return false
    const tag = b[end + 8]
    if ((tag !== 70 && tag !== 80) || (end + 9 < stop && b[end + 9] !== 32 && b[end + 9] !== 58)) return false
    let at = end + 9
    while (at < stop && b[at] !== 32) at += 1
    fields.tsMs = tsMs
    this.format = 'cri'
    this.stream = tag === 80 ? -1 : 1
    setRange(fields.message, b, Math.min(at + 1, stop), stop)
    return true
  }
}
