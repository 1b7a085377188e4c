import { spawnSync } from 'node:child_process'
import { appendFileSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generateNetworkOps } from '../examples/network-ops/generate.ts'
import { type Offer, startPostgres } from './support-servers.ts'

let root: string
let example: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'wherefore-project-'))
  example = join(root, 'network-ops.sqlite')
  generateNetworkOps(example)
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const newFolder = (): string => mkdtempSync(join(root, 'p-'))

function wherefore(cwd: string, args: readonly string[], env: Record<string, string> = {}) {
  const done = spawnSync(process.execPath, [resolve('bin/wherefore.js'), ...args], { cwd, encoding: 'utf8', env: { PATH: process.env['PATH'], ...env } })
  return { code: done.status, out: done.stdout, err: done.stderr, json: () => JSON.parse(done.stdout) }
}

/** A project over the example database, made by the command itself. */
function initialised(name = 'my-net'): string {
  const folder = newFolder()
  copyFileSync(example, join(folder, 'ops.sqlite'))
  expect(wherefore(folder, ['init', '--db', 'ops.sqlite', '--name', name]).code).toBe(0)
  return folder
}

describe('wherefore init', () => {
  it('makes a project that is sound and answers with its own first rule', () => {
    const folder = newFolder()
    copyFileSync(example, join(folder, 'ops.sqlite'))
    const made = wherefore(folder, ['init', '--name', 'my-net', '--json']).json()
    expect(made).toMatchObject({ name: 'my-net', files: ['wherefore.json', 'flavors/my-net.json'], tables: 14 })
    expect(wherefore(folder, ['config', 'validate']).code).toBe(0)
    const answer = wherefore(folder, ['search', 'Which services are linked to crt-07, and why?', '--flavor', 'my-net', '--json'], { SERVICE_SEARCH: '1' })
    expect(answer.code, answer.err).toBe(0)
    const db = new DatabaseSync(example, { readOnly: true })
    const expected = db
      .prepare("SELECT s.name FROM service_resource sr JOIN service s ON s.id = sr.service_id JOIN resource r ON r.id = sr.resource_id WHERE r.name = 'crt-07'")
      .all()
      .map(({ name }) => String(name))
    db.close()
    const { claims, inferred, status } = answer.json()
    expect(status).toBe('ok')
    expect(new Set(inferred.map(({ rule }: { rule: string }) => rule))).toEqual(new Set(['linked-to']))
    const told = claims.map(({ text }: { text: string }) => text).join('\n')
    expect(expected).toHaveLength(6)
    for (const name of expected) expect(told).toContain(`${name} is linked to crt-07`)
    const first = wherefore(folder, ['search', made.example, '--flavor', 'my-net', '--json'], { SERVICE_SEARCH: '1' })
    expect(first.json().status).toBe('ok')
  })

  it('prints next steps, and refuses to overwrite with a hint', () => {
    const folder = initialised()
    const before = readFileSync(join(folder, 'wherefore.json'), 'utf8')
    const again = wherefore(folder, ['init', '--db', 'ops.sqlite', '--name', 'my-net'])
    expect(again.code).toBe(1)
    expect(again.err).toContain('--force')
    expect(readFileSync(join(folder, 'wherefore.json'), 'utf8')).toBe(before)
    expect(wherefore(folder, ['init', '--db', 'ops.sqlite', '--name', 'my-net', '--force']).out).toContain('Next:\n  wherefore doctor')
    expect(wherefore(folder, ['init', '--db', 'gone.sqlite', '--name', 'other', '--force']).code).toBe(69)
  })
})

describe('wherefore config and doctor', () => {
  it('show what holds, check it, and end with 1 when something is wrong', () => {
    const folder = initialised()
    const shown = wherefore(folder, ['config', 'show', '--json', '--port', '99'], { SERVICE_STORE: 'other.db' }).json()
    const entries: { key: string; from: string; value: unknown }[] = shown.entries
    const froms = Object.fromEntries(entries.map(({ key, from }) => [key, from]))
    expect(froms).toMatchObject({ port: 'flag', store: 'environment', 'sources.my-net': 'file', host: 'default' })
    const well = wherefore(folder, ['doctor'])
    expect(well.code, well.out).toBe(0)
    expect(well.out).toMatch(/^ok {4}source my-net: SQLite/m)

    const config = JSON.parse(readFileSync(join(folder, 'wherefore.json'), 'utf8'))
    writeFileSync(join(folder, 'wherefore.json'), JSON.stringify({ ...config, prot: 1, retention: 'soon' }))
    const faulty = wherefore(folder, ['config', 'validate'])
    expect(faulty.code).toBe(1)
    expect(faulty.err).toContain('prot')
    expect(faulty.err).toContain('retention: a number of days, such as 30d')
    expect(wherefore(folder, ['config', 'validate', '--json']).json()).toMatchObject({ ok: false, faults: [expect.anything(), expect.anything()] })
    const ill = wherefore(folder, ['doctor', '--json'])
    expect(ill.code).toBe(1)
    expect(ill.json().checks).toContainEqual(expect.objectContaining({ about: 'configuration', state: 'fail' }))
  })
})

describe('wherefore metadata', () => {
  it('goes out as a file, comes back with what a person changed, and shapes the next answer', () => {
    const folder = initialised()
    writeFileSync(join(folder, 'm.csv'), 'table_name,column_name,label,sensitivity_tier,synonyms\nalarm,title,=headline,Restricted,"head\\; line; topic"\nalarm,,Alarm,,siren\n')
    const dry = wherefore(folder, ['metadata', 'import', 'm.csv', '--dry-run', '--json'])
    expect(dry.code, dry.err).toBe(0)
    expect(dry.json()).toMatchObject({ dry_run: true, changed: 2 })
    expect(wherefore(folder, ['metadata', 'export', '--json']).json().rows.filter(({ author }: { author: string }) => author === 'ann')).toEqual([])
    expect(wherefore(folder, ['metadata', 'import', 'm.csv', '--author', 'ann']).code).toBe(0)

    const out = wherefore(folder, ['metadata', 'export', '--out', 'out.csv'])
    expect(out).toMatchObject({ code: 0, out: '' })
    expect(readFileSync(join(folder, 'out.csv'), 'utf8')).toContain("column,alarm,title,,'=headline,,head\\; line; topic,Restricted")
    const yaml = wherefore(folder, ['metadata', 'export', '--format', 'yaml']).out
    expect(yaml).toContain('label: =headline')
    writeFileSync(join(folder, 'm.yaml'), yaml)
    for (const same of ['out.csv', 'm.yaml']) expect(wherefore(folder, ['metadata', 'import', same]).out).toMatch(/^0 rows changed/m)

    const set = wherefore(folder, ['metadata', 'set', 'alarm.title', '--tier', 'Confidential', '--clear', 'label', '--author', 'bob', '--json'])
    expect(set.json().changes).toEqual([
      { table: 'alarm', column: 'title', field: 'label', from: '=headline', to: null },
      { table: 'alarm', column: 'title', field: 'sensitivity_tier', from: 'Restricted', to: 'Confidential' },
    ])
    const { history } = wherefore(folder, ['metadata', 'history', 'alarm.title', '--json']).json()
    expect(history.map(({ author }: { author: string }) => author)).toEqual(['ann', 'bob'])
    const answer = wherefore(folder, ['search', 'How many sirens are open?', '--flavor', 'my-net', '--json'], { SERVICE_SEARCH: '1' })
    expect(answer.json().status).toBe('ok')
  })

  it.each([
    ['an unknown column', 'table_name,column_name,label\nalarm,title,x\nalarm,titel,x\n', 1, /alarm\.titel line 3: no such table or column/],
    ['an unknown tier', 'table_name,column_name,sensitivity_tier\nalarm,title,Secret\n', 1, /sensitivity_tier line 2: /],
    ['an unknown heading', 'table_name,colour\nalarm,red\n', 1, /colour line 1: no such column/],
    ['an open quote', 'table_name,label\nalarm,"x\n', 1, /line 2: a quoted cell is never closed/],
    ['nothing at all', '', 1, /line 1: the file is empty/],
  ])('refuses %s with its place and stores nothing', (_, text, code, message) => {
    const folder = initialised()
    writeFileSync(join(folder, 'm.csv'), text)
    for (const dry of [[], ['--dry-run']]) {
      const done = wherefore(folder, ['metadata', 'import', 'm.csv', ...dry])
      expect(done.code).toBe(code)
      expect(done.err).toMatch(message)
      expect(done.err).not.toMatch(/\n\s+at /)
    }
    expect(wherefore(folder, ['metadata', 'export', '--json']).json().rows.filter(({ author }: { author: string }) => author === 'local')).toEqual([])
  })

  it('a file that is not there is an I/O failure, a flag that is not there a usage error', () => {
    const folder = newFolder()
    expect(wherefore(folder, ['metadata', 'import', 'gone.csv'])).toMatchObject({ code: 74, err: expect.stringContaining('gone.csv: there is no such file or folder') })
    expect(wherefore(folder, ['metadata', 'import', 'gone.csv', '--nope']).code).toBe(2)
    expect(wherefore(folder, ['metadata', 'set', 'alarm']).code).toBe(1)
  })
})

describe('wherefore backup, restore, migrate, prune', () => {
  it('moves a whole project to another folder', () => {
    const folder = initialised()
    expect(wherefore(folder, ['metadata', 'set', 'alarm', '--label', 'Siren']).code).toBe(0)
    expect(wherefore(folder, ['toolkit', '--phase', '2']).code).toBe(0)
    const done = wherefore(folder, ['backup', '../moved.wbk', '--json'])
    expect(done.json().entries).toContain('output/ontology/enterprise.ttl')
    const copy = newFolder()
    expect(wherefore(copy, ['restore', '../moved.wbk']).code).toBe(0)
    expect(readFileSync(join(copy, 'output/ontology/enterprise.ttl'))).toEqual(readFileSync(join(folder, 'output/ontology/enterprise.ttl')))
    copyFileSync(example, join(copy, 'ops.sqlite'))
    expect(wherefore(copy, ['metadata', 'export']).out).toContain('Siren')
    const again = wherefore(copy, ['restore', '../moved.wbk'])
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining('--force') })
    expect(wherefore(copy, ['restore', '../moved.wbk', '--force', '--json']).json().entries.length).toBeGreaterThan(3)
    appendFileSync(join(root, 'moved.wbk'), 'x')
    expect(wherefore(newFolder(), ['restore', '../moved.wbk']).code).toBe(1)
    expect(wherefore(newFolder(), ['restore', '../gone.wbk']).code).toBe(74)
  })

  it('shows what a store of an older program would go through, changes nothing, then does it and keeps every row', () => {
    const folder = newFolder()
    mkdirSync(join(folder, '.wherefore'))
    const file = join(folder, '.wherefore', 'store.db')
    const old = new DatabaseSync(file)
    old.exec(`
      CREATE TABLE ontology_evolution_proposals (proposal_id TEXT PRIMARY KEY, proposal_type TEXT CHECK (proposal_type IN ('NEW_CLASS')), detection_strategy TEXT, status TEXT);
      INSERT INTO ontology_evolution_proposals VALUES ('p-1', 'NEW_CLASS', 'CLASS_COOCCURRENCE', 'APPROVED');
      CREATE TABLE sessions (id TEXT PRIMARY KEY, version INTEGER, body TEXT);
      INSERT INTO sessions VALUES ('default', 3, '{"rules": [{"id": "r", "kind": "sparql", "body": "x"}]}');
      CREATE TABLE ontology_metadata (table_name TEXT, column_name TEXT, label TEXT);
      INSERT INTO ontology_metadata VALUES ('customer', 'name', 'Name')`)
    old.close()
    const before = readFileSync(file)
    const dry = wherefore(folder, ['migrate', '--dry-run'])
    expect(dry.out).toContain('opening the store would change:\n')
    expect(dry.out).toContain('  rebuilt ontology_evolution_proposals\n')
    expect(readFileSync(file).equals(before)).toBe(true)
    expect(wherefore(folder, ['migrate', '--json']).json()).toMatchObject({ dry_run: false, changes: expect.arrayContaining(['added ontology_metadata.author']) })
    expect(wherefore(folder, ['migrate']).out).toContain('nothing to change')
    const now = new DatabaseSync(file, { readOnly: true })
    expect(now.prepare('SELECT pid, status FROM ontology_evolution_proposals').all()).toEqual([{ __proto__: null, pid: 'p-1', status: 'APPROVED' }])
    expect(now.prepare('SELECT label, proposed FROM ontology_metadata').all()).toEqual([{ __proto__: null, label: 'Name', proposed: null }])
    now.close()

    const later = new DatabaseSync(file)
    later.exec("INSERT INTO schema_migrations VALUES (999, 'later', '')")
    later.close()
    expect(wherefore(folder, ['migrate', '--dry-run'])).toMatchObject({ code: 1, err: expect.stringContaining('999') })
  })

  it('prunes by the age of the flag or of the configuration', () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'wherefore.json'), '{"retention": "7d"}')
    expect(wherefore(folder, ['prune', '--json']).json()).toMatchObject({ older_than: '7d', search_runs: 0 })
    expect(existsSync(join(folder, '.wherefore'))).toBe(false)
    expect(wherefore(folder, ['migrate']).code).toBe(0)
    const db = new DatabaseSync(join(folder, '.wherefore', 'store.db'))
    db.exec("INSERT INTO search_runs (run_id, created_at) VALUES ('old', '2020-01-01T00:00:00.000Z'), ('new', '2999-01-01T00:00:00.000Z')")
    db.close()
    expect(wherefore(folder, ['prune', '--older-than', '30d', '--dry-run']).out).toMatch(/search_runs +1/)
    expect(wherefore(folder, ['prune', '--older-than', '30d', '--json']).json()).toMatchObject({ dry_run: false, search_runs: 1 })
    expect(wherefore(folder, ['prune', '--json']).json()).toMatchObject({ search_runs: 0 })
    expect(wherefore(folder, ['prune', '--older-than', 'soon'])).toMatchObject({ code: 1, err: expect.stringContaining('30d') })
  })
})

describe('wherefore completion', () => {
  it('completes commands and options as they are', () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'c.sh'), wherefore(folder, ['completion', 'bash']).out)
    const complete = (...words: string[]) => {
      const script = `source c.sh; COMP_WORDS=(wherefore ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _wherefore; echo "\${COMPREPLY[@]}"`
      return spawnSync('bash', ['-c', script], { cwd: folder, encoding: 'utf8' }).stdout.trim()
    }
    expect(complete('re')).toBe('review restore')
    expect(complete('metadata', 'im')).toBe('import')
    expect(complete('metadata', 'import', 'm.csv', '--d')).toBe('--dry-run')
    expect(complete('config', '')).toContain('validate')
    for (const shell of ['zsh', 'fish']) expect(wherefore(folder, ['completion', shell]).out).toContain('prune')
    expect(wherefore(folder, ['completion', 'tcsh'])).toMatchObject({ code: 1, err: expect.stringContaining('bash, zsh, fish') })
  })
})

describe('a server whose role could write', () => {
  let offer: Offer
  beforeAll(async () => {
    offer = await startPostgres()
  }, 60_000)
  afterAll(async () => {
    if (offer.ok) await offer.server.stop()
  })

  it('is refused by doctor and search until its configuration takes it on itself; a role that reads is fine', async ({ skip }) => {
    if (!offer.ok) return skip(offer.why)
    const { server } = offer
    await server.admin(['CREATE TABLE shop (id INT PRIMARY KEY, name TEXT NOT NULL UNIQUE)', "INSERT INTO shop VALUES (1, 'North')", 'GRANT SELECT ON shop TO reader'])
    const withPassword = server.adminUrl.replace('owner@', 'owner:s3cret@')
    const folder = newFolder()
    const made = wherefore(folder, ['init', '--db', withPassword, '--name', 'pg'])
    expect(made.code, made.err).toBe(0)
    expect(made.out).toContain("export PG_URL='")
    expect(made.out).toMatch(/note: the role could do more than read/)
    const everything = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json')).map((name) => readFileSync(join(folder, name), 'utf8'))
    expect([made.out, made.err, ...everything].join()).not.toContain('s3cret')

    const env = { SERVICE_SEARCH: '1', PG_URL: withPassword }
    const ill = wherefore(folder, ['doctor'], env)
    expect(ill.code).toBe(1)
    expect(ill.out).toMatch(/^FAIL {2}source pg: the role could do more than read/m)
    expect(wherefore(folder, ['doctor', '--allow-dangerous'], env).code).toBe(0)
    const question = ['search', 'How many shops?', '--flavor', 'pg', '--json']
    expect(wherefore(folder, question, env)).toMatchObject({ code: 1, err: expect.stringContaining('source_not_allowed') })
    const config = JSON.parse(readFileSync(join(folder, 'wherefore.json'), 'utf8'))
    writeFileSync(join(folder, 'wherefore.json'), JSON.stringify({ ...config, sources: { pg: { ...config.sources.pg, allow_dangerous_role: true } } }))
    expect(wherefore(folder, question, env).json()).toMatchObject({ status: 'ok' })

    writeFileSync(join(folder, 'wherefore.json'), JSON.stringify(config))
    const reader = { ...env, PG_URL: server.url }
    expect(wherefore(folder, ['doctor'], reader).code).toBe(0)
    expect(wherefore(folder, question, reader).json()).toMatchObject({ status: 'ok' })
  }, 60_000)
})
