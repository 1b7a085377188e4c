import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, it } from 'vitest'
import { openSource } from '../open.ts'
import { watchFile } from './version.ts'

const dir = mkdtempSync(join(tmpdir(), 'wherefore-version-'))
const watches: { close(): void }[] = []
afterAll(() => {
  for (const watch of watches) watch.close()
  rmSync(dir, { recursive: true })
})

function fileVersion(file: string): string | null {
  const watch = watchFile(file)
  watches.push(watch) // closed at the end: a handle that goes takes the locks of the database under test with it
  return watch.version()
}

const made = (name: string, mode: 'delete' | 'wal') => {
  const file = join(dir, name)
  const db = new DatabaseSync(file)
  db.exec(`PRAGMA journal_mode = ${mode}; CREATE TABLE t (x TEXT); INSERT INTO t VALUES ('a')`)
  return { file, db }
}

describe.each(['delete', 'wal'] as const)('the version of a database with journal mode %s', (mode) => {
  it('differs after every change, however small and quick, and after nothing else', () => {
    const { file, db } = made(`${mode}.sqlite`, mode)
    const seen = new Set([fileVersion(file)])
    for (let n = 0; n < 50; n += 1) {
      db.exec(`UPDATE t SET x = '${'ab'.charAt((n + 1) % 2)}'`) // as many bytes as before
      seen.add(fileVersion(file))
    }
    expect(seen.size).toBe(51)
    expect(seen.has(null)).toBe(false)
    db.prepare('SELECT x FROM t').all()
    expect(seen.has(fileVersion(file))).toBe(true)
    db.close()
  })

  it('is the same for as long as a source only reads it', async () => {
    const { file, db } = made(`${mode}-read.sqlite`, mode)
    const source = await openSource(file, { processes: 1 })
    const before = await source.version()
    const count = { sql: 'select count(*) from t', params: [] }
    await source.select(count, { maxRows: 1, timeoutMs: 5000 })
    expect(await source.version()).toBe(before)
    db.exec("INSERT INTO t VALUES ('b')")
    expect(await source.version()).not.toBe(before)
    await source.close()
    db.close()
  })
})

it('a log written from its start again within one tick of the clock is another version', () => {
  const { file, db } = made('ticks.sqlite', 'wal')
  const still = new Date('2026-01-01T00:00:00Z')
  const at = (value: string) => {
    db.exec(`UPDATE t SET x = '${value}'; PRAGMA wal_checkpoint(RESTART)`)
    for (const name of [file, `${file}-wal`]) utimesSync(name, still, still)
    return fileVersion(file)
  }
  const seen = new Set([at('a'), at('b'), at('c')])
  expect(seen.size).toBe(3)
  db.close()
})

it('of a file that is gone, or is no file, nothing is known', () => {
  expect(fileVersion(join(dir, 'none.sqlite'))).toBeNull()
  expect(fileVersion(dir)).toBeNull()
  writeFileSync(join(dir, 'short'), 'x')
  expect(fileVersion(join(dir, 'short'))).not.toBeNull()
})

it('a database behind a link is another version after each change, also while that is only in the log', () => {
  const { file, db } = made('target.sqlite', 'wal')
  const folder = join(dir, 'links')
  mkdirSync(folder)
  const link = join(folder, 'link.sqlite')
  symlinkSync(file, link)
  const before = fileVersion(link)
  db.exec("INSERT INTO t VALUES ('b')")
  expect(fileVersion(link)).not.toBe(before)
  db.close()
})

describe.skipIf(process.platform !== 'linux')('the handles of a database', () => {
  const open = (file: string): number =>
    readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).startsWith(file)
      } catch {
        return false // the one that lists them
      }
    }).length

  it('are one a file for all sources on it, and gone with the last of them', async () => {
    const { file, db } = made('handles.sqlite', 'wal')
    const own = open(file)
    const [one, other] = await Promise.all([openSource(file, { processes: 1 }), openSource(file, { processes: 1 })])
    await one.version()
    const watching = open(file)
    expect(watching).toBeGreaterThan(own)
    await other.version()
    expect(open(file)).toBe(watching)
    await one.close()
    await one.close()
    expect(open(file)).toBe(watching)
    expect(await one.version()).toBeNull()
    expect(await other.version()).not.toBeNull()
    await other.close()
    expect(open(file)).toBe(own)
    db.close()
  })
})
