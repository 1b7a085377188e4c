import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { errorsPage } from '../scripts/print-errors.ts'
import { program } from '../src/surfaces/cli/program.ts'

const read = (path: string) => readFileSync(path, 'utf8')

describe('documents and code say the same', () => {
  it('docs/errors.md is printed from the error table', () => {
    expect(read('docs/errors.md')).toBe(errorsPage())
  })

  it('every rule of SPEC.md is proved by a test, and every id in a test name stands in SPEC.md', () => {
    const promised = new Set([...read('SPEC.md').matchAll(/^- ([A-Z]+-\d+) /gm)].map(([, id]) => id))
    const files = ['src', 'tests'].flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)))
    const tests = files.filter((file) => file.endsWith('.test.ts')).map(read).join('\n')
    const proved = new Set([...tests.matchAll(/['"`]([A-Z]{2,}-[1-9]\d*) /g)].map(([, id]) => id))
    expect([...promised].filter((id) => !proved.has(id))).toEqual([])
    expect([...proved].filter((id) => !promised.has(id))).toEqual([])
  })

  it('every command of README.md is one that the program has', () => {
    const commands = new Set([...read('README.md').matchAll(/npx wherefore ([a-z-]+)/g)].map(([, name]) => name ?? ''))
    const known = new Set(program().commands.map((command) => command.name()))
    expect([...commands].filter((name) => !known.has(name))).toEqual([])
  })

  it('ARCHITECTURE.md lists the rooms that exist', () => {
    const rooms = [...read('ARCHITECTURE.md').matchAll(/^\| ([a-z/-]+) \|/gm)].map(([, room]) => room).filter((room) => room !== 'room')
    const folders = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) => name)
    const kernel = readdirSync('src/kernel', { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) => `kernel/${name}`)
    expect(rooms.filter((room) => room !== 'console/').toSorted()).toEqual([...folders.filter((name) => name !== 'kernel'), ...kernel].toSorted())
  })
})
