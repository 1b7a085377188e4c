import { spawnSync } from 'node:child_process'
import { appendFileSync, copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { generateNetworkOps } from '../examples/network-ops/generate.ts'
import { main } from '../src/surfaces/cli/program.ts'
import { type Offer, startPostgres } from './support-servers.ts'

// commands start reader processes; a busy machine takes its time for that
vi.setConfig({ testTimeout: 60_000 })

let root: string
let example: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'wherefore-project-'))
  example = join(root, 'network-ops.sqlite')
  generateNetworkOps(example)
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const newFolder = (): string => mkdtempSync(join(root, 'p-'))

interface Done {
  readonly code: number | null
  readonly out: string
  readonly err: string
  readonly json: () => ReturnType<typeof JSON.parse>
}

/** The command as it is installed. */
function spawned(cwd: string, args: readonly string[], env: Record<string, string> = {}): Done {
  const done = spawnSync(process.execPath, [resolve('bin/wherefore.js'), ...args], { cwd, encoding: 'utf8', env: { PATH: process.env['PATH'], ...env } })
  return { code: done.status, out: done.stdout, err: done.stderr, json: () => JSON.parse(done.stdout) }
}

/** The same command in this process, which saves it a start for each of many calls. */
async function wherefore(cwd: string, args: readonly string[], env: Record<string, string> = {}): Promise<Done> {
  const texts = { out: '', err: '' }
  const before = { cwd: process.cwd(), env: { ...process.env } }
  const note = (to: 'out' | 'err', end = '\n') => (text: unknown = '') => {
    texts[to] += `${String(text)}${end}`
    return true
  }
  const spies = [
    vi.spyOn(console, 'log').mockImplementation(note('out')), vi.spyOn(console, 'error').mockImplementation(note('err')),
    vi.spyOn(process.stdout, 'write').mockImplementation(note('out', '')), vi.spyOn(process.stderr, 'write').mockImplementation(note('err', '')),
  ]
  process.chdir(cwd)
  for (const name of Object.keys(process.env)) if (name.startsWith('SERVICE_')) delete process.env[name]
  Object.assign(process.env, env)
  process.exitCode = undefined
  try {
    const code = await main(args)
    return { code, ...texts, json: () => JSON.parse(texts.out) }
  } finally {
    for (const spy of spies) spy.mockRestore()
    process.chdir(before.cwd)
    for (const name of Object.keys(env)) delete process.env[name]
    Object.assign(process.env, before.env)
    process.exitCode = undefined
  }
}

/** A project over the example database, made by the command itself, once; each test gets a copy. */
let made: Promise<string> | undefined
async function initialised(): Promise<string> {
  made ??= (async () => {
    const first = newFolder()
    copyFileSync(example, join(first, 'ops.sqlite'))
    expect((await wherefore(first, ['init', '--db', 'ops.sqlite', '--name', 'my-net'])).code).toBe(0)
    return first
  })()
  const folder = newFolder()
  cpSync(await made, folder, { recursive: true })
  return folder
}

describe('wherefore init', () => {
  it('makes a project that is sound and answers with its own first rule', async () => {
    const folder = newFolder()
    copyFileSync(example, join(folder, 'ops.sqlite'))
    const made = (await wherefore(folder, ['init', '--name', 'my-net', '--json'])).json()
    expect(made).toMatchObject({ name: 'my-net', files: ['wherefore.json', 'flavors/my-net.json'], tables: 14 })
    expect((await wherefore(folder, ['config', 'validate'])).code).toBe(0)
    const answer = await wherefore(folder, ['search', 'Which services are linked to crt-07, and why?', '--flavor', 'my-net', '--json'], { SERVICE_SEARCH: '1' })
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
    const first = await wherefore(folder, ['search', made.example, '--flavor', 'my-net', '--json'], { SERVICE_SEARCH: '1' })
    expect(first.json().status).toBe('ok')
  })

  it('prints next steps, and refuses to overwrite with a hint', async () => {
    const folder = await initialised()
    const before = readFileSync(join(folder, 'wherefore.json'), 'utf8')
    const again = spawned(folder, ['init', '--db', 'ops.sqlite', '--name', 'my-net'])
    expect(again.code).toBe(1)
    expect(again.err).toContain('--force')
    expect(again.err).not.toMatch(/\n\s+at /)
    expect(readFileSync(join(folder, 'wherefore.json'), 'utf8')).toBe(before)
    expect((await wherefore(folder, ['init', '--db', 'ops.sqlite', '--name', 'my-net', '--force'])).out).toContain('Next:\n  wherefore doctor')
    expect(spawned(folder, ['init', '--db', 'gone.sqlite', '--name', 'other', '--force']).code).toBe(69)
  })
})

describe('wherefore config and doctor', () => {
  it('show what holds, check it, and end with 1 when something is wrong', async () => {
    const folder = await initialised()
    const shown = (await wherefore(folder, ['config', 'show', '--json', '--port', '99'], { SERVICE_STORE: 'other.db' })).json()
    const entries: { key: string; from: string; value: unknown }[] = shown.entries
    const froms = Object.fromEntries(entries.map(({ key, from }) => [key, from]))
    expect(froms).toMatchObject({ port: 'flag', store: 'environment', 'sources.my-net': 'file', host: 'default' })
    const well = await wherefore(folder, ['doctor'])
    expect(well.code, well.out).toBe(0)
    expect(well.out).toMatch(/^ok {4}source my-net: SQLite/m)

    const config = JSON.parse(readFileSync(join(folder, 'wherefore.json'), 'utf8'))
    writeFileSync(join(folder, 'wherefore.json'), JSON.stringify({ ...config, prot: 1, retention: 'soon' }))
    const faulty = await wherefore(folder, ['config', 'validate'])
    expect(faulty.code).toBe(1)
    expect(faulty.err).toContain('prot')
    expect(faulty.err).toContain('retention: a number of days, such as 30d')
    expect((await wherefore(folder, ['config', 'validate', '--json'])).json()).toMatchObject({ ok: false, faults: [expect.anything(), expect.anything()] })
    const ill = await wherefore(folder, ['doctor', '--json'])
    expect(ill.code).toBe(1)
    expect(ill.json().checks).toContainEqual(expect.objectContaining({ about: 'configuration', state: 'fail' }))
  })
})

describe('wherefore metadata', () => {
  it('goes out as a file, comes back with what a person changed, and shapes the next answer', async () => {
    const folder = await initialised()
    writeFileSync(join(folder, 'm.csv'), 'table_name,column_name,label,sensitivity_tier,synonyms\nalarm,title,=headline,Restricted,"head\\; line; topic"\nalarm,,Alarm,,siren\n')
    const dry = await wherefore(folder, ['metadata', 'import', 'm.csv', '--dry-run', '--json'])
    expect(dry.code, dry.err).toBe(0)
    expect(dry.json()).toMatchObject({ dry_run: true, changed: 2 })
    expect((await wherefore(folder, ['metadata', 'export', '--json'])).json().rows.filter(({ author }: { author: string }) => author === 'ann')).toEqual([])
    expect((await wherefore(folder, ['metadata', 'import', 'm.csv', '--author', 'ann'])).code).toBe(0)

    const out = await wherefore(folder, ['metadata', 'export', '--out', 'out.csv'])
    expect(out).toMatchObject({ code: 0, out: '' })
    expect(readFileSync(join(folder, 'out.csv'), 'utf8')).toContain("column,alarm,title,,'=headline,,head\\; line; topic,Restricted")
    const yaml = (await wherefore(folder, ['metadata', 'export', '--format', 'yaml'])).out
    expect(yaml).toContain('label: =headline')
    writeFileSync(join(folder, 'm.yaml'), yaml)
    for (const same of ['out.csv', 'm.yaml']) expect((await wherefore(folder, ['metadata', 'import', same])).out).toMatch(/^0 rows changed/m)

    const set = await wherefore(folder, ['metadata', 'set', 'alarm.title', '--tier', 'Confidential', '--clear', 'label', '--author', 'bob', '--json'])
    expect(set.json().changes).toEqual([
      { table: 'alarm', column: 'title', field: 'label', from: '=headline', to: null },
      { table: 'alarm', column: 'title', field: 'sensitivity_tier', from: 'Restricted', to: 'Confidential' },
    ])
    const { history } = (await wherefore(folder, ['metadata', 'history', 'alarm.title', '--json'])).json()
    expect(history.map(({ author }: { author: string }) => author)).toEqual(['ann', 'bob'])
    const answer = await wherefore(folder, ['search', 'How many sirens are open?', '--flavor', 'my-net', '--json'], { SERVICE_SEARCH: '1' })
    expect(answer.json().status).toBe('ok')
  })

  it.each([
    ['an unknown column', 'table_name,column_name,label\nalarm,title,x\nalarm,titel,x\n', 1, /alarm\.titel line 3: no such table or column/],
    ['an unknown tier', 'table_name,column_name,sensitivity_tier\nalarm,title,Secret\n', 1, /sensitivity_tier line 2: /],
    ['an unknown heading', 'table_name,colour\nalarm,red\n', 1, /colour line 1: no such column/],
    ['an open quote', 'table_name,label\nalarm,"x\n', 1, /line 2: a quoted cell is never closed/],
    ['nothing at all', '', 1, /line 1: the file is empty/],
  ])('refuses %s with its place and stores nothing', async (_, text, code, message) => {
    const folder = await initialised()
    writeFileSync(join(folder, 'm.csv'), text)
    for (const dry of [[], ['--dry-run']]) {
      const done = await wherefore(folder, ['metadata', 'import', 'm.csv', ...dry])
      expect(done.code).toBe(code)
      expect(done.err).toMatch(message)
      expect(done.err).not.toMatch(/\n\s+at /)
    }
    expect((await wherefore(folder, ['metadata', 'export', '--json'])).json().rows.filter(({ author }: { author: string }) => author === 'local')).toEqual([])
  })

  it('a file that is not there is an I/O failure, a flag that is not there a usage error', async () => {
    const folder = newFolder()
    expect(await wherefore(folder, ['metadata', 'import', 'gone.csv'])).toMatchObject({ code: 74, err: expect.stringContaining('gone.csv: there is no such file or folder') })
    expect((await wherefore(folder, ['metadata', 'import', 'gone.csv', '--nope'])).code).toBe(2)
    expect((await wherefore(folder, ['metadata', 'set', 'alarm'])).code).toBe(1)
  })
})

describe('wherefore backup, restore, migrate, prune', () => {
  it('moves a whole project to another folder', async () => {
    const folder = await initialised()
    expect((await wherefore(folder, ['metadata', 'set', 'alarm', '--label', 'Siren'])).code).toBe(0)
    expect((await wherefore(folder, ['toolkit', '--phase', '2'])).code).toBe(0)
    const done = await wherefore(folder, ['backup', '../moved.wbk', '--json'])
    expect(done.json().entries).toContain('output/ontology/enterprise.ttl')
    const copy = newFolder()
    expect((await wherefore(copy, ['restore', '../moved.wbk'])).code).toBe(0)
    expect(readFileSync(join(copy, 'output/ontology/enterprise.ttl'))).toEqual(readFileSync(join(folder, 'output/ontology/enterprise.ttl')))
    copyFileSync(example, join(copy, 'ops.sqlite'))
    expect((await wherefore(copy, ['metadata', 'export'])).out).toContain('Siren')
    const again = await wherefore(copy, ['restore', '../moved.wbk'])
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining('--force') })
    expect((await wherefore(copy, ['restore', '../moved.wbk', '--force', '--json'])).json().entries.length).toBeGreaterThan(3)
    appendFileSync(join(root, 'moved.wbk'), 'x')
    expect((await wherefore(newFolder(), ['restore', '../moved.wbk'])).code).toBe(1)
    expect((await wherefore(newFolder(), ['restore', '../gone.wbk'])).code).toBe(74)
  })

  it('shows what a store of an older program would go through, changes nothing, then does it and keeps every row', async () => {
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
    const dry = await wherefore(folder, ['migrate', '--dry-run'])
    expect(dry.out).toContain('opening the store would change:\n')
    expect(dry.out).toContain('  rebuilt ontology_evolution_proposals\n')
    expect(readFileSync(file).equals(before)).toBe(true)
    expect((await wherefore(folder, ['migrate', '--json'])).json()).toMatchObject({ dry_run: false, changes: expect.arrayContaining(['added ontology_metadata.author']) })
    expect((await wherefore(folder, ['migrate'])).out).toContain('nothing to change')
    const now = new DatabaseSync(file, { readOnly: true })
    expect(now.prepare('SELECT pid, status FROM ontology_evolution_proposals').all()).toEqual([{ __proto__: null, pid: 'p-1', status: 'APPROVED' }])
    expect(now.prepare('SELECT label, proposed FROM ontology_metadata').all()).toEqual([{ __proto__: null, label: 'Name', proposed: null }])
    now.close()

    const later = new DatabaseSync(file)
    later.exec("INSERT INTO schema_migrations VALUES (999, 'later', '')")
    later.close()
    expect(await wherefore(folder, ['migrate', '--dry-run'])).toMatchObject({ code: 1, err: expect.stringContaining('999') })
  })

  it('prunes by the age of the flag or of the configuration', async () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'wherefore.json'), '{"retention": "7d"}')
    expect((await wherefore(folder, ['prune', '--json'])).json()).toMatchObject({ older_than: '7d', search_runs: 0 })
    expect(existsSync(join(folder, '.wherefore'))).toBe(false)
    expect((await wherefore(folder, ['migrate'])).code).toBe(0)
    const db = new DatabaseSync(join(folder, '.wherefore', 'store.db'))
    db.exec("INSERT INTO search_runs (run_id, created_at) VALUES ('old', '2020-01-01T00:00:00.000Z'), ('new', '2999-01-01T00:00:00.000Z')")
    db.close()
    expect((await wherefore(folder, ['prune', '--older-than', '30d', '--dry-run'])).out).toMatch(/search_runs +1/)
    expect((await wherefore(folder, ['prune', '--older-than', '30d', '--json'])).json()).toMatchObject({ dry_run: false, search_runs: 1 })
    expect((await wherefore(folder, ['prune', '--json'])).json()).toMatchObject({ search_runs: 0 })
    expect(await wherefore(folder, ['prune', '--older-than', 'soon'])).toMatchObject({ code: 1, err: expect.stringContaining('30d') })
  })
})

describe('wherefore completion', () => {
  it('completes commands and options as they are', async () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'c.sh'), (await wherefore(folder, ['completion', 'bash'])).out)
    const complete = (...words: string[]) => {
      const script = `source c.sh; COMP_WORDS=(wherefore ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _wherefore; echo "\${COMPREPLY[@]}"`
      return spawnSync('bash', ['-c', script], { cwd: folder, encoding: 'utf8' }).stdout.trim()
    }
    expect(complete('re')).toBe('review restore')
    expect(complete('metadata', 'im')).toBe('import')
    expect(complete('metadata', 'import', 'm.csv', '--d')).toBe('--dry-run')
    expect(complete('config', '')).toContain('validate')
    for (const shell of ['zsh', 'fish']) expect((await wherefore(folder, ['completion', shell])).out).toContain('prune')
    expect(await wherefore(folder, ['completion', 'tcsh'])).toMatchObject({ code: 1, err: expect.stringContaining('bash, zsh, fish') })
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
    const made = await wherefore(folder, ['init', '--db', withPassword, '--name', 'pg'])
    expect(made.code, made.err).toBe(0)
    expect(made.out).toContain("export PG_URL='")
    expect(made.out).toMatch(/note: the role could do more than read/)
    const everything = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json')).map((name) => readFileSync(join(folder, name), 'utf8'))
    expect([made.out, made.err, ...everything].join()).not.toContain('s3cret')

    const env = { SERVICE_SEARCH: '1', PG_URL: withPassword }
    const ill = await wherefore(folder, ['doctor'], env)
    expect(ill.code).toBe(1)
    expect(ill.out).toMatch(/^FAIL {2}source pg: the role could do more than read/m)
    expect((await wherefore(folder, ['doctor', '--allow-dangerous'], env)).code).toBe(0)
    const question = ['search', 'How many shops?', '--flavor', 'pg', '--json']
    expect(await wherefore(folder, question, env)).toMatchObject({ code: 1, err: expect.stringContaining('source_not_allowed') })
    const config = JSON.parse(readFileSync(join(folder, 'wherefore.json'), 'utf8'))
    writeFileSync(join(folder, 'wherefore.json'), JSON.stringify({ ...config, sources: { pg: { ...config.sources.pg, allow_dangerous_role: true } } }))
    expect((await wherefore(folder, question, env)).json()).toMatchObject({ status: 'ok' })

    writeFileSync(join(folder, 'wherefore.json'), JSON.stringify(config))
    const reader = { ...env, PG_URL: server.url }
    expect((await wherefore(folder, ['doctor'], reader)).code).toBe(0)
    expect((await wherefore(folder, question, reader)).json()).toMatchObject({ status: 'ok' })
  }, 60_000)
})
