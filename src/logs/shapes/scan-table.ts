/**
 * table.ts over bytes: counts lines by shape without making a text per line. What comes out at the end is the table that the
 * reference would have made of the same lines.
 */
import { SEVERITIES } from '../../contracts/basics/index.ts'
import { hash64 } from '../../kernel/text/index.ts'
import { HASH_START, folded, textHashOne, textHashTwo } from './scan-hash.ts'
import { KINDS } from './scan-classes.ts'
import { ByteSketches, ValueHash } from './scan-sketch.ts'
import { Scanner } from './scan.ts'
import { keyText } from './shape.ts'
import { mergeTables } from './table.ts'
import type { Shape, ShapePart, ShapeTable } from './table.ts'

const { WORD } = KINDS
const { HASH_ONE, HASH_TWO } = HASH_START

interface CountedShape {
  readonly parts: readonly ShapePart[]
  count: number
  /** by index of the service; those of most shapes are of one service, which is counted below */
  services: Map<number, number> | null
  lastService: number
  lastServiceCount: number
  /** number of its first slot among all slots */
  readonly firstSlot: number
}

const LEVELS = SEVERITIES.length

/** More slots than this of one line are counted, but their values are not handed on. */
export const MAX_SLOTS = 64

export class ByteShapes {
  readonly scanner = new Scanner()
  /** of the line added last: its slots by part, and the hashes of their values */
  slots = 0
  readonly slotPart = new Uint16Array(MAX_SLOTS)
  readonly slotHigh = new Uint32Array(MAX_SLOTS)
  readonly slotLow = new Uint32Array(MAX_SLOTS)
  readonly shapes: CountedShape[] = []
  readonly #limit: number
  readonly #hash = new ValueHash()
  readonly #sketches = new ByteSketches()
  #places = new Int32Array(4096).fill(-1)
  #first = new Uint32Array(1024)
  #second = new Uint32Array(1024)
  /** lines by shape and level */
  #levels = new Float64Array(1024 * LEVELS)

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Counts the line that the scanner has loaded; its shape's index, or -1 when there is no room for one more shape. */
  add(seen: number, level: number, service: number): number {
    const scan = this.scanner
    scan.scan(seen)
    const index = this.#find()
    if (index < 0) return -1
    const shape = this.shapes[index] as CountedShape
    shape.count += 1
    this.#levels[index * LEVELS + level]! += 1
    if (service === shape.lastService) shape.lastServiceCount += 1
    else settleService(shape, service)
    const hash = this.#hash
    const sketches = this.#sketches
    let slots = 0
    for (let i = 0; i < scan.parts; i += 1) {
      const kind = scan.kind[i] as number
      if (kind >= WORD) continue
      const start = scan.start[i] as number
      const end = scan.end[i] as number
      hash.over(scan.bytes, start, end)
      sketches.add(shape.firstSlot + slots, kind, hash.high, hash.low, scan.bytes, start, end)
      if (slots < MAX_SLOTS) {
        this.slotPart[slots] = i
        this.slotHigh[slots] = hash.high
        this.slotLow[slots] = hash.low
      }
      slots += 1
    }
    this.slots = Math.min(slots, MAX_SLOTS)
    return index
  }

  #find(): number {
    const scan = this.scanner
    const b = scan.bytes
    let one: number = HASH_ONE
    let two: number = HASH_TWO
    for (let i = 0; i < scan.parts; i += 1) {
      // whether space stands before the first part is no part of the shape
      const joint = i === 0 ? 0 : (scan.spaced[i] as number)
      let partOne = 0
      let partTwo = 0
      if ((scan.kind[i] as number) >= WORD) {
        partOne = scan.hashOne[i] as number
        partTwo = scan.hashTwo[i] as number
        if (partOne === 0 && partTwo === 0) {
          partOne = HASH_ONE
          partTwo = HASH_TWO
          for (let at = scan.start[i] as number, end = scan.end[i] as number; at < end; at += 1) {
            partOne = textHashOne(partOne, b[at] as number)
            partTwo = textHashTwo(partTwo, b[at] as number)
          }
        }
      }
      one = folded(one, partOne + joint)
      two = folded(two, partTwo + joint)
    }
    one ^= one >>> 15
    one >>>= 0
    two >>>= 0
    const mask = this.#places.length - 1
    let place = one & mask
    for (;;) {
      const index = this.#places[place] as number
      if (index < 0) break
      if (this.#first[index] === one && this.#second[index] === two) return index
      place = (place + 1) & mask
    }
    if (this.shapes.length >= this.#limit) return -1
    return this.#insert(place, one, two)
  }

  #insert(place: number, one: number, two: number): number {
    const index = this.shapes.length
    if (index === this.#first.length) {
      this.#first = larger(this.#first)
      this.#second = larger(this.#second)
      const levels = new Float64Array(2 * this.#levels.length)
      levels.set(this.#levels)
      this.#levels = levels
    }
    this.#first[index] = one
    this.#second[index] = two
    this.#places[place] = index
    const parts = this.#parts()
    this.shapes.push({
      parts, count: 0, services: null, lastService: -1, lastServiceCount: 0,
      firstSlot: this.#sketches.claim(parts.filter((part) => part.slot).length),
    })
    if (this.shapes.length * 2 > this.#places.length) this.#rehash()
    return index
  }

  #rehash(): void {
    this.#places = new Int32Array(this.#places.length * 4).fill(-1)
    const mask = this.#places.length - 1
    for (let index = 0; index < this.shapes.length; index += 1) {
      let place = (this.#first[index] as number) & mask
      while ((this.#places[place] as number) >= 0) place = (place + 1) & mask
      this.#places[place] = index
    }
  }

  #parts(): ShapePart[] {
    const scan = this.scanner
    const text = (from: number, to: number): string => scan.bytes.toString('utf8', from, to)
    return Array.from({ length: scan.parts }, (_, i) => {
      const spaced = scan.spaced[i] === 1
      if ((scan.kind[i] as number) >= WORD) return { slot: false, text: text(scan.start[i] as number, scan.end[i] as number), spaced, key: '' }
      return { slot: true, text: '', spaced, key: scan.keysAreTexts ? (scan.keys[i] as string) : text(scan.keyStart[i] as number, scan.keyEnd[i] as number) }
    })
  }

  /** Keys by index. */
  keys(): string[] {
    return this.shapes.map(({ parts }) => hash64(keyText(parts)))
  }

  /** By their keys, as `keys` gave them. */
  table(services: readonly string[], keys: readonly string[] = this.keys()): ShapeTable {
    const table: ShapeTable = new Map()
    for (const [i, shape] of this.shapes.entries()) {
      settleService(shape, -1)
      const levels = this.#levels.subarray(i * LEVELS, (i + 1) * LEVELS)
      const key = keys[i] as string
      const one: Shape = {
        key, parts: shape.parts, count: shape.count,
        severities: new Map(SEVERITIES.flatMap((name, level) => (levels[level]! > 0 ? [[name, levels[level]!] as const] : []))),
        services: new Map([...(shape.services ?? [])].map(([service, count]) => [services[service] ?? '', count])),
        slots: shape.parts.filter((part) => part.slot).map((_, slot) => this.#sketches.sketch(shape.firstSlot + slot)),
      }
      if (table.has(key)) mergeTables(table, new Map([[key, one]]))
      else table.set(key, one)
    }
    return table
  }
}

/** Runs of one service cost no look-up. */
function settleService(shape: CountedShape, service: number): void {
  if (shape.lastServiceCount > 0) {
    shape.services ??= new Map()
    shape.services.set(shape.lastService, (shape.services.get(shape.lastService) ?? 0) + shape.lastServiceCount)
  }
  shape.lastService = service
  shape.lastServiceCount = service < 0 ? 0 : 1
}

function larger(old: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const next = new Uint32Array(old.length * 2)
  next.set(old)
  return next
}
