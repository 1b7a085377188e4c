/** wherefore config: the configuration that holds in a folder, where each value comes from, and everything wrong with it. */
import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { Config, type Fault, type Flavor, ServiceError, Tier, maskedUrl } from '../contracts/index.ts'
import { readConfigFile, readFlavorFolder } from './config-file.ts'
import {
  type Project, type ProjectOptions, bundledConfig, bundledFlavors, configPlace, placed, readProviders,
} from './project.ts'

export type Origin = 'flag' | 'environment' | 'file' | 'default'

export interface ConfigEntry {
  readonly key: string
  readonly value: unknown
  readonly from: Origin
}

export interface ConfigReport {
  readonly file: string | null
  readonly entries: readonly ConfigEntry[]
}

/** The parts that a flag or a variable can set, beside the keys of the file. */
const VARIABLES: Readonly<Record<string, string>> = { store: 'SERVICE_STORE' }
const ONLY_VARIABLES = ['SERVICE_CONFIG', 'SERVICE_MAX_TIER', 'SERVICE_SEARCH', 'SERVICE_TOKENS'] as const

/** Passwords are masked; keys of providers never stand in a configuration. */
export function configReport({ cwd = process.cwd(), env = process.env, overrides = {} }: ProjectOptions = {}): ConfigReport {
  const file = configPlace(cwd, env)
  const found = existsSync(file)
  const read = found ? readConfigFile(file) : { ok: true as const, value: { config: bundledConfig(), keys: [] as string[] } }
  if (!read.ok) {
    throw new ServiceError('invalid_request', 'the configuration does not fit its schema', {
      errors: read.faults,
      hint: 'wherefore config validate lists every fault',
    })
  }
  const { config, keys } = read.value
  const effective = placed(config, found ? dirname(file) : cwd, env, overrides)
  const originOf = (key: string): Origin => {
    if ((overrides as Record<string, unknown>)[key] !== undefined) return 'flag'
    if (VARIABLES[key] !== undefined && env[VARIABLES[key]] !== undefined) return 'environment'
    return keys.includes(key) ? 'file' : 'default'
  }
  const entries = (Object.keys(Config.shape) as (keyof Config)[]).flatMap((key): ConfigEntry[] => {
    if (key !== 'sources') return [{ key, value: effective[key], from: originOf(key) }]
    return Object.entries(effective.sources).map(([name, source]) => ({
      key: `sources.${name}`,
      value: source.url === undefined ? source : { ...source, url: maskedUrl(source.url) },
      from: originOf(key),
    }))
  })
  const variables = ONLY_VARIABLES.filter((name) => env[name] !== undefined).map(
    (name): ConfigEntry => ({ key: name, value: env[name], from: 'environment' }),
  )
  return { file: found ? file : null, entries: [...entries, ...variables] }
}

export interface Validation {
  readonly file: string | null
  readonly faults: readonly Fault[]
}

/** Every fault with its place: the shape of the file first, then what it points to. No database is opened. */
export function validateConfig({ cwd = process.cwd(), env = process.env }: ProjectOptions = {}): Validation {
  const file = configPlace(cwd, env)
  if (!existsSync(file)) {
    const missing = { path: 'SERVICE_CONFIG', message: 'the file that it names does not exist' }
    return { file: null, faults: [...(env['SERVICE_CONFIG'] === undefined ? [] : [missing]), ...environmentFaults(env)] }
  }
  const read = readConfigFile(file)
  if (!read.ok) return { file, faults: [...read.faults, ...environmentFaults(env)] }
  const config = placed(read.value.config, dirname(file), env, {})
  const { flavors, faults } = readFlavorFolder(config.flavors_dir)
  const known = new Map<string, Flavor>([...bundledFlavors(), ...flavors])
  const unknownFlavor = Object.values(config.sources).some(({ flavor }) => flavor !== undefined && !known.has(flavor))
  return {
    file,
    faults: [
      ...sourceFaults(config, known, env),
      ...(unknownFlavor && !isFolder(config.flavors_dir) ? [{ path: 'flavors_dir', message: NO_FOLDER }] : []),
      ...faults.map((fault) => ({ ...fault, path: `flavors_dir/${fault.path ?? ''}` })),
      ...config.log_roots.flatMap((root, i) => (isFolder(root) ? [] : [{ path: `log_roots.${i}`, message: NO_FOLDER }])),
      ...providerFaults(config),
      ...environmentFaults(env),
    ],
  }
}

const NO_FOLDER = 'there is no such folder'

function sourceFaults(config: Config, flavors: ReadonlyMap<string, Flavor>, env: Project['env']): Fault[] {
  return Object.entries(config.sources).flatMap(([name, { path, url, flavor }]): Fault[] => {
    const variable = url?.startsWith('env:') === true ? url.slice(4) : null
    const unset = variable !== null && (env[variable] ?? '') === ''
    return [
      ...(path !== undefined && !existsSync(path) ? [{ path: `sources.${name}.path`, message: 'there is no such file' }] : []),
      ...(unset ? [{ path: `sources.${name}.url`, message: `the variable ${variable} is not set` }] : []),
      ...(flavor !== undefined && !flavors.has(flavor)
        ? [{ path: `sources.${name}.flavor`, message: `no flavor of that name; known: ${[...flavors.keys()].join(', ')}` }]
        : []),
    ]
  })
}

function providerFaults(config: Config): Fault[] {
  try {
    readProviders(config)
    return []
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return [{ path: 'providers', message: `${error.message}; ${error.about.hint ?? ''}` }]
  }
}

const environmentFaults = (env: Project['env']): Fault[] =>
  env['SERVICE_MAX_TIER'] === undefined || env['SERVICE_MAX_TIER'] === '' || Tier.safeParse(env['SERVICE_MAX_TIER']).success
    ? []
    : [{ path: 'SERVICE_MAX_TIER', message: `not a tier; one of ${Tier.options.join(', ')}` }]

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
