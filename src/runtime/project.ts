/** A project: its configuration, its flavors, and where its files lie. Flags win over the environment, that over the file. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Config, type Flavor, FlavorName, ServiceError, Tier } from '../contracts/index.ts'
import { ProviderCatalogue } from '../providers/index.ts'
import { CONFIG_NAME, readConfigFile, readFlavorFolder } from './config-file.ts'
import { finishRestore } from './restore.ts'

/** src/runtime and dist/runtime lie equally deep, so this holds in a checkout and in an installed package. */
export const packageRoot = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

export interface Project {
  readonly config: Config
  /** where the configuration lies; relative places in it start here */
  readonly folder: string
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
  readonly overrides?: Overrides
}

/** What flags may set. */
export type Overrides = Partial<Pick<Config, 'out' | 'store' | 'host' | 'port'>>

export function openProject({ cwd = process.cwd(), env = process.env, overrides = {} }: ProjectOptions = {}): Project {
  const file = configPlace(cwd, env)
  const folder = dirname(file)
  finishRestore(folder) // a restore that was killed half-way is carried to its end before anything is read
  const found = existsSync(file)
  if (env['SERVICE_CONFIG'] !== undefined && !found) {
    throw new ServiceError('invalid_request', 'the file that SERVICE_CONFIG names does not exist')
  }
  const config = placed(found ? readConfig(file) : bundledConfig(), found ? folder : cwd, env, overrides)
  return {
    config,
    folder: found ? folder : cwd,
    configFile: found ? file : null,
    grant: readGrant(env['SERVICE_MAX_TIER']),
    flavors: readFlavors(found ? config.flavors_dir : null),
    providers: readProviders(config),
    env,
  }
}

export const configPlace = (cwd: string, env: Project['env']): string => resolve(cwd, env['SERVICE_CONFIG'] ?? CONFIG_NAME)

/** Flags over environment over file, every path made absolute. */
export function placed(config: Config, folder: string, env: Project['env'], overrides: Overrides): Config {
  const at = (path: string) => (isAbsolute(path) ? path : resolve(folder, path))
  const sources = Object.entries(config.sources).map(([name, source]) => [
    name, source.path === undefined ? source : { ...source, path: at(source.path) },
  ])
  return {
    ...config,
    ...overrides,
    sources: Object.fromEntries(sources),
    flavors_dir: at(config.flavors_dir),
    log_roots: config.log_roots.map(at),
    out: at(overrides.out ?? config.out),
    store: at(overrides.store ?? env['SERVICE_STORE'] ?? config.store),
  }
}

function readConfig(file: string): Config {
  const read = readConfigFile(file)
  if (read.ok) return read.value.config
  throw new ServiceError('invalid_request', `${CONFIG_NAME} does not fit its schema`, {
    errors: read.faults,
    hint: 'wherefore config validate lists every fault',
  })
}

/** Each is a folder of examples, a flavor and a source; the first answers a question that names none. */
const BUNDLED = ['network-ops', 'clinical-trial']

/** Without a configuration the bundled examples answer, so that a first question needs no set-up. */
export function bundledConfig(): Config {
  const files = BUNDLED.map((name) => ({ name, path: join(packageRoot, 'examples', name, `${name}.sqlite`) }))
  const there = files.filter(({ path }) => existsSync(path))
  const sources = Object.fromEntries(there.map(({ name, path }) => [name, { path, flavor: name }]))
  return Config.parse({ sources, log_roots: [join(packageRoot, 'examples', 'log-rca', 'sample')] })
}

/** True of a database that came with the program: it answers questions, but is no part of a project that does not name it. */
export const isBundled = ({ configFile }: Pick<Project, 'configFile'>, path: string): boolean =>
  configFile === null && path.startsWith(join(packageRoot, 'examples') + sep)

/** What to tell whoever is answered from the bundled examples; null in a project with sources of its own. */
export function bundledNote(project: Pick<Project, 'configFile' | 'config'>): string | null {
  const names = Object.entries(project.config.sources).filter(([, { path }]) => path !== undefined && isBundled(project, path)).map(([name]) => name)
  return names.length === 0 ? null : `no wherefore.json here: the bundled examples answer (${names.join(', ')}); for your own: wherefore init --db <your database>`
}

/** An unknown tier fails closed: the service does not start with a guess. */
function readGrant(text: string | undefined): Tier {
  if (text === undefined || text === '') return 'Restricted'
  const parsed = Tier.safeParse(text)
  if (parsed.success) return parsed.data
  throw new ServiceError('invalid_request', 'SERVICE_MAX_TIER is not a tier', { hint: `one of ${Tier.options.join(', ')}` })
}

/** The bundled flavors and those of the project, which win. */
function readFlavors(own: string | null): Map<string, Flavor> {
  if (own === null) return bundledFlavors()
  const { flavors, faults } = readFlavorFolder(own)
  if (faults.length > 0) {
    const about = { errors: faults, hint: 'wherefore config validate lists them all' }
    throw new ServiceError('invalid_request', 'a flavor file cannot be used', about)
  }
  return new Map([...bundledFlavors(), ...flavors])
}

export function bundledFlavors(): Map<string, Flavor> {
  const { flavors, faults } = readFlavorFolder(join(packageRoot, 'templates', 'flavors'))
  if (faults.length > 0) throw new Error(`a bundled flavor is broken: ${JSON.stringify(faults[0])}`)
  return flavors
}

/** The bundled catalogue with what the project says differently; a provider that the catalogue does not know is refused. */
export function readProviders({ providers: own }: Pick<Config, 'providers'>): ProviderCatalogue {
  const bundled = ProviderCatalogue.parse(JSON.parse(readFileSync(join(packageRoot, 'runtime', 'llm_providers.json'), 'utf8')))
  const providers = { ...bundled.providers }
  for (const [id, { base_url, ...said }] of Object.entries(own.catalogue)) {
    const entry = providers[id]
    if (entry === undefined) throw unknownProvider(bundled)
    providers[id] = { ...entry, ...said, ...(base_url === undefined ? {} : { base_url_default: base_url }) }
  }
  if (own.default !== undefined && providers[own.default] === undefined) throw unknownProvider(bundled)
  return { default: own.default ?? bundled.default, providers }
}

const unknownProvider = ({ providers }: ProviderCatalogue): ServiceError =>
  new ServiceError('unknown_provider', 'wherefore.json names a provider that is not in the catalogue', {
    hint: `known: ${Object.keys(providers).join(', ')}`,
  })

export function flavorNamed(project: Project, name: string): Flavor {
  const flavor = FlavorName.safeParse(name).success ? project.flavors.get(name) : undefined
  if (flavor !== undefined) return flavor
  throw new ServiceError('unknown_flavor', 'no flavor of that name', { hint: `known: ${[...project.flavors.keys()].join(', ')}` })
}

export const searchEnabled = (env: Project['env']): boolean => env['SERVICE_SEARCH'] === '1'
