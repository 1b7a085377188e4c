/** Regular expressions that go into shapes, in what JavaScript and XPath 2 have in common: so every group captures. */
import type { Dialect } from '../../sources/index.ts'

const DAYS =
  '((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))'
const LEAP_YEAR = '([0-9][0-9](0[48]|[2468][048]|[13579][26])|(0[48]|[2468][048]|[13579][26])00)'

/** A day of the calendar; there is no year 0. */
export const DATE_PATTERN = `(([0-9]{3}[1-9]|[0-9]{2}[1-9]0|[0-9][1-9]00|[1-9]000)-${DAYS}|${LEAP_YEAR}-02-29)`

export const DATE_TIME_PATTERN =
  `${DATE_PATTERN}[T ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]+)?)?` +
  '([ ]?([Zz]|[+-](0[0-9]|1[0-4])(:?[0-5][0-9])?))?'

/** Several `%` make a pattern that tries every place for each of them. */
const MOST_WILDCARDS = 3

/**
 * LIKE as a regular expression: SQLite takes ASCII letters in either case, PostgreSQL exactly; MySQL compares by a collation
 * that no expression can say. null where it cannot be said.
 */
export function likePattern(like: string, dialect: Dialect): string | null {
  if (dialect === 'mysql' || like.includes('\\') || (like.match(/%/g)?.length ?? 0) > MOST_WILDCARDS) return null
  const parts = [...like].map((char) => {
    if (char === '%') return '[\\s\\S]*'
    if (char === '_') return '[\\s\\S]'
    if (dialect === 'sqlite' && /[A-Za-z]/.test(char)) return `[${char.toUpperCase()}${char.toLowerCase()}]`
    return /[\p{L}\p{N}\s_-]/u.test(char) ? char : `[${char === '^' || char === ']' ? `\\${char}` : char}]`
  })
  return `^${parts.join('')}$`
}
