import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wherefore-next-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = (...args: string[]) => {
  const done = spawnSync(process.execPath, [resolve('bin/wherefore.js'), ...args], { cwd: folder, encoding: 'utf8', env: { PATH: process.env['PATH'] } })
  return { code: done.status, out: done.stdout, err: done.stderr }
}

it('each step from logs to a cause says what comes next', { timeout: 60_000 }, () => {
  const mined = run('toolkit', '--phase', 'mine', '--log-path', resolve('examples/log-rca/sample'))
  expect(mined.out).toMatch(/\nnext: wherefore review list\n$/)
  const summary = JSON.parse(readFileSync(join(folder, 'output/reports/log_mining_summary.json'), 'utf8'))
  expect(summary.events.stored + summary.events.not_stored).toBe(summary.input.records)
  expect(summary.causal_edges).toHaveLength(summary.edges.causal)
  expect(summary.causal_edges).toContainEqual({
    cause: 'LinkDown', effect: 'BgpPeerLost', lag_ms_p50: expect.any(Number), lag_ms_p95: expect.any(Number), q: expect.any(Number),
  })

  const { candidates } = JSON.parse(run('review', 'list', '--kind', 'LOG_CAUSAL_EDGE', '--q', 'LinkDown', '--json').out)
  const pid: string = candidates[0].pid
  const approved = run('review', 'approve', pid.slice(0, 8))
  expect(approved.out).toMatch(/^APPROVED {2}LinkDown causes .*\n(?:.*\n)* {2}along with it: Event LinkDown/)
  expect(approved.out).toMatch(/\nnext: wherefore toolkit --phase 2, then --phase reason\n$/)
  const early = run('rca', 'LinkDown')
  expect([early.code, early.err]).toEqual([1, expect.stringContaining('LinkDown is approved, but the graph holds none of it yet')])

  const bulk = run('review', 'bulk', 'reject', pid.slice(0, 10), 'nosuchcandidate', '--dry-run')
  expect([bulk.code, bulk.out]).toEqual([1, expect.stringContaining('0 would be done, 2 would be refused')])
  expect(bulk.out).toContain('wherefore review list shows the ids')
})

it.each([
  [['toolkit', '--phase', 'mine', '--log-path', './no-logs'], '--log-path: there is nothing at ./no-logs'],
  [['eval', 'causality', '--log-path', '.', '--truth', 'no-truth.json'], '--truth: there is nothing at no-truth.json'],
])('%j names what was typed', (args, expected) => {
  const { code, err } = run(...args)
  expect([code, err]).toEqual([1, expect.stringContaining(expected)])
})
