import { gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { sniff } from '../read/sniff.ts'
import { mapStream } from './map-stream.ts'
import { reduceStates } from './reduce.ts'
import { memoryState } from './sources.ts'

const TEXT = Buffer.from(Array.from({ length: 300 }, (_, i) => `2026-03-14T08:00:00Z INFO api: order ${i} placed\n`).join(''))

async function mapped(bytes: Uint8Array, size = 100) {
  const { sink, state } = memoryState('x')
  async function* chunks() {
    // one buffer over and over, as standard input is read
    const buffer = Buffer.alloc(size)
    for (let at = 0; at < bytes.length; at += size) yield buffer.subarray(0, Buffer.from(bytes).copy(buffer, 0, at, at + size))
  }
  const counts = await mapStream(chunks(), sink, { name: 'stdin', offset: 0, referenceMs: 0 })
  return { counts, state }
}

describe('standard input', () => {
  it.each([['plain', TEXT], ['gzip', gzipSync(TEXT)], ['zstd', zstdCompressSync(TEXT)]])('is read when it is %s', async (_, bytes) => {
    const { counts, state } = await mapped(bytes)
    expect(counts.records).toBe(300)
    expect(reduceStates([state]).templates.map(({ template }) => template)).toEqual(['order <*> placed'])
  })

  it.each([
    ['a database', Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(4096), Buffer.from('x')])],
    ['packed bytes without text', gzipSync(Buffer.from(Array.from({ length: 4096 }, (_, i) => i % 7)))],
    ['an archive', Buffer.from('PK\u0003\u0004 and more')],
  ])('is refused when it is %s', async (_, bytes) => {
    await expect(mapped(bytes)).rejects.toThrow('no text')
  })

  it('that breaks off is read up to there, and counted', async () => {
    const whole = gzipSync(Array.from({ length: 5000 }, (_, i) => `line ${Math.sin(i)}`).join('\n'))
    const { counts } = await mapped(whole.subarray(0, whole.length / 2))
    expect(counts.skipped.corrupt?.files).toBe(1)
    expect(counts.records).toBeGreaterThan(0)
  })
})

it.each([
  ['zeros among letters', Buffer.from('ab\0\0\0cd\0\0ef\0\0gh'), 'binary'],
  ['a hole before the text', Buffer.concat([Buffer.alloc(500), TEXT]), null],
  ['a hole behind the text', Buffer.concat([TEXT.subarray(0, 100), Buffer.alloc(500)]), null],
  ['UTF-16', Buffer.from('link down', 'utf16le'), null],
  ['a single zero', Buffer.from('2026-03-14 link down\0node 7'), null],
])('%s: refused as %s', (_, bytes, refused) => {
  expect(sniff(bytes).refused).toBe(refused)
})
