/** wherefore init: a configuration, a flavor and a first rule for somebody's own database. Nothing there is overwritten. */
import { existsSync, readdirSync } from 'node:fs'
import { basename, extname, join, resolve } from 'node:path'
import { Config, type Flavor, FlavorName, ServiceError, SourceUrl, hasSecret } from '../contracts/index.ts'
import { buildOntology, cutOntology } from '../ontology/index.ts'
import { writeAtomically } from '../pipeline/index.ts'
import { openSource } from '../sources/index.ts'
import { CONFIG_NAME } from './config-file.ts'
import { firstFlavor } from './first-rule.ts'
import { insideOf } from './project-files.ts'

export interface InitOptions {
  readonly db?: string
  readonly name?: string
  readonly force?: boolean
}

export interface InitReport {
  readonly name: string | null
  /** relative to the folder */
  readonly files: readonly string[]
  readonly engine: string | null
  readonly tables: number
  readonly rule: string | null
  readonly example: string | null
  /** variables to set before the first question */
  readonly variables: readonly string[]
  readonly warnings: readonly string[]
}

const SQLITE_FILE = /\.(db|sqlite|sqlite3)$/i

export async function initProject(folder: string, options: InitOptions): Promise<InitReport> {
  const db = options.db ?? onlyDatabaseIn(folder)
  const name = options.name ?? (db === null ? 'project' : nameFor(db))
  if (!FlavorName.safeParse(name).success) {
    throw new ServiceError('invalid_request', 'a project name has 1 to 64 characters of a-z, 0-9 and -', {
      hint: 'name one with --name',
    })
  }
  const flavorFile = `flavors/${name}.json`
  refuseToOverwrite(folder, db === null ? [CONFIG_NAME] : [CONFIG_NAME, flavorFile], options.force === true)
  if (db === null) {
    write(folder, CONFIG_NAME, { sources: {}, flavors_dir: 'flavors', log_roots: [] })
    return { name: null, files: [CONFIG_NAME], engine: null, tables: 0, rule: null, example: null, variables: [], warnings: [] }
  }
  const isUrl = SourceUrl.safeParse(db).success
  if (!isUrl && /^[a-z][a-z0-9+.-]*:\/\//i.test(db)) {
    throw new ServiceError('invalid_request', 'this kind of address is not known', {
      hint: 'postgres://, mysql://, env:NAME or the path of a SQLite file',
    })
  }
  const file = resolve(folder, db)
  const looked = await lookAt(isUrl ? db : file, name)
  const variable = `${name.replaceAll('-', '_').toUpperCase()}_URL`
  const secret = isUrl && hasSecret(db)
  // a password belongs into the environment: a configuration is read by many and kept in version control
  const place = isUrl ? { url: secret ? `env:${variable}` : db } : { path: insideOf(folder, file) ?? file }
  write(folder, flavorFile, looked.flavor)
  write(folder, CONFIG_NAME, { sources: { [name]: { ...place, flavor: name } }, flavors_dir: 'flavors', log_roots: [] })
  const { flavor, engine, tables, dangers } = looked
  return {
    name,
    files: [CONFIG_NAME, flavorFile],
    engine,
    tables,
    rule: flavor.rules[0]?.body ?? null,
    example: flavor.example ?? null,
    variables: secret ? [variable] : [],
    warnings: [
      ...(tables === 0 ? ['the database has no tables'] : []),
      ...(tables > 0 && flavor.rules.length === 0 ? ['no first rule could be made from these tables'] : []),
      ...dangers.map((danger) => `the role could do more than read: ${danger}; questions are refused until it cannot`),
    ],
  }
}

interface Looked {
  readonly flavor: Flavor
  readonly engine: string
  readonly tables: number
  readonly dangers: readonly string[]
}

async function lookAt(place: string, name: string): Promise<Looked> {
  const source = await openSource(place)
  try {
    const { engine, dangers } = await source.examineRole()
    const { base_iri: baseIri, record_base: recordBase } = Config.parse({})
    const catalogue = await source.introspect()
    const ontology = cutOntology(buildOntology(catalogue, { baseIri, recordBase }), 'Internal')
    const label = name.split('-').map((word, i) => (i === 0 ? word.charAt(0).toUpperCase() + word.slice(1) : word)).join(' ')
    return { flavor: firstFlavor(name, label, ontology), engine, tables: catalogue.tables.length, dangers }
  } finally {
    await source.close()
  }
}

/** The one SQLite file of the folder; of several, a person chooses. */
function onlyDatabaseIn(folder: string): string | null {
  const found = readdirSync(folder).filter((name) => SQLITE_FILE.test(name)).toSorted()
  if (found.length <= 1) return found[0] ?? null
  throw new ServiceError('invalid_request', 'there are several databases in this folder', {
    hint: `name one: --db ${found.slice(0, 5).join(', --db ')}`,
  })
}

/** The file's name or the database's, in the letters that a flavor may have. */
function nameFor(db: string): string {
  const stem = db.startsWith('env:')
    ? db.slice(4).replace(/_(url|dsn)$/i, '')
    : SourceUrl.safeParse(db).success
      ? (/^[a-z]+:\/\/[^/?#]*\/([^?#]*)/i.exec(db)?.[1] ?? '')
      : basename(db, extname(db))
  const slug = stem.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-+|-+$/g, '').slice(0, 64)
  return slug === '' ? 'project' : slug
}

function refuseToOverwrite(folder: string, names: readonly string[], force: boolean): void {
  const there = names.filter((name) => existsSync(join(folder, name)))
  if (there.length === 0 || force) return
  throw new ServiceError('conflict', `${there.join(' and ')} already there; nothing was changed`, {
    hint: 'choose another --name or folder, or replace with --force',
  })
}

const write = (folder: string, name: string, body: unknown): void =>
  writeAtomically(join(folder, name), `${JSON.stringify(body, null, 2)}\n`)
