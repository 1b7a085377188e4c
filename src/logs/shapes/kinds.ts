/**
 * What kind of value a piece of a message is. Plain scanners over character codes that look at each character a fixed number
 * of times: a line is written by strangers, and a backtracking pattern would let one of them stop the reader. Codes from 128
 * on are letters, so a version over UTF-8 bytes decides the same.
 */
export const VALUE_KINDS = [
  'number', 'duration', 'bytes', 'hex', 'uuid', 'ip', 'iri', 'email', 'path', 'timestamp', 'version', 'host', 'identifier',
  'name', 'quoted', 'list', 'empty', 'text',
] as const
export type ValueKind = (typeof VALUE_KINDS)[number]
export type TokenKind = ValueKind | 'word' | 'punctuation'

export const isDigitCode = (code: number): boolean => code >= 48 && code <= 57
/** Letters of ASCII, `_`, and everything beyond ASCII. */
export const isLetterCode = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code >= 128
export const isWordCode = (code: number): boolean => isLetterCode(code) || isDigitCode(code)
const isHexCode = (code: number): boolean =>
  isDigitCode(code) || (code >= 97 && code <= 102) || (code >= 65 && code <= 70)

export const [PLUS, DASH, DOT, SLASH, COLON, EQUALS, BACKSLASH] = [43, 45, 46, 47, 58, 61, 92] as const
const [AT, CAPITAL_T, CAPITAL_Z] = [64, 84, 90]

/** Lower case only: `5m` is minutes, `5M` a size. */
const DURATIONS: ReadonlySet<string> = new Set(['ns', 'us', 'ms', 's', 'sec', 'secs', 'min', 'mins', 'm', 'h', 'hrs', 'd'])
const SIZES: ReadonlySet<string> = new Set(['b', 'k', 'm', 'g', 'kb', 'mb', 'gb', 'tb', 'kib', 'mib', 'gib', 'tib', 'bytes'])

/** The kind of `text[start, end)`, which holds no space; `word` where no digit and no sign of a value is in it. */
export function kindOf(text: string, start: number, end: number): TokenKind {
  if (start >= end) return 'word'
  let digits = 0
  let letters = 0
  let dots = 0
  let dashes = 0
  let colons = 0
  let at = 0
  for (let i = start; i < end; i += 1) {
    const code = text.charCodeAt(i)
    if (isDigitCode(code)) digits += 1
    else if (isLetterCode(code)) letters += 1
    else if (code === DOT) dots += 1
    else if (code === DASH) dashes += 1
    else if (code === COLON) colons += 1
    else if (code === AT) at += 1
  }
  if (at === 1 && dots > 0 && isEmailAt(text, start, end)) return 'email'
  if (colons === 3 && dots === 3 && isMappedIpv4(text, start, end)) return 'ip'
  if (colons >= 2 && isHardwareOrIpv6(text, start, end)) return end - start === 3 * colons + 2 ? 'hex' : 'ip'
  if (dots > 0 && at === 0 && colons === 0 && isHostName(text, start, end)) {
    if (letters > 0) return 'host'
  }
  if (letters > 0 && isHex(text, start, end, digits)) return 'hex'
  if (digits === 0) return 'word'
  if (dots === 3 && letters === 0 && isIpv4(text, start, end)) return 'ip'
  const numeric = numericKind(text, start, end)
  if (numeric !== null) return numeric
  if (dashes === 4 && end - start === 36 && isUuid(text, start, end)) return 'uuid'
  if (isTimestamp(text, start, end)) return 'timestamp'
  if (letters === 0) return dots > 0 && colons === 0 ? 'version' : 'identifier'
  if (dots > 0 && colons === 0 && isProduct(text, start, end)) return 'version'
  return 'identifier'
}

/** Sign, digits, fraction, exponent, and perhaps a unit: `-1.5e3`, `12ms`, `4KiB`. */
function numericKind(text: string, start: number, end: number): 'number' | 'duration' | 'bytes' | null {
  const first = text.charCodeAt(start)
  let i = digitsEnd(text, first === DASH || first === PLUS ? start + 1 : start, end)
  if (!isDigitCode(text.charCodeAt(i - 1))) return null
  if (i < end && text.charCodeAt(i) === DOT) {
    const after = digitsEnd(text, i + 1, end)
    if (after === i + 1) return null
    i = after
  }
  if (i === end) return 'number'
  if ((text.charCodeAt(i) | 32) === 101) {
    const sign = text.charCodeAt(i + 1)
    const from = sign === DASH || sign === PLUS ? i + 2 : i + 1
    const after = digitsEnd(text, from, end)
    if (after > from && after === end) return 'number'
  }
  if (end - i > 5) return null
  const unit = text.slice(i, end)
  if (DURATIONS.has(unit)) return 'duration'
  return SIZES.has(unit.toLowerCase()) ? 'bytes' : null
}

function digitsEnd(text: string, from: number, end: number): number {
  let i = from
  while (i < end && isDigitCode(text.charCodeAt(i))) i += 1
  return i
}

/** `0x1f`, eight and more hex digits (no word has so many letters up to f), or six with two figures among them. */
function isHex(text: string, start: number, end: number, figures: number): boolean {
  const marked = text.charCodeAt(start) === 48 && (text.charCodeAt(start + 1) | 32) === 120
  const from = marked ? start + 2 : start
  if (end - from < (marked ? 1 : figures > 1 ? 6 : 8)) return false
  for (let i = from; i < end; i += 1) if (!isHexCode(text.charCodeAt(i))) return false
  return true
}

function isUuid(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i += 1) {
    const at = i - start
    const code = text.charCodeAt(i)
    const dash = at === 8 || at === 13 || at === 18 || at === 23
    if (dash ? code !== DASH : !isHexCode(code)) return false
  }
  return true
}

/** Four numbers up to 255. */
export function isIpv4(text: string, start: number, end: number): boolean {
  let i = start
  for (let group = 0; group < 4; group += 1) {
    const after = digitsEnd(text, i, Math.min(end, i + 3))
    if (after === i || Number(text.slice(i, after)) > 255) return false
    i = after
    if (group < 3) {
      if (i >= end || text.charCodeAt(i) !== DOT) return false
      i += 1
    }
  }
  return i === end
}

/** `::ffff:10.0.0.1` (RFC 4291, 2.5.5.2). */
const isMappedIpv4 = (text: string, start: number, end: number): boolean =>
  text.startsWith('::', start) && text.slice(start + 2, start + 7).toLowerCase() === 'ffff:' && isIpv4(text, start + 7, end)

/** Groups of at most four hex digits with colons: eight, or fewer around one `::`; or four and more pairs. */
function isHardwareOrIpv6(text: string, start: number, end: number): boolean {
  if (end - start > 64) return false
  let groups = 0
  let doubled = 0
  let length = 0
  let pairs = true
  for (let i = start; i <= end; i += 1) {
    const code = i < end ? text.charCodeAt(i) : COLON
    if (code === COLON) {
      if (length > 0) groups += 1
      else if (i > start && i < end && text.charCodeAt(i - 1) === COLON) doubled += 1
      if (length !== 2) pairs = false
      length = 0
    } else if (isHexCode(code) && length < 4) length += 1
    else return false
  }
  if (groups >= 4 && pairs && doubled === 0) return true
  return doubled === 0 ? groups === 8 : doubled === 1 && groups >= 1 && groups < 8
}

/** `HTTP/1.1`, `curl/7.88.1`: a product token with its version (RFC 9110, 10.1.5). */
function isProduct(text: string, start: number, end: number): boolean {
  let i = start
  while (i < end && (isLetterCode(text.charCodeAt(i)) || text.charCodeAt(i) === DASH)) i += 1
  if (i === start || i + 1 >= end || text.charCodeAt(i) !== SLASH || !isDigitCode(text.charCodeAt(i + 1))) return false
  for (i += 1; i < end; i += 1) if (!isDigitCode(text.charCodeAt(i)) && text.charCodeAt(i) !== DOT) return false
  return true
}

/** Good enough to hide one: something, one @, a host with an inner dot. */
function isEmailAt(text: string, start: number, end: number): boolean {
  let at = -1
  let dot = -1
  for (let i = start; i < end; i += 1) {
    const code = text.charCodeAt(i)
    if (code === AT) at = i
    else if (at >= 0 && code > 127) return false
    else if (at >= 0 && code === DOT) dot = i
    else if (!isWordCode(code) && code !== DASH && code !== DOT && !(at < 0 && code === PLUS)) return false
  }
  return at > start && dot > at + 1 && dot < end - 2
}

/** Three or more groups of digits with `-`, `/` or `:` between them, a fraction or zone behind: dates, times, both. */
function isTimestamp(text: string, start: number, end: number): boolean {
  let marks = 0
  let previous = 0
  for (let i = start; i < end; i += 1) {
    const code = text.charCodeAt(i)
    const mark = code === DASH || code === SLASH || code === COLON
    if (mark) marks += 1
    else if (code === CAPITAL_T || code === CAPITAL_Z || code === PLUS || code === DOT) {
      if (marks < 2) return false
    } else if (!isDigitCode(code)) return false
    if (!isDigitCode(code) && (i === start || (!isDigitCode(previous) && code !== PLUS))) return false
    previous = code
  }
  return (marks >= 2 || isClock(text, start, end)) && (isDigitCode(previous) || previous === CAPITAL_Z)
}

/** `12:05`: two pairs of digits. */
const isClock = (text: string, start: number, end: number): boolean => end - start === 5 && text.charCodeAt(start + 2) === COLON

/** Endings of host names that nothing else ends in; country codes count from three labels on, as files end in two letters too. */
export const HOST_ENDS: ReadonlySet<string> = new Set(
  'com net org edu gov mil int info biz local localdomain internal lan corp intranet arpa'.split(' '),
)

/** Endings of files, which a name with a line number behind it has. */
const FILE_ENDS: ReadonlySet<string> = new Set(
  `c cc cpp cxx h hpp java kt scala py pyx rb php js mjs ts tsx jsx go rs cs swift sh pl pm lua sql log txt xml json yaml yml conf
  cfg ini properties so dll exe jar war html css md mm m S`.split(/\s+/),
)

export const isFileName = (text: string, start: number, end: number): boolean =>
  FILE_ENDS.has(text.slice(text.lastIndexOf('.', end - 1) + 1, end)) && text.lastIndexOf('.', end - 1) > start

/** `www.example.com`: labels of which the last is a domain. A package name begins with one instead. */
export function isHostName(text: string, start: number, end: number): boolean {
  let dots = 0
  let last = start
  for (let i = start; i < end; i += 1) {
    const code = text.charCodeAt(i)
    if (code === DOT) {
      dots += 1
      last = i + 1
    } else if (!isWordCode(code) && code !== DASH) return false
  }
  const ending = text.slice(last, end)
  return dots > 0 && (HOST_ENDS.has(ending) || (dots > 1 && isCountry(text, last, end) && !FILE_ENDS.has(ending)))
}

const DATE_WORDS: ReadonlySet<string> = new Set(
  `Mon Tue Wed Thu Fri Sat Sun Monday Tuesday Wednesday Thursday Friday Saturday Sunday
  Jan Feb Mar Apr May Jun Jul Aug Sep Sept Oct Nov Dec January February March April June July August September October
  November December`.split(/\s+/),
)
const ZONES: ReadonlySet<string> = new Set('UTC GMT EST EDT CST CDT MST MDT PST PDT CET CEST BST MSK JST IST HKT AM PM'.split(' '))

/** A day of the week or a month, which is a value where a date stands beside it. */
export const isDateWord = (text: string, start: number, end: number): boolean =>
  end - start >= 3 && end - start <= 9 && DATE_WORDS.has(text.slice(start, end))
/** A time zone, which is a value behind a time. */
export const isZone = (text: string, start: number, end: number): boolean =>
  end - start >= 2 && end - start <= 4 && ZONES.has(text.slice(start, end))

const isSmall = (code: number): boolean => code >= 97 && code <= 122
const isCountry = (text: string, start: number, end: number): boolean =>
  end - start === 2 && isSmall(text.charCodeAt(start)) && isSmall(text.charCodeAt(start + 1))

const LITERALS: ReadonlySet<string> = new Set('true false True False TRUE FALSE null NULL None nil undefined'.split(' '))
/** What a program prints of a truth value or of nothing. */
export const isLiteral = (text: string, start: number, end: number): boolean =>
  end - start >= 3 && end - start <= 9 && LITERALS.has(text.slice(start, end))
const VERSION_WORDS: ReadonlySet<string> = new Set('version ver release revision rev build'.split(' '))
/** After these words four numbers with dots are a version, not an address. */
export const isVersionWord = (text: string, start: number, end: number): boolean =>
  end - start >= 3 && end - start <= 8 && VERSION_WORDS.has(text.slice(start, end).toLowerCase())

/** All words that one of these questions may be answered with yes for, those of versions in small letters. */
export const WORDS_OF_LISTS: readonly string[] = [...DATE_WORDS, ...ZONES, ...LITERALS, ...VERSION_WORDS]
