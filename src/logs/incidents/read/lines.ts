/**
 * Log lines out of a table: one row is one line, with the pod that wrote it and the trace and span it belongs to. What stands in
 * the cell is read as a line of a log file is, and counted in the table of shapes from which the miner makes its templates.
 */
import { hash } from 'node:crypto'
import { ServiceError } from '../../../contracts/index.ts'
import { LIMITS, SEVERITIES, type Severity } from '../../../contracts/basics/index.ts'
import { cleanText } from '../../clean.ts'
import { textOf } from '../../read/bytes.ts'
import { Fields } from '../../read/fields.ts'
import { LineReader } from '../../read/line.ts'
import { TimeReader } from '../../read/time.ts'
import { type ShapeTable, addLine } from '../../shapes/index.ts'
import { type RowFaults, countFault } from './csv-rows.ts'
import { Interned } from './intern.ts'
import { serviceOfPod } from './service-name.ts'
import { tableRows } from './table.ts'
import { cellTimeMs } from './time.ts'
import type { Chunks } from './unpack.ts'

export interface TracedLine {
  readonly tsMs: number
  readonly service: string
  readonly trace: string
  readonly span: string
  readonly severity: Severity
  /** key of the line's shape */
  readonly shape: string
}

interface ReadRow {
  readonly tsMs: number
  readonly pod: string
  readonly trace: string
  readonly span: string
  readonly message: string
  readonly severity: Severity
}

const COLUMNS = {
  nano: ['TimeUnixNano', 'time_unix_nano', 'timestamp_ns'],
  time: ['Timestamp', 'time', 'ts', '@timestamp'],
  pod: ['PodName', 'pod', 'k8s.pod.name', 'service', 'ServiceName', 'CmdbId'],
  trace: ['TraceID', 'trace', 'trace.id'],
  span: ['SpanID', 'span', 'span.id'],
  log: ['Log', 'message', 'msg', 'body', 'value'],
} as const

/** Lines of several tables, each once: tables of neighbouring stretches of time overlap. */
export class LineBook {
  readonly lines: TracedLine[] = []
  readonly shapes: ShapeTable = new Map()
  readonly #texts = new Interned()
  readonly #seen = new Set<string>()
  readonly #cells = new CellReader()

  /** `traces` is told the trace of every row, also of one that was read before. */
  async read(chunks: Chunks, faults: RowFaults, called: string, traces = new Set<string>()): Promise<void> {
    for await (const cell of tableRows(chunks, { columns: COLUMNS, needed: ['pod', 'log'], called }, faults)) {
      if (cell('trace') !== '') traces.add(this.#texts.of(cell('trace')))
      const nano = cellTimeMs(cell('nano'))
      const stated = Number.isNaN(nano) ? cellTimeMs(cell('time')) : nano
      const { message, severity, tsMs: own } = this.#cells.read(cell('log'))
      const tsMs = Number.isNaN(stated) ? own : stated
      const pod = cell('pod')
      if (Number.isNaN(tsMs)) countFault(faults, 'no_time')
      else if (pod === '') countFault(faults, 'no_pod')
      else if (message === '') countFault(faults, 'no_message')
      else this.#add({ tsMs, pod, trace: cell('trace'), span: cell('span'), message, severity }, faults)
    }
  }

  #add(row: ReadRow, faults: RowFaults): void {
    // a digest of all that was read: lines of equal length, or of two requests, are not one line
    const identity = hash('sha256', JSON.stringify([row.tsMs, row.pod, row.trace, row.span, row.message]), 'base64')
    if (this.#seen.has(identity)) return countFault(faults, 'repeated')
    this.#seen.add(identity)
    if (this.lines.length >= LIMITS.log_rows) {
      const hint = 'take a shorter stretch of time'
      throw new ServiceError('invalid_request', `there are more than ${LIMITS.log_rows} log lines`, { hint })
    }
    const service = this.#texts.of(serviceOfPod(row.pod))
    const key = addLine(this.shapes, { message: row.message, severity: row.severity, service })
    this.lines.push({
      tsMs: row.tsMs, service, trace: this.#texts.of(row.trace), span: this.#texts.of(row.span), severity: row.severity,
      shape: this.shapes.get(key)?.key ?? key,
    })
  }
}

const LEVEL_WORDS: Readonly<Record<string, Severity>> = {
  TRACE: 'DEBUG', DEBUG: 'DEBUG', INFO: 'INFO', WARN: 'WARN', WARNING: 'WARN', ERROR: 'ERROR', SEVERE: 'ERROR', FATAL: 'CRITICAL',
  CRITICAL: 'CRITICAL',
}

/** A cell as a line: each by itself, so that no line is taken for the continuation of another row's. */
class CellReader {
  #bytes = Buffer.alloc(64 * 1024)
  readonly #fields = new Fields()
  readonly #reader = new LineReader(new TimeReader(0))

  read(cell: string): { message: string; severity: Severity; tsMs: number } {
    const text = cell.replaceAll(/[\r\n]+/g, ' ').trim()
    // one buffer for all cells: hundreds of thousands of small ones would outlive their use
    if (this.#bytes.length < text.length * 3) this.#bytes = Buffer.alloc(text.length * 3)
    const fields = this.#fields
    let outcome = this.#reader.read(this.#bytes, 0, this.#bytes.write(text), false, fields)
    if (outcome === 'wrapped' || outcome === 'partial') {
      const { bytes, start, end } = fields.message
      outcome = this.#reader.readInside(bytes, start, end, false, fields)
    }
    const read = outcome === 'record'
    const { bytes: at, start, end } = fields.message
    const message = read ? cleanText(textOf(at, start, end)).trim() : cell.slice(0, 4096)
    const severity = read && fields.levelled ? (SEVERITIES[fields.level] as Severity) : levelSaid(message)
    return { message, severity, tsMs: read ? fields.tsMs : Number.NaN }
  }
}

/** A level in capitals among the first words, where a clock without a date hid it from the reader of headers. */
function levelSaid(message: string): Severity {
  for (const word of message.slice(0, 80).split(/[\s[\]|:]+/, 6)) {
    const level = LEVEL_WORDS[word]
    if (level !== undefined) return level
  }
  return 'INFO'
}
