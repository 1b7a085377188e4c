/** Paths and addresses on the web: values in which marks stand that end any other value. */
import { isIn, isSpace, table } from './chars.ts'
import { BACKSLASH, COLON, DASH, DOT, EQUALS, isDigitCode, isIpv4, isLetterCode, isWordCode, SLASH } from './kinds.ts'

const TILDE = 126
/** They end a path or an address on the web, in which most other marks may stand. */
const ENDS_PATH = table('()[]{}<>,;|"\'')
/** At the end of a run they belong to the sentence. */
const TRAILING = table('.:!?*')

/** `scheme://...`, or -1. */
export function webEnd(message: string, start: number): number {
  let i = start
  while (i < message.length && isWordCode(message.charCodeAt(i)) && message.charCodeAt(i) < 128) i += 1
  if (i - start < 2 || message.charCodeAt(i) !== COLON || message.charCodeAt(i + 1) !== SLASH) return -1
  return message.charCodeAt(i + 2) === SLASH ? pathStop(message, i + 3, i + 3) : -1
}

/** An absolute path with two steps or a digit, a drive path, or three and more steps; else -1. */
export function pathEnd(message: string, start: number): number {
  const first = message.charCodeAt(start)
  if (isLetterCode(first) && message.charCodeAt(start + 1) === COLON && message.charCodeAt(start + 2) === BACKSLASH) {
    return pathStop(message, start + 3, start + 2)
  }
  const second = message.charCodeAt(start + 1)
  const relative = first === DOT && (second === SLASH || (second === DOT && message.charCodeAt(start + 2) === SLASH))
  if (relative) return pathStop(message, start + 2, start + 2)
  const rooted = first === SLASH || (first === TILDE && second === SLASH)
  if (rooted ? first === SLASH && !isWordCode(second) && second !== DOT : !isLetterCode(first)) return -1
  let steps = 0
  let digits = 0
  let i = start
  for (; i < message.length; i += 1) {
    const code = message.charCodeAt(i)
    if (isSpace(code) || isIn(ENDS_PATH, code)) break
    if (code === SLASH) steps += 1
    else if (isDigitCode(code)) digits += 1
    // `a:b` and `a=b` are no paths; nor is `ge-0/0/1`, the name of a port
    if ((code === COLON || code === EQUALS) && (!rooted || steps < 2)) return -1
    if (!rooted && code === SLASH && steps === 1 && isDigitCode(message.charCodeAt(i + 1))) return -1
  }
  const stop = withoutTrailing(message, start, i)
  if (stop <= start + 1) return -1
  if (!rooted) return steps >= 2 ? stop : -1
  if (steps === 1) return digits > 0 && isLetterCode(second) ? stop : -1
  return startsAsAddress(message, start + 1, stop) ? -1 : stop
}

/** `/10.1.2.3:80`: the slash is a mark, the rest an address. */
function startsAsAddress(message: string, start: number, stop: number): boolean {
  let i = start
  while (i < stop && (isDigitCode(message.charCodeAt(i)) || message.charCodeAt(i) === DOT)) i += 1
  return isIpv4(message, start, i)
}

function pathStop(message: string, from: number, least: number): number {
  let i = from
  while (i < message.length && !isSpace(message.charCodeAt(i)) && !isIn(ENDS_PATH, message.charCodeAt(i))) i += 1
  return withoutTrailing(message, least, i)
}

/** `stop`, or where the marks that end a sentence begin before it. */
export function withoutTrailing(message: string, least: number, stop: number): number {
  let i = stop
  while (i > least && isIn(TRAILING, message.charCodeAt(i - 1))) i -= 1
  return i
}

/** The end of a JSON web token, whose parts are base64url with dots between (RFC 7519), or -1; it must not be torn at a mark. */
export function webTokenEnd(message: string, start: number): number {
  if (!message.startsWith('eyJ', start)) return -1
  let i = start
  while (i < message.length && isTokenCode(message.charCodeAt(i))) i += 1
  return i - start > MIN_TOKEN ? i : -1
}

const MIN_TOKEN = 20
const isTokenCode = (code: number): boolean => (isWordCode(code) && code < 128) || code === DOT || code === DASH
