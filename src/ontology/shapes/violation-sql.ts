/**
 * Each demand turned round: the SQL condition that is true of a record, under the alias `t0`, that breaks it. The conditions say
 * in SQL what `literalOf` says about a single value, so that SQL and SHACL come to the same result.
 */
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { XSD } from '../../kernel/term.ts'
import { type Dialect, queryBuilder } from '../../sources/index.ts'
import type { Scalar } from './check-text.ts'
import type { Constraint } from './constraints.ts'
import type { DeclaredType } from './declared.ts'

type Condition = RawBuilder<SqlBool>
type Value = Expression<unknown>

/** null where this engine cannot hold such a record, so that there is nothing to count. */
export function violation(constraint: Exclude<Constraint, { kind: 'unique' }>, dialect: Dialect): Condition | null {
  const columns = constraint.columns.map((column) => sql.id('t0', column))
  const [column] = columns
  if (column === undefined) return null
  const present = all(columns.map((each) => isPresent(each, dialect)))
  switch (constraint.kind) {
    case 'required':
      return any(columns.map((each) => not(isPresent(each, dialect))))
    case 'datatype': {
      const wrong = wrongType(column, constraint.datatype, dialect)
      return wrong === null ? null : all([present, wrong])
    }
    case 'declared':
      return all([present, not(ofDeclaredType(column, constraint.declared))])
    case 'in': {
      const { range } = constraint.property ?? {}
      const allowed = constraint.values.map((value) => bound(value, range, dialect))
      if (allowed.length === 0) return present
      const among = sql<SqlBool>`${numeric(column, range, dialect)} in (${sql.join(allowed)})`
      return all([present, not(comparable(column, range, dialect, among))])
    }
    case 'range': {
      const { range } = constraint.property ?? {}
      const limit = bound(constraint.value, range, dialect)
      const within = sql<SqlBool>`${numeric(column, range, dialect)} ${sql.raw(constraint.bound)} ${limit}`
      return all([present, not(comparable(column, range, dialect, within))])
    }
    case 'pattern':
      return all([present, not(sql<SqlBool>`${column} like ${constraint.like}`)])
    case 'reference': {
      const same = constraint.refColumns.map((ref, at) => sql<SqlBool>`${sql.id('p', ref)} = ${columns[at] ?? sql`null`}`)
      const parent = queryBuilder(dialect)
        .selectFrom(sql<Record<string, unknown>>`${sql.id(constraint.target.table)}`.as('p'))
        .select(sql.lit(1).as('found'))
        .where(all(same))
      return all([present, not(sql<SqlBool>`exists ${parent}`)])
    }
  }
}

/** SQLite answers `x is null` from the declaration where a column is NOT NULL; typeof looks at the row. */
const isPresent = (column: Value, dialect: Dialect): Condition =>
  dialect === 'sqlite' ? sql<SqlBool>`typeof(${column}) <> 'null'` : sql<SqlBool>`${column} is not null`

/** On engines with types only what the types themselves let through: NaN, infinity, MySQL's day 0. */
function wrongType(column: Value, datatype: string, dialect: Dialect): Condition | null {
  const type = datatype.startsWith(XSD) ? datatype.slice(XSD.length) : ''
  if (dialect === 'sqlite') {
    const right = SQLITE_TYPES[type]?.(column)
    return right === undefined ? null : not(right)
  }
  const temporal = type === 'date' || type === 'dateTime'
  if (dialect === 'mysql') return temporal ? sql<SqlBool>`(month(${column}) = 0 or dayofmonth(${column}) = 0)` : null
  if (temporal) return sql<SqlBool>`not isfinite(${column})`
  return type === 'decimal' ? sql<SqlBool>`cast(${column} as text) in ('NaN', 'Infinity', '-Infinity')` : null
}

const GREATEST = sql.raw('1.7976931348623157e308')
/** A cast has numeric affinity, and the comparison lends it to the text beside it: equal only if all of the text is a number. */
const isNumber = (value: Value): Condition => sql<SqlBool>`${value} = cast(${value} as numeric)`
const isFinite = (value: Value): Condition => sql<SqlBool>`cast(${value} as numeric) between -${GREATEST} and ${GREATEST}`
const isDecimal = (value: Value): Condition => all([isNumber(value), isFinite(value)])
/** round() gives a float, which an integer beyond 2^53 is not equal to. */
const isWhole = (value: Value): Condition => {
  const number = sql`cast(${value} as numeric)`
  return all([isDecimal(value), sql<SqlBool>`(typeof(${number}) = 'integer' or ${number} = round(${number}))`])
}
const isText = (value: Value): Condition => sql<SqlBool>`typeof(${value}) = 'text'`

const SQLITE_TYPES: Readonly<Record<string, (column: Value) => Condition>> = {
  integer: isWhole,
  decimal: isDecimal,
  double: (column) =>
    any([isNumber(column), sql<SqlBool>`lower(trim(${column})) in ('nan', 'inf', '-inf', 'infinity', '-infinity')`]),
  boolean: (column) =>
    any([
      sql<SqlBool>`(typeof(${column}) in ('integer', 'real') and ${column} in (0, 1))`,
      all([
        isText(column),
        sql<SqlBool>`lower(trim(${column})) in ('1', 'true', 't', 'yes', 'y', 'on', '0', 'false', 'f', 'no', 'n', 'off')`,
      ]),
    ]),
  string: (column) => sql<SqlBool>`typeof(${column}) <> 'blob'`,
  hexBinary: (column) => sql<SqlBool>`typeof(${column}) = 'blob'`,
  date: (column) => all([isText(column), isDay(sql`trim(${column})`)]),
  dateTime: (column) => all([isText(column), isMoment(sql`trim(${column})`)]),
  time: (column) => all([isText(column), isMoment(sql`('2000-01-01 ' || trim(${column}))`)]),
}

/** SQLite's date() moves the 30th of February into March: what comes out is not what went in. */
const isDay = (text: Value): Condition => sql<SqlBool>`(date(${text}) = ${text} and ${text} >= '0001')`

/** SQLite reads `+02:00` as a zone but neither `+0200` nor `+02`, and takes 24:00 for a time of day. */
function isMoment(text: Value): Condition {
  const clock = sql`substr(${text}, 12, 5)`
  const spread = sql`substr(${text}, 1, length(${text}) - 2) || ':' || substr(${text}, -2)`
  return all([
    isDay(sql`substr(${text}, 1, 10)`),
    sql<SqlBool>`substr(${text}, 11, 1) in ('T', ' ')`,
    sql<SqlBool>`(substr(time(${clock}), 1, 5) = ${clock} and ${clock} < '24')`,
    any([
      sql<SqlBool>`julianday(${text}) is not null`,
      sql<SqlBool>`(substr(${text}, -5, 1) in ('+', '-') and julianday(${spread}) is not null)`,
      sql<SqlBool>`(length(${text}) > 18 and substr(${text}, -3, 1) in ('+', '-') and julianday(${text} || ':00') is not null)`,
    ]),
  ])
}

function ofDeclaredType(column: Value, declared: DeclaredType): Condition {
  const types = { integer: ['integer'], decimal: ['decimal'], date: ['date', 'dateTime'] }[declared]
  return any(types.flatMap((type) => SQLITE_TYPES[type]?.(column) ?? []))
}

const NUMBERS: ReadonlySet<string> = new Set(['integer', 'decimal', 'double'].map((name) => XSD + name))
const isNumeric = (range: string | undefined): boolean => range !== undefined && NUMBERS.has(range)

/** PostgreSQL reads a parameter as the type of the column beside it, and an integer column would refuse 0.5. */
const bound = (value: Scalar, range: string | undefined, dialect: Dialect): Value =>
  dialect === 'postgres' && isNumeric(range) ? sql`cast(${String(value)} as numeric)` : sql`${value}`

/** A value that is no number is not below 5, and not above it either; 1.5 is a wrong integer but still below 5. */
function comparable(column: Value, range: string | undefined, dialect: Dialect, condition: Condition): Condition {
  if (dialect !== 'sqlite') return condition
  if (isNumeric(range)) return all([isNumber(column), condition])
  return range === `${XSD}date` ? all([SQLITE_TYPES['date']?.(column) ?? condition, condition]) : condition
}

/** Text that reads as a number compares as one; SQLite would put every text above every number. */
const numeric = (column: Value, range: string | undefined, dialect: Dialect): Value =>
  dialect === 'sqlite' && isNumeric(range) ? sql`cast(${column} as numeric)` : column

/** A condition that is unknown is not fulfilled, and its contrary is then true. */
const not = (condition: Condition): Condition => sql<SqlBool>`not coalesce(${condition}, 1 = 0)`
const all = (conditions: readonly Condition[]): Condition => sql<SqlBool>`(${sql.join(conditions, sql` and `)})`
const any = (conditions: readonly Condition[]): Condition => sql<SqlBool>`(${sql.join(conditions, sql` or `)})`
