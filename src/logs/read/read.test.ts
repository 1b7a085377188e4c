import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { addsUp, noCounts, skippedOf } from './counts.ts'
import { listLogFiles } from './files.ts'
import { matchesGlob } from './glob.ts'
import { LineSplitter, MAX_LINE_BYTES } from './lines.ts'
import { piecesOf } from './pieces.ts'
import { readPiece } from './read-piece.ts'
import { serviceOf } from './rotation.ts'
import { collectLogs, readText } from './text.ts'

const root = mkdtempSync(join(tmpdir(), 'wherefore-read-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

function folder(name: string, files: Readonly<Record<string, string | Uint8Array>>): string {
  const place = join(root, name)
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(join(place, file, '..'), { recursive: true })
    writeFileSync(join(place, file), content)
  }
  return place
}

const messages = async (path: string): Promise<string[]> => (await collectLogs(path)).records.map(({ message }) => message)

describe('files', () => {
  it('are read in the order in which they were written, rotated ones by their age', async () => {
    const place = folder('rotated', {
      'app.log': 'now', 'app.log.1': 'before', 'app.log.2.gz': gzipSync('long ago'), 'app.log.10': 'first', 'a.log': 'a', 'sub/z.log': 'z',
      'web.log-20260102': 'second day', 'web.log-20260101': 'first day', 'web.log': 'today',
    })
    expect(await messages(place)).toEqual(['a', 'first', 'long ago', 'before', 'now', 'z', 'first day', 'second day', 'today'])
    expect((await collectLogs(place)).records.map(({ service }) => service)).toEqual(['a', 'app', 'app', 'app', 'app', 'z', 'web', 'web', 'web'])
  })

  it('can be named by a pattern', async () => {
    const place = folder('glob', { 'a/x.log': '1', 'a/b/y.log': '2', 'a/b/y.txt': '3', 'c.log': '4' })
    expect(await messages(join(place, '**/*.log'))).toEqual(['2', '1', '4'])
    expect(await messages(join(place, 'a/?.log'))).toEqual(['1'])
    expect(matchesGlob('a'.repeat(60), '*a'.repeat(30) + 'b')).toBe(false)
    await expect(collectLogs(join(place, 'none/*.log'))).rejects.toMatchObject({ code: 'not_found' })
  })

  it('that are links are left alone and counted', async () => {
    const place = folder('links', { 'a.log': 'a' })
    symlinkSync('/etc', join(place, 'etc'))
    symlinkSync(join(place, 'a.log'), join(place, 'b.log'))
    const { records, skipped } = await collectLogs(place)
    expect(records).toHaveLength(1)
    expect(skipped).toEqual({ symlink: 2 })
    await expect(collectLogs(join(place, 'b.log'))).rejects.toMatchObject({ code: 'invalid_request' })
  })

  it.each([
    ['app.log', 'app'], ['x/app.log.3.gz', 'app'], ['app-2026-01-31.log.zst', 'app'], ['syslog', 'syslog'], ['nrf.core.log', 'nrf.core'], ['.log', '.log'],
  ])('%s belongs to %s', (name, service) => expect(serviceOf(name)).toBe(service))
})

describe('packed files', () => {
  it('are unpacked on the way', async () => {
    const text = 'one\ntwo\n'
    const place = folder('packed', { 'a.gz': gzipSync(text), 'b.zst': zstdCompressSync(text), 'c.gz': Buffer.concat([gzipSync('x\n'), gzipSync('y\n')]) })
    expect(await messages(place)).toEqual(['one', 'two', 'one', 'two', 'x', 'y'])
  })

  it('that unpack to far more than they are, are stopped', async () => {
    const bomb = gzipSync(Buffer.alloc(80 * 1024 * 1024, 'a'), { level: 9 })
    const { skipped, counts } = await collectLogs(folder('bomb', { 'a.log.gz': bomb }))
    expect(skipped).toMatchObject({ bomb: 1 })
    expect(addsUp(counts)).toBe(true)
  })

  it('that are damaged give what can be read of them', async () => {
    const whole = gzipSync(Array.from({ length: 5000 }, (_, i) => `line ${Math.sin(i)}`).join('\n'))
    const { records, skipped } = await collectLogs(folder('cut', { 'a.gz': whole.subarray(0, whole.length / 2) }))
    expect(records.length).toBeGreaterThan(100)
    expect(skipped).toMatchObject({ corrupt: 1 })
  })

  it('of other kinds, and files that are no text, are left alone and counted', async () => {
    const noise = Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 7) % 31 || 1))
    const { counts } = await collectLogs(folder('other', { 'a.zip': Buffer.from('PK\x03\x04abc'), 'b.bin': noise, 'c.log': 'x' }))
    expect(counts.skipped).toEqual({ archive: { lines: 0, bytes: 7, files: 1 }, binary: { lines: 0, bytes: 4096, files: 1 } })
    expect(addsUp(counts)).toBe(true)
  })
})

describe('encodings', () => {
  const text = 'größe 1\r\nzweite Zeile\n\n東京'
  const utf16be = Buffer.from(`\ufeff${text}`, 'utf16le').swap16()
  it.each([
    ['utf-8', Buffer.from(text)], ['utf-8 with a mark', Buffer.from(`\ufeff${text}`)], ['utf-16 LE', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['utf-16 BE', utf16be], ['utf-16 without a mark', Buffer.from('plain text\r\nsecond line'.repeat(20), 'utf16le')],
  ])('%s is read with exact offsets', (name, bytes) => {
    const { records, counts } = readText('a.log', bytes)
    expect(addsUp(counts)).toBe(true)
    if (name === 'utf-16 without a mark') return expect(records[0]?.message).toBe('plain text')
    expect(records.map(({ message }) => message)).toEqual(['größe 1', 'zweite Zeile', '東京'])
    for (const { offset, message } of records) {
      const wide = name.startsWith('utf-16')
      const there = wide ? (name.endsWith('BE') ? Buffer.from(bytes).swap16() : bytes).subarray(offset).toString('utf16le') : bytes.subarray(offset).toString('utf8')
      expect(there.startsWith(message)).toBe(true)
    }
  })

  it('a line in no known encoding is read as Latin-1, and only that line', () => {
    const { records, counts } = readText('a.log', Buffer.concat([Buffer.from('gr\xf6\xdfe\n', 'latin1'), Buffer.from('größe\n')]))
    expect(records.map(({ message }) => message)).toEqual(['größe', 'größe'])
    expect(counts.notes).toEqual({ latin1: 1 })
  })

  it('zeros, escape sequences and direction marks do not reach the message', () => {
    const { records } = readText('a.log', Buffer.from('\0\0link \u001b[31mdown\u001b[0m \u202enode\0\n'))
    expect(records.map(({ message }) => message)).toEqual(['link down node'])
  })
})

describe('lines', () => {
  it('are the same however the bytes come in', () => {
    const line = fc.constantFrom('', 'a', 'ä', '\r', 'xyz', '\0', 'é'.repeat(3))
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat(7)), fc.boolean(), (lines, sizes, wide) => {
        const bytes = wide ? Buffer.from(lines.join('\n'), 'utf16le') : Buffer.from(lines.join('\n'))
        const given = (parts: readonly number[]) => {
          const seen: string[] = []
          const splitter = new LineSplitter((b, start, end, offset, size, cut) => void seen.push([Buffer.from(b.subarray(start, end)).toString('hex'), offset, size, cut].join(' ')), wide ? { encoding: 'utf16le' } : {})
          let at = 0
          for (const size of parts) {
            splitter.push(bytes.subarray(at, at + size))
            at += size
          }
          splitter.push(bytes.subarray(at))
          splitter.end()
          return seen
        }
        expect(given(sizes)).toEqual(given([]))
      }),
    )
  })

  it('are cut at 64 KiB, and what is cut is counted', () => {
    const { records, counts } = readText('a.log', Buffer.from(`${'a'.repeat(MAX_LINE_BYTES + 5)}\nnext\n`))
    expect(records.map(({ message }) => message.length)).toEqual([MAX_LINE_BYTES, 4])
    expect(counts.skipped).toEqual({ cut: { lines: 0, bytes: 5, files: 0 } })
    expect(counts.notes).toEqual({ cut_line: 1 })
    expect(addsUp(counts)).toBe(true)
  })
})

describe('counts', () => {
  it('add up to the input, whatever it is', () => {
    const text = fc.array(fc.oneof(
      fc.constantFrom('\n', '{"msg":"x"}\n', '{"msg":', '\tat x\n', '2026-01-31T10:20:30Z ERROR\n', '2026-01-31T10:20:30Z stdout P half\n', '\0', '<34>1 x\n',
        '{"log":"x","stream":"stdout"}\n', 'ValueError: x\n', 'k=v msg=x\n', '{"resourceLogs":[]}\n'),
      fc.string(), fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('latin1')),
    ))
    fc.assert(
      fc.property(text, (pieces) => {
        const bytes = Buffer.from(pieces.join(''), 'latin1')
        const { counts, records } = readText('a.log', bytes)
        expect(counts.bytes).toBe(bytes.length)
        expect(counts.records).toBe(records.length)
        expect(addsUp(counts)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  it('are said by reason', () => {
    const { counts } = readText('a.log', Buffer.from('\n\n{"a\nx\n\tat y\n'))
    expect(skippedOf(counts)).toEqual({ blank: 2, bad_json: 1, folded: 1 })
  })
})

describe('pieces', () => {
  it('begin where a record does, and together are the file', async () => {
    const lines = Array.from({ length: 400 }, (_, i) =>
      i % 7 === 3 ? '\tat a.B(B.java:1)' : i % 11 === 5 ? '2026-01-31T10:20:30Z stdout P half ' : i % 11 === 6 ? '2026-01-31T10:20:30Z stdout F whole' : `2026-01-31 10:20:30 INFO line ${i}`)
    const place = folder('pieces', { 'a.log': lines.join('\n') })
    const read = async (pieceBytes: number) => {
      const found: string[] = []
      const pieces = piecesOf(listLogFiles(place, noCounts()), noCounts(), pieceBytes)
      for (const piece of pieces) {
        const counts = await readPiece(piece, ({ message }, offset) => void found.push(`${offset} ${Buffer.from(message.bytes.subarray(message.start, message.end)).toString()}`))
        expect(addsUp(counts)).toBe(true)
      }
      return { pieces: pieces.length, found }
    }
    const whole = await read(1e9)
    for (const pieceBytes of [700, 1000, 5000]) {
      const parts = await read(pieceBytes)
      expect(parts.pieces).toBeGreaterThan(2)
      expect(parts.found).toEqual(whole.found)
    }
  })
})
