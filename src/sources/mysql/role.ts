/** What the account of a MySQL or MariaDB connection could do besides reading, from its grants. */
import type { ServerAddress } from '../address.ts'
import type { LeftMs } from '../reader.ts'
import type { RoleReport } from '../source.ts'
import { type Server, dial, rowsOf, run } from './connect.ts'
import { timeLimit } from './select.ts'

/** Rights that only read. Everything else in a grant is a danger, also what a later server invents. */
const READING: ReadonlySet<string> = new Set(['USAGE', 'SELECT', 'SHOW VIEW', 'SHOW DATABASES', 'SHOW CREATE ROUTINE'])

const IN_WORDS: Readonly<Record<string, string>> = {
  'ALL PRIVILEGES': 'it has every right',
  SUPER: 'it can change the server',
  FILE: 'it can read and write files of the server',
  PROCESS: "it can see other accounts' statements",
  EXECUTE: 'it can run stored routines, which may write',
  'GRANT OPTION': 'it can hand its rights on',
  RELOAD: 'it can flush and lock the server',
  SHUTDOWN: 'it can stop the server',
}

export interface Grant {
  readonly rights: readonly string[]
  readonly scope: string
}

export async function examineRole(server: Server, address: ServerAddress, leftMs: LeftMs): Promise<RoleReport> {
  await run(server.connection, `SET SESSION ${timeLimit(server, leftMs())}, SESSION sql_select_limit = DEFAULT`)
  const lines = (await rowsOf(server.connection, 'SHOW GRANTS')).map(([line]) => String(line))
  const dangers = new Set(lines.flatMap(grantOf).flatMap(dangersOf))
  for (const role of lines.flatMap(rolesOf)) {
    const more = await grantsWith(server, address, role).catch(() => null)
    if (more === null) dangers.add(`it holds the role ${role}, whose rights it may not look at`)
    // what the account can do anyway has been said
    for (const danger of (more ?? []).flatMap(grantOf).flatMap(dangersOf)) {
      if (!dangers.has(danger)) dangers.add(`through the role ${role}: ${danger}`)
    }
  }
  const engine = server.mariadb ? `MariaDB ${server.version.replace(/-mariadb.*/i, '')}` : `MySQL ${server.version}`
  return {
    engine,
    dangers: [...dangers],
    notes: notesOf(lines, address),
  }
}

/** The account's grants as they are once it takes the role on: in a session of its own, as MariaDB shows them in no other way. */
async function grantsWith(server: Server, address: ServerAddress, role: string): Promise<string[]> {
  if (!server.mariadb) {
    return (await rowsOf(server.connection, `SHOW GRANTS FOR CURRENT_USER() USING ${role}`)).map(([line]) => String(line))
  }
  const other = await dial(address)
  try {
    await run(other, `SET sql_mode = 'ANSI_QUOTES'`)
    await run(other, `SET ROLE ${role}`)
    return (await rowsOf(other, 'SHOW GRANTS')).map(([line]) => String(line))
  } finally {
    other.destroy()
  }
}

const NAME = '(?:`(?:[^`]|``)*`|"(?:[^"]|"")*"|\\*)'
const GRANT_ON = new RegExp(`^GRANT (.+?) ON (?:TABLE |FUNCTION |PROCEDURE )?(${NAME}\\.${NAME}) TO `, 'i')

/** ``GRANT SELECT, SHOW VIEW ON `shop`.* TO ...`` as rights and scope; other lines give nothing. */
export function grantOf(line: string): Grant[] {
  const parts = GRANT_ON.exec(line)
  if (parts === null) return []
  const [whole, list = '', scope = ''] = parts
  // column grants list their columns: SELECT (`a`, `b`), UPDATE (`c`)
  const rights = list.replace(/\s*\([^)]*\)/g, '').split(',').map((right) => right.trim().toUpperCase())
  const handsOn = /WITH .*GRANT OPTION/i.test(line.slice(whole.length))
  return [{ rights: [...rights, ...(handsOn ? ['GRANT OPTION'] : [])], scope }]
}

export function dangersOf({ rights, scope }: Grant): string[] {
  const beyond = rights.filter((right) => !READING.has(right) && right !== 'PROXY')
  const plain = beyond.filter((right) => IN_WORDS[right] === undefined)
  return [
    ...beyond.flatMap((right) => (IN_WORDS[right] === undefined ? [] : [`${IN_WORDS[right]} (${right} on ${scope})`])),
    ...(plain.length === 0 ? [] : [`it can do more than read: ${plain.join(', ')} on ${scope}`]),
  ]
}

/** ``GRANT `reporting` TO ...``: a role, spelled so that it can be asked about. */
function rolesOf(line: string): string[] {
  const [, list] = /^GRANT ((?:[`"'](?:[^`"'])*[`"'](?:@[`"'][^`"']*[`"'])?(?:, ?)?)+) TO /i.exec(line) ?? []
  return list === undefined ? [] : list.split(/, ?/).filter((role) => role !== '')
}

function notesOf(lines: readonly string[], { tls, socket, host }: ServerAddress): string[] {
  const notes = ['every select runs in a read-only transaction, one statement at a time, with a time limit on the server']
  const everywhere = lines.flatMap(grantOf).some(
    ({ rights, scope }) => scope === '*.*' && (rights.includes('SELECT') || rights.includes('ALL PRIVILEGES')),
  )
  if (everywhere) notes.push("it can read every database of the server, the accounts' password hashes included")
  const away = socket === null && !/^(?:localhost|127\..*|::1)$/.test(host)
  if (away && tls.mode === 'disable') notes.push('the connection is not encrypted; add sslmode=verify-full to the address')
  if (away && tls.mode === 'require') notes.push("the server's certificate is not checked; sslmode=verify-full checks it")
  return notes
}
