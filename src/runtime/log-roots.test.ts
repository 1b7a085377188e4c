import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { allowedLogPath } from './log-roots.ts'

let folder = ''
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'wherefore-roots-')))
  for (const name of ['logs/day', 'logs-2', 'other']) mkdirSync(join(folder, name), { recursive: true })
  writeFileSync(join(folder, 'logs', 'a.log'), '')
  symlinkSync(join(folder, 'other'), join(folder, 'logs', 'out'))
  symlinkSync(join(folder, 'logs', 'day'), join(folder, 'logs', 'today'))
  symlinkSync(join(folder, 'logs'), join(folder, 'link'))
})
afterAll(() => rmSync(folder, { recursive: true }))

it.each([
  [['logs'], undefined, 'logs'],
  [['logs'], 'logs', 'logs'],
  [['logs'], 'logs/day', 'logs/day'],
  [['logs'], 'logs/a.log', 'logs/a.log'],
  [['logs'], 'logs/today', 'logs/day'],
  [['link'], 'logs/day', 'logs/day'],
  [['logs', 'other'], 'logs/out', 'other'],
  [['logs'], 'logs/out', null],
  [['logs'], 'logs/../other', null],
  [['logs'], 'logs-2', null],
  [['logs'], 'logs/missing', null],
  [['missing'], 'logs', null],
  [[], undefined, null],
])('with the roots %j takes %s as %s', (roots, asked, real) => {
  const at = (name: string) => join(folder, name)
  const read = () => allowedLogPath(asked === undefined ? undefined : `${folder}/${asked}`, roots.map(at))
  if (real === null) expect(read).toThrow(expect.objectContaining({ code: 'invalid_request' }))
  else expect(read()).toBe(at(real))
})
