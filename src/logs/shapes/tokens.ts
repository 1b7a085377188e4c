/**
 * A message as tokens: words that the program's author wrote, punctuation, and values that the program filled in. One pass,
 * left to right, by classes of characters; a version over UTF-8 bytes gives the same tokens, as everything beyond ASCII is a
 * letter and only the codes up to 32 are space.
 */
import { isDateWord, isDigitCode, isIpv4, isLetterCode, isWordCode, isZone, kindOf } from './kinds.ts'
import type { TokenKind } from './kinds.ts'

export interface Token {
  readonly kind: TokenKind
  /** where it lies in the message */
  readonly start: number
  readonly end: number
  /** white space stands before it */
  readonly spaced: boolean
  /** the name before `=`, else empty */
  readonly key: string
}

/** A line with more tokens than this ends in one token of free text: nobody writes such a statement by hand. */
export const MAX_TOKENS = 512

/** They end a run of characters wherever they stand. */
const ALONE = '()[]{}<>,;|"=\''
/** They end a path or an address on the web, in which most other marks may stand. */
const ENDS_PATH = '()[]{}<>,;|"\''
const TRAILING = '.:!?*'
const INNER = '.-$\''

const table = (chars: string): Uint8Array => {
  const out = new Uint8Array(128)
  for (const char of chars) out[char.charCodeAt(0)] = 1
  return out
}
const [alone, endsPath, trailing, inner] = [ALONE, ENDS_PATH, TRAILING, INNER].map(table) as [
  Uint8Array, Uint8Array, Uint8Array, Uint8Array,
]
const isIn = (set: Uint8Array, code: number): boolean => code < 128 && set[code] === 1
const isSpace = (code: number): boolean => code <= 32

const [SLASH, COLON, EQUALS, DASH, QUOTE, APOSTROPHE, BACKSLASH] = [47, 58, 61, 45, 34, 39, 92]

export function tokenise(message: string): Token[] {
  const tokens: Token[] = []
  const length = message.length
  let spaced = false
  let i = 0
  const push = (kind: TokenKind, start: number, end: number, key = ''): void => {
    tokens.push({ kind, start, end, spaced, key })
    spaced = false
    i = end
  }

  while (i < length) {
    const code = message.charCodeAt(i)
    if (isSpace(code)) {
      spaced = true
      i += 1
      continue
    }
    if (tokens.length >= MAX_TOKENS) {
      push('text', i, length)
      break
    }
    const key = code === EQUALS || tokens.length === 0 ? '' : keyBefore(message, tokens, i)
    if (key !== '') {
      const quoted = code === QUOTE || code === APOSTROPHE ? closingQuote(message, i) : -1
      if (quoted > i + 1) {
        push('punctuation', i, i + 1)
        push('quoted', i, quoted, key)
        push('punctuation', i, i + 1)
        continue
      }
    }
    if (isIn(alone, code)) {
      push('punctuation', i, sameEnd(message, i))
      continue
    }
    chunk(i, key)
  }
  return settled(message, tokens)

  /** A run without space and lone marks: one value, or words, values and marks in turn. */
  function chunk(start: number, key: string): void {
    const web = webEnd(message, start)
    if (web > start) return push('iri', start, web, key)
    const path = pathEnd(message, start)
    if (path > start) return push('path', start, path, key)
    let stop = start
    while (stop < length && !isSpace(message.charCodeAt(stop)) && !isIn(alone, message.charCodeAt(stop))) stop += 1
    let end = stop
    while (end > start && isIn(trailing, message.charCodeAt(end - 1))) end -= 1
    if (end > start && isWordCode(message.charCodeAt(start))) {
      const kind = kindOf(message, start, end)
      if (kind !== 'word' && kind !== 'identifier' && kind !== 'host') return push(kind, start, end, key)
    }
    if (key !== '' && end > start && !hasPort(message, start, end)) {
      const kind = kindOf(message, start, end)
      return push(kind === 'word' ? 'name' : kind, start, end, key)
    }
    while (i < stop) piece(i, stop, key)
  }

  function piece(start: number, stop: number, key: string): void {
    const code = message.charCodeAt(start)
    const signed = (code === DASH || code === 43) && isDigitCode(message.charCodeAt(start + 1))
      && !(start > 0 && isWordCode(message.charCodeAt(start - 1)))
    if (start > 0 && !isWordCode(message.charCodeAt(start - 1))) {
      const path = code === SLASH ? pathEnd(message, start) : -1
      if (path > start) return push('path', start, path, key)
    }
    if (!signed && !isWordCode(code)) return push('punctuation', start, Math.min(stop, sameEnd(message, start)))
    const end = nameEnd(message, signed ? start + 1 : start, stop)
    push(kindOf(message, start, end), start, end, key)
  }
}

/** Words that are values by what stands beside them: parts of a date, a dotted name before a port, nothing in brackets. */
function settled(message: string, tokens: readonly Token[]): Token[] {
  const out: Token[] = []
  for (const [i, token] of tokens.entries()) {
    const { kind, start, end } = token
    const [previous, next] = [out[out.length - 1], tokens[i + 1]]
    if (isKey(message, token, next)) {
      out.push({ ...token, kind: 'word' })
      continue
    }
    if (kind === 'identifier' && isBeforePort(message, token, next, tokens[i + 2])) {
      out.push({ ...token, kind: 'host' })
      continue
    }
    if (kind === 'word') {
      if (isDateWord(message, start, end) && (isDated(message, next) || isDate(previous))) out.push({ ...token, kind: 'timestamp' })
      else if (isBeforePort(message, token, next, tokens[i + 2])) out.push({ ...token, kind: 'host' })
      else if (isZone(message, start, end) && isDate(previous)) out.push({ ...token, kind: 'timestamp' })
      else out.push(token)
      continue
    }
    out.push(token)
    const empty = kind === 'punctuation' && token.spaced && end - start === 1 && isOpening(message.charCodeAt(start))
    if (empty && next !== undefined && !next.spaced && isPair(message.charCodeAt(start), message.charCodeAt(next.start))) {
      out.push({ kind: 'empty', start: end, end, spaced: false, key: '' })
    }
  }
  return out
}

/** `r24` of `r24=0`, whatever it looks like. */
const isKey = (message: string, token: Token, next: Token | undefined): boolean =>
  token.key === '' && token.kind !== 'punctuation' && next !== undefined && next.start === token.end &&
  next.end - next.start === 1 && message.charCodeAt(next.start) === EQUALS && isLetterCode(message.charCodeAt(token.start))

/** `name.of.host:8080`, `node-3:8080`, `node-3/10.0.0.3`: a name with a dot or a dash before a port or an address. */
function isBeforePort(message: string, { start, end }: Token, mark: Token | undefined, port: Token | undefined): boolean {
  if (mark === undefined || port === undefined || mark.start !== end || port.start !== end + 1) return false
  const code = message.charCodeAt(end)
  const named = code === COLON ? port.kind === 'number' && port.end - port.start <= 5 : code === SLASH && port.kind === 'ip'
  if (!named) return false
  let marks = 0
  for (let i = start; i < end; i += 1) {
    const inside = message.charCodeAt(i)
    if (inside === 46 || inside === DASH) marks += 1
    else if (inside === 95 || inside === 36) return false
  }
  return marks > 0
}

const isDate = (token: Token | undefined): boolean => token?.kind === 'timestamp'
const isDated = (message: string, token: Token | undefined): boolean =>
  token !== undefined && token.spaced && (isDate(token) || isDateWord(message, token.start, token.end) || isDay(token))
const isDay = (token: Token): boolean => token.kind === 'number' && token.end - token.start <= 2
const isOpening = (code: number): boolean => code === 40 || code === 91
const isPair = (open: number, close: number): boolean => (open === 40 && close === 41) || (open === 91 && close === 93)

/** The key of `key=`, where the message goes on directly behind it. */
function keyBefore(message: string, tokens: readonly Token[], at: number): string {
  const equals = tokens[tokens.length - 1]
  const name = tokens[tokens.length - 2]
  if (equals === undefined || name === undefined || equals.end !== at || name.end !== equals.start) return ''
  if (equals.end - equals.start !== 1 || message.charCodeAt(equals.start) !== EQUALS) return ''
  return name.kind !== 'punctuation' && isLetterCode(message.charCodeAt(name.start)) ? message.slice(name.start, name.end) : ''
}

function closingQuote(message: string, from: number): number {
  const quote = message.charCodeAt(from)
  for (let i = from + 1; i < message.length; i += 1) {
    const code = message.charCodeAt(i)
    if (code === BACKSLASH) i += 1
    else if (code === quote) return i
  }
  return -1
}

/** The end of a run of one mark: `...` is one token. */
function sameEnd(message: string, from: number): number {
  const code = message.charCodeAt(from)
  let i = from + 1
  while (i < message.length && message.charCodeAt(i) === code) i += 1
  return i
}

/** Word characters, with single marks such as `.` and `-` between two of them. */
function nameEnd(message: string, from: number, stop: number): number {
  let i = from + 1
  while (i < stop) {
    const code = message.charCodeAt(i)
    if (isWordCode(code)) i += 1
    else if (isIn(inner, code)) {
      const after = sameEnd(message, i)
      if (after >= stop || !isWordCode(message.charCodeAt(after)) || (after > i + 1 && code !== DASH)) break
      i = after + 1
    } else break
  }
  return Math.min(i, stop)
}

/** `scheme://...`, or -1. */
function webEnd(message: string, start: number): number {
  let i = start
  while (i < message.length && isWordCode(message.charCodeAt(i))) i += 1
  if (i - start < 2 || message.charCodeAt(i) !== COLON || message.charCodeAt(i + 1) !== SLASH) return -1
  return message.charCodeAt(i + 2) === SLASH ? pathStop(message, i + 3, i + 3) : -1
}

/** An absolute path with two steps or a digit, a drive path, or three and more steps; else -1. */
function pathEnd(message: string, start: number): number {
  const first = message.charCodeAt(start)
  if (isLetterCode(first) && message.charCodeAt(start + 1) === COLON && message.charCodeAt(start + 2) === BACKSLASH) {
    return pathStop(message, start + 3, start + 2)
  }
  const second = message.charCodeAt(start + 1)
  const relative = first === 46 && (second === SLASH || (second === 46 && message.charCodeAt(start + 2) === SLASH))
  if (relative) return pathStop(message, start + 2, start + 2)
  const rooted = first === SLASH || (first === 126 && second === SLASH)
  if (!rooted && !isLetterCode(first)) return -1
  const stop = pathStop(message, start, start)
  if (stop <= start + 1) return -1
  let steps = 0
  let digits = 0
  for (let i = start; i < stop; i += 1) {
    const code = message.charCodeAt(i)
    if (code === SLASH) steps += 1
    else if (isDigitCode(code)) digits += 1
    else if (code === COLON || code === EQUALS) {
      if (!rooted || steps < 2) return -1
    }
  }
  if (!rooted) return steps >= 2 ? stop : -1
  if (!isWordCode(message.charCodeAt(start + 1)) && message.charCodeAt(start + 1) !== 46 && first === SLASH) return -1
  if (steps === 1) return digits > 0 && isLetterCode(message.charCodeAt(start + 1)) ? stop : -1
  return startsAsAddress(message, start + 1, stop) ? -1 : stop
}

/** `/10.1.2.3:80`: the slash is a mark, the rest an address. */
function startsAsAddress(message: string, start: number, stop: number): boolean {
  let i = start
  while (i < stop && (isDigitCode(message.charCodeAt(i)) || message.charCodeAt(i) === 46)) i += 1
  return isIpv4(message, start, i)
}

function pathStop(message: string, from: number, least: number): number {
  let i = from
  while (i < message.length && !isSpace(message.charCodeAt(i)) && !isIn(endsPath, message.charCodeAt(i))) i += 1
  while (i > least && isIn(trailing, message.charCodeAt(i - 1))) i -= 1
  return i
}

/** `10.0.0.1:443` after a key: address and port are two values. */
function hasPort(message: string, start: number, end: number): boolean {
  let i = start
  while (i < end && message.charCodeAt(i) !== COLON) i += 1
  return i < end && isIpv4(message, start, i)
}
