/**
 * Regular expressions in linear time: the syntax of XPath as far as RE2 has it. What RE2 would read differently (subtraction of
 * classes, back references, escapes of other languages) is refused rather than misread.
 */
import { RE2JS } from 're2js'

/** Patterns come from rules and now and then from data: the last few are kept. */
const KEPT = 256
const LONGEST_PATTERN = 10_000
const cache = new Map<string, RE2JS | undefined>()

const FLAGS: Readonly<Record<string, number>> = {
  i: RE2JS.CASE_INSENSITIVE,
  s: RE2JS.DOTALL,
  m: RE2JS.MULTILINE,
  x: 0,
  q: 0,
}

/** undefined for a pattern that is wrong or not supported. */
export function compilePattern(pattern: string, flags: string): RE2JS | undefined {
  const key = `${flags}/${pattern}`
  if (cache.has(key)) return cache.get(key)
  const compiled = compile(pattern, flags)
  const oldest = cache.size >= KEPT ? cache.keys().next().value : undefined
  if (oldest !== undefined) cache.delete(oldest)
  cache.set(key, compiled)
  return compiled
}

function compile(pattern: string, flags: string): RE2JS | undefined {
  if (pattern.length > LONGEST_PATTERN) return undefined
  let bits = 0
  for (const flag of flags) {
    const bit = FLAGS[flag]
    if (bit === undefined) return undefined
    bits |= bit
  }
  const source = flags.includes('q') ? RE2JS.quote(pattern) : translated(pattern, flags.includes('x'))
  if (source === undefined) return undefined
  try {
    return RE2JS.compile(source, bits)
  } catch {
    return undefined
  }
}

export const matches = (pattern: RE2JS, text: string): boolean => pattern.matcher(text).find()

type Piece = string | number

/** `$1` is what the first group matched, `\$` and `\\` are themselves; undefined for a replacement that is malformed. */
export function replaceAll(pattern: RE2JS, text: string, replacement: string, literal: boolean): string | undefined {
  const pieces = literal ? [replacement] : replacementPieces(replacement, pattern.groupCount())
  if (pieces === undefined) return undefined
  const matcher = pattern.matcher(text)
  let result = ''
  let end = 0
  let last = -1
  while (matcher.find()) {
    const [from, to] = [matcher.start(), matcher.end()]
    // nothing at all, right behind a match, is no match of its own
    if (from === to && from === last) continue
    result += text.slice(end, from)
    for (const piece of pieces) result += typeof piece === 'string' ? piece : (matcher.group(piece) ?? '')
    last = to
    end = to
    if (result.length > 2 ** 26) return undefined
  }
  return result + text.slice(end)
}

/** Digits belong to a number as long as it names a group: where there is one group, `$12` is `$1` and a 2. */
function replacementPieces(text: string, groups: number): Piece[] | undefined {
  const pieces: Piece[] = []
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!
    if (char === '\\') {
      const next = text[++i]
      if (next !== '\\' && next !== '$') return undefined
      pieces.push(next)
    } else if (char === '$') {
      let digits = /^\d+/.exec(text.slice(i + 1))?.[0]
      if (digits === undefined) return undefined
      while (digits.length > 1 && Number(digits) > groups) digits = digits.slice(0, -1)
      i += digits.length
      if (Number(digits) <= groups) pieces.push(Number(digits))
    } else pieces.push(char)
  }
  return pieces
}

const SPACES = '\\t-\\r\\x85\\p{Z}'
const WORDS = '\\p{L}\\p{M}\\p{Nd}\\p{Nl}\\p{Pc}\\x{200c}\\x{200d}\\x{24b6}-\\x{24e9}'
/** What a short escape stands for: digits, letters and spaces of all scripts, where RE2 knows those of ASCII. */
const CLASSES: Readonly<Record<string, string>> = {
  d: '\\p{Nd}',
  D: '\\P{Nd}',
  w: `[${WORDS}]`,
  W: `[^${WORDS}]`,
  s: `[${SPACES}]`,
  S: `[^${SPACES}]`,
}
const INSIDE: Readonly<Record<string, string>> = { d: '\\p{Nd}', D: '\\P{Nd}', w: WORDS, s: SPACES }

/** undefined where XPath and RE2 do not mean the same. */
function translated(pattern: string, ignoreSpaces: boolean): string | undefined {
  let source = ''
  let inClass = false
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern[i]!
    if (char === '\\') {
      const next = pattern[++i]
      const escape = next === 'p' || next === 'P' ? category(pattern.slice(i)) : escaped(next, inClass)
      if (escape === undefined) return undefined
      source += escape
      if (next === 'p' || next === 'P') i += escape.length - 2
    } else if (inClass && char === '[') {
      return undefined
    } else if (char === '[') {
      inClass = true
      const opening = /^\[\^?\]?/.exec(pattern.slice(i))![0]
      // an empty class, or one that starts with its own end, is read in two ways
      if (opening.endsWith(']')) return undefined
      source += opening
      i += opening.length - 1
    } else if (inClass && char === ']') {
      inClass = false
      source += char
    } else if (!inClass && (char === '{' || char === '}')) {
      // RE2 takes a brace that counts nothing for itself
      const count = /^\{\d+(?:,\d*)?\}/.exec(pattern.slice(i))?.[0]
      if (count === undefined) return undefined
      source += count
      i += count.length - 1
    } else if (!(ignoreSpaces && !inClass && /\s/.test(char))) source += char
  }
  return source
}

/** A general category of Unicode; blocks and scripts have other names in other languages. */
function category(rest: string): string | undefined {
  const name = /^[pP]\{(?:C[cfo]?|L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?)\}/.exec(rest)?.[0]
  return name === undefined ? undefined : `\\${name}`
}

function escaped(char: string | undefined, inClass: boolean): string | undefined {
  if (char === undefined) return undefined
  const known = (inClass ? INSIDE : CLASSES)[char]
  if (known !== undefined) return known
  if ('nrt'.includes(char)) return `\\${char}`
  // RE2 sees the edges of ASCII words only, so an edge is refused; so are letters and digits that mean something elsewhere
  return /[A-Za-z0-9\s]/.test(char) || char > '\u007f' ? undefined : `\\${char}`
}
