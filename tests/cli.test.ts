import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generateNetworkOps } from '../examples/network-ops/generate.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wherefore-cli-'))
  generateNetworkOps(join(folder, 'ops.sqlite'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = (args: string[], env: Record<string, string> = { SERVICE_SEARCH: '1' }) => {
  const done = spawnSync(process.execPath, [resolve('bin/wherefore.js'), ...args], { cwd: folder, encoding: 'utf8', env: { PATH: process.env['PATH'], ...env } })
  return { code: done.status, out: done.stdout, err: done.stderr }
}
const ask = (question: string, ...more: string[]) => run(['search', question, '--flavor', 'network-ops', '--db', 'ops.sqlite', ...more])

describe('the command line', () => {
  it('prints the answer on stdout and the stages on stderr', () => {
    const { code, out, err } = ask('How many alarms are open?')
    expect(code).toBe(0)
    expect(out).toMatch(/^There are \d+ open alarms \[1\]/)
    expect(err).toMatch(/^run +[0-9a-f-]{36}\nplan +done/)
  })

  it('prints one JSON document with --json', () => {
    const { code, out } = ask('How many alarms are open?', '--json')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ status: 'ok', provider: 'embedded' })
  })

  it('asks back with numbered readings, and answers the one that --choose names', () => {
    const question = 'How many are there in DE?'
    const back = ask(question)
    expect([back.code, back.out]).toEqual([1, expect.stringMatching(/ {2}1\. .+\n {2}2\. .+\n.*--choose 1/)])
    const chosen = ask(question, '--choose', '2', '--limit', '5', '--json')
    expect([chosen.code, JSON.parse(chosen.out).status]).toEqual([0, 'ok'])
    const none = ask(question, '--choose', '9')
    expect([none.code, none.err]).toEqual([1, expect.stringContaining('there is no reading 9')])
  }, 60_000)

  it('SEARCH-10 goes on from an earlier search that --context names, and refuses one that never was', () => {
    const { run_id } = JSON.parse(ask('Which alarms are open?', '--json').out)
    const on = ask('How many alarms are open?', '--json', '--context', run_id)
    expect([on.code, JSON.parse(on.out).warnings]).toEqual([0, []])
    const none = ask('How many alarms are open?', '--context', 'nosuch')
    expect([none.code, none.out]).toEqual([1, ''])
    expect(none.err).toContain('nothing here by that name')
  }, 60_000)

  it.each([
    { name: 'a refused question', args: ['search', 'List the frobnicators', '--db', 'ops.sqlite'], code: 1 },
    { name: 'an unknown flavor', args: ['search', 'x', '--flavor', 'nope'], code: 1 },
    { name: 'an unknown option', args: ['search', 'x', '--nope'], code: 2 },
    { name: 'a database that is not there', args: ['search', 'How many alarms?', '--db', 'missing.sqlite'], code: 69 },
    { name: 'an unknown phase', args: ['toolkit', '--phase', 'nope'], code: 1 },
    { name: 'no command', args: ['nope'], code: 2 },
  ])('$name ends with its exit code and no stack trace', ({ args, code }) => {
    const done = run(args)
    expect(done.code).toBe(code)
    expect(done.err + done.out).not.toMatch(/\n\s+at /)
  })

  it('search is a usage error while the flag is off', () => {
    const { code, err } = run(['search', 'x'], {})
    expect(code).toBe(2)
    expect(err).toContain('SERVICE_SEARCH=1')
  })

  it('toolkit --phase 2 writes the ontology of a database', () => {
    const { code, out } = run(['toolkit', '--phase', '2', '--db', 'ops.sqlite'])
    expect(code).toBe(0)
    expect(out).toContain('wrote ontology/enterprise.ttl')
  })
})
