import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { asOnlyWriter } from './writer-lock.ts'

let folder = ''
let lock = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wherefore-lock-'))
  lock = join(folder, 'out', '.lock')
})
afterEach(() => rmSync(folder, { recursive: true }))

it('names its owner while it is held, and leaves nothing behind', async () => {
  await asOnlyWriter(lock, 'mine', async () => {
    expect(readFileSync(lock, 'utf8')).toBe(`${process.pid} mine`)
    await expect(asOnlyWriter(lock, '2', async () => 1)).rejects.toMatchObject({
      code: 'conflict', message: `another writer is at work (process ${process.pid}, phase mine)`, about: { locked: true },
    })
  })
  expect(readdirSync(join(folder, 'out'))).toEqual([])
})

it('is released when the work fails', async () => {
  await expect(asOnlyWriter(lock, '2', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await asOnlyWriter(lock, '2', async () => 'again')).toBe('again')
})

it('keeps out while another process lives, and is taken over when it is gone', async () => {
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  await asOnlyWriter(lock, '2', async () => undefined) // makes the folder
  writeFileSync(lock, `${other.pid} reason`)
  await expect(asOnlyWriter(lock, '2', async () => 1)).rejects.toThrow(`process ${other.pid}, phase reason`)
  const gone = new Promise((resolve) => other.once('exit', resolve))
  other.kill('SIGKILL')
  await gone
  expect(await asOnlyWriter(lock, '2', async () => 'mine now')).toBe('mine now')
  expect(existsSync(lock)).toBe(false)
})

it.each([
  ['what an older version wrote', () => String(process.pid), `process ${process.pid})`],
  ['an owner without a known phase', () => `${process.pid} <script>`, null],
  ['nothing', () => '', null],
  ['text', () => 'owner unknown', null],
  ['process 0', () => '0 mine', null],
])('reads %s', async (_what, text, refused) => {
  await asOnlyWriter(lock, '2', async () => undefined)
  writeFileSync(lock, text())
  const attempt = asOnlyWriter(lock, '2', async () => 'taken')
  if (refused === null) expect(await attempt).toBe('taken')
  else await expect(attempt).rejects.toThrow(refused)
})
