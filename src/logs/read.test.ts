import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MAX_LINE_BYTES, splitLines } from './lines.ts'
import { collectLogs } from './read.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'logs-'))
})
afterEach(() => rmSync(folder, { recursive: true }))
const put = (name: string, content: string | Uint8Array): void => writeFileSync(join(folder, name), content)

describe('collectLogs', () => {
  it('reads a folder in order, with names relative to it and exact byte offsets', async () => {
    mkdirSync(join(folder, 'b'))
    put('b/x.log', '2026-03-14T08:00:00Z INFO später\r\nsecond\n')
    put('a.jsonl', '{"msg":"one"}\n\n{"msg":"two"}')
    const { records, skipped } = await collectLogs(folder)
    expect(records.map(({ file, offset, service, message }) => [file, offset, service, message])).toEqual([
      ['a.jsonl', 0, 'a', 'one'],
      ['a.jsonl', 15, 'a', 'two'],
      ['b/x.log', 0, 'x', 'später'],
      ['b/x.log', 35, 'x', 'second'],
    ])
    expect(skipped).toEqual({ blank: 1 })
  })

  it('follows no link, waits on no pipe, ends in no loop', async () => {
    put('real.log', 'hello\n')
    symlinkSync('/etc/passwd', join(folder, 'link.log'))
    symlinkSync('.', join(folder, 'loop'))
    execFileSync('mkfifo', [join(folder, 'pipe')])
    const { records, skipped } = await collectLogs(folder)
    expect(records.map((record) => record.message)).toEqual(['hello'])
    expect(skipped).toEqual({ symlink: 2, special: 1 })
  })

  it('counts what it cannot read', async () => {
    put('a.gz', new Uint8Array([0x1f, 0x8b, 8, 0]))
    put('b.log', new Uint8Array([0xff, 0xfe, 65, 0]))
    put('c.log', new Uint8Array([0xef, 0xbb, 0xbf, 111, 107, 0, 255, 10]))
    const { records, skipped } = await collectLogs(folder)
    expect(records.map((record) => record.message)).toEqual(['ok \ufffd'])
    expect(skipped).toEqual({ compressed: 1, utf16: 1 })
  })

  it('cuts a line of megabytes and reads on behind it', async () => {
    put('long.log', `${'x'.repeat(3_000_000)}\nnext\n`)
    const { records, skipped } = await collectLogs(join(folder, 'long.log'))
    expect(records.map((record) => [record.message.length, record.offset])).toEqual([[MAX_LINE_BYTES, 0], [4, 3_000_001]])
    expect(skipped).toEqual({ cut_line: 1 })
  })

  it('an empty file holds nothing', async () => {
    put('empty.log', '')
    expect(await collectLogs(folder)).toEqual({ records: [], skipped: {} })
  })

  it('refuses a path that is missing or a link, and names neither', async () => {
    await expect(collectLogs(join(folder, 'gone'))).rejects.toMatchObject({ code: 'not_found', about: { stage: 'read' } })
    symlinkSync(folder, join(folder, 'self'))
    await expect(collectLogs(join(folder, 'self'))).rejects.toMatchObject({ code: 'invalid_request' })
    await expect(collectLogs(join(folder, 'self'))).rejects.not.toThrow(folder)
  })
})

it('splitting does not depend on where the chunks end', async () => {
  const bytes = fc.uint8Array({ maxLength: 60 }).map((given) => given.map((byte) => (byte % 4 === 0 ? 10 : byte)))
  await fc.assert(
    fc.asyncProperty(bytes, fc.integer({ min: 1, max: 7 }), async (all, size) => {
      const lines = async (step: number) => {
        const chunks = async function* () {
          for (let i = 0; i < all.length; i += step) yield all.subarray(i, i + step)
        }
        return Array.fromAsync(splitLines(chunks(), 8))
      }
      const whole = await lines(Math.max(1, all.length))
      expect(await lines(size)).toEqual(whole)
      for (const { bytes: line, offset } of whole) expect(all.subarray(offset, offset + line.length)).toEqual(line)
    }),
    { numRuns: 50 },
  )
})
