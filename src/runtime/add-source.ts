/** A source that an admin adds over HTTP: a file below one folder, or a variable that holds an address; never an address itself. */
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { Config, ServiceError, SourceConfig } from '../contracts/index.ts'
import { writeAtomically } from '../pipeline/index.ts'
import type { NewSource } from './desks.ts'
import type { Project } from './project.ts'

interface Allowed {
  readonly sourcesDir: string | null
  readonly env: Project['env']
}

/** The real folder, or a refusal at the start instead of at the first file. */
export function realSourcesDir(folder: string): string {
  try {
    const real = realpathSync(folder)
    if (statSync(real).isDirectory()) return real
  } catch {
    // told below, together with what is no folder
  }
  throw new ServiceError('invalid_request', 'the sources folder is not a folder', { hint: 'check --sources-dir' })
}

export function checkedSource(asked: NewSource, allowed: Allowed): SourceConfig {
  const { file, env, flavor, max_tier } = asked
  if ((file === undefined) === (env === undefined)) {
    throw new ServiceError('invalid_request', 'name a file or a variable, and not both')
  }
  return SourceConfig.parse({
    ...(file === undefined ? { url: addressIn(env ?? '', allowed) } : { path: fileBelow(file, allowed) }),
    ...(flavor === undefined ? {} : { flavor }),
    ...(max_tier === undefined ? {} : { max_tier }),
  })
}

/** What lies outside, what is no file and what is not there are refused alike: the answer must not tell which files exist. */
function fileBelow(file: string, { sourcesDir }: Allowed): string {
  if (sourcesDir === null) {
    throw new ServiceError('source_not_allowed', 'this server takes no new files', { hint: 'start it with --sources-dir DIR' })
  }
  const hint = 'name it relative to that folder'
  const refused = new ServiceError('source_not_allowed', 'there is no such file below the sources folder', { hint })
  if (isAbsolute(file) || file.includes('\0')) throw refused
  try {
    const folder = realpathSync(sourcesDir)
    const real = realpathSync(resolve(folder, file))
    const inside = relative(folder, real)
    const outside = inside === '' || inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)
    if (outside || !statSync(real).isFile()) throw refused
    return real
  } catch {
    throw refused
  }
}

/** A variable that is not set and one that holds something else read alike: its value is nobody's business. */
function addressIn(name: string, { env }: Allowed): string {
  const known = /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && /^(postgres|postgresql|mysql|mariadb):\/\//.test(env[name] ?? '')
  if (known) return `env:${name}`
  throw new ServiceError('source_not_allowed', 'that environment variable holds no database address', {
    hint: 'set it to postgres://... or mysql://... before the server starts',
  })
}

export const taken = (): ServiceError =>
  new ServiceError('conflict', 'a source of that name is already configured', { hint: 'choose another name' })

/** Adds it to wherefore.json as it stands there now; the rest of the file keeps its values. */
export function saveSource(project: Project, name: string, source: SourceConfig): void {
  if (project.configFile === null) {
    const hint = 'run wherefore init first'
    throw new ServiceError('conflict', 'this project has no wherefore.json to add a source to', { hint })
  }
  const file = realpathSync(project.configFile)
  const body = Config.safeParse(JSON.parse(readFileSync(file, 'utf8')))
  if (!body.success) {
    const hint = 'wherefore config validate lists every fault'
    throw new ServiceError('conflict', 'wherefore.json does not fit its schema', { hint })
  }
  if (Object.hasOwn(body.data.sources, name)) throw taken()
  const raw = JSON.parse(readFileSync(file, 'utf8')) as { sources?: Record<string, unknown> }
  writeAtomically(file, `${JSON.stringify({ ...raw, sources: { ...raw.sources, [name]: source } }, null, 2)}\n`)
}
