import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import * as sources from '../sources/index.ts'
import { examineProject } from './doctor.ts'
import { OpenSources } from './open-sources.ts'
import { openProject } from './project.ts'

/** Roles as a server's source would report them; everything else is the real SQLite source. */
const dangers: string[] = []
vi.mock('../sources/index.ts', async (original) => {
  const real = await original<typeof sources>()
  const openSource: typeof real.openSource = async (...args) => {
    const source = await real.openSource(...args)
    return { ...source, examineRole: async () => ({ ...(await source.examineRole()), dangers: [...dangers] }) }
  }
  return { ...real, openSource }
})

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wherefore-doctor-'))
  const db = new DatabaseSync(join(folder, 'a.db'))
  db.exec('CREATE TABLE shop (id INTEGER PRIMARY KEY, name TEXT NOT NULL)')
  db.close()
})
afterEach(() => {
  dangers.length = 0
  rmSync(folder, { recursive: true, force: true })
})

const config = (body: unknown) => writeFileSync(join(folder, 'wherefore.json'), JSON.stringify(body))
const flavor = (body: string) => {
  mkdirSync(join(folder, 'flavors'), { recursive: true })
  writeFileSync(join(folder, 'flavors', 'own.json'), JSON.stringify({ name: 'own', label: 'Own', rules: [{ id: 'r', label: 'R', body }] }))
}
async function examine(more: { allowDangerous?: boolean; nodeVersion?: string; env?: Record<string, string> } = {}) {
  const checks = await examineProject({ cwd: folder, env: {}, now: '2026-01-01T00:00:00.000Z', ...more })
  return checks.map(({ state, about, found, advice }) => {
    expect(advice === '' ? state : 'has advice').toBe(advice === '' ? 'ok' : 'has advice')
    return `${state} ${about}: ${found}`
  })
}

describe('the doctor', () => {
  it('finds nothing wrong with a sound project', async () => {
    config({ sources: { a: { path: 'a.db', flavor: 'own' } } })
    flavor('listed(?s) :- Shop(?s).')
    const lines = await examine({ env: { SERVICE_SEARCH: '1' } })
    expect(lines.filter((line) => !line.startsWith('ok'))).toEqual([])
    expect(lines).toContain('ok configuration: wherefore.json is valid')
    expect(lines).toContain('ok source a: rules of the flavor own that fit its tables: all 1')
  })

  it('says of a rule what does not fit the tables', async () => {
    config({ sources: { a: { path: 'a.db', flavor: 'own' } } })
    flavor('listed(?s) :- Shop(?s, colour: "red").')
    expect((await examine()).filter((line) => line.startsWith('fail'))).toEqual([expect.stringMatching(/^fail source a: flavor own: rule r, line 1, column \d+: Shop has no column colour/)])
  })

  it('fails a role that could write, unless that is allowed here or in the configuration', async () => {
    dangers.push('may insert into shop')
    config({ sources: { a: { path: 'a.db' } } })
    expect(await examine()).toContain('fail source a: the role could do more than read: may insert into shop')
    expect(await examine({ allowDangerous: true })).toContain('warn source a: the role could do more than read: may insert into shop')
    config({ sources: { a: { path: 'a.db', allow_dangerous_role: true } } })
    expect(await examine()).toContain('warn source a: the role could do more than read: may insert into shop')
  })

  it.each<[string, unknown, RegExp]>([
    ['a missing file', { sources: { a: { path: 'gone.db' } } }, /^fail configuration: sources.a.path: there is no such file/],
    ['a file that is no database', { sources: { a: { path: 'wherefore.json' } } }, /^fail source a: the file is not a SQLite database/],
    ['a broken configuration', { port: 'x' }, /^fail configuration: port: /],
    ['a damaged store', { store: 'wherefore.json' }, /^fail store: the store is not a SQLite database/],
    ['no sources', {}, /^warn sources: no database is configured/],
  ])('says what to do about %s', async (_, body, expected) => {
    config(body)
    expect((await examine()).some((line) => expected.test(line))).toBe(true)
  })

  it('notices an old Node and an older store', async () => {
    const db = new DatabaseSync(join(folder, 'old.db'))
    db.exec('CREATE TABLE ontology_metadata (table_name TEXT)')
    db.close()
    config({ store: 'old.db' })
    const lines = await examine({ nodeVersion: '20.1.0' })
    expect(lines).toContain('fail node: version 20.1.0')
    expect(lines.find((line) => line.includes(' store: '))).toMatch(/^warn store: of an older program; opening it makes \d+ changes/)
  })
})

describe('opening a source', () => {
  it('is refused while its role could write, and allowed where its configuration says so', async () => {
    dangers.push('is a superuser')
    config({ sources: { a: { path: 'a.db' } } })
    const refusing = new OpenSources(openProject({ cwd: folder, env: {} }).config)
    const refusal = { code: 'source_not_allowed', about: { errors: [{ message: 'is a superuser' }], hint: expect.stringContaining('allow_dangerous_role') } }
    await expect(refusing.open(refusing.find('a', undefined, false))).rejects.toMatchObject(refusal)
    await expect(refusing.open(refusing.find(join(folder, 'a.db'), undefined, true))).rejects.toMatchObject(refusal)
    await refusing.close()
    config({ sources: { a: { path: 'a.db', allow_dangerous_role: true } } })
    const allowing = new OpenSources(openProject({ cwd: folder, env: {} }).config)
    expect((await allowing.open(allowing.find('a', undefined, false))).ontology.classes).toHaveLength(1)
    await allowing.close()
  })
})
