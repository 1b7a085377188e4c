/** Holds an answer against what was expected of it. What differs is said by place and number: no expected value is quoted. */
import { type Cell, type Difference, type Expectation, LIMITS, type SearchAnswer } from '../contracts/index.ts'

/** As many rows as tell whether there are too many, too few or the wrong ones. */
export function rowsNeeded({ min_rows: least = 0, max_rows: most, rows }: Expectation): number {
  const enough = Math.max(LIMITS.default_row_limit, least, most === undefined ? 0 : most + 1)
  return rows === undefined ? Math.min(enough, LIMITS.max_row_limit) : LIMITS.max_row_limit
}

/** Everything that differs; none when the answer is as expected. */
export function differencesOf(expect: Expectation, answer: SearchAnswer): Difference[] {
  const status = statusDifference(expect, answer)
  // a refusal has no rows, columns or claims: to list each as missing would say the same once more
  if (status !== null) return [status]
  return [
    ...countDifferences(expect, answer), ...columnDifferences(expect, answer), ...textDifferences(expect, answer),
    ...rowDifferences(expect, answer), ...claimDifferences(expect, answer),
  ]
}

function statusDifference({ status }: Expectation, answer: SearchAnswer): Difference | null {
  const expected = status === undefined ? ['ok', 'empty'] : [status]
  if (expected.includes(answer.status)) return null
  return { field: 'status', message: `expected ${expected.join(' or ')}, was ${answer.status}` }
}

function countDifferences({ min_rows: least, max_rows: most }: Expectation, { results }: SearchAnswer): Difference[] {
  const count = results.rows.length
  const found: Difference[] = []
  if (least !== undefined && count < least) {
    found.push({ field: 'min_rows', message: `expected at least ${least} rows, there are ${count}` })
  }
  if (most !== undefined && (count > most || results.truncated)) {
    found.push({ field: 'max_rows', message: `expected at most ${most} rows, there are ${results.truncated ? 'more' : count}` })
  }
  return found
}

function columnDifferences({ columns }: Expectation, { results }: SearchAnswer): Difference[] {
  if (columns === undefined) return []
  const count = results.columns.length
  const wanted = typeof columns === 'number' ? columns : columns.length
  if (count !== wanted) return [{ field: 'columns', message: `expected ${wanted} columns, there are ${count}` }]
  const names = typeof columns === 'number' ? [] : columns
  const missing = names.flatMap((name, at) => (results.columns.includes(name) ? [] : [at + 1]))
  return missing.length === 0 ? [] : [{ field: 'columns', message: `the answer has no column by ${numbered('name', missing)}` }]
}

function textDifferences({ contains = [] }: Expectation, { answer }: SearchAnswer): Difference[] {
  const said = answer.toLowerCase()
  const missing = contains.flatMap((text, at) => (said.includes(text.toLowerCase()) ? [] : [at + 1]))
  return missing.length === 0 ? [] : [{ field: 'contains', message: `the answer does not say ${numbered('text', missing)}` }]
}

/** Each expected row takes one of the answer's: a row expected twice must be there twice. */
function rowDifferences({ rows = [], columns }: Expectation, { results }: SearchAnswer): Difference[] {
  const names = Array.isArray(columns) ? columns : null
  const order = names === null ? results.columns.map((_, at) => at) : names.map((name) => results.columns.indexOf(name))
  const left = new Map<string, number>()
  const change = (key: string, by: number) => left.set(key, (left.get(key) ?? 0) + by)
  for (const row of results.rows) change(rowKey(order.map((at) => row[at] ?? null)), 1)
  const missing = rows.flatMap((row, at) => {
    const key = rowKey(row)
    if ((left.get(key) ?? 0) === 0) return [at + 1]
    change(key, -1)
    return []
  })
  if (missing.length === 0) return []
  return [{ field: 'rows', message: `the answer lacks ${numbered('row', missing)} of those expected` }]
}

function claimDifferences({ verified }: Expectation, { claims, trace }: SearchAnswer): Difference[] {
  if (verified !== true) return []
  if (claims.length === 0) return [{ field: 'verified', message: 'the answer makes no claim' }]
  const dropped = trace.reduce((sum, event) => sum + Number(event['dropped'] ?? 0), 0)
  return dropped === 0 ? [] : [{ field: 'verified', message: `${dropped} claims did not pass their check and were dropped` }]
}

/** Engines differ in how they write a value: a decimal may be text, a truth value a number. Nine digits of a number count. */
function cellKey(cell: Cell): string {
  if (cell === null) return 'null'
  if (typeof cell === 'boolean') return `n${Number(cell)}`
  if (typeof cell === 'string' && !/^-?(0|[1-9]\d*)(\.\d+)?$/.test(cell)) return `t${cell}`
  const text = String(cell)
  return /^-?\d+$/.test(text) ? `n${BigInt(text)}` : `n${Number(Number(text).toPrecision(9))}`
}

const rowKey = (row: readonly Cell[]): string => JSON.stringify(row.map(cellKey))

const MAX_NAMED = 5

function numbered(noun: string, numbers: readonly number[]): string {
  const more = numbers.length > MAX_NAMED ? ` and ${numbers.length - MAX_NAMED} more` : ''
  return `${noun}${numbers.length === 1 ? '' : 's'} ${numbers.slice(0, MAX_NAMED).join(', ')}${more}`
}
