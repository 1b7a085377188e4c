/** wherefore doctor: looks at everything a project needs and says, line by line, what is well and what to do about the rest. */
import { accessSync, constants, existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Config, type Flavor, ServiceError, type SourceConfig, placeOf } from '../contracts/index.ts'
import { parseRules } from '../kernel/datalog/index.ts'
import { type Ontology, buildOntology, datalogRelations } from '../ontology/index.ts'
import { openSource } from '../sources/index.ts'
import { checkStore } from '../store/index.ts'
import { validateConfig } from './config-report.ts'
import { type Project, type ProjectOptions, openProject, searchEnabled } from './project.ts'

export interface Check {
  readonly about: string
  readonly state: 'ok' | 'warn' | 'fail'
  readonly found: string
  /** what to do; empty when all is well */
  readonly advice: string
}

export interface DoctorOptions extends ProjectOptions {
  /** a dangerous role is a warning, not a failure */
  readonly allowDangerous?: boolean
  readonly now: string
  readonly nodeVersion?: string
}

const WANTED_NODE = 24

export async function examineProject(options: DoctorOptions): Promise<Check[]> {
  const checks: Check[] = [nodeCheck(options.nodeVersion ?? process.versions.node)]
  const { file, faults } = validateConfig(options)
  checks.push(
    ...faults.map(({ path = '', line, column, message }) => {
      const place = [path, line === undefined ? '' : `line ${line}, column ${column}`].filter((part) => part !== '')
      return fail('configuration', [...place, message].join(': '), 'mend wherefore.json or what it points to')
    }),
  )
  let project: Project
  try {
    project = openProject(options)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    // what is wrong stands in the lines above; without a configuration there is nothing more to look at
    return faults.length > 0 ? checks : [...checks, fail('configuration', error.message, error.about.hint ?? '')]
  }
  if (faults.length === 0) {
    checks.push(
      file === null
        ? warn('configuration', 'no wherefore.json here: the bundled example is used', 'wherefore init --db <your database>')
        : ok('configuration', 'wherefore.json is valid'),
    )
  }
  const { config } = project
  checks.push(await storeCheck(config, options.now), outCheck(config.out), flavorCheck(project), searchCheck(project))
  const sources = Object.entries(config.sources)
  if (sources.length === 0) checks.push(warn('sources', 'no database is configured', 'wherefore init --db <your database>'))
  for (const [name, source] of sources) checks.push(...(await sourceChecks(name, source, project, options)))
  return checks
}

const line = (state: Check['state']) => (about: string, found: string, advice = ''): Check => ({ about, state, found, advice })
const ok = line('ok')
const warn = line('warn')
const fail = line('fail')

function nodeCheck(version: string): Check {
  const major = Number(version.split('.')[0])
  const found = `version ${version}`
  return major >= WANTED_NODE ? ok('node', found) : fail('node', found, `install Node ${WANTED_NODE} or newer`)
}

async function storeCheck({ store }: Config, now: string): Promise<Check> {
  if (!existsSync(store)) {
    if (isWritable(nearest(dirname(store)))) return ok('store', 'not there yet; made when first needed')
    return fail('store', 'its folder cannot be written to', 'change its rights, or set store in wherefore.json')
  }
  try {
    const { changes } = await checkStore(store, now)
    if (!isWritable(store)) return fail('store', 'it cannot be written to', 'change its rights, or set store in wherefore.json')
    if (changes.length === 0) return ok('store', 'whole and up to date')
    const found = `of an older program; opening it makes ${changes.length} changes`
    return warn('store', found, 'wherefore backup FILE, then wherefore migrate')
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return fail('store', error.message, error.about.hint ?? 'restore it from a backup')
  }
}

function outCheck(out: string): Check {
  if (!isWritable(nearest(out))) {
    return fail('outputs', 'the folder cannot be written to', 'change its rights, or set out in wherefore.json')
  }
  return ok('outputs', existsSync(out) ? 'the folder can be written to' : 'the folder is made when first needed')
}

const searchCheck = (project: Project): Check =>
  searchEnabled(project.env)
    ? ok('search', 'switched on')
    : warn('search', 'switched off', 'set SERVICE_SEARCH=1 to ask questions')

const flavorCheck = ({ flavors }: Project): Check =>
  ok('flavors', `${flavors.size} can be used: ${[...flavors.keys()].join(', ')}`)

async function sourceChecks(name: string, config: SourceConfig, project: Project, options: DoctorOptions): Promise<Check[]> {
  const about = `source ${name}`
  try {
    const source = await openSource(placeOf(config))
    try {
      const { engine, dangers, notes } = await source.examineRole()
      const verdict = options.allowDangerous === true || config.allow_dangerous_role === true ? warn : fail
      const advice = 'give the source a role that can only read, or set allow_dangerous_role on it'
      const role = dangers.map((danger) => verdict(about, `the role could do more than read: ${danger}`, advice))
      const catalogue = await source.introspect()
      const { base_iri: baseIri, record_base: recordBase } = project.config
      const ontology = buildOntology(catalogue, { baseIri, recordBase })
      const opened =
        catalogue.tables.length === 0
          ? warn(about, `${engine}; it has no tables`, 'check that this is the right database')
          : ok(about, `${engine}, ${catalogue.tables.length} tables${notes.length === 0 ? '' : `; ${notes.join('; ')}`}`)
      return [opened, ...role, ...ruleChecks(about, config, project.flavors, ontology)]
    } finally {
      await source.close()
    }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return [fail(about, error.message, error.about.hint ?? 'check its path or url')]
  }
}

/** The rules of the source's flavor against its own tables, before somebody's question meets the first fault. */
function ruleChecks(about: string, source: SourceConfig, flavors: ReadonlyMap<string, Flavor>, ontology: Ontology): Check[] {
  const flavor = source.flavor === undefined ? undefined : flavors.get(source.flavor)
  if (flavor === undefined) return []
  const relations = datalogRelations(ontology)
  const faults = flavor.rules.flatMap(({ id, body }) => {
    const parsed = parseRules(body, { relations, id })
    if (parsed.ok) return []
    return parsed.faults.map(({ line: at, column, message }) => `rule ${id}, line ${at}, column ${column}: ${message}`)
  })
  if (faults.length === 0) return [ok(about, `rules of the flavor ${flavor.name} that fit its tables: all ${flavor.rules.length}`)]
  const advice = 'mend the rule, or name another flavor for this source'
  return faults.map((fault) => fail(about, `flavor ${flavor.name}: ${fault}`, advice))
}

function nearest(path: string): string {
  for (let place = path; ; place = dirname(place)) if (existsSync(place) || dirname(place) === place) return place
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}
