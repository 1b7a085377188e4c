/** Brings a store to the shape of this program: creates what is missing, keeps every row, and does nothing the second time. */
import { ServiceError } from '../contracts/index.ts'
import { createTable } from './ddl.ts'
import { columnsOf, identifier, namesOf } from './inspect.ts'
import { indexClusters } from './proposal-clusters.ts'
import { needsRebuild, rebuildProposals } from './rebuild-proposals.ts'
import { COLUMNS, INDEXES, PROPOSALS, type TableName } from './schema.ts'
import { type Connection, query } from './sqlite-dialect.ts'

/** Raise it together with a new step; a store with a higher number belongs to a newer program. */
export const SCHEMA_VERSION = 3
const SCHEMA_NAME = 'proposals by template'

/** Tables whose rows stand as they were written. */
const APPEND_ONLY = ['proposal_events', 'ontology_metadata_history'] as const satisfies readonly TableName[]

/** Tells in words what was changed; an empty list means that the store already had this shape. */
export function migrate(store: Connection, now: string): string[] {
  refuseNewer(store)
  store.exec('PRAGMA foreign_keys = OFF') // a rebuilt table drops its old self, which must not cascade
  try {
    return store.transaction(() => {
      refuseNewer(store) // again, now that nobody else can write
      const tables = ensureTables(store, now)
      const shape = [...tables, ...ensureIndexes(store), ...ensureAppendOnly(store)]
      if (tables.some((done) => done === 'created proposal_clusters' || done === `rebuilt ${PROPOSALS}`)) indexClusters(store)
      return [...shape, ...recordVersion(store, now)]
    })
  } finally {
    store.exec('PRAGMA foreign_keys = ON')
  }
}

function refuseNewer(store: Connection): void {
  // of a table that is not there this says: no columns
  if (!columnsOf(store, 'schema_migrations').some(({ name }) => name === 'version')) return
  const newest = store.first(query.selectFrom('schema_migrations').select(({ fn }) => fn.max('version').as('version')))?.version
  if (typeof newest === 'number' && newest > SCHEMA_VERSION) {
    throw new ServiceError('conflict', `the store has schema version ${newest}, this program knows ${SCHEMA_VERSION}`, {
      hint: 'use the newer program that wrote it, or another store',
    })
  }
}

function ensureTables(store: Connection, now: string): string[] {
  const existing = namesOf(store, 'table')
  return (Object.keys(COLUMNS) as TableName[]).flatMap((table) => {
    if (!existing.has(table)) {
      store.exec(createTable(table))
      return [`created ${table}`]
    }
    if (table === PROPOSALS) return needsRebuild(store) ? [rebuildProposals(store, now)] : []
    return addMissingColumns(store, table)
  })
}

function addMissingColumns(store: Connection, table: TableName): string[] {
  const present = new Set(columnsOf(store, table).map(({ name }) => name))
  return Object.entries<string>(COLUMNS[table])
    .filter(([name]) => !present.has(name))
    .map(([name, declaration]) => {
      // a key cannot be added later; rows of such a table are still reachable by rowid
      const type = declaration.includes('PRIMARY KEY') ? declaration.split(' ')[0]! : declaration.replace(/ REFERENCES .*/, '')
      store.exec(`ALTER TABLE ${identifier(table)} ADD COLUMN ${identifier(name)} ${type}`)
      return `added ${table}.${name}`
    })
}

function ensureIndexes(store: Connection): string[] {
  const existing = namesOf(store, 'index')
  return INDEXES.filter(({ name }) => !existing.has(name)).map(({ name, table, columns, unique }) => {
    const kind = unique ? 'UNIQUE INDEX' : 'INDEX'
    store.exec(`CREATE ${kind} ${identifier(name)} ON ${identifier(table)} (${columns.map(identifier).join(', ')})`)
    return `created index ${name}`
  })
}

function ensureAppendOnly(store: Connection): string[] {
  const existing = namesOf(store, 'trigger')
  const wanted = APPEND_ONLY.flatMap((table) =>
    ['UPDATE', 'DELETE'].map((verb) => ({ table, verb, name: `${table}_no_${verb.toLowerCase()}` })),
  )
  return wanted
    .filter(({ name }) => !existing.has(name))
    .map(({ table, verb, name }) => {
      const refusal = `SELECT RAISE(ABORT, '${table} is append-only')`
      store.exec(`CREATE TRIGGER ${identifier(name)} BEFORE ${verb} ON ${identifier(table)} BEGIN ${refusal}; END`)
      return `created trigger ${name}`
    })
}

function recordVersion(store: Connection, now: string): string[] {
  const known = store.first(query.selectFrom('schema_migrations').select('version').where('version', '=', SCHEMA_VERSION))
  if (known !== undefined) return []
  store.change(query.insertInto('schema_migrations').values({ version: SCHEMA_VERSION, name: SCHEMA_NAME, applied_at: now }))
  return [`schema version ${SCHEMA_VERSION}`]
}
