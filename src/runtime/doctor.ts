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
    ...faults.map(({ path, line, column, message }) =>
      fail('configuration', [path, line === undefined ? '' : `line ${line}, column ${column}`, message].filter((part) => part !== '' && part !== undefined).join(': '), 'mend wherefore.json or what it points to'),
    ),
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
  checks.push(await storeCheck(project.config, options.now), outCheck(project.config.out), ...flavorChecks(project), searchCheck(project))
  for (const [name, source] of Object.entries(project.config.sources)) checks.push(...(await sourceChecks(name, source, project, options)))
  if (Object.keys(project.config.sources).length === 0) checks.push(warn('sources', 'no database is configured', 'wherefore init --db <your database>'))
  return checks
}

const line = (state: Check['state']) => (about: string, found: string, advice = ''): Check => ({ about, state, found, advice })
const ok = line('ok')
const warn = line('warn')
const fail = line('fail')

function nodeCheck(version: string): Check {
  const major = Number(version.split('.')[0])
  return major >= WANTED_NODE ? ok('node', `version ${version}`) : fail('node', `version ${version}`, `install Node ${WANTED_NODE} or newer`)
}

async function storeCheck({ store }: Config, now: string): Promise<Check> {
  if (!existsSync(store)) {
    const place = nearest(dirname(store))
    return isWritable(place) ? ok('store', 'not there yet; made when first needed') : fail('store', 'its folder cannot be written to', 'change its rights, or set store in wherefore.json')
  }
  try {
    const { changes } = await checkStore(store, now)
    if (!isWritable(store)) return fail('store', 'it cannot be written to', 'change its rights, or set store in wherefore.json')
    return changes.length === 0 ? ok('store', 'whole and up to date') : warn('store', `of an older program; opening it makes ${changes.length} changes`, 'wherefore backup FILE, then wherefore migrate')
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return fail('store', error.message, error.about.hint ?? 'restore it from a backup')
  }
}

function outCheck(out: string): Check {
  const writable = isWritable(nearest(out))
  return writable ? ok('outputs', existsSync(out) ? 'the folder can be written to' : 'the folder is made when first needed') : fail('outputs', 'the folder cannot be written to', 'change its rights, or set out in wherefore.json')
}

const searchCheck = (project: Project): Check =>
  searchEnabled(project.env) ? ok('search', 'switched on') : warn('search', 'switched off', 'set SERVICE_SEARCH=1 to ask questions')

function flavorChecks({ flavors }: Project): Check[] {
  return [ok('flavors', `${flavors.size} can be used: ${[...flavors.keys()].join(', ')}`)]
}

async function sourceChecks(name: string, config: SourceConfig, project: Project, { allowDangerous = false }: DoctorOptions): Promise<Check[]> {
  const about = `source ${name}`
  try {
    const source = await openSource(placeOf(config))
    try {
      const { engine, dangers, notes } = await source.examineRole()
      const allowed = allowDangerous || config.allow_dangerous_role === true
      const role = dangers.map((danger) =>
        (allowed ? warn : fail)(about, `the role could do more than read: ${danger}`, 'give the source a role that can only read, or set allow_dangerous_role on it'),
      )
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
function ruleChecks(about: string, { flavor: name }: SourceConfig, flavors: ReadonlyMap<string, Flavor>, ontology: Ontology): Check[] {
  const flavor = name === undefined ? undefined : flavors.get(name)
  if (flavor === undefined) return []
  const relations = datalogRelations(ontology)
  const faults = flavor.rules.flatMap(({ id, body }) => {
    const parsed = parseRules(body, { relations, id })
    return parsed.ok ? [] : parsed.faults.map((fault) => `rule ${id}, line ${fault.line}, column ${fault.column}: ${fault.message}`)
  })
  if (faults.length === 0) return [ok(about, `${flavor.rules.length === 1 ? 'the rule' : `all ${flavor.rules.length} rules`} of the flavor ${flavor.name} fit its tables`)]
  return faults.map((fault) => fail(about, `flavor ${flavor.name}: ${fault}`, 'mend the rule, or name another flavor for this source'))
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
