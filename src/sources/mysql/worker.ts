/** The process that holds one connection to a MySQL or MariaDB server. */
import type { ServerAddress } from '../address.ts'
import { type Session, serve } from '../reader.ts'
import { type Server, connect, dial, rowsOf, run, troubleOf } from './connect.ts'
import { introspect } from './introspect.ts'
import { examineRole } from './role.ts'
import { select } from './select.ts'

let address: ServerAddress | null = null
let server: Server | null = null
/** names of the schema that look like the system's, see statement-check.ts */
let names: ReadonlySet<string> = new Set()

async function connected(): Promise<Server> {
  if (server !== null && isOpen(server)) return server
  const fresh = await connect(addressOf())
  for (const event of ['end', 'error'] as const) {
    fresh.connection.once(event, () => {
      if (server === fresh) server = null
    })
  }
  names = await systemLookalikes(fresh)
  server = fresh
  return fresh
}

/** The driver says nothing when it closes a connection by our own hand. */
function isOpen({ connection }: Server): boolean {
  const { _closing, stream } = connection as unknown as { _closing?: boolean; stream?: { destroyed: boolean } }
  return _closing !== true && stream?.destroyed !== true
}

async function systemLookalikes({ connection }: Server): Promise<Set<string>> {
  const like = `IN ('mysql', 'sys', 'information_schema', 'performance_schema') OR`
  const rows = await rowsOf(
    connection,
    `SELECT lower(table_name) FROM information_schema.tables WHERE table_schema = database() ` +
      `AND (table_name ${like} table_name LIKE 'pg|_%' ESCAPE '|') ` +
      `UNION SELECT lower(column_name) FROM information_schema.columns WHERE table_schema = database() ` +
      `AND column_name LIKE 'pg|_%' ESCAPE '|'`,
  )
  return new Set(rows.map(([name]) => String(name)))
}

const session: Session = {
  connect: async (to) => {
    address = to
    await connected()
  },
  select: async (query, maxRows, leftMs) => select(await connected(), query, { maxRows, leftMs, names }),
  introspect: async (leftMs) => introspect(await connected(), leftMs),
  examine: async (leftMs) => examineRole(await connected(), addressOf(), leftMs),
  abandon: async () => {
    const id = server?.connection.threadId
    if (id === undefined || id === null) return
    await run(await dial(addressOf()), `KILL ${id}`)
  },
  troubleOf,
}

function addressOf(): ServerAddress {
  if (address === null) throw new Error('no address was given')
  return address
}

serve(session)
