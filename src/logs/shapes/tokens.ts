/**
 * A message as tokens: words that the program's author wrote, punctuation, and values that the program filled in. One pass,
 * left to right, by classes of characters; a version over UTF-8 bytes gives the same tokens, as everything beyond ASCII is a
 * letter and only the codes up to 32 are space.
 */
import { settled } from './beside.ts'
import { isIn, isSpace, table } from './chars.ts'
import {
  BACKSLASH, COLON, DASH, EQUALS, isDigitCode, isIpv4, isLetterCode, isWordCode, kindOf, PLUS, SLASH,
} from './kinds.ts'
import type { TokenKind } from './kinds.ts'
import { pathEnd, webEnd, webTokenEnd, withoutTrailing } from './paths.ts'

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

/**
 * A line with more tokens than this ends in one token of free text: nobody writes such a statement by hand. It also bounds the
 * work, as some tokens look ahead to the end of the line.
 */
export const MAX_TOKENS = 512

/** They end a run of characters wherever they stand. */
const ALONE = table('()[]{}<>,;|"=\'')
/** Between two word characters they belong to the word. */
const INNER = table('.-$\'')
const QUOTES = table('"\'')

/** Tokens so far, and where the next one begins. */
interface Cursor {
  readonly tokens: Token[]
  at: number
  spaced: boolean
}

export function tokenise(message: string): Token[] {
  const cursor: Cursor = { tokens: [], at: 0, spaced: false }
  while (cursor.at < message.length) {
    if (isSpace(message.charCodeAt(cursor.at))) {
      cursor.spaced = true
      cursor.at += 1
    } else if (cursor.tokens.length >= MAX_TOKENS) push(cursor, 'text', message.length)
    else run(message, cursor)
  }
  return settled(message, cursor.tokens)
}

/** Everything from the cursor up to `end` is one token. */
function push(cursor: Cursor, kind: TokenKind, end: number, key = ''): void {
  cursor.tokens.push({ kind, start: cursor.at, end, spaced: cursor.spaced, key })
  cursor.at = end
  cursor.spaced = false
}

/** A lone mark, a quoted value behind a key, or a run: one value, or words, values and marks in turn. */
function run(message: string, cursor: Cursor): void {
  const start = cursor.at
  const code = message.charCodeAt(start)
  const key = keyBefore(message, cursor.tokens, start)
  if (key !== '' && isIn(QUOTES, code)) {
    const close = closingQuote(message, start)
    if (close > start + 1) {
      push(cursor, 'punctuation', start + 1)
      push(cursor, 'quoted', close, key)
      return push(cursor, 'punctuation', close + 1)
    }
  }
  if (isIn(ALONE, code)) return push(cursor, 'punctuation', sameEnd(message, start))
  if (code === BACKSLASH && isOctal(message, start + 1)) return push(cursor, 'punctuation', start + 4)
  const token = webTokenEnd(message, start)
  if (token > start) return push(cursor, 'identifier', token, key)
  const web = webEnd(message, start)
  if (web > start) return push(cursor, 'iri', web, key)
  const path = pathEnd(message, start)
  if (path > start) return push(cursor, 'path', path, key)
  const stop = runEnd(message, start)
  const end = withoutTrailing(message, start, stop)
  if (end > start && (key !== '' || isWordCode(code) || code === COLON)) {
    const kind = kindOf(message, start, end)
    const plain = kind === 'word' || kind === 'identifier' || kind === 'host'
    if (!plain) return push(cursor, kind, end, key)
    // `key=10.0.0.1:443`: address and port are two values, anything else behind a key or in quotes is one
    const whole = !hasPort(message, start, end)
    if (whole && key !== '') return push(cursor, kind === 'word' ? 'name' : kind, end, key)
    if (whole && kind !== 'word' && isQuoted(message, cursor, stop)) return push(cursor, kind, stop)
  }
  piece(message, cursor, stop, key)
  while (cursor.at < stop && cursor.tokens.length < MAX_TOKENS) piece(message, cursor, stop, '')
}

/** The next word, value or mark of a run. */
function piece(message: string, cursor: Cursor, stop: number, key: string): void {
  const start = cursor.at
  const code = message.charCodeAt(start)
  const afterMark = start === 0 || !isWordCode(message.charCodeAt(start - 1))
  if (code === SLASH && afterMark) {
    const path = pathEnd(message, start)
    if (path > start) return push(cursor, 'path', path, key)
  }
  const signed = (code === DASH || code === PLUS) && afterMark && isDigitCode(message.charCodeAt(start + 1))
  if (!signed && !isWordCode(code)) return push(cursor, 'punctuation', Math.min(stop, sameEnd(message, start)))
  const end = nameEnd(message, signed ? start + 1 : start, stop)
  push(cursor, kindOf(message, start, end), end, key)
}

function runEnd(message: string, from: number): number {
  let i = from
  while (i < message.length && !isSpace(message.charCodeAt(i)) && !isIn(ALONE, message.charCodeAt(i))) {
    if (message.charCodeAt(i) === BACKSLASH && isOctal(message, i + 1)) break
    i += 1
  }
  return i
}

/** The same quote stands directly before the cursor and at `stop`: a mark, or the octal number of one. */
function isQuoted(message: string, { tokens }: Cursor, stop: number): boolean {
  const before = tokens.at(-1)
  if (before === undefined || before.kind !== 'punctuation' || stop >= message.length) return false
  const mark = message.slice(before.start, before.end)
  const quote = mark === '\\042' || (mark.length === 1 && isIn(QUOTES, mark.charCodeAt(0)))
  return quote && message.startsWith(mark, stop)
}

/** The key of `key=`, where the message goes on directly behind it. */
function keyBefore(message: string, tokens: readonly Token[], at: number): string {
  const equals = tokens[tokens.length - 1]
  const name = tokens[tokens.length - 2]
  if (equals === undefined || name === undefined || equals.end !== at || name.end !== equals.start) return ''
  if (equals.end - equals.start !== 1 || message.charCodeAt(equals.start) !== EQUALS) return ''
  return name.kind !== 'punctuation' && isLetterCode(message.charCodeAt(name.start)) ? message.slice(name.start, name.end) : ''
}

/** Three digits behind a backslash stand for a character that the writer of the log could not print. */
function isOctal(message: string, at: number): boolean {
  for (let i = at; i < at + 3; i += 1) {
    const code = message.charCodeAt(i)
    if (!(code >= 48 && code <= 55)) return false
  }
  return true
}

/** Where the quoted text that opens at `from` ends, or -1. */
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
    else if (isIn(INNER, code)) {
      const after = sameEnd(message, i)
      if (after >= stop || !isWordCode(message.charCodeAt(after)) || (after > i + 1 && code !== DASH)) break
      i = after + 1
    } else break
  }
  return Math.min(i, stop)
}

/** `10.0.0.1:443` after a key: address and port are two values. */
function hasPort(message: string, start: number, end: number): boolean {
  let i = start
  while (i < end && message.charCodeAt(i) !== COLON) i += 1
  return i < end && isIpv4(message, start, i)
}
