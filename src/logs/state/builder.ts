/** Records into a partial state: shapes are counted, rows go out block by block, so that memory does not grow with the log. */
import { LIMITS } from '../../contracts/basics/index.ts'
import { cleanText } from '../clean.ts'
import type { ReadCounts } from '../read/counts.ts'
import type { Fields } from '../read/fields.ts'
import { KINDS } from '../shapes/scan-classes.ts'
import { ValueHash } from '../shapes/scan-sketch.ts'
import { ByteShapes } from '../shapes/scan-table.ts'
import { withoutPrivate } from '../templates/pii.ts'
import { type ByteSink, CHUNKS, writeChunk, writeEnd, writeHead } from './container.ts'
import { Earliest } from './earliest.ts'
import { Names } from './names.ts'
import { type Segment, type ShapeFacts, isEarlier, mergeFacts, noFacts, tableBytes } from './partial.ts'
import { MAX_TEXT, RowBlock, VALUES_PER_LINE } from './rows.ts'

const MAX_SERVICES = 65_536
/** A sample is shown to people: as much of a line as they may want to see. */
const SAMPLE_BYTES = 4096
const MAX_SLOT = 255

const NAMING = new Uint8Array(256)
for (const kind of [KINDS.NUMBER, KINDS.HEX, KINDS.UUID, KINDS.IP, KINDS.IRI, KINDS.HOST, KINDS.IDENTIFIER, KINDS.NAME]) NAMING[kind] = 1

export interface BuilderOptions {
  readonly shapeLimit?: number
  /** the earliest lines of each shape and file whose texts are kept */
  readonly textLimit?: number
}

export class StateBuilder {
  readonly #sink: ByteSink
  readonly #shapes: ByteShapes
  readonly #services = new Names(MAX_SERVICES, (text) => withoutPrivate(cleanText(text).trim()))
  readonly #files: string[] = []
  readonly #segments: Segment[] = []
  readonly #rows = new RowBlock()
  readonly #facts: ShapeFacts[] = []
  readonly #earliest: Earliest[] = []
  readonly #fnv = new ValueHash()
  readonly #textLimit: number
  #file = 0
  #service = 0
  #overflow = 0

  constructor(sink: ByteSink, { shapeLimit = LIMITS.log_shapes, textLimit = LIMITS.log_events_per_template }: BuilderOptions = {}) {
    this.#sink = sink
    this.#shapes = new ByteShapes(shapeLimit)
    this.#textLimit = textLimit
    writeHead(sink)
  }

  /** The file that the next records stand in, and what its lines belong to that name no service. */
  startFile(name: string, service: string): void {
    const known = this.#files.indexOf(name)
    this.#file = known < 0 ? this.#files.push(name) - 1 : known
    this.#service = this.#services.ofText(service)
    this.#segments.push({ file: this.#file, offset: 0, rows: 0 })
  }

  add(fields: Fields, offset: number): void {
    const { scanner } = this.#shapes
    const { message, service } = fields
    let seen = scanner.load(message.bytes, message.start, message.end)
    if (seen !== 0) seen = this.#clean()
    const who = service.end > service.start ? this.#services.ofBytes(service.bytes, service.start, service.end) : this.#service
    const shape = this.#shapes.add(seen, fields.level, who)
    if (shape < 0) this.#overflow += 1
    else {
      const facts = (this.#facts[shape] ??= noFacts())
      this.#note(facts, fields)
      this.#addRow(shape, fields, who, offset)
    }
  }

  /** The message without what can steer a terminal; beyond ASCII the text has to be looked at to know. */
  #clean(): number {
    const { scanner } = this.#shapes
    const text = scanner.bytes.toString('utf8', 0, scanner.length)
    const clean = Buffer.from(cleanText(text).trim(), 'utf8')
    return scanner.load(clean, 0, clean.length)
  }

  #note(facts: ShapeFacts, { tsMs }: Fields): void {
    const timed = !Number.isNaN(tsMs)
    if (timed) {
      facts.timed += 1
      if (tsMs < facts.firstMs) facts.firstMs = tsMs
      if (tsMs > facts.lastMs) facts.lastMs = tsMs
    }
    const ms = timed ? tsMs : Infinity
    if (ms > facts.sampleMs || (ms === facts.sampleMs && facts.sample !== '' && !timed && this.#isLater(facts))) return
    const { scanner } = this.#shapes
    const sample = scanner.bytes.toString('utf8', 0, Math.min(scanner.length, SAMPLE_BYTES))
    if (!isEarlier(ms, sample, facts)) return
    facts.sample = sample
    facts.sampleMs = ms
  }

  /** Without times every line competes to be the sample: its first byte settles most of it. */
  #isLater(facts: ShapeFacts): boolean {
    const { bytes } = this.#shapes.scanner
    for (let i = 0; i < 64; i += 1) {
      const own = facts.sample.charCodeAt(i)
      const byte = bytes[i] as number
      if (own > 127 || byte > 127 || byte === 0 || Number.isNaN(own)) return false
      if (byte !== own) return byte > own
    }
    return false
  }

  #addRow(shape: number, fields: Fields, service: number, offset: number): void {
    const rows = this.#rows
    const row = rows.rows
    const { trace } = fields
    const segment = this.#segments[this.#segments.length - 1]
    if (segment === undefined) throw new Error('a record came before its file was named')
    if (segment.rows === 0) segment.offset = offset
    segment.rows += 1
    rows.ts[row] = fields.tsMs
    rows.offset[row] = offset
    rows.shape[row] = shape
    rows.file[row] = this.#file
    rows.service[row] = service
    rows.level[row] = fields.level
    rows.trace[row] = trace.end > trace.start ? this.#hash(trace.bytes, trace.start, trace.end) : 0
    this.#addValues(row)
    if (!Number.isNaN(fields.tsMs) && this.#earliestOf(shape).takes(fields.tsMs)) this.#addTexts(row, fields)
    rows.rows = row + 1
    if (rows.full) writeChunk(this.#sink, CHUNKS.rows, rows.take())
  }

  #earliestOf(shape: number): Earliest {
    const own = this.#earliest[shape]
    return own?.file === this.#file ? own : (this.#earliest[shape] = new Earliest(this.#file, this.#textLimit))
  }

  #addValues(row: number): void {
    const { scanner, slots, slotPart, slotHigh, slotLow } = this.#shapes
    const rows = this.#rows
    let count = 0
    for (let slot = 0; slot < slots && slot <= MAX_SLOT && count < VALUES_PER_LINE; slot += 1) {
      if (NAMING[scanner.kind[slotPart[slot] as number] as number] !== 1) continue
      rows.valueSlot[rows.valueCount] = slot
      rows.valueHash[rows.valueCount] = ((slotHigh[slot] as number) ^ (slotLow[slot] as number)) >>> 0 || 1
      rows.valueCount += 1
      count += 1
    }
    rows.values[row] = count
  }

  #addTexts(row: number, { trace }: Fields): void {
    const { scanner, slotPart } = this.#shapes
    const { texts, valueSlot, valueCount, values } = this.#rows
    const traceLength = Math.min(trace.end - trace.start, 256)
    texts.push(row & 255)
    texts.push(row >> 8)
    texts.push(traceLength & 255)
    texts.push(traceLength >> 8)
    texts.append(trace.bytes, trace.start, trace.start + traceLength)
    const count = values[row] as number
    texts.push(count)
    for (let i = valueCount - count; i < valueCount; i += 1) {
      const part = slotPart[valueSlot[i] as number] as number
      const [start, end] = [scanner.start[part] as number, scanner.end[part] as number]
      const length = Math.min(end - start, MAX_TEXT)
      texts.push(valueSlot[i] as number)
      texts.push(length & 255)
      texts.push(length >> 8)
      texts.append(scanner.bytes, start, start + length)
    }
  }

  /** 52 bits, never 0: among a million traces two hardly ever fall together. */
  #hash(b: Uint8Array, start: number, end: number): number {
    this.#fnv.over(b, start, end)
    return (this.#fnv.high & 0xf_ffff) * 0x1_0000_0000 + (this.#fnv.low >>> 0) || 1
  }

  /** The rest of the rows and the table. */
  end(counts: ReadCounts): void {
    if (this.#rows.rows > 0) writeChunk(this.#sink, CHUNKS.rows, this.#rows.take())
    const keys = this.#shapes.keys()
    const services = this.#services.list
    const facts = new Map<string, ShapeFacts>()
    for (const [i, key] of keys.entries()) {
      const own = this.#facts[i] ?? noFacts()
      const other = facts.get(key)
      if (other === undefined) facts.set(key, own)
      else mergeFacts(other, own)
    }
    const table = this.#shapes.table(services, keys)
    writeChunk(this.#sink, CHUNKS.table, tableBytes({ counts, files: this.#files, segments: this.#segments, services, shapes: keys, table, facts, overflow: this.#overflow }))
    writeEnd(this.#sink)
  }
}
