import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { generateNetworkOps } from '../examples/network-ops/generate.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wherefore-rules-'))
  generateNetworkOps(join(folder, 'ops.sqlite'))
  writeFileSync(join(folder, 'wherefore.json'), JSON.stringify({ sources: { ops: { path: 'ops.sqlite' } } }))
  const prefix = 'PREFIX : <https://enterprise.example/ontology#>\n'
  writeFileSync(join(folder, 'good.rq'), `${prefix}CONSTRUCT { ?a :urgent true }\nWHERE { ?a :Alarm.severity "critical" }\n`)
  writeFileSync(join(folder, 'bad.rq'), `${prefix}CONSTRUCT { ?a :urgent true }\nWHERE { ?a a :Alrm }\n`)
  const steps = 'bcdefgh'.split('').map((name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefg'[at]}`).join(', ')}]`)
  writeFileSync(join(folder, 'bomb.yaml'), ['kind: owl', 'a: &a [x, x, x, x, x, x, x, x, x]', ...steps].join('\n'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = (...args: string[]) => {
  const done = spawnSync(process.execPath, [resolve('bin/wherefore.js'), 'rules', ...args], { cwd: folder, encoding: 'utf8', env: { PATH: process.env['PATH'] } })
  return { code: done.status, out: done.stdout, err: done.stderr }
}

/** Each call starts a process, so the everyday run makes few of them. */
const FULL = process.env['WHEREFORE_FULL'] !== undefined

it('rules are checked, added from files and libraries, and listed at the keyboard', () => {
  expect(run('validate', '--file', 'bad.rq')).toMatchObject({ code: 1, out: expect.stringMatching(/line 3, column 14: no class .*did you mean :Alarm\?/) })
  expect(run('add', 'urgent', '--file', 'good.rq')).toMatchObject({ code: 0, out: expect.stringMatching(/^added {2}urgent\nAn alarm is marked urgent/) })
  expect(run('add', 'telecom/tel-planned-alarm')).toMatchObject({ code: 0, out: expect.stringMatching(/added +tel-planned-alarm/) })
  const { rules } = JSON.parse(run('list', '--json').out) as { rules: { id: string }[] }
  expect(rules.map(({ id }) => id)).toEqual(['tel-planned-alarm', 'urgent'])
}, 60_000)

it.runIf(FULL)('what is broken is refused with its exit code; a rule is tried out and removed', () => {
  expect(run('add', 'urgent', '--file', 'bad.rq')).toMatchObject({ code: 1, err: expect.stringMatching(/invalid_rule/) })
  expect(run('add', 'urgent', '--file', 'bomb.yaml')).toMatchObject({ code: 1, err: expect.stringMatching(/repeats itself/) })
  expect(run('add', 'telecom/tel-flapping-link').code).toBe(1)
  expect(JSON.parse(run('preview', 'urgent', '--json').out)).toMatchObject({ count: 1, errors: [] })
  expect(run('remove', 'urgent')).toMatchObject({ code: 0, out: 'removed urgent\n' })
  expect(run('show', 'urgent').code).toBe(1)
}, 60_000)
