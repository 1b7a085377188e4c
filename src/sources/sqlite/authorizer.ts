/**
 * SQLite's own gate, asked while a statement is compiled. The compiler of plans is the boundary; this is the layer behind it
 * that still holds when the compiler is wrong. It cannot see the columns of USING and NATURAL joins: the compiler emits none.
 */
import { constants } from 'node:sqlite'

export type Mode = 'select' | 'introspect'
export type Authorizer = (action: number, first: string | null, second: string | null) => number

const { SQLITE_OK, SQLITE_DENY, SQLITE_SELECT, SQLITE_READ, SQLITE_FUNCTION, SQLITE_RECURSIVE, SQLITE_PRAGMA } = constants

/** Pure functions whose cost follows the size of their input. No random, no load_extension, no zeroblob or printf bombs. */
const FUNCTIONS: ReadonlySet<string> = new Set([
  'abs', 'avg', 'coalesce', 'count', 'date', 'datetime', 'dense_rank', 'glob', 'ifnull', 'iif', 'instr', 'julianday', 'length', 'like',
  'lower', 'ltrim', 'max', 'min', 'nullif', 'rank', 'round', 'row_number', 'rtrim', 'strftime', 'substr', 'substring', 'sum',
  'time', 'total', 'trim', 'typeof', 'unixepoch', 'upper',
])

/** Pragmas that only read the schema, and only while the schema is being read. */
const PRAGMAS: ReadonlySet<string> = new Set(['table_list', 'table_xinfo', 'foreign_key_list', 'index_list', 'index_info'])

/** SQLite announces its schema table by the older of its two names, depending on the version. */
const SCHEMA_TABLES: ReadonlySet<string> = new Set(['sqlite_master', 'sqlite_schema'])

/** `tables` are the tables and views of the schema in lower case: nothing else can be read, system catalogues included. */
export function authorizer(mode: () => Mode, tables: ReadonlySet<string>): Authorizer {
  const allowed = (action: number, first: string | null, second: string | null): boolean => {
    switch (action) {
      case SQLITE_SELECT:
      case SQLITE_RECURSIVE:
        return true
      case SQLITE_READ:
        return mayRead(first ?? '', second ?? '', tables) || (mode() === 'introspect' && SCHEMA_TABLES.has(first ?? ''))
      case SQLITE_FUNCTION:
        return FUNCTIONS.has((second ?? '').toLowerCase())
      case SQLITE_PRAGMA:
        return mode() === 'introspect' && PRAGMAS.has((first ?? '').toLowerCase())
      default:
        return false
    }
  }
  return (action, first, second) => (allowed(action, first, second) ? SQLITE_OK : SQLITE_DENY)
}

/** A common table expression of which no column is used is announced by its own name and an empty column. */
function mayRead(table: string, column: string, tables: ReadonlySet<string>): boolean {
  const name = table.toLowerCase()
  if (tables.has(name)) return true
  return column === '' && !name.startsWith('sqlite_') && !name.startsWith('pragma_')
}
