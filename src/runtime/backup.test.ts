import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openWorkspace } from '../store/index.ts'
import { BACKUP_VERSION, writeBackup } from './backup-format.ts'
import { backupProject } from './backup.ts'
import { openProject } from './project.ts'
import { restoreProject } from './restore.ts'

const NOW = '2026-03-01T00:00:00.000Z'
const about = { now: NOW, program: '0.0.0' }
const header = { wherefore_backup: BACKUP_VERSION, program: '0.0.0', schema_version: 1, created_at: NOW }
let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'wherefore-backup-test-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function put(file: string, text: string): void {
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, text)
}

/** A project whose every part says `mark`. */
function newProject(name: string, mark: string, config: Record<string, unknown> = {}) {
  const folder = join(root, name)
  put(join(folder, 'wherefore.json'), JSON.stringify({ port: mark.length, ...config }))
  put(join(folder, 'flavors', 'own.json'), JSON.stringify({ name: 'own', label: mark }))
  put(join(folder, 'output', 'ontology', 'enterprise.ttl'), `# ${mark}`)
  const project = openProject({ cwd: folder, env: {} })
  const workspace = openWorkspace(project.config.store)
  workspace.runs.save({ runId: 'run', ceiling: 'Public', caller: 'x', body: mark, createdAt: NOW })
  workspace.session.save({ rules: [], causal_rules: [], entities: [{ name: mark, key_slot: '', source: 'user' }], events: [], relationships: [], competency_questions: [] }, 0)
  workspace.close()
  return folder
}

/** What each part of the project in a folder says, as the program itself finds it. */
function marksOf(folder: string): string[] {
  const project = openProject({ cwd: folder, env: {} })
  const workspace = openWorkspace(project.config.store)
  const marks = [
    String(workspace.runs.get('run')?.body), workspace.session.load().session.entities[0]?.name ?? '-', project.flavors.get('own')?.label ?? '-',
    readFileSync(join(project.config.out, 'ontology', 'enterprise.ttl'), 'utf8').slice(2), 'x'.repeat(project.config.port),
  ]
  workspace.close()
  return marks
}
const sure = (mark: string) => [mark, mark, mark, mark, 'x'.repeat(mark.length)]

async function backedUp(mark = 'before', config: Record<string, unknown> = {}): Promise<string> {
  const file = join(root, `${mark}.wbk`)
  await backupProject(openProject({ cwd: newProject(`of-${mark}`, mark, config), env: {} }), file, about)
  return file
}

const snapshot = (folder: string): string =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .toSorted()
        .map((name) => `${name} ${statSync(join(folder, name)).isFile() ? readFileSync(join(folder, name), 'base64') : ''}`)
        .join('\n')
    : ''

describe('a backup', () => {
  it('restores a whole project into an empty folder: store, session, configuration, flavors, outputs', async () => {
    const file = await backedUp()
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const report = await restoreProject(file, join(root, 'copy'), { now: NOW })
    expect(report).toEqual({
      created_at: NOW, entries: ['wherefore.json', '.wherefore/store.db', 'flavors/own.json', 'output/ontology/enterprise.ttl'], removed: [],
    })
    expect(marksOf(join(root, 'copy'))).toEqual(sure('before'))
    expect(readdirSync(join(root, 'copy')).toSorted()).toEqual(['.wherefore', 'flavors', 'output', 'wherefore.json'])
  })

  it('is taken while the store is open and holds what was committed', async () => {
    const folder = newProject('busy', 'busy')
    const project = openProject({ cwd: folder, env: {} })
    const workspace = openWorkspace(project.config.store)
    workspace.runs.save({ runId: 'late', ceiling: 'Public', caller: 'x', body: 'in the log only', createdAt: NOW })
    await backupProject(project, join(root, 'busy.wbk'), about)
    workspace.close()
    await restoreProject(join(root, 'busy.wbk'), join(root, 'copy'), { now: NOW })
    const copy = openWorkspace(join(root, 'copy', '.wherefore', 'store.db'))
    expect(copy.runs.get('late')?.body).toBe('in the log only')
    copy.close()
  })

  it('brings parts that lie elsewhere home, and says so in the restored configuration', async () => {
    const file = await backedUp('afar', { store: join(root, 'elsewhere', 'own.db'), out: '../elsewhere/out' })
    put(join(root, 'elsewhere', 'out', 'ontology', 'enterprise.ttl'), '# afar')
    rmSync(file)
    await backupProject(openProject({ cwd: join(root, 'of-afar'), env: {} }), file, about)
    rmSync(join(root, 'elsewhere'), { recursive: true })
    await restoreProject(file, join(root, 'copy'), { now: NOW })
    expect(marksOf(join(root, 'copy'))).toEqual(sure('afar'))
    expect(JSON.parse(readFileSync(join(root, 'copy', 'wherefore.json'), 'utf8'))).toEqual({ port: 4, store: '.wherefore/store.db', out: 'output' })
  })

  it('never writes over a file, and warns of a password that it carries', async () => {
    const folder = newProject('secret', 'secret', { sources: { a: { url: 'postgres://u:hunter2@h/d' } } })
    const project = openProject({ cwd: folder, env: {} })
    const { warnings } = await backupProject(project, join(root, 'a.wbk'), about)
    expect(warnings).toEqual([expect.stringContaining('password')])
    expect(warnings.join()).not.toContain('hunter2')
    await expect(backupProject(project, join(root, 'a.wbk'), about)).rejects.toMatchObject({ code: 'conflict' })
    expect(readdirSync(root).filter((name) => name.includes('tmp'))).toEqual([])
  })

  it('leaves out links, locks and half-written files', async () => {
    const folder = newProject('odd', 'odd')
    writeFileSync(join(folder, 'output', '.lock'), '1')
    writeFileSync(join(folder, 'output', 'x.ttl.1.tmp'), 'half')
    symlinkSync('/etc/hostname', join(folder, 'output', 'link.ttl'))
    const { entries } = await backupProject(openProject({ cwd: folder, env: {} }), join(root, 'odd.wbk'), about)
    expect(entries.filter((name) => name.startsWith('output/'))).toEqual(['output/ontology/enterprise.ttl'])
  })
})

describe('a restore', () => {
  it('replaces a project only when told to, and removes what would be mixed up with it', async () => {
    const file = await backedUp('before')
    const folder = newProject('target', 'present')
    put(join(folder, 'output', 'shapes', 'rules.ttl'), 'x')
    put(join(folder, 'notes.txt'), 'mine')
    const whole = snapshot(folder)
    await expect(restoreProject(file, folder, { now: NOW })).rejects.toMatchObject({ code: 'conflict', about: { hint: expect.stringContaining('--force') } })
    expect(snapshot(folder)).toBe(whole)
    expect((await restoreProject(file, folder, { now: NOW, force: true })).removed).toEqual(['output/shapes/rules.ttl'])
    expect(marksOf(folder)).toEqual(sure('before'))
    expect(readFileSync(join(folder, 'notes.txt'), 'utf8')).toBe('mine')
    expect(existsSync(join(folder, 'output', 'shapes', 'rules.ttl'))).toBe(false)
  })

  it('is refused while another process has the store open', async () => {
    const file = await backedUp('before')
    const folder = newProject('target', 'present')
    const workspace = openWorkspace(join(folder, '.wherefore', 'store.db'))
    workspace.session.load()
    await expect(restoreProject(file, folder, { now: NOW, force: true })).rejects.toMatchObject({ code: 'conflict', about: { locked: true } })
    workspace.close()
    expect(marksOf(folder)).toEqual(sure('present'))
  })

  it('of a file with any byte changed, or cut anywhere, touches nothing', async () => {
    const bytes = readFileSync(await backedUp('before'))
    const folder = newProject('target', 'present')
    const whole = snapshot(folder)
    const text = gunzipSync(bytes).toString()
    const spoiled: Buffer[] = [
      ...[0, 1, 12, 200, Math.floor(bytes.length / 2), bytes.length - 5].map((at) => {
        const copy = Buffer.from(bytes)
        copy[at] = (copy[at] ?? 0) ^ 0x5a
        return copy
      }),
      bytes.subarray(0, bytes.length - 20),
      bytes.subarray(0, 30),
      Buffer.alloc(0),
      gzipSync(text.replace(/\{"complete":\d+\}\n/, '')),
      gzipSync(text.replace('"complete":4', '"complete":3')),
      gzipSync(text.replace(/"sha256":"./, '"sha256":"z')),
      gzipSync(text.split('\n').toSpliced(1, 1).join('\n')),
      gzipSync(`${text}{"entry":"again"}\n`),
      gzipSync('[]\n'),
      gzipSync('x'.repeat(1_000_000)),
    ]
    for (const [at, each] of spoiled.entries()) {
      writeFileSync(join(root, 'spoiled.wbk'), each)
      await expect(restoreProject(join(root, 'spoiled.wbk'), folder, { now: NOW, force: true }), `case ${at}`).rejects.toMatchObject({ code: 'invalid_request' })
    }
    expect(snapshot(folder)).toBe(whole)
  })

  const evil = (...names: string[]) => names.map((name) => ({ name, file: join(root, 'payload') }))
  it.each([
    '../outside', '/etc/outside', 'output/../../outside', 'output/./x', 'output//x', 'C:/outside', 'output\\..\\..\\outside', 'output/a\0b', '',
    '.wherefore-restore/journal.json', 'package.json', 'outputs/x', '.git/hooks/pre-commit',
  ])('refuses the name %j and writes nothing', async (name) => {
    writeFileSync(join(root, 'payload'), 'evil')
    await writeBackup(join(root, 'evil.wbk'), header, evil('output/fine.ttl', name))
    await expect(restoreProject(join(root, 'evil.wbk'), join(root, 'deep', 'copy'), { now: NOW })).rejects.toMatchObject({ code: 'invalid_request' })
    expect(readdirSync(root).toSorted()).toEqual(['deep', 'evil.wbk', 'payload'])
    expect(readdirSync(join(root, 'deep', 'copy'))).toEqual([])
  })

  it.each([
    { out: '../out' }, { store: '/tmp/s.db' }, { out: '.' }, { flavors_dir: 'a/../..' }, { out: '.git' }, { flavors_dir: 'node_modules' }, { out: 'a/.hidden' },
  ])('refuses a configuration that points outside or at the folders of other tools: %j', async (config) => {
    writeFileSync(join(root, 'payload'), JSON.stringify(config))
    await writeBackup(join(root, 'evil.wbk'), header, evil('wherefore.json'))
    await expect(restoreProject(join(root, 'evil.wbk'), join(root, 'copy'), { now: NOW })).rejects.toMatchObject({ code: 'invalid_request' })
    expect(readdirSync(join(root, 'copy'))).toEqual([])
  })

  it('removes nothing but what we write ourselves, whatever folders the backup names', async () => {
    writeFileSync(join(root, 'payload'), JSON.stringify({ out: 'data', store: 'keep.txt' }))
    await writeBackup(join(root, 'evil.wbk'), header, evil('wherefore.json'))
    put(join(root, 'copy', 'data', 'mine.sqlite'), 'a database')
    put(join(root, 'copy', 'keep.txt'), 'kept')
    await restoreProject(join(root, 'evil.wbk'), join(root, 'copy'), { now: NOW, force: true })
    expect(readFileSync(join(root, 'copy', 'data', 'mine.sqlite'), 'utf8')).toBe('a database')
    expect(readFileSync(join(root, 'copy', 'keep.txt'), 'utf8')).toBe('kept')
  })

  it('does not follow a link that leads out of the folder', async () => {
    const file = await backedUp('before')
    mkdirSync(join(root, 'copy'))
    mkdirSync(join(root, 'outside'))
    symlinkSync(join(root, 'outside'), join(root, 'copy', 'output'))
    await expect(restoreProject(file, join(root, 'copy'), { now: NOW, force: true })).rejects.toMatchObject({ code: 'conflict' })
    expect(readdirSync(join(root, 'outside'))).toEqual([])
    expect(readdirSync(join(root, 'copy'))).toEqual(['output'])
  })

  it('refuses a store that is none, and formats of a newer program', async () => {
    writeFileSync(join(root, 'payload'), 'no database, but long enough to look like a file of some kind'.repeat(20))
    await writeBackup(join(root, 'evil.wbk'), header, evil('.wherefore/store.db'))
    await expect(restoreProject(join(root, 'evil.wbk'), join(root, 'copy'), { now: NOW })).rejects.toMatchObject({ code: 'source_unavailable' })
    await writeBackup(join(root, 'newer.wbk'), { ...header, wherefore_backup: BACKUP_VERSION + 1 }, [])
    await expect(restoreProject(join(root, 'newer.wbk'), join(root, 'copy'), { now: NOW })).rejects.toMatchObject({ code: 'conflict' })
    await expect(restoreProject(join(root, 'missing.wbk'), join(root, 'copy'), { now: NOW })).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('that ends at any step leaves the old project before its decision and the new one after it', async () => {
    const file = await backedUp('before')
    const steps: string[] = []
    await restoreProject(file, newProject('rehearsal', 'present'), { now: NOW, force: true, onStep: (step) => steps.push(step) })
    expect(steps).toEqual([
      'decide', 'remove .wherefore/store.db-wal', 'remove .wherefore/store.db-shm', 'replace wherefore.json', 'replace .wherefore/store.db',
      'replace flavors/own.json', 'replace output/ontology/enterprise.ttl', 'forget the journal', 'clear',
    ])
    for (const [at, last] of steps.entries()) {
      const folder = newProject(`stopped-${at}`, 'present')
      const onStep = (step: string) => {
        if (step === last) throw new Error('stopped')
      }
      await expect(restoreProject(file, folder, { now: NOW, force: true, onStep })).rejects.toThrow('stopped')
      expect(marksOf(folder), last).toEqual(sure(last === 'decide' ? 'present' : 'before'))
    }
  })

  it.each(['decide', 'replace .wherefore/store.db'])('that is killed before "%s" does the same, and can be repeated', async (last) => {
    const file = await backedUp('before')
    const folder = newProject('killed', 'present')
    const script = `
      import { restoreProject } from ${JSON.stringify(resolve('src/runtime/restore.ts'))}
      const onStep = (step) => { if (step === ${JSON.stringify(last)}) process.kill(process.pid, 'SIGKILL') }
      await restoreProject(${JSON.stringify(file)}, ${JSON.stringify(folder)}, { now: ${JSON.stringify(NOW)}, force: true, onStep })`
    const done = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
    expect(done.signal, done.stderr).toBe('SIGKILL')
    expect(marksOf(folder)).toEqual(sure(last === 'decide' ? 'present' : 'before'))
    await restoreProject(file, folder, { now: NOW, force: true })
    expect(marksOf(folder)).toEqual(sure('before'))
    expect(readdirSync(folder).toSorted()).toEqual(['.wherefore', 'flavors', 'output', 'wherefore.json'])
  })
})
