/**
 * Programs in Python that ours is measured against or checked with. Each group is installed into an environment of its own
 * below node_modules/.cache, which git ignores; where that cannot be done, the reason is said and the caller runs without it.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const INSTALL_MS = 300_000

export type Peers = { readonly ready: true; readonly python: string } | { readonly ready: false; readonly missing: string }

/** `packages`: name to the one version that figures were made with. */
export function pythonWith(group: string, packages: Readonly<Record<string, string>>): Peers {
  const home = join(ROOT, 'node_modules', '.cache', 'wherefore', group, 'venv')
  const python = join(home, ...(process.platform === 'win32' ? ['Scripts', 'python.exe'] : ['bin', 'python']))
  if (isInstalled(python, packages)) return { ready: true, python }
  const wanted = Object.entries(packages).map(([name, version]) => `${name}==${version}`)
  const missing = (why: string): Peers => ({ ready: false, missing: `${wanted.join(', ')}: ${why}` })
  const system = ['python3', 'python'].find((name) => run(name, ['-c', 'import venv, ensurepip']).ok)
  if (system === undefined) return missing('no python3 with the modules venv and ensurepip was found')
  mkdirSync(home, { recursive: true })
  console.error(`installing ${wanted.join(', ')} into ${home.slice(ROOT.length + 1)} ...`)
  const made = existsSync(python) ? { ok: true, said: '' } : run(system, ['-m', 'venv', home])
  if (!made.ok) return missing(`no virtual environment could be made: ${made.said}`)
  const installed = run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...wanted])
  return isInstalled(python, packages) ? { ready: true, python } : missing(`pip could not install them: ${installed.said}`)
}

function isInstalled(python: string, packages: Readonly<Record<string, string>>): boolean {
  if (!existsSync(python)) return false
  const question = `from importlib.metadata import version; print([version(n) for n in ${JSON.stringify(Object.keys(packages))}])`
  const { ok, said } = run(python, ['-c', question])
  return ok && Object.values(packages).every((version) => said.includes(`'${version}'`))
}

/** Runs a command to its end; `said` is what it printed, or the last line of its complaint. */
function run(command: string, args: readonly string[]): { readonly ok: boolean; readonly said: string } {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', timeout: INSTALL_MS })
  if (status === 0) return { ok: true, said: stdout.trim() }
  return { ok: false, said: error?.message ?? stderr.trim().split('\n').at(-1) ?? `exit ${status}` }
}
