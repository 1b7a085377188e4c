/** What the flags of `wherefore cq add` expect of an answer, and an expectation as people read it. */
import { type Expectation, ServiceError } from '../../contracts/index.ts'

export interface ExpectOptions {
  readonly expectStatus?: string
  readonly expectRows?: number
  readonly expectMinRows?: number
  readonly expectMaxRows?: number
  readonly expectColumns?: number | string[]
  readonly expectContains?: string[]
  readonly expectRow?: unknown[][]
  readonly expectVerified?: true
}

type Read = (text: string, before: unknown) => unknown

const again: Read = (text, before) => [...asList(before), text]

const asList = (before: unknown): unknown[] => (Array.isArray(before) ? before : [])

export const EXPECT_OPTIONS: readonly (readonly [flags: string, help: string, read?: Read])[] = [
  ['--expect-status <status>', 'ok, empty, blocked, ungrounded or clarify; by default ok or empty'],
  ['--expect-rows <n>', 'exactly so many rows', wholeNumber],
  ['--expect-min-rows <n>', 'at least so many rows', wholeNumber],
  ['--expect-max-rows <n>', 'at most so many rows', wholeNumber],
  ['--expect-columns <columns>', 'how many columns, or their names separated by commas', columns],
  ['--expect-contains <text>', 'a text that stands in the answer; may be given again', again],
  [
    '--expect-row <json>', `a row among those of the answer, as '["Acme", 3]'; may be given again`,
    (text, before) => [...asList(before), row(text)],
  ],
  ['--expect-verified', 'the answer makes claims, and none is dropped'],
]

/** As the flags say; the schema of the contract judges it afterwards. */
export function expectationOf(options: ExpectOptions): Record<string, unknown> {
  const { expectRows: exactly } = options
  if (exactly !== undefined && (options.expectMinRows !== undefined || options.expectMaxRows !== undefined)) {
    throw new ServiceError('invalid_request', '--expect-rows already says how many rows there are', {
      hint: 'leave --expect-min-rows and --expect-max-rows out',
    })
  }
  const said = {
    status: options.expectStatus,
    min_rows: exactly ?? options.expectMinRows,
    max_rows: exactly ?? options.expectMaxRows,
    columns: options.expectColumns,
    contains: options.expectContains,
    rows: options.expectRow,
    verified: options.expectVerified,
  }
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined))
}

/** `ok, 1 row, says 2 texts`. */
export function expectationText(expect: Expectation): string {
  const { status, min_rows: least, max_rows: most, columns: wanted, contains, rows, verified } = expect
  const counted = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`
  const parts = [
    status ?? 'answered',
    least !== undefined && least === most ? counted(least, 'row') : '',
    least !== undefined && least !== most ? `at least ${counted(least, 'row')}` : '',
    most !== undefined && least !== most ? `at most ${counted(most, 'row')}` : '',
    wanted === undefined ? '' : typeof wanted === 'number' ? counted(wanted, 'column') : `columns ${wanted.join(', ')}`,
    contains === undefined ? '' : `says ${counted(contains.length, 'text')}`,
    rows === undefined ? '' : `has ${counted(rows.length, 'given row')}`,
    verified === true ? 'verified' : '',
  ]
  return parts.filter((part) => part !== '').join(', ')
}

function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new ServiceError('invalid_request', 'a number of rows is a whole number from 0 on')
}

function columns(text: string): number | string[] {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  return text.split(',').map((name) => name.trim()).filter((name) => name !== '')
}

function row(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text)
    if (Array.isArray(value)) return value
  } catch {
    // said below
  }
  throw new ServiceError('invalid_request', 'a row is a JSON list', { hint: `such as --expect-row '["Acme", 3]'` })
}
