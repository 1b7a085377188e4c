/** States that someone hands over: each is looked through before anything is done with it, and none is counted twice. */
import { createHash } from 'node:crypto'
import { SEVERITIES } from '../../contracts/index.ts'
import { compareText } from '../../kernel/term.ts'
import { BadState, CHUNKS, readChunks } from './container.ts'
import { type StateTable, readTable } from './partial.ts'
import { type Rows, TextCursor, readRows } from './rows.ts'
import { type StateSource, statesInFile } from './sources.ts'
import { demand } from './table-check.ts'

export interface GivenStates {
  readonly states: readonly StateSource[]
  /** states that were given more than once */
  readonly repeated: number
}

/** Standard input of several map tasks that were told no name: what they read may be parts of different logs. */
const UNNAMED = 'stdin'

export function givenStates(paths: readonly string[]): GivenStates {
  const states: StateSource[] = []
  const seen = new Set<string>()
  const ranges: Range[] = []
  let repeated = 0
  for (const state of paths.flatMap(statesInFile)) {
    const { digest, own } = lookedThrough(state)
    if (seen.has(digest)) {
      repeated += 1
      continue
    }
    seen.add(digest)
    states.push(state)
    ranges.push(...own)
  }
  if (states.length === 0) throw new BadState('there is no state to reduce')
  refuseOverlaps(ranges)
  return { states, repeated }
}

/** The rows of a file that a state holds, by their offsets. */
interface Range {
  readonly file: string
  from: number
  to: number
}

function refuseOverlaps(ranges: readonly Range[]): void {
  const sorted = ranges.filter(({ file }) => file !== UNNAMED).toSorted((x, y) => compareText(x.file, y.file) || x.from - y.from)
  for (const [i, range] of sorted.entries()) {
    const next = sorted[i + 1]
    if (next?.file === range.file && next.from <= range.to) throw new BadState('two states hold the same part of one file')
  }
}

/** Throws BadState where rows and table do not fit each other, whatever the checksums say. */
function lookedThrough(state: StateSource): { readonly digest: string; readonly own: readonly Range[] } {
  const digest = createHash('sha256')
  const seen: Seen = { rows: 0, byShape: new Map(), timed: new Map(), ranges: new Map(), services: 0 }
  let table: StateTable | null = null
  state.read((source) => {
    for (const { type, payload } of readChunks(source)) {
      digest.update(payload)
      if (type === CHUNKS.rows) addRows(readRows(payload), seen)
      else if (type === CHUNKS.table) {
        demand(table === null)
        table = readTable(payload)
      }
    }
  })
  if (table === null) throw new BadState('the state has no table')
  fits(table, seen)
  const { files } = table as StateTable
  return { digest: digest.digest('hex'), own: [...seen.ranges].map(([file, range]) => ({ ...range, file: files[file] ?? '' })) }
}

interface Seen {
  rows: number
  /** the largest index of a service, and one more */
  services: number
  readonly byShape: Map<number, number>
  readonly timed: Map<number, number>
  readonly ranges: Map<number, { from: number; to: number }>
}

const MAX_TIME = 8.64e15

function addRows(rows: Rows, seen: Seen): void {
  let values = 0
  for (let row = 0; row < rows.rows; row += 1) {
    const [shape, file, ts, offset] = [rows.shape[row] as number, rows.file[row] as number, rows.ts[row] as number, rows.offset[row] as number]
    demand((rows.level[row] as number) < SEVERITIES.length && !(Math.abs(ts) > MAX_TIME) && Number.isSafeInteger(offset) && offset >= 0)
    values += rows.values[row] as number
    seen.byShape.set(shape, (seen.byShape.get(shape) ?? 0) + 1)
    if (!Number.isNaN(ts)) seen.timed.set(shape, (seen.timed.get(shape) ?? 0) + 1)
    seen.services = Math.max(seen.services, (rows.service[row] as number) + 1)
    const range = seen.ranges.get(file)
    if (range === undefined) seen.ranges.set(file, { from: offset, to: offset })
    else {
      range.from = Math.min(range.from, offset)
      range.to = Math.max(range.to, offset)
    }
  }
  demand(values === rows.valueHash.length)
  const texts = new TextCursor(rows)
  while (texts.next()) demand(texts.row < rows.rows)
  seen.rows += rows.rows
}

function fits({ files, services, segments, shapes, table, facts }: StateTable, seen: Seen): void {
  demand(segments.reduce((sum, { rows }) => sum + rows, 0) === seen.rows && seen.services <= services.length)
  demand([...seen.ranges.keys()].every((file) => file < files.length))
  const [lines, timed] = [new Map<string, number>(), new Map<string, number>()]
  for (const [index, count] of seen.byShape) {
    const key = shapes[index]
    demand(key !== undefined)
    lines.set(key, (lines.get(key) ?? 0) + count)
    timed.set(key, (timed.get(key) ?? 0) + (seen.timed.get(index) ?? 0))
  }
  for (const [key, shape] of table) demand(shape.count === (lines.get(key) ?? 0) && facts.get(key)?.timed === (timed.get(key) ?? 0))
}
