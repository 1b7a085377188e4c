/** Mining by threads, and by engines that map parts and reduce them: the command line gives the same store either way. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, it } from 'vitest'
import { mixedLog } from '../bench/log-corpora.ts'

const root = mkdtempSync(join(tmpdir(), 'wherefore-shards-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const MAIN = join(import.meta.dirname, '../src/surfaces/cli/main.ts')
/** enough for threads to be worth their start */
const LINES = 35_000
const logs = join(root, 'logs')

function run(folder: string, args: readonly string[], input?: Buffer): Buffer {
  return execFileSync(process.execPath, [MAIN, ...args], {
    cwd: join(root, folder), maxBuffer: 1 << 28, stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    ...(input === undefined ? {} : { input }),
    env: { ...process.env, SERVICE_STORE: undefined, SERVICE_CONFIG: undefined },
  })
}

function project(name: string): string {
  mkdirSync(join(root, name))
  writeFileSync(join(root, name, 'wherefore.json'), '{}')
  return name
}

const TABLES = {
  log_templates: ['cluster_id', 'template', 'hits', 'sample_line', 'first_seen', 'last_seen', 'severity', 'service'],
  log_template_slots: ['slot_idx', 'name', 'type', 'subtype', 'distinct_count', 'sample_count', 'top_values', 'pii_risk', 'tier'],
  log_entity_edges: ['src', 'dst', 'pmi', 'q', 'verdict'],
  log_events: ['cluster_id', 'ts_ms', 'entities', 'file', 'byte_offset'],
  ontology_evolution_proposals: ['pid', 'title', 'confidence', 'consequence', 'evidence'],
} as const

function dump(folder: string): unknown {
  const db = new DatabaseSync(join(root, folder, '.wherefore', 'store.db'), { readOnly: true })
  const rows = Object.entries(TABLES).map(([table, columns]) => {
    const names = columns.join(', ')
    return [table, db.prepare(`SELECT ${names} FROM ${table} ORDER BY ${names}`).all()]
  })
  db.close()
  return { rows, summary: readFileSync(join(root, folder, 'output', 'reports', 'log_mining_summary.json'), 'utf8') }
}

it('parts that were mapped elsewhere and reduced in any order give the store that threads give', { timeout: 120_000 }, () => {
  mkdirSync(logs)
  for (const name of ['b.log', 'a.log']) writeFileSync(join(logs, name), `${[...mixedLog(LINES, name.charCodeAt(0), 12)].join('\n')}\n`)
  expect(statSync(join(logs, 'a.log')).size * 2).toBeGreaterThan(8 << 20)
  const [threaded, sharded] = ['threaded', 'sharded'].map(project) as [string, string]
  run(threaded, ['toolkit', '--phase', 'mine', '--log-path', logs, '--workers', '2'])

  const whole = readFileSync(join(logs, 'a.log'))
  const cut = whole.indexOf(0x0a, whole.length / 3) + 1
  const states = [
    run(sharded, ['mine-map', '--as', 'a.log', '--offset', String(cut)], whole.subarray(cut)),
    run(sharded, ['mine-map', '--root', logs, join(logs, 'b.log')]),
    run(sharded, ['mine-map', '--as', 'a.log'], whole.subarray(0, cut)),
  ].map((state, i) => {
    writeFileSync(join(root, `${i}.state`), state)
    return join(root, `${i}.state`)
  })
  run(sharded, ['mine-reduce', '--log-path', logs, ...states])
  expect(dump(sharded)).toEqual(dump(threaded))
})
