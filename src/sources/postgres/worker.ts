/** The process that holds one connection to a PostgreSQL server. */
import type { Client } from 'pg'
import type { ServerAddress } from '../address.ts'
import { Troubled } from '../protocol.ts'
import { type Session, serve } from '../reader.ts'
import { connect, dial, troubleOf } from './connect.ts'
import { introspect } from './introspect.ts'
import { examineRole } from './role.ts'
import { read, select } from './select.ts'

let address: ServerAddress | null = null
let client: Client | null = null
let backend = 0
/** names of the schema that look like the system's, see statement-check.ts */
let names: ReadonlySet<string> = new Set()

async function connected(): Promise<Client> {
  if (client !== null) return client
  if (address === null) throw new Error('no address was given')
  const fresh = await connect(address)
  // an error comes first and the end some time later; a client that has met one takes no more statements
  for (const event of ['error', 'end'] as const) {
    fresh.once(event, () => {
      if (client === fresh) client = null
    })
  }
  const [row] = (await read(fresh, { sql: 'SELECT pg_backend_pid()', params: [] }, 1)).rows
  backend = Number(row?.[0])
  names = await systemLookalikes(fresh, address.schema)
  client = fresh
  return fresh
}

async function systemLookalikes(on: Client, schema: string): Promise<Set<string>> {
  const sql =
    `SELECT lower(relname) FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname = $1 AND relname ILIKE 'pg\\_%' ` +
    `UNION SELECT lower(attname) FROM pg_attribute JOIN pg_class c ON c.oid = attrelid JOIN pg_namespace n ON n.oid = relnamespace ` +
    `WHERE nspname = $1 AND attname ILIKE 'pg\\_%'`
  const { rows } = await read(on, { sql, params: [schema] }, 10_000)
  return new Set(rows.map(([name]) => String(name)))
}

const session: Session = {
  connect: async (to) => {
    address = to
    await connected()
  },
  select: async (query, maxRows, leftMs) => select(await connected(), query, { maxRows, leftMs, names }),
  introspect: async (leftMs) => introspect(await connected(), addressOf(address).schema, leftMs),
  examine: async (leftMs) => examineRole(await connected(), addressOf(address), leftMs),
  abandon: async () => {
    const other = await dial(addressOf(address))
    await other.query('SELECT pg_cancel_backend($1)', [backend])
  },
  troubleOf,
}

function addressOf(known: ServerAddress | null): ServerAddress {
  if (known === null) throw new Troubled('failed', 'no address was given')
  return known
}

serve(session)
