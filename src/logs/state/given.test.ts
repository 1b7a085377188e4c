import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { BadState, CHUNKS, readChunks, writeChunk, writeEnd, writeHead } from './container.ts'
import { givenStates } from './given.ts'
import { mapStream } from './map-stream.ts'
import { reduceStates } from './reduce.ts'
import { memoryState } from './sources.ts'

const root = mkdtempSync(join(tmpdir(), 'wherefore-given-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const LINES = [
  '2026-03-14T08:00:00Z INFO api: order 17 placed', '2026-03-14T08:00:01Z INFO api: order 18 placed', '2026-03-14T08:00:02Z ERROR db: gone', '',
].join('\n')

async function bytesOf(text: string, name = 'app.log', offset = 0): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  async function* chunks() {
    yield Buffer.from(text)
  }
  await mapStream(chunks(), (bytes) => void pieces.push(Uint8Array.from(bytes)), { name, offset, referenceMs: 0 })
  return Buffer.concat(pieces)
}

let files = 0
function fileOf(bytes: Uint8Array): string {
  files += 1
  const path = join(root, `${files}.state`)
  writeFileSync(path, bytes)
  return path
}

type Json = Record<string, unknown>

/** The state with another table or other rows, and checksums that fit. */
function crafted(bytes: Uint8Array, change: { table?: (table: Json) => unknown; rows?: (rows: Buffer) => Uint8Array }): Uint8Array {
  const { sink, state } = memoryState('x')
  sink(bytes)
  const out: Uint8Array[] = []
  const write = (some: Uint8Array): void => void out.push(Uint8Array.from(some))
  writeHead(write)
  state.read((source) => {
    for (const { type, payload } of readChunks(source)) {
      if (type === CHUNKS.table && change.table !== undefined) {
        const made = change.table(JSON.parse(Buffer.from(payload).toString('utf8')) as Json)
        writeChunk(write, type, Buffer.from(typeof made === 'string' ? made : JSON.stringify(made)))
      } else if (type === CHUNKS.rows && change.rows !== undefined) writeChunk(write, type, change.rows(Buffer.from(payload)))
      else writeChunk(write, type, payload)
    }
  })
  writeEnd(write)
  return Buffer.concat(out)
}

const shapeWith = (own: Json) => (table: Json) => ({ ...table, shapes: (table['shapes'] as Json[]).map((shape, i) => (i === 0 ? { ...shape, ...own } : shape)) })

describe('a state that was made by hand', () => {
  it.each<[string, Parameters<typeof crafted>[1]]>([
    ['no JSON', { table: () => '{' }],
    ['null', { table: () => 'null' }],
    ['a list', { table: () => [] }],
    ['no counts', { table: (table) => ({ ...table, counts: null }) }],
    ['a text for a count', { table: (table) => ({ ...table, overflow: '1' }) }],
    ['a file that is not there', { table: (table) => ({ ...table, segments: [{ file: 9, offset: 0, rows: 3 }] }) }],
    ['no files', { table: (table) => ({ ...table, files: [] }) }],
    ['no services', { table: (table) => ({ ...table, services: [] }) }],
    ['no keys', { table: (table) => ({ ...table, keys: [] }) }],
    ['no shapes', { table: (table) => ({ ...table, shapes: [] }) }],
    ['shapes that are null', { table: (table) => ({ ...table, shapes: [null] }) }],
    ['an unknown severity', { table: shapeWith({ severities: [['LOUD', 1]] }) }],
    ['parts of another shape', { table: shapeWith({ parts: [[0, 'x', 0, '']] }) }],
    ['slots that are missing', { table: shapeWith({ slots: [] }) }],
    ['too many lines', { table: shapeWith({ count: 1e15 }) }],
    ['too many lines with a time', { table: shapeWith({ facts: [0, 0, 1e15, 'x', 0] }) }],
    ['a time beyond all calendars', { table: shapeWith({ facts: [1e300, 0, 2, 'x', 0] }) }],
    ['cut rows', { rows: (rows) => rows.subarray(0, 40) }],
    ['rows of length 3', { rows: () => new Uint8Array(3) }],
    ['a row count that lies', { rows: (rows) => { rows.writeUInt32LE(0xffffffff, 0); return rows } }],
    ['a time of a row beyond all calendars', { rows: (rows) => { rows.writeDoubleLE(1e300, 16); return rows } }],
    ['a shape of a row that is not there', { rows: (rows) => { rows.writeUInt32LE(77, 16 + 3 * 24); return rows } }],
    ['texts that end early', { rows: (rows) => { rows.fill(0xff, rows.length - 6); return rows } }],
  ])('is refused: %s', async (_, change) => {
    const path = fileOf(crafted(await bytesOf(LINES), change))
    expect(() => reduceStates(givenStates([path]).states)).toThrow(BadState)
  })

  it('cannot bring control characters in', async () => {
    const bytes = crafted(await bytesOf(LINES), {
      table: (table) => ({
        ...shapeWith({ facts: [0, 0, 2, 'a\u001b[31mb\u0007', 0] })(table), files: ['x\u001b]0;evil\u0007.log'], services: ['api\u0000', 'db\u202e', 'app'],
      }),
    })
    const reduced = reduceStates(givenStates([fileOf(bytes)]).states)
    // oxlint-disable-next-line no-control-regex
    expect(JSON.stringify([reduced.templates, reduced.events, reduced.columns.files, reduced.columns.services])).not.toMatch(/\\u00[01]|\u202e/)
  })
})

describe('states that are handed over', () => {
  it('are refused where there is none', () => {
    expect(() => givenStates([fileOf(new Uint8Array(0))])).toThrow(BadState)
    expect(() => givenStates(['/dev/null'])).toThrow(BadState)
    expect(() => givenStates([])).toThrow(BadState)
  })

  it('count once when they are given twice', async () => {
    const path = fileOf(await bytesOf(LINES))
    const { states, repeated } = givenStates([path, path])
    expect([states.length, repeated]).toEqual([1, 1])
  })

  it('are refused when two hold the same part of a file, and go together when they do not', async () => {
    const [whole, again] = [await bytesOf(LINES), await bytesOf(LINES.slice(0, 80))]
    expect(() => givenStates([fileOf(whole), fileOf(again)])).toThrow('same part')
    const rest = await bytesOf(LINES, 'app.log', Buffer.byteLength(LINES))
    expect(givenStates([fileOf(whole), fileOf(rest)]).states).toHaveLength(2)
    const unnamed = [await bytesOf(LINES, 'stdin'), await bytesOf(LINES.slice(0, 80), 'stdin')]
    expect(givenStates(unnamed.map(fileOf)).states).toHaveLength(2)
  })
})
