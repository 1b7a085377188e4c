/**
 * What a token is by what stands beside it: the key before `=`, the host before a port, the month before a day, a value of no
 * length in empty brackets.
 */
import {
  COLON, DASH, DOT, EQUALS, isDateWord, isFileName, isLetterCode, isLiteral, isVersionWord, isZone, SLASH,
} from './kinds.ts'
import type { TokenKind } from './kinds.ts'
import type { Token } from './tokens.ts'

export function settled(message: string, tokens: readonly Token[]): Token[] {
  const out: Token[] = []
  for (const [i, token] of tokens.entries()) {
    const next = tokens[i + 1]
    const kind = kindBeside(message, token, out[out.length - 1], next, tokens[i + 2])
    out.push(kind === token.kind ? token : { ...token, kind })
    if (isEmptyPair(message, token, next)) out.push({ kind: 'empty', start: token.end, end: token.end, spaced: false, key: '' })
  }
  return out
}

function kindBeside(
  message: string, token: Token, previous: Token | undefined, next: Token | undefined, afterNext: Token | undefined,
): TokenKind {
  const { kind, start, end, key } = token
  if (kind === 'punctuation') return kind
  if (isKey(message, token, next)) return 'word'
  if (kind === 'name' && key !== '' && isOpenedBehind(message, token, next)) return 'word'
  if ((kind === 'word' || kind === 'identifier') && isBeforePort(message, token, next, afterNext)) return 'host'
  if (kind === 'ip' && previous !== undefined && isVersionWord(message, previous.start, previous.end)) return 'version'
  if (kind !== 'word') return kind
  if (isDateWord(message, start, end) && (isDated(message, next) || isDate(previous))) return 'timestamp'
  if (isZone(message, start, end) && isDate(previous)) return 'timestamp'
  return isLiteral(message, start, end) ? 'name' : kind
}

/** `(` and `)` with nothing between, where a space says that they hold a value and are no call. */
const isEmptyPair = (message: string, token: Token, next: Token | undefined): boolean =>
  token.kind === 'punctuation' && token.spaced && token.end - token.start === 1 && next !== undefined && !next.spaced &&
  isPair(message.charCodeAt(token.start), message.charCodeAt(next.start))

/** `Rect` of `bounds=Rect(0, 0)`: the name of a type. */
const isOpenedBehind = (message: string, token: Token, next: Token | undefined): boolean =>
  next !== undefined && next.start === token.end && OPENING.includes(message[next.start] ?? ' ')

/** `r24` of `r24=0`, whatever it looks like. */
const isKey = (message: string, token: Token, next: Token | undefined): boolean =>
  token.key === '' && token.kind !== 'punctuation' && next !== undefined && next.start === token.end &&
  next.end - next.start === 1 && message.charCodeAt(next.start) === EQUALS && isLetterCode(message.charCodeAt(token.start))

/** `name.of.host:8080`, `node-3:8080`, `node-3/10.0.0.3`: a name with a dot or a dash before a port or an address. */
function isBeforePort(message: string, { start, end }: Token, mark: Token | undefined, port: Token | undefined): boolean {
  if (mark === undefined || port === undefined || mark.start !== end || port.start !== end + 1) return false
  const code = message.charCodeAt(end)
  const named = code === COLON ? isPort(message, port) : code === SLASH && port.kind === 'ip'
  if (!named || isFileName(message, start, end)) return false
  let marks = 0
  for (let i = start; i < end; i += 1) {
    const inside = message.charCodeAt(i)
    if (inside === DOT || inside === DASH) marks += 1
    else if (inside === UNDERSCORE || inside === DOLLAR) return false
  }
  return marks > 0
}

const isPort = (message: string, { kind, start, end }: Token): boolean =>
  kind === 'number' && end - start >= 2 && end - start <= 5 && message.charCodeAt(end) !== COLON

const [UNDERSCORE, DOLLAR] = [95, 36]

const isDate = (token: Token | undefined): boolean => token?.kind === 'timestamp'
const isDated = (message: string, token: Token | undefined): boolean =>
  token !== undefined && token.spaced && (isDate(token) || isDateWord(message, token.start, token.end) || isDay(token))
const isDay = (token: Token): boolean => token.kind === 'number' && token.end - token.start <= 2
const OPENING = '([{'
const isPair = (open: number, close: number): boolean => (open === 40 && close === 41) || (open === 91 && close === 93)
