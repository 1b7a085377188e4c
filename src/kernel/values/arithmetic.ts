/** Calculations with numbers, moments and durations. What has no result, is too large or too far away is undefined. */
import { midnightOf } from './calendar.ts'
import type { Moment } from './calendar.ts'
import { add, ceil, divide, floor, multiply, negate, round, subtract, whole, ZERO } from './decimal.ts'
import type { Decimal } from './decimal.ts'
import { asWritten } from './double.ts'
import { after, clockOf, duration, negated } from './duration.ts'
import type { Duration } from './duration.ts'
import { isBinary, isDuration, isExact, isMoment, isNumeric, toNumber } from './scalar.ts'
import type { Exact, Numeric, Scalar } from './scalar.ts'

type Operation = (left: Scalar, right: Scalar) => Scalar | undefined

export const plus: Operation = (left, right) => {
  if (isNumeric(left) && isNumeric(right)) return calculate(left, right, add, (x, y) => x + y)
  if (isDuration(left) && isDuration(right)) return sum(left, right)
  if (isMoment(left) && isDuration(right)) return later(left, right)
  return isDuration(left) && isMoment(right) ? later(right, left) : undefined
}

export const minus: Operation = (left, right) => {
  if (isNumeric(left) && isNumeric(right)) return calculate(left, right, subtract, (x, y) => x - y)
  if (isDuration(left) && isDuration(right)) return sum(left, negated(right))
  if (isMoment(left) && isDuration(right)) return later(left, negated(right))
  const apart = isMoment(left) && isMoment(right) ? secondsBetween(right, left) : undefined
  return apart && duration('dayTimeDuration', 0n, apart)
}

export const times: Operation = (left, right) => {
  if (isNumeric(left) && isNumeric(right)) return calculate(left, right, multiply, (x, y) => x * y)
  if (isDuration(left) && isNumeric(right)) return scaled(left, right, multiply)
  return isNumeric(left) && isDuration(right) ? scaled(right, left, multiply) : undefined
}

/** Two whole numbers make a decimal; two durations of one kind, a number. */
export const dividedBy: Operation = (left, right) => {
  if (isExact(left) && isExact(right)) return exact('decimal', divide(left, right))
  if (isNumeric(left) && isNumeric(right)) return calculate(left, right, multiply, (x, y) => x / y)
  if (isDuration(left) && isNumeric(right)) return scaled(left, right, divide)
  if (!isDuration(left) || left.kind === 'duration' || left.kind !== right.kind || !isDuration(right)) return undefined
  const inMonths = left.kind === 'yearMonthDuration'
  return exact('decimal', inMonths ? divide(whole(left.months), whole(right.months)) : divide(left.seconds, right.seconds))
}

export function opposite(value: Scalar): Scalar | undefined {
  if (isExact(value)) return { ...value, ...negate(value) }
  if (isBinary(value)) return { ...value, number: -value.number }
  return isDuration(value) ? negated(value) : undefined
}

/** Seconds from one moment to another of its kind; undefined where only one of them has a zone. */
export function secondsBetween(from: Moment, to: Moment): Decimal | undefined {
  if (from.kind !== to.kind || (from.offset === undefined) !== (to.offset === undefined)) return undefined
  const zones = BigInt((from.offset ?? 0) - (to.offset ?? 0)) * 60n
  return add(subtract(clockOf(to), clockOf(from)), whole(zones))
}

/** The functions of one number. A half is rounded up, to positive infinity. */
export const ROUNDINGS = {
  abs: (value: Numeric) => roundedBy(value, (exact) => (exact.digits < 0n ? negate(exact) : exact), Math.abs),
  ceil: (value: Numeric) => roundedBy(value, (exact) => whole(ceil(exact)), Math.ceil),
  floor: (value: Numeric) => roundedBy(value, (exact) => whole(floor(exact)), Math.floor),
  round: (value: Numeric) => roundedBy(value, (exact) => whole(round(exact)), Math.round),
} as const

function roundedBy(value: Numeric, decimal: (value: Decimal) => Decimal, binary: (value: number) => number): Numeric {
  return isExact(value) ? { kind: value.kind, ...decimal(value) } : { ...value, number: binary(value.number) }
}

function calculate(
  left: Numeric,
  right: Numeric,
  decimal: (x: Decimal, y: Decimal) => Decimal,
  binary: (x: number, y: number) => number,
): Scalar | undefined {
  if (isExact(left) && isExact(right)) {
    return exact(left.kind === 'integer' && right.kind === 'integer' ? 'integer' : 'decimal', decimal(left, right))
  }
  if (left.kind === 'double' || right.kind === 'double') {
    return { kind: 'double', number: binary(toNumber(left), toNumber(right)) }
  }
  return { kind: 'float', number: Math.fround(binary(Math.fround(toNumber(left)), Math.fround(toNumber(right)))) }
}

const exact = (kind: Exact['kind'], value: Decimal | undefined): Exact | undefined => value && { kind, ...value }

function sum(left: Duration, right: Duration): Duration | undefined {
  const kind = left.kind === right.kind ? left.kind : 'duration'
  return duration(kind, left.months + right.months, add(left.seconds, right.seconds))
}

function scaled(value: Duration, by: Numeric, combine: (x: Decimal, y: Decimal) => Decimal | undefined): Duration | undefined {
  const factor = isExact(by) ? by : asWritten(by.number)
  if (factor === undefined || value.kind === 'duration') return undefined
  const months = combine(whole(value.months), factor)
  const seconds = combine(value.seconds, factor)
  return months && seconds && duration(value.kind, round(months), value.kind === 'yearMonthDuration' ? ZERO : seconds)
}

function later(moment: Moment, by: Duration): Moment | undefined {
  if (moment.kind === 'time' && (by.kind === 'yearMonthDuration' || by.months !== 0n)) return undefined
  const moved = after(moment, by)
  if (moved === undefined || moment.kind === 'dateTime') return moved
  if (moment.kind === 'date') return midnightOf(moved)
  return { ...moved, seconds: moved.seconds - Math.floor(moved.seconds / 86_400) * 86_400 }
}
