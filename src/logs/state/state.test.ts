import { mkdtempSync, readFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { generateLogs } from '../../../examples/log-rca/generate.ts'
import { mixedLog } from '../../../bench/log-corpora.ts'
import { addLine, mergeTables, shapesOf } from '../shapes/index.ts'
import type { ShapeTable } from '../shapes/index.ts'
import { readText, serviceOf } from '../read/index.ts'
import { mine } from '../mine.ts'
import { StateBuilder } from './builder.ts'
import { BadState } from './container.ts'
import { Earliest } from './earliest.ts'
import { mapFiles } from './map-files.ts'
import { mapStream } from './map-stream.ts'
import { stateOfRecords } from './of-records.ts'
import { type Reduced, reduceStates } from './reduce.ts'
import { type StateSource, checkState, fileState, memoryState, stateTable, statesInFile } from './sources.ts'

const root = mkdtempSync(join(tmpdir(), 'wherefore-state-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Everything a result says, as one text. */
const shown = (reduced: Reduced): string => JSON.stringify(reduced, (_, value: unknown) => (ArrayBuffer.isView(value) ? [...(value as unknown as number[])] : value))

async function mapped(name: string, bytes: Uint8Array, offset: number): Promise<StateSource> {
  const { sink, state } = memoryState(`${name}@${offset}`)
  async function* chunks() {
    yield bytes
  }
  await mapStream(chunks(), sink, { name, offset, referenceMs: Date.UTC(2026, 11, 31) })
  return state
}

const strange = ['größe=3 übermäßig', 'one\ttwo', '{"msg":"x","k":"a b"}', '\tat a.B(B.java:1)', '', 'id=7 down', 'id=8 down', 'Jan 31 10:00:00 host app[1]: up']
const FILES = [
  ...generateLogs().slice(0, 3).map(({ file, text }) => ({ name: file, text })),
  { name: 'mixed.log', text: [...mixedLog(1500, 3, 40)].join('\n') },
  { name: 'strange.log', text: Array.from({ length: 200 }, (_, i) => strange[(i * 5) % strange.length]).join('\n') },
]

/** Where a record may start: behind a line end, and not at a line that belongs to the one before. */
const cutsOf = (text: string): number[] =>
  [...text.matchAll(/\n(?![\t])/g)].map(({ index }) => Buffer.byteLength(text.slice(0, index + 1))).filter((at) => at < Buffer.byteLength(text))

describe('sharding', () => {
  it('at any record boundaries, in any order, gives the bytes of one run', async () => {
    const whole = await Promise.all(FILES.map(({ name, text }) => mapped(name, Buffer.from(text), 0)))
    const expected = shown(reduceStates(whole))
    const cuts = FILES.map(({ text }) => cutsOf(text))
    await fc.assert(
      fc.asyncProperty(fc.tuple(...cuts.map((own) => fc.subarray(own, { maxLength: 4 }))), fc.integer(), async (chosen, seed) => {
        const shards: StateSource[] = []
        for (const [i, { name, text }] of FILES.entries()) {
          const bytes = Buffer.from(text)
          const bounds = [0, ...(chosen[i] ?? []), bytes.length]
          for (let k = 1; k < bounds.length; k += 1) shards.push(await mapped(name, bytes.subarray(bounds[k - 1], bounds[k]), bounds[k - 1] ?? 0))
        }
        const shuffled = shards.toSorted((x, y) => ((x.name.length * 31 + seed) % 17) - ((y.name.length * 31 + seed) % 17) || (seed % 2 === 0 ? 1 : -1))
        expect(shown(reduceStates(shuffled))).toBe(expected)
      }),
      { numRuns: 6 },
    )
  })

  it('beyond the room of the table keeps the same shapes for any sharding, and counts every line', async () => {
    const lines = [...mixedLog(1200, 5, 60)]
    const states = async (parts: readonly string[][]): Promise<StateSource[]> => {
      let offset = 0
      return Promise.all(parts.map((part) => {
        const bytes = Buffer.from(part.map((line) => `${line}\n`).join(''))
        offset += bytes.length
        return mapped('mixed.log', bytes, offset - bytes.length)
      }))
    }
    const whole = await states([lines])
    for (const limits of [{ shapeLimit: 12 }, { shapeLimit: 12, countedLimit: 15 }]) {
      const reduced = reduceStates(whole, limits)
      expect(reduced.shapes).toBe(12)
      expect(reduced.overflow).toBeGreaterThan(0)
      expect(reduced.templates.reduce((sum, { hits }) => sum + hits, reduced.overflow)).toBe(lines.length)
      expect(reduced.columns.length).toBe(lines.length - reduced.overflow)
      await fc.assert(
        fc.asyncProperty(fc.subarray(Array.from({ length: 11 }, (_, i) => 100 * (i + 1))), fc.boolean(), async (cuts, turned) => {
          const bounds = [0, ...cuts, lines.length]
          const parts = await states(bounds.slice(1).map((to, i) => lines.slice(bounds[i], to)))
          expect(shown(reduceStates(turned ? parts.toReversed() : parts, limits))).toBe(shown(reduced))
        }),
        { numRuns: 5 },
      )
    }
    const least = reduceStates(whole, { shapeLimit: 12 }).templates.reduce((min, { hits }) => Math.min(min, hits), Infinity)
    expect(reduceStates(whole).templates.filter(({ hits }) => hits > least).length).toBeLessThanOrEqual(12)
  })

  it('of records in memory is the same way', () => {
    const { records } = readText('mixed.log', Buffer.from(FILES[3]?.text ?? ''))
    const halves = [records.slice(700), records.slice(0, 700)]
    expect(shown(reduceStates(halves.map(stateOfRecords)))).toBe(shown(reduceStates([stateOfRecords(records)])))
    expect(mine(records).templates).toEqual(reduceStates([stateOfRecords(records)]).templates)
  })
})

describe('a state', () => {
  it('holds the table that the reference makes of the same lines', () => {
    const { records } = readText('mixed.log', Buffer.from(FILES[3]?.text ?? ''))
    const table: ShapeTable = new Map()
    for (const record of records) addLine(table, record)
    const sorted = (shapes: ShapeTable) => shapesOf(shapes).map((shape) => ({ ...shape, severities: [...shape.severities].toSorted(), services: [...shape.services].toSorted() }))
    expect(sorted(stateTable(stateOfRecords(records)).table)).toEqual(sorted(table))
    const twice: ShapeTable = new Map()
    mergeTables(twice, table)
    expect(sorted(twice)).toEqual(sorted(table))
  })

  it('that is damaged anywhere, or cut, is refused', async () => {
    const state = await mapped('a.log', Buffer.from('2026-01-31T10:20:30Z link down node=a1\n'.repeat(3)), 0)
    const bytes = state.read((source) => Buffer.from(source(1 << 30) ?? []))
    const file = join(root, 'one.state')
    for (let at = 0; at < bytes.length; at += 7) {
      const damaged = Buffer.from(bytes)
      damaged[at] = (damaged[at] ?? 0) ^ 0x55
      writeFileSync(file, damaged)
      expect(() => checkState(fileState(file)), `byte ${at}`).toThrow(BadState)
      writeFileSync(file, bytes.subarray(0, at))
      expect(() => checkState(fileState(file)), `cut at ${at}`).toThrow(BadState)
    }
    writeFileSync(file, Buffer.concat([bytes, bytes]))
    expect(statesInFile(file)).toHaveLength(2)
  })

  it('says how many records found no room', () => {
    const { sink, state } = memoryState('small')
    const builder = new StateBuilder(sink, { shapeLimit: 2 })
    const { counts } = readText('a.log', Buffer.from('one\ntwo\nthree\none\n'))
    builder.startFile('a.log', serviceOf('a.log'))
    for (const text of ['one', 'two', 'three', 'one']) builder.add(fieldsOf(text), 0)
    builder.end(counts)
    expect(reduceStates([state])).toMatchObject({ overflow: 1, shapes: 2 })
  })
})

function fieldsOf(text: string) {
  const bytes = Buffer.from(text)
  const range = (end: number) => ({ bytes, start: 0, end })
  return { tsMs: Number.NaN, level: 1, levelled: false, note: null, message: range(bytes.length), service: range(0), trace: range(0), clear: () => {} }
}

describe('a run over files', () => {
  const logs = join(root, 'logs')
  it('reuses whole states of an earlier run and maps the rest, whatever was left there', async () => {
    const { mkdirSync } = await import('node:fs')
    mkdirSync(logs)
    for (const { name, text } of FILES) writeFileSync(join(logs, name), text)
    const once = await mapFiles(logs, { work: join(root, 'w1'), pieceBytes: 20_000, workers: 1 })
    const expected = shown(reduceStates(once.states))
    expect(once.pieces).toBeGreaterThan(FILES.length)
    const work = join(root, 'w2')
    await mapFiles(logs, { work, pieceBytes: 20_000, workers: 1 })
    const [first = '', second = '', third = ''] = readdirSync(work)
    rmSync(join(work, first))
    writeFileSync(join(work, second), readFileSync(join(work, second)).subarray(0, 100))
    writeFileSync(join(work, `${third}.1.tmp`), 'half')
    writeFileSync(join(work, 'old.state'), 'old')
    const again = await mapFiles(logs, { work, pieceBytes: 20_000, workers: 1 })
    expect(again.reused).toBe(again.pieces - 2)
    expect(shown(reduceStates(again.states))).toBe(expected)
    expect(readdirSync(work)).toHaveLength(again.pieces)
    utimesSync(join(logs, 'mixed.log'), 1, 1)
    const touched = await mapFiles(logs, { work, pieceBytes: 20_000, workers: 1 })
    expect(touched.reused).toBeLessThan(touched.pieces)
  })

  it('gives the same in one piece, in many, and over threads', async () => {
    const results = []
    for (const [i, pieceBytes] of [1e9, 5000, 60_000].entries()) {
      const { states } = await mapFiles(logs, { work: join(root, `p${i}`), pieceBytes, workers: 1 })
      results.push(shown(reduceStates(states)))
    }
    expect(new Set(results).size).toBe(1)
  })
})

describe('stored events', () => {
  const line = (ts: number, i: number) => `${new Date(ts).toISOString()} INFO request ${i} served from 10.0.0.${i % 200} in ${i % 7} ms\n`
  const older = Array.from({ length: 1000 }, (_, i) => line(Date.UTC(2026, 0, 1) + i * 1000, i)).join('')
  const younger = Array.from({ length: 1000 }, (_, i) => line(Date.UTC(2026, 0, 2) + i * 1000, i)).join('')

  it('are the earliest by time, whatever the names of the files', async () => {
    const states = [await mapped('app.log', Buffer.from(younger), 0), await mapped('app.log.1', Buffer.from(older), 0)]
    for (const given of [states, states.toReversed()]) {
      const { events, profiles, columns, unstored } = reduceStates(given)
      expect(events.map(({ file, offset }) => [file, offset])).toEqual(
        Array.from({ length: 300 }, (_, i) => ['app.log.1', columns.offset[i]]),
      )
      expect([profiles[0]?.timed, columns.length, unstored]).toEqual([2000, 2000, 1700])
    }
  })

  it('are the earliest of a log that runs backwards, with their texts', async () => {
    const { events } = reduceStates([await mapped('app.log', Buffer.from(older.trimEnd().split('\n').toReversed().join('\n')), 0)])
    expect(events).toHaveLength(300)
    expect(events.at(-1)?.tsMs).toBe(Date.UTC(2026, 0, 1) + 299_000)
    expect(events.every(({ entities }) => entities.length > 0)).toBe(true)
  })

  it('tells lines that may be among the earliest', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 60 }), fc.integer({ min: 1, max: 5 }), (times, limit) => {
        const earliest = new Earliest(0, limit)
        const taken = times.map((time, i) => ({ time, i })).filter(({ time }) => earliest.takes(time))
        const wanted = times.map((time, i) => ({ time, i })).toSorted((x, y) => x.time - y.time || x.i - y.i).slice(0, limit)
        expect(taken).toEqual(expect.arrayContaining(wanted))
      }),
    )
  })
})
