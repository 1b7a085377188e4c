import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import type { StoredEvent } from './log-tables.ts'
import { openWorkspace } from './workspace.ts'

const root = mkdtempSync(join(tmpdir(), 'wherefore-runs-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const event = (run: string, tsMs: number): StoredEvent => ({
  clusterId: 'a', tsMs, service: '', trace: '', entities: [], severity: 'INFO', file: 'f.log', offset: 0, run,
})

it('a file is replaced under every path that leads to it, and a folder with all that lies below it', () => {
  const workspace = openWorkspace(join(root, 'store.db'))
  const save = (run: string, events: StoredEvent[]) => workspace.logs.save({ templates: [], events, edges: [] }, { run, now: '2026-01-01T00:00:00.000Z' })
  const times = () => workspace.logs.events().map(({ tsMs }) => tsMs)
  save('/l', [event('/l/a.log', 1), event('/l/b.log', 2)])
  save('/l/*.log', [event('/l/a.log', 3), event('/l/b.log', 4)])
  expect(times()).toEqual([3, 4])
  save('/l/a.log', [event('/l/a.log', 5)])
  expect(times()).toEqual([4, 5])
  save('/l2', [event('/l2/a.log', 6)])
  save('/l', [event('/l/c.log', 7)])
  expect(times()).toEqual([6, 7])
  workspace.close()
})
