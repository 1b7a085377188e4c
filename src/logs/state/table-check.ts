/** Whether a table of a state says what a map task can write. A checksum guards against damage only: anyone can make one. */
import { SEVERITIES } from '../../contracts/basics/index.ts'
import { hash64 } from '../../kernel/text/index.ts'
import { cleanText } from '../clean.ts'
import { noCounts } from '../read/counts.ts'
import { VALUE_KINDS } from '../shapes/kinds.ts'
import { keyText } from '../shapes/shape.ts'
import { SKETCH_CHARS, SKETCH_SIZE } from '../shapes/sketch.ts'
import { BadState } from './container.ts'

export function demand(holds: boolean): asserts holds {
  if (!holds) throw new BadState('the state says what no mapping writes')
}

const isCount = (value: unknown): boolean => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
const isText = (value: unknown): value is string => typeof value === 'string'
const isTime = (value: unknown): boolean => value === null || (typeof value === 'number' && Math.abs(value) <= 8.64e15)
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
const isClean = (value: unknown): boolean => isText(value) && cleanText(value) === value

const listOf = (value: unknown): unknown[] => {
  demand(Array.isArray(value))
  return value
}

const countsOf = (value: unknown, isName: (name: string) => boolean = () => true): void => {
  for (const pair of listOf(value)) {
    const [name, count] = listOf(pair)
    demand(isText(name) && isName(name) && isCount(count))
  }
}

/** Throws BadState unless the value is a table as `tableBytes` writes it. */
export function checkTable(value: unknown): void {
  demand(isObject(value))
  const { counts, files, segments, services, overflow, keys, shapes } = value
  checkCounts(counts)
  demand(isCount(overflow) && listOf(files).every(isText) && listOf(services).every(isText) && listOf(keys).every(isText))
  for (const segment of listOf(segments)) {
    demand(isObject(segment) && isCount(segment['file']) && isCount(segment['offset']) && isCount(segment['rows']))
    demand((segment['file'] as number) < listOf(files).length)
  }
  const known = new Set<unknown>()
  for (const shape of listOf(shapes)) known.add(checkShape(shape))
  demand(known.size === listOf(shapes).length && listOf(keys).every((key) => known.has(key)))
}

function checkCounts(counts: unknown): void {
  demand(isObject(counts))
  for (const [name, zero] of Object.entries(noCounts())) {
    const own = counts[name]
    if (typeof zero === 'number') demand(isCount(own))
    else demand(isObject(own) && Object.keys(own).every((key) => /^[a-z0-9_]{1,32}$/.test(key) && key !== '__proto__'))
  }
  const { skipped, notes, formats } = counts as Record<string, Record<string, unknown>>
  demand([...Object.values(notes ?? {}), ...Object.values(formats ?? {})].every(isCount))
  for (const by of Object.values(skipped ?? {})) demand(isObject(by) && ['lines', 'bytes', 'files'].every((name) => isCount(by[name])))
}

function checkShape(shape: unknown): string {
  demand(isObject(shape))
  const { key, count, severities, services, parts, slots, facts } = shape
  demand(isText(key) && isCount(count))
  countsOf(severities, (name) => (SEVERITIES as readonly string[]).includes(name))
  countsOf(services)
  const read = listOf(parts).map((part) => {
    const [slot, text, spaced, name] = listOf(part)
    demand((slot === 0 || slot === 1) && (spaced === 0 || spaced === 1) && isText(text) && isClean(text) && isClean(name))
    return { slot: slot === 1, text, spaced: spaced === 1 }
  })
  // two states that give one key to different shapes would be added up slot by slot
  demand(hash64(keyText(read)) === key && listOf(slots).length === read.filter((part) => part.slot).length)
  for (const slot of listOf(slots)) checkSlot(slot)
  const [first, last, timed, sample, at] = listOf(facts)
  demand(isTime(first) && isTime(last) && isTime(at) && isCount(timed) && isText(sample))
  return key
}

function checkSlot(slot: unknown): void {
  const [n, kinds, hashes, texts, counts] = listOf(slot)
  demand(isCount(n) && listOf(kinds).length === VALUE_KINDS.length && listOf(kinds).every(isCount))
  demand(listOf(texts).every((text) => isText(text) && text.length <= SKETCH_CHARS) && listOf(counts).every(isCount))
  const size = listOf(texts).length
  demand(size <= SKETCH_SIZE && listOf(counts).length === size && isText(hashes) && hashes.length === 16 * size && areHashes(hashes))
}

/** Hex digits, sixteen each, in rising order: merging goes through two lists side by side. */
function areHashes(text: string): boolean {
  let risen = true
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    if (!((code >= 48 && code <= 57) || (code >= 97 && code <= 102))) return false
    if (i % 16 === 0) {
      if (!risen) return false
      risen = i === 0
    }
    if (!risen) {
      const before = text.charCodeAt(i - 16)
      if (code < before) return false
      risen = code > before
    }
  }
  return risen
}
