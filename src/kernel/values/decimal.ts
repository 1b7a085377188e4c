/** Exact decimal numbers of any size: digits / 10^scale. */
export interface Decimal {
  readonly digits: bigint
  readonly scale: number
}

/** Fraction digits of a quotient; what is behind them is cut off, as other SPARQL engines do. */
const QUOTIENT_DIGITS = 18

/** Numbers beyond this are refused: a rule that squares its own result would double their length each round. */
const MAX_DIGITS = 20_000n
const LIMIT = 10n ** MAX_DIGITS

export const ZERO: Decimal = { digits: 0n, scale: 0 }
export const whole = (digits: bigint): Decimal => ({ digits, scale: 0 })

export function parseInteger(text: string): bigint | undefined {
  if (!/^[+-]?\d+$/.test(text) || text.length > MAX_DIGITS) return undefined
  // BigInt refuses a leading plus
  return BigInt(text.startsWith('+') ? text.slice(1) : text)
}

export function parseDecimal(text: string): Decimal | undefined {
  const [, integral, fraction = ''] = /^([+-]?\d*)(?:\.(\d*))?$/.exec(text) ?? []
  if (integral === undefined || !/\d/.test(text)) return undefined
  const digits = parseInteger(integral + fraction)
  return digits === undefined ? undefined : { digits, scale: fraction.length }
}

export function printDecimal({ digits, scale }: Decimal): string {
  const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0')
  const fraction = text.slice(text.length - scale).replace(/0+$/, '')
  return `${digits < 0n ? '-' : ''}${text.slice(0, text.length - scale)}${scale > 0 && fraction !== '' ? `.${fraction}` : ''}`
}

export const isReasonable = ({ digits }: Decimal): boolean => digits < LIMIT && digits > -LIMIT

export const atScale = (value: Decimal, scale: number): bigint => value.digits * 10n ** BigInt(scale - value.scale)

export function add(left: Decimal, right: Decimal): Decimal {
  const scale = Math.max(left.scale, right.scale)
  return { digits: atScale(left, scale) + atScale(right, scale), scale }
}

export const negate = ({ digits, scale }: Decimal): Decimal => ({ digits: -digits, scale })
export const subtract = (left: Decimal, right: Decimal): Decimal => add(left, negate(right))
export const multiply = (left: Decimal, right: Decimal): Decimal => ({
  digits: left.digits * right.digits,
  scale: left.scale + right.scale,
})

/** undefined for a division by zero. */
export function divide(left: Decimal, right: Decimal): Decimal | undefined {
  if (right.digits === 0n) return undefined
  const scale = Math.max(left.scale, right.scale)
  return { digits: (atScale(left, scale) * 10n ** BigInt(QUOTIENT_DIGITS)) / atScale(right, scale), scale: QUOTIENT_DIGITS }
}

export function compareDecimals(left: Decimal, right: Decimal): number {
  const scale = Math.max(left.scale, right.scale)
  const [x, y] = left.scale === right.scale ? [left.digits, right.digits] : [atScale(left, scale), atScale(right, scale)]
  return x < y ? -1 : x > y ? 1 : 0
}

export function floor({ digits, scale }: Decimal): bigint {
  const unit = 10n ** BigInt(scale)
  const cut = digits / unit
  return digits < 0n && cut * unit !== digits ? cut - 1n : cut
}

export const ceil = (value: Decimal): bigint => -floor(negate(value))
/** A half goes up, towards positive infinity. */
export const round = (value: Decimal): bigint => floor(add(value, { digits: 5n, scale: 1 }))
export const truncate = ({ digits, scale }: Decimal): bigint => digits / 10n ** BigInt(scale)

/** The same number with as few fraction digits as it needs. */
export function shortest({ digits, scale }: Decimal): Decimal {
  while (scale > 0 && digits % 10n === 0n) [digits, scale] = [digits / 10n, scale - 1]
  return { digits, scale }
}
