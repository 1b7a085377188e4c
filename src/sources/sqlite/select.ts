/** One compiled select, read row by row up to a cap. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { MAX_TEXT_UNITS, type Rows, plainCell, sizeOf } from '../cells.ts'
import { Refused } from '../protocol.ts'
import type { Cell, SqlQuery } from '../source.ts'

/** What is quoted or said aside. */
const ASIDE = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g
/** The columns of such a join are not announced to the authorizer. */
const NATURAL = /\bnatural\b/i

export function select(db: DatabaseSync, query: SqlQuery, maxRows: number): Rows {
  // EXPLAIN passes the authorizer, and prepare() silently drops whatever follows the first statement
  if (!/^\s*(?:select|with)\b/i.test(query.sql)) throw new Refused('only a select can run here')
  if (NATURAL.test(query.sql.replaceAll(ASIDE, ' '))) throw new Refused('a natural join compares columns that nobody named')
  const statement = db.prepare(query.sql)
  if (query.sql.slice(statement.sourceSQL.length).trim() !== '') throw new Refused('only one statement can run here')
  const columns = statement.columns().map((column) => column.name)
  const rows: Cell[][] = []
  let truncated = false
  let units = 0
  // the cap is ours and not a LIMIT, so the SQL that is shown is the SQL that was meant
  for (const row of statement.iterate(...query.params.map(bindable)) as unknown as Iterable<Cell[]>) {
    if (rows.length >= maxRows || units > MAX_TEXT_UNITS) {
      truncated = true
      break
    }
    // the row is ours to change, and there may be very many
    for (let at = 0; at < row.length; at += 1) {
      const cell = plainCell(row[at] ?? null)
      row[at] = cell
      units += sizeOf(cell)
    }
    rows.push(row)
  }
  return { columns, rows, truncated }
}

/** node:sqlite binds every number as a REAL, and a TEXT column equals '7' but not '7.0'. */
const bindable = (value: string | number | bigint | null): SQLInputValue =>
  typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value
