import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as after } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { mixedLog } from '../bench/log-corpora.ts'
import { rng } from '../src/kernel/stats/index.ts'

const KILLS = process.env['WHEREFORE_FULL'] === '1' ? 50 : 20
const KILLS_PER_ROUND = 5
/** in full enough for threads, so that they are killed, too */
const LINES = process.env['WHEREFORE_FULL'] === '1' ? 16_000 : 1200
const root = mkdtempSync(join(tmpdir(), 'wherefore-kill-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const logs = join(root, 'logs')
mkdirSync(logs)
for (let i = 0; i < 6; i += 1) writeFileSync(join(logs, `part-${i}.log`), `${[...mixedLog(LINES, i, 12)].join('\n')}\n`)

function project(name: string): string {
  const folder = join(root, name)
  mkdirSync(folder)
  writeFileSync(join(folder, 'wherefore.json'), '{}')
  return folder
}

const start = (folder: string): ChildProcess =>
  spawn(process.execPath, [join(import.meta.dirname, 'mine-child.ts'), folder, logs], { stdio: ['ignore', 'ignore', 'pipe'] })

async function finish(folder: string): Promise<void> {
  const child = start(folder)
  let said = ''
  child.stderr?.on('data', (data: Buffer) => (said += data.toString()))
  const [code] = await once(child, 'exit')
  expect(code, said).toBe(0)
}

/** What the store and the summary say; rows are numbered by when they were first written, which a kill may change. */
function dump(folder: string): Record<string, unknown[]> | null {
  const store = join(folder, '.wherefore', 'store.db')
  if (!existsSync(store)) return null
  const db = new DatabaseSync(store)
  try {
    expect(db.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
    const tables = ['log_templates', 'log_template_slots', 'log_entity_edges', 'log_events', 'ontology_evolution_proposals']
    const existing = new Set(db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all().map(({ name }) => name))
    if (!tables.every((table) => existing.has(table))) return null
    return Object.fromEntries(tables.map((table) => [table, db.prepare(`SELECT * FROM ${table} ORDER BY 1`).all()]))
  } finally {
    db.close()
  }
}

const summaryOf = (folder: string): string => readFileSync(join(folder, 'output', 'reports', 'log_mining_summary.json'), 'utf8')

it('killed at any point, mining leaves the old state or the new, and run again gives the same bytes', { timeout: 600_000 }, async () => {
  const untouched = project('untouched')
  const since = performance.now()
  await finish(untouched)
  const wholeMs = performance.now() - since
  const expected = dump(untouched)
  expect(expected?.['log_templates']?.length).toBeGreaterThan(10)
  await finish(untouched) // mining twice changes nothing
  expect(dump(untouched)).toEqual(expected)
  const draw = rng(5)
  for (let kills = 0, round = 0; kills < KILLS; round += 1) {
    const folder = project(`round-${round}`)
    for (let i = 0; i < KILLS_PER_ROUND; i += 1, kills += 1) {
      const child = start(folder)
      const ended = once(child, 'exit')
      await Promise.race([after(wholeMs * (0.2 + 0.8 * draw())), ended])
      child.kill('SIGKILL')
      await ended
      const found = dump(folder)
      if (found !== null && found['log_templates']?.length !== 0) expect(found).toEqual(expected)
    }
    await finish(folder)
    expect(dump(folder)).toEqual(expected)
    expect(summaryOf(folder)).toBe(summaryOf(untouched))
    expect(readdirSync(join(folder, '.wherefore')).filter((name) => name.includes('mining'))).toEqual([])
  }
})
