/**
 * The floors of template mining on labelled public logs. The logs are not part of this repository: SHARED_DATA says where they
 * lie, as `logs/loghub_2k`.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { evaluateTemplates } from '../src/evaluation/index.ts'

const folder = join(process.env['SHARED_DATA'] ?? '../shared/data', 'logs', 'loghub_2k')
const sets = existsSync(folder) ? readdirSync(folder).filter((name) => existsSync(join(folder, name, `${name}_2k.log_structured.csv`))) : []

describe.skipIf(sets.length === 0)('templates of labelled logs (skipped where SHARED_DATA has none)', () => {
  it('reach the floors with one setting', () => {
    const { mean } = evaluateTemplates({ folder, leaveOneOut: false }).figures
    expect(mean.ga).toBeGreaterThanOrEqual(0.95)
    expect(mean.fga).toBeGreaterThanOrEqual(0.95)
    expect(mean.pa).toBeGreaterThanOrEqual(0.75)
    expect(mean.fta).toBeGreaterThanOrEqual(0.8)
  })

  it('come from code that names none of the sets', () => {
    const code = ['shapes', 'templates']
      .flatMap((room) => readdirSync(join('src/logs', room)).map((file) => join('src/logs', room, file)))
      .filter((file) => !file.includes('.test'))
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n')
    for (const name of sets) expect(code).not.toMatch(new RegExp(`\\b${name}\\b`, 'i'))
  })
})
