/** A project: its configuration, its flavors, and where its files lie. Flags win over the environment, that over the file. */
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Config, Flavor, FlavorName, ServiceError, Tier } from '../contracts/index.ts'
import { ProviderCatalogue } from '../providers/index.ts'

/** src/runtime and dist/runtime lie equally deep, so this holds in a checkout and in an installed package. */
export const packageRoot = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

export interface Project {
  readonly config: Config
  /** file name in the messages about it, or null when the built-in defaults serve */
  readonly configFile: string | null
  readonly grant: Tier
  readonly flavors: ReadonlyMap<string, Flavor>
  readonly providers: ProviderCatalogue
  readonly env: Readonly<Record<string, string | undefined>>
}

export interface ProjectOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly overrides?: Partial<Pick<Config, 'out' | 'store' | 'host' | 'port'>>
}

export function openProject({ cwd = process.cwd(), env = process.env, overrides = {} }: ProjectOptions = {}): Project {
  const named = env['SERVICE_CONFIG']
  const file = named === undefined ? join(cwd, 'wherefore.json') : resolve(cwd, named)
  const found = existsSync(file)
  if (named !== undefined && !found) throw new ServiceError('invalid_request', 'the file that SERVICE_CONFIG names does not exist')
  const base = found ? dirname(file) : cwd
  const config = found ? readConfig(file) : bundledConfig()
  const at = (path: string) => (isAbsolute(path) ? path : resolve(base, path))
  return {
    config: {
      ...config,
      ...overrides,
      sources: Object.fromEntries(Object.entries(config.sources).map(([name, source]) => [name, { ...source, path: at(source.path) }])),
      log_roots: config.log_roots.map(at),
      out: at(overrides.out ?? config.out),
      store: at(env['SERVICE_STORE'] ?? overrides.store ?? config.store),
    },
    configFile: found ? file : null,
    grant: readGrant(env['SERVICE_MAX_TIER']),
    flavors: readFlavors(join(packageRoot, 'templates', 'flavors')),
    providers: ProviderCatalogue.parse(JSON.parse(readFileSync(join(packageRoot, 'runtime', 'llm_providers.json'), 'utf8'))),
    env,
  }
}

function readConfig(file: string): Config {
  let body: unknown
  try {
    body = JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw new ServiceError('invalid_request', 'the configuration is not valid JSON', { cause, hint: 'check wherefore.json' })
  }
  const parsed = Config.safeParse(body)
  if (parsed.success) return parsed.data
  throw new ServiceError('invalid_request', 'the configuration does not fit its schema', {
    errors: parsed.error.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message })),
    hint: 'check wherefore.json',
  })
}

/** Without a configuration the bundled example answers, so that a first question needs no set-up. */
function bundledConfig(): Config {
  const example = join(packageRoot, 'examples', 'network-ops', 'network-ops.sqlite')
  const sources = existsSync(example) ? { 'network-ops': { path: example, flavor: 'network-ops' } } : {}
  return Config.parse({ sources, log_roots: [join(packageRoot, 'examples', 'log-rca', 'logs')] })
}

/** An unknown tier fails closed: the service does not start with a guess. */
function readGrant(text: string | undefined): Tier {
  if (text === undefined || text === '') return 'Restricted'
  const parsed = Tier.safeParse(text)
  if (parsed.success) return parsed.data
  throw new ServiceError('invalid_request', 'SERVICE_MAX_TIER is not a tier', { hint: `one of ${Tier.options.join(', ')}` })
}

function readFlavors(folder: string): Map<string, Flavor> {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json')).toSorted()
  return new Map(files.map((name) => Flavor.parse(JSON.parse(readFileSync(join(folder, name), 'utf8')))).map((flavor) => [flavor.name, flavor]))
}

export function flavorNamed(project: Project, name: string): Flavor {
  const flavor = FlavorName.safeParse(name).success ? project.flavors.get(name) : undefined
  if (flavor !== undefined) return flavor
  throw new ServiceError('unknown_flavor', 'no flavor of that name', { hint: `known: ${[...project.flavors.keys()].join(', ')}` })
}

export const searchEnabled = (env: Project['env']): boolean => env['SERVICE_SEARCH'] === '1'
