/**
 * SQLite cannot change a CHECK list in place, so an older proposal table is rebuilt: a new table, every row copied, the old
 * one dropped, all in the caller's transaction. Columns that we do not know stay. A word we do not know stays too (the CHECK
 * list is widened by it); such a row is counted but not offered for review.
 */
import { createTable } from './ddl.ts'
import { columnsOf, companionsOf, definitionOf, distinctText, identifier, word } from './inspect.ts'
import { COLUMNS, PROPOSALS, PROPOSAL_WORDS } from './schema.ts'
import type { Connection } from './sqlite-dialect.ts'

const REBUILT = `${PROPOSALS}_rebuilt`
/** under these names, best first, a store may keep the id of a proposal */
const ID_COLUMNS = ['pid', 'proposal_id', 'id']

export function needsRebuild(store: Connection): boolean {
  const present = new Set(columnsOf(store, PROPOSALS).map(({ name }) => name))
  if (Object.keys(COLUMNS[PROPOSALS]).some((name) => !present.has(name))) return true
  const definition = definitionOf(store, PROPOSALS)
  return Object.values<readonly string[]>(PROPOSAL_WORDS).some((words) => words.some((each) => !definition.includes(word(each))))
}

export function rebuildProposals(store: Connection, now: string): string {
  const old = columnsOf(store, PROPOSALS).filter(({ hidden }) => hidden === 0)
  const has = new Set(old.map(({ name }) => name))
  const extra = old.filter(({ name }) => !(name in COLUMNS[PROPOSALS]))
  const companions = companionsOf(store, PROPOSALS)

  const words: Record<string, readonly string[]> = {}
  for (const column of Object.keys(PROPOSAL_WORDS)) {
    if (has.has(column)) words[column] = ['', ...distinctText(store, PROPOSALS, column)]
  }
  const kept = extra.map(({ name, type }) => `${identifier(name)} ${plainType(type)}`)
  store.exec(createTable(PROPOSALS, { as: REBUILT, words, extra: kept }))

  const ours = Object.keys(COLUMNS[PROPOSALS]).filter((name) => name !== 'proposal_id')
  const targets = [...ours, ...extra.map(({ name }) => name)].map(identifier)
  const values = [...ours.map((name) => valueOf(name, has, now)), ...extra.map(({ name }) => identifier(name))]
  const select = `SELECT ${values.join(', ')} FROM ${identifier(PROPOSALS)}`
  store.exec(`INSERT INTO ${identifier(REBUILT)} (${targets.join(', ')}) ${select}`)

  store.exec('PRAGMA legacy_alter_table = ON') // otherwise the renaming trips over views that name the dropped table
  store.exec(`DROP TABLE ${identifier(PROPOSALS)}`)
  store.exec(`ALTER TABLE ${identifier(REBUILT)} RENAME TO ${identifier(PROPOSALS)}`)
  store.exec('PRAGMA legacy_alter_table = OFF')
  for (const statement of companions) store.exec(statement)
  return `rebuilt ${PROPOSALS}`
}

/** The value of one of our columns, told in SQL over the old row, so that no stored value passes through JavaScript. */
function valueOf(column: string, has: ReadonlySet<string>, now: string): string {
  const present = (...names: readonly string[]) => names.filter((name) => has.has(name)).map(identifier)
  switch (column) {
    case 'pid':
      return uniqueId(present(...ID_COLUMNS))
    case 'title':
      return first(...present('title', 'name'), "''")
    case 'created_at':
      return first(...present('created_at', 'updated_at'), word(now))
    case 'updated_at':
      return first(...present('updated_at', 'reviewed_at', 'created_at'), word(now))
    case 'proposal_type':
      return first(...present(column), "''")
    case 'status':
      return has.has(column) ? first(knownInUpperCase(column), "'PENDING'") : "'PENDING'"
    default: {
      const declaration = new Map(Object.entries<string>(COLUMNS[PROPOSALS])).get(column) ?? ''
      const fallback = / DEFAULT (.+)$/.exec(declaration)?.[1] ?? 'NULL'
      return first(...present(column), fallback)
    }
  }
}

const first = (...parts: readonly string[]): string => (parts.length === 1 ? parts[0]! : `COALESCE(${parts.join(', ')})`)

/** An id that is missing or stands twice gets a number behind it: no row may be lost for its name. */
function uniqueId(candidates: readonly string[]): string {
  const id = `CAST(COALESCE(${[...candidates, "'legacy'", 'NULL'].join(', ')}) AS TEXT)`
  const nth = `ROW_NUMBER() OVER (PARTITION BY ${id})`
  return `CASE WHEN ${nth} = 1 THEN ${id} ELSE ${id} || '-' || ${nth} END`
}

function knownInUpperCase(column: keyof typeof PROPOSAL_WORDS): string {
  const name = identifier(column)
  return `CASE WHEN UPPER(${name}) IN (${PROPOSAL_WORDS[column].map(word).join(', ')}) THEN UPPER(${name}) ELSE ${name} END`
}

const plainType = (type: string): string => (/^[A-Za-z][A-Za-z0-9 ]*$/.test(type) ? type : '')
