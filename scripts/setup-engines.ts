/**
 * Where the tests' MariaDB server comes from. An installed one is taken; otherwise, on a build machine or where
 * WHEREFORE_SETUP=1 asks for it, Debian's package is unpacked into an ignored folder. Nothing is installed on the host.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { root } from './steps.ts'

const CACHE = join(root, 'node_modules', '.cache', 'wherefore', 'mariadb')
const SERVER_PACKAGE = 'mariadb-server-core'

/** The path of mariadbd when it is here already, else null. Opens no connection. */
export function findMariadb(): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin', join(CACHE, 'usr', 'sbin')]
  return folders.map((folder) => join(folder, 'mariadbd')).find((path) => existsSync(path)) ?? null
}

/** As `findMariadb`, but fetches the server first where that is welcome. Belongs to set-up, never to a test. */
export function offerMariadb(): string | null {
  const found = findMariadb()
  if (found !== null) return found
  const welcome = process.env['CI'] !== undefined || process.env['WHEREFORE_SETUP'] === '1'
  if (!welcome || !available('apt-get') || !available('dpkg')) return null
  console.log('set-up: fetching mariadbd for the database tests')
  mkdirSync(dirname(CACHE), { recursive: true })
  const draft = mkdtempSync(`${CACHE}.`)
  try {
    if (!download(draft) && !(update() && download(draft))) return null
    for (const file of readdirSync(draft).filter((name) => name.endsWith('.deb'))) {
      if (!run('dpkg', ['-x', file, '.'], draft)) return null
      rmSync(join(draft, file))
    }
    rmSync(CACHE, { recursive: true, force: true })
    renameSync(draft, CACHE)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
  return findMariadb()
}

/** Folders with the libraries that were unpacked beside the server; the loader looks there first. */
export function librariesOf(mariadbd: string): string {
  const lib = join(dirname(mariadbd), '..', 'lib')
  if (!existsSync(lib) || !mariadbd.startsWith(CACHE)) return ''
  return readdirSync(lib, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(lib, entry.name))
    .join(delimiter)
}

function download(folder: string): boolean {
  const listed = spawnSync('apt-cache', ['depends', SERVER_PACKAGE], { encoding: 'utf8' })
  const libraries = [...(listed.stdout ?? '').matchAll(/^\s+Depends: (lib[\w.+-]+)$/gm)].flatMap(([, name]) => name ?? [])
  const missing = libraries.filter((name) => spawnSync('dpkg', ['-s', name], { stdio: 'ignore' }).status !== 0)
  return run('apt-get', ['download', '-qq', SERVER_PACKAGE, ...missing], folder)
}

const update = (): boolean => process.getuid?.() === 0 && run('apt-get', ['update', '-qq'], root)
const run = (command: string, args: readonly string[], cwd: string): boolean =>
  spawnSync(command, args, { cwd, stdio: 'ignore', timeout: 240_000 }).status === 0
const available = (command: string): boolean => spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0
