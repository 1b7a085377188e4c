/** What the role of a PostgreSQL connection could do besides reading. */
import type { Client } from 'pg'
import type { ServerAddress } from '../address.ts'
import type { LeftMs } from '../reader.ts'
import type { Cell, RoleReport } from '../source.ts'
import { quoted } from './connect.ts'
import { read } from './select.ts'

const SHOWN = 3

/** Attributes of the role itself. */
const ATTRIBUTES: readonly (readonly [column: string, danger: string])[] = [
  ['rolsuper', 'it is a superuser: it can read and write server files and run programs there'],
  ['rolcreaterole', 'it can create roles'],
  ['rolcreatedb', 'it can create databases'],
  ['rolreplication', 'it can start replication and so read everything'],
  ['rolbypassrls', 'it is not bound by row security'],
]

/** Roles that the server brings along; which of them exist depends on its version. */
const MEMBERSHIPS: readonly (readonly [role: string, danger: string])[] = [
  ['pg_read_server_files', 'it can read files of the server'],
  ['pg_write_server_files', 'it can write files of the server'],
  ['pg_execute_server_program', 'it can run programs on the server'],
  ['pg_write_all_data', 'it can write every table'],
  ['pg_signal_backend', "it can stop other roles' sessions"],
  ['pg_maintain', 'it can rebuild and lock tables'],
]

const USER_SCHEMAS = `n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'`

export async function examineRole(client: Client, address: ServerAddress, leftMs: LeftMs): Promise<RoleReport> {
  await client.query(`BEGIN READ ONLY; SET LOCAL statement_timeout = ${leftMs()}`)
  try {
    const [version] = await names(client, `SELECT current_setting('server_version')`)
    const dangers = [
      ...(await attributes(client)), ...(await memberships(client)), ...(await ownership(client)), ...(await writing(client)),
      ...(await creating(client)),
    ]
    return { engine: `PostgreSQL ${version ?? ''}`.trim(), dangers, notes: await notesOf(client, address) }
  } finally {
    await client.query('ROLLBACK').catch(() => undefined)
  }
}

async function attributes(client: Client): Promise<string[]> {
  const [row] = await rowsOf(client, `SELECT ${ATTRIBUTES.map(([column]) => column).join(', ')} FROM pg_roles WHERE rolname = current_user`)
  return ATTRIBUTES.flatMap(([, danger], at) => (row?.[at] === 1 ? [danger] : []))
}

async function memberships(client: Client): Promise<string[]> {
  const list = MEMBERSHIPS.map(([role]) => `'${role}'`).join(', ')
  // USAGE and MEMBER: a right that needs SET ROLE first is a right all the same; a superuser is a member of everything
  const held = await names(
    client,
    `SELECT r.rolname FROM pg_roles r JOIN pg_roles me ON me.rolname = current_user ` +
      `WHERE r.rolname IN (${list}) AND NOT me.rolsuper AND pg_has_role(r.oid, 'MEMBER')`,
  )
  return MEMBERSHIPS.flatMap(([role, danger]) => (held.includes(role) ? [danger] : []))
}

async function ownership(client: Client): Promise<string[]> {
  const owned = await names(
    client,
    `SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_roles me ON me.rolname = current_user ` +
      `WHERE ${USER_SCHEMAS} AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT me.rolsuper AND pg_has_role(c.relowner, 'MEMBER') ORDER BY 1`,
  )
  return owned.length === 0 ? [] : [`it owns ${some(owned)} and can change or drop what it owns`]
}

async function writing(client: Client): Promise<string[]> {
  const written = await names(
    client,
    `SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace ` +
      `WHERE ${USER_SCHEMAS} AND c.relkind IN ('r', 'p', 'v', 'f') ` +
      `AND (has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE, TRIGGER') ` +
      `OR has_any_column_privilege(c.oid, 'INSERT, UPDATE')) ORDER BY 1`,
  )
  return written.length === 0 ? [] : [`it can write ${some(written)}`]
}

async function creating(client: Client): Promise<string[]> {
  const schemas = await names(
    client,
    `SELECT n.nspname FROM pg_namespace n WHERE ${USER_SCHEMAS} AND has_schema_privilege(n.oid, 'CREATE') ORDER BY 1`,
  )
  const [inDatabase] = await rowsOf(client, `SELECT has_database_privilege(current_database(), 'CREATE')`)
  return [
    ...(schemas.length === 0 ? [] : [`it can create tables in the schema ${some(schemas)}`]),
    ...(inDatabase?.[0] === 1 ? ['it can create schemas'] : []),
  ]
}

async function notesOf(client: Client, { tls, socket, host }: ServerAddress): Promise<string[]> {
  const notes = ['every select runs in a read-only transaction, one statement at a time, with a time limit on the server']
  const [row] = await rowsOf(client, `SELECT has_database_privilege(current_database(), 'TEMPORARY')`)
  if (row?.[0] === 1) notes.push('it could create temporary tables, as every role may by default; nothing here does')
  const away = socket === null && !/^(?:localhost|127\..*|::1)$/.test(host)
  if (away && tls.mode === 'disable') notes.push('the connection is not encrypted; add sslmode=verify-full to the address')
  if (away && tls.mode === 'require') notes.push("the server's certificate is not checked; sslmode=verify-full checks it")
  return notes
}

const rowsOf = async (client: Client, sql: string): Promise<readonly (readonly Cell[])[]> =>
  (await read(client, { sql, params: [] }, 100_000)).rows
const names = async (client: Client, sql: string): Promise<string[]> => (await rowsOf(client, sql)).map(([name]) => String(name))
const some = (all: readonly string[]): string =>
  all.slice(0, SHOWN).map(quoted).join(', ') + (all.length > SHOWN ? ` and ${all.length - SHOWN} more` : '')
