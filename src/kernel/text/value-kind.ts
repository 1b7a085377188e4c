/**
 * What kind of value a piece of a log line is. Plain scanners that look at each character a fixed number of times: a line is
 * written by strangers, and a backtracking pattern would let one of them stop the reader.
 */
export type ValueKind =
  | 'word' | 'identifier' | 'number' | 'duration' | 'bytes' | 'hex' | 'uuid' | 'ip' | 'iri' | 'email' | 'path' | 'timestamp'
  | 'quoted' | 'text'

const DURATIONS: ReadonlySet<string> = new Set(['ns', 'us', 'µs', 'ms', 's', 'sec', 'secs', 'min', 'm', 'h', 'd'])
const SIZES: ReadonlySet<string> = new Set(['b', 'kb', 'mb', 'gb', 'tb', 'kib', 'mib', 'gib', 'tib', 'bytes'])

/** `valueKind('10.0.0.1:443')` is `'ip'`; a word without a digit is a `'word'`, one with a digit an `'identifier'`. */
export function valueKind(text: string): ValueKind {
  if (text.includes('://') && isIri(text)) return 'iri'
  if (text.includes('@') && isEmail(text)) return 'email'
  if (isPath(text)) return 'path'
  if (!hasDigit(text)) return isIpv6(text) ? 'ip' : 'word'
  const numeric = numericKind(text)
  if (numeric !== null) return numeric
  if (isUuid(text)) return 'uuid'
  if (isIpv4(text) || isIpv6(text)) return 'ip'
  if (isTimestamp(text)) return 'timestamp'
  return isHex(text) ? 'hex' : 'identifier'
}

export const isDigit = (char: string | undefined): boolean => char !== undefined && char >= '0' && char <= '9'
const isLetter = (char: string | undefined): boolean =>
  char !== undefined && ((char >= 'a' && char <= 'z') || (char >= 'A' && char <= 'Z'))
const isHexDigit = (char: string | undefined): boolean =>
  isDigit(char) || (char !== undefined && ((char >= 'a' && char <= 'f') || (char >= 'A' && char <= 'F')))

function every(text: string, test: (char: string | undefined) => boolean): boolean {
  for (let i = 0; i < text.length; i += 1) if (!test(text[i])) return false
  return text !== ''
}

function hasDigit(text: string): boolean {
  for (let i = 0; i < text.length; i += 1) if (isDigit(text[i])) return true
  return false
}

/** Sign, digits, fraction, exponent, and perhaps a unit: `-1.5e3`, `12ms`, `4KiB`, `97%`. */
function numericKind(text: string): 'number' | 'duration' | 'bytes' | null {
  let i = text[0] === '-' || text[0] === '+' ? 1 : 0
  const digits = (): boolean => {
    const from = i
    while (isDigit(text[i])) i += 1
    return i > from
  }
  if (!digits()) return null
  if (text[i] === '.') {
    i += 1
    if (!digits()) return null
  }
  if (text[i] === 'e' || text[i] === 'E') {
    const signed = text[i + 1] === '-' || text[i + 1] === '+'
    if (isDigit(text[i + (signed ? 2 : 1)])) {
      i += signed ? 2 : 1
      digits()
    }
  }
  const unit = text.slice(i, i + 6).toLowerCase()
  if (i + unit.length < text.length) return null
  if (unit === '' || unit === '%') return 'number'
  if (DURATIONS.has(unit)) return 'duration'
  return SIZES.has(unit) ? 'bytes' : null
}

function isUuid(text: string): boolean {
  if (text.length !== 36) return false
  for (let i = 0; i < 36; i += 1) {
    const dash = i === 8 || i === 13 || i === 18 || i === 23
    if (dash ? text[i] !== '-' : !isHexDigit(text[i])) return false
  }
  return true
}

function isIpv4(text: string): boolean {
  if (text.length > 21) return false
  const [address = '', port, ...more] = text.split(':')
  if (more.length > 0 || (port !== undefined && !(port.length <= 5 && every(port, isDigit)))) return false
  const bytes = address.split('.')
  return bytes.length === 4 && bytes.every((byte) => byte.length <= 3 && every(byte, isDigit) && Number(byte) <= 255)
}

/** Eight groups, or fewer around one `::`; an address in brackets has lost them before it comes here. */
function isIpv6(text: string): boolean {
  if (text.length < 3 || text.length > 39 || !text.includes(':')) return false
  const halves = text.split('::')
  if (halves.length > 2) return false
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')))
  if (!groups.every((group) => group.length <= 4 && every(group, isHexDigit))) return false
  return halves.length === 2 ? groups.length >= 1 && groups.length < 8 : groups.length === 8
}

function isIri(text: string): boolean {
  const at = text.indexOf('://')
  if (at < 2 || at + 3 >= text.length || !isLetter(text[0])) return false
  return every(text.slice(0, at), (char) => isLetter(char) || isDigit(char) || char === '+' || char === '-' || char === '.')
}

/** Good enough to hide one: something, one @, a host with an inner dot. */
export function isEmail(text: string): boolean {
  const at = text.indexOf('@')
  if (at < 1 || at !== text.lastIndexOf('@') || text.length > 254) return false
  const host = text.slice(at + 1)
  const dot = host.lastIndexOf('.')
  const named = every(host, (char) => isLetter(char) || isDigit(char) || char === '.' || char === '-')
  return named && dot > 0 && host.length - dot > 2
}

function isPath(text: string): boolean {
  if (text[0] === '/') return text.length > 1
  return isLetter(text[0]) && text[1] === ':' && text[2] === '\\'
}

/** `0x1f`, or eight and more hex digits in which letters and digits are mixed; also six pairs, as hardware addresses have. */
function isHex(text: string): boolean {
  if (text.startsWith('0x') || text.startsWith('0X')) return every(text.slice(2), isHexDigit)
  if (text.length === 17 && [2, 5, 8, 11, 14].every((i) => text[i] === ':')) return every(text.replaceAll(':', ''), isHexDigit)
  return text.length >= 8 && every(text, isHexDigit)
}

/** A date `2026-03-14`, with or without a time behind it, or a time of day `09:15:02`. */
function isTimestamp(text: string): boolean {
  const fits = (pattern: string): boolean => {
    if (text.length < pattern.length) return false
    for (let i = 0; i < pattern.length; i += 1) if (pattern[i] === '0' ? !isDigit(text[i]) : pattern[i] !== text[i]) return false
    return true
  }
  const rest = (from: number): boolean =>
    text.length === from || every(text.slice(from), (char) => isDigit(char) || (char !== undefined && 'T:.,Z+-'.includes(char)))
  if (text.length > 40) return false
  return (fits('0000-00-00') && rest(10)) || (fits('0000/00/00') && text.length === 10) || (fits('00:00:00') && rest(8))
}
