/** A partial state: what mapping a part of a log gives. Partial states merge in any order into the state of the whole. */
import { compareText } from '../../kernel/term.ts'
import { cleanText } from '../clean.ts'
import { type ReadCounts, addCounts, noCounts } from '../read/counts.ts'
import { mergeTables } from '../shapes/table.ts'
import type { Shape, ShapeTable } from '../shapes/table.ts'
import { withoutPrivate } from '../templates/pii.ts'
import { BadState } from './container.ts'
import { checkTable } from './table-check.ts'

/** When a shape was first and last seen, and its earliest line; of several lines of one time the one first in code-unit order. */
export interface ShapeFacts {
  firstMs: number
  lastMs: number
  /** lines with a time */
  timed: number
  sample: string
  sampleMs: number
}

/** Rows of one file that follow each other in a state. */
export interface Segment {
  /** index into the files of the state */
  readonly file: number
  offset: number
  rows: number
}

/** All of a partial state but its rows. */
export interface StateTable {
  readonly counts: ReadCounts
  readonly files: readonly string[]
  readonly segments: readonly Segment[]
  readonly services: readonly string[]
  /** keys by the index that the rows use */
  readonly shapes: readonly string[]
  readonly table: ShapeTable
  readonly facts: Map<string, ShapeFacts>
  /** records whose shape found no room */
  overflow: number
}

/** What the whole log comes to, without its rows. */
export interface MergedTable {
  readonly counts: ReadCounts
  readonly table: ShapeTable
  readonly facts: Map<string, ShapeFacts>
  overflow: number
}

export const emptyMerged = (): MergedTable => ({ counts: noCounts(), table: new Map(), facts: new Map(), overflow: 0 })

/** What is new is taken over as it is: the part belongs to the whole from then on. */
export function mergeInto(into: MergedTable, part: Pick<StateTable, 'counts' | 'table' | 'facts' | 'overflow'>): void {
  addCounts(into.counts, part.counts)
  mergeTables(into.table, part.table, true)
  into.overflow += part.overflow
  for (const [key, facts] of part.facts) {
    const own = into.facts.get(key)
    if (own === undefined) into.facts.set(key, facts)
    else mergeFacts(own, facts)
  }
}

export const noFacts = (): ShapeFacts => ({ firstMs: Infinity, lastMs: -Infinity, timed: 0, sample: '', sampleMs: Infinity })

export function mergeFacts(own: ShapeFacts, other: ShapeFacts): void {
  own.firstMs = Math.min(own.firstMs, other.firstMs)
  own.lastMs = Math.max(own.lastMs, other.lastMs)
  own.timed += other.timed
  if (isEarlier(other.sampleMs, other.sample, own)) {
    own.sampleMs = other.sampleMs
    own.sample = other.sample
  }
}

/** Lines without a time come last. */
export const isEarlier = (ms: number, text: string, than: ShapeFacts): boolean =>
  ms < than.sampleMs || (ms === than.sampleMs && (than.sample === '' || compareText(text, than.sample) < 0))

/** Values of a slot side by side: their hashes as one text, their texts, their counts. JSON knows no infinities: they stand as null. */
export function tableBytes(state: StateTable): Uint8Array {
  const number = (value: number): number | null => (Number.isFinite(value) ? value : null)
  const shapes = [...state.table.keys()].map((key) => {
    const shape = state.table.get(key) as Shape
    const facts = state.facts.get(key) ?? noFacts()
    return {
      key, count: shape.count, severities: [...shape.severities], services: [...shape.services],
      parts: shape.parts.map(({ slot, text, spaced, key: name }) => [slot ? 1 : 0, text, spaced ? 1 : 0, name]),
      slots: shape.slots.map(({ n, kinds, values }): SlotJson =>
        [n, kinds, values.map(({ hash }) => hash).join(''), values.map(({ text }) => text), values.map(({ count }) => count)]),
      facts: [number(facts.firstMs), number(facts.lastMs), facts.timed, facts.sample, number(facts.sampleMs)],
    }
  })
  const { counts, files, segments, services, overflow } = state
  return Buffer.from(JSON.stringify({ counts, files, segments, services, overflow, keys: state.shapes, shapes }), 'utf8')
}

type SlotJson = [n: number, kinds: number[], hashes: string, texts: string[], counts: number[]]

interface ShapeJson {
  readonly key: string
  readonly count: number
  readonly severities: [string, number][]
  readonly services: [string, number][]
  readonly parts: [number, string, number, string][]
  readonly slots: SlotJson[]
  readonly facts: [number | null, number | null, number, string, number | null]
}

/** What the bytes say, cleaned, and checked unless they are this process's `own`: states come from outside. */
export function readTable(payload: Uint8Array, own = false): StateTable {
  const json = parsed(payload)
  if (!own) checkTable(json)
  const { counts, files, segments, services, overflow, keys, shapes } = json as
    Pick<StateTable, 'counts' | 'files' | 'segments' | 'services' | 'overflow'> & { readonly keys: string[]; readonly shapes: ShapeJson[] }
  const table: ShapeTable = new Map()
  const facts = new Map<string, ShapeFacts>()
  for (const each of shapes) {
    const by = new Map<string, number>()
    for (const [name, count] of each.services) by.set(shownName(name), (by.get(shownName(name)) ?? 0) + count)
    table.set(each.key, {
      key: each.key, count: each.count, severities: new Map(each.severities), services: by,
      parts: each.parts.map(([slot, text, spaced, key]) => ({ slot: slot === 1, text, spaced: spaced === 1, key })),
      slots: each.slots.map(([n, kinds, hashes, texts, counts]) => ({
        n, kinds, values: texts.map((text, i) => ({ hash: hashes.slice(16 * i, 16 * i + 16), text: cleanText(text), count: counts[i] ?? 0 })),
      })),
    })
    const [firstMs, lastMs, timed, sample, sampleMs] = each.facts
    facts.set(each.key, {
      firstMs: firstMs ?? Infinity, lastMs: lastMs ?? -Infinity, timed, sample: cleanText(sample), sampleMs: sampleMs ?? Infinity,
    })
  }
  return { counts, files: files.map(cleanText), segments, services: services.map(shownName), shapes: keys, table, facts, overflow }
}

const shownName = (name: string): string => withoutPrivate(cleanText(name))

function parsed(payload: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(payload).toString('utf8'))
  } catch (cause) {
    throw new BadState('the state is damaged', { cause })
  }
}
