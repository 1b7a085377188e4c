/** What an evaluation has to know of SQL text: its class, whether it orders, how its strings are spelled. Nothing is parsed. */
import type { Catalogue, SqlQuery } from '../sources/index.ts'

export const CLASSES = ['no join', 'one join', 'more joins', 'group', 'order', 'nested', 'set operation'] as const
export type QueryClass = (typeof CLASSES)[number]

const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|[\p{L}_][\p{L}\p{N}_$]*|[\d.]+|\s+|./gsu

/** Words, names, texts, numbers, signs and the space between them. */
export const sqlTokens = (sql: string): string[] => sql.match(TOKEN) ?? []

/** The classes of a query; one query can be of several. */
export function classesOf(sql: string): QueryClass[] {
  const words = sqlTokens(sql).map((token) => token.toLowerCase()).filter((token) => token.trim() !== '')
  const joins = words.filter((word) => word === 'join').length
  const found: QueryClass[] = [joins === 0 ? 'no join' : joins === 1 ? 'one join' : 'more joins']
  if (words.includes('group')) found.push('group')
  if (words.includes('order')) found.push('order')
  if (words.some((word, at) => word === 'select' && words[at - 1] === '(')) found.push('nested')
  if (words.some((word) => ['union', 'intersect', 'except'].includes(word))) found.push('set operation')
  return found
}

/** Whether the result itself is in an order; one inside parentheses says nothing of the rows that come out. */
export function isOrdered(sql: string): boolean {
  let depth = 0
  return sqlTokens(sql).some((token) => {
    depth += token === '(' ? 1 : token === ')' ? -1 : 0
    return depth === 0 && token.toLowerCase() === 'order'
  })
}

/**
 * SQLite reads "x" as a string when nothing is called x, and public question sets rely on it. Our readers have that switched
 * off, since it hides misspelled columns; so a name that none of the query's tables has becomes the string it was meant as.
 */
export function withPlainStrings(sql: string, { tables }: Catalogue): string {
  const tokens = sqlTokens(sql)
  const words = new Set(tokens.map((token) => bare(token).toLowerCase()))
  const used = tables.filter(({ name }) => words.has(name.toLowerCase()))
  const named = used.flatMap(({ name, columns }) => [name, ...columns.map((column) => column.name)])
  const names = new Set(named.map((name) => name.toLowerCase()))
  const isString = (token: string) => token.startsWith('"') && !names.has(bare(token).toLowerCase())
  return tokens.map((token) => (isString(token) ? quoted(bare(token)) : token)).join('')
}

/** One text that anybody can run: the values that were bound, written where their marks stand. */
export function withValues({ sql, params }: SqlQuery): string {
  const left = [...params]
  return sqlTokens(sql).map((token) => (token === '?' ? literal(left.shift() ?? null) : token)).join('')
}

const literal = (value: SqlQuery['params'][number]): string =>
  value === null ? 'NULL' : typeof value === 'string' ? quoted(value) : value.toString()

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

function bare(token: string): string {
  const mark = token.charAt(0)
  return mark === '"' ? token.slice(1, -1).replaceAll('""', '"') : mark === '`' || mark === '[' ? token.slice(1, -1) : token
}
