/**
 * A log message as tokens: words that the program's author wrote, punctuation, and values that the program filled in.
 * One pass, left to right. `node=crt-07` is one value with the key `node`.
 */
import { valueKind } from './value-kind.ts'
import type { ValueKind } from './value-kind.ts'

export interface Token {
  /** as written; the inside of a quoted string */
  readonly text: string
  readonly kind: ValueKind | 'punctuation'
  /** the name before `=`, else empty */
  readonly key: string
  /** the quote around a value, else empty */
  readonly quote: string
  /** white space stands before it */
  readonly spaced: boolean
  /** where `text` lies in the message, in UTF-16 units */
  readonly start: number
  readonly end: number
}

/** A line with more tokens than this ends in one token of free text: nobody writes such a statement by hand. */
const MAX_TOKENS = 256
const ALONE = '()[]{}<>,;|'
const TRAILING = '.:!?'

/** True where the program, not its author, chose the text. */
export const isValue = (token: Token): boolean => token.key !== '' || (token.kind !== 'word' && token.kind !== 'punctuation')

export function tokenise(message: string): Token[] {
  const tokens: Token[] = []
  const end = message.length
  const unclosed = new Set<string>() // a quote once searched in vain is not searched again: keeps the pass linear
  let at = 0
  let spaced = false

  const push = (kind: Token['kind'], start: number, stop: number, { key = '', quote = '' } = {}): void => {
    tokens.push({ text: message.slice(start, stop), kind, key, quote, spaced, start, end: stop })
    spaced = false
  }
  /** the end of the string that opens at `from`, or -1 */
  const closing = (from: number): number => {
    const quote = message[from] ?? ''
    if (unclosed.has(quote)) return -1
    for (let i = from + 1; i < end; i += 1) {
      if (message[i] === '\\') i += 1
      else if (message[i] === quote) return i
    }
    unclosed.add(quote)
    return -1
  }

  while (at < end) {
    const char = message[at] ?? ''
    if (isSpace(char)) {
      spaced = true
      at += 1
      continue
    }
    if (tokens.length === MAX_TOKENS) {
      push('text', at, end)
      break
    }
    if (char === '"' || char === "'") {
      const close = closing(at)
      if (close < 0) push('punctuation', at, at + 1)
      else push('quoted', at + 1, close, { quote: char })
      at = close < 0 ? at + 1 : close + 1
      continue
    }
    if (ALONE.includes(char)) {
      push('punctuation', at, at + 1)
      at += 1
      continue
    }
    const stop = runEnd(message, at)
    const equals = keyEnd(message, at, stop)
    if (equals < 0) {
      pushRun(at, stop)
      at = stop
      continue
    }
    const key = message.slice(at, equals)
    const next = message[equals + 1]
    if (next === '"' || next === "'") {
      const close = closing(equals + 1)
      if (close >= 0) {
        push('quoted', equals + 2, close, { key, quote: next })
        at = close + 1
        continue
      }
    }
    const valueStop = stop - trailing(message, equals + 1, stop)
    push(valueKind(message.slice(equals + 1, valueStop)), equals + 1, valueStop, { key })
    if (valueStop < stop) push('punctuation', valueStop, stop)
    at = stop
  }
  return tokens

  function pushRun(start: number, stop: number): void {
    const tail = trailing(message, start, stop)
    if (stop - tail > start) push(valueKind(message.slice(start, stop - tail)), start, stop - tail)
    if (tail > 0) push('punctuation', stop - tail, stop)
  }
}

const isSpace = (char: string): boolean => char <= ' ' || char === '\u00a0' || char === '\u2028' || char === '\u2029'

/** A run ends at white space, at punctuation that stands alone, or at a double quote. */
function runEnd(message: string, from: number): number {
  let i = from
  while (i < message.length) {
    const char = message[i] ?? ''
    if (isSpace(char) || ALONE.includes(char) || char === '"') break
    // `key='a b'`: the quote belongs to the value, and a run would tear it at the space
    if (char === "'" && message[i - 1] === '=') break
    i += 1
  }
  return i
}

/** Where the `=` of `key=value` stands, or -1: a key starts with a letter or `_` and holds letters, digits, `_`, `-` and dots. */
function keyEnd(message: string, from: number, stop: number): number {
  for (let i = from; i < stop; i += 1) {
    const char = message[i] ?? ''
    if (char === '=') return i > from ? i : -1
    const letter = (char >= 'a' && char <= 'z') || (char >= 'A' && char <= 'Z') || char === '_'
    const inner = (char >= '0' && char <= '9') || char === '-' || char === '.'
    if (!letter && !(inner && i > from)) return -1
  }
  return -1
}

/** How many characters of closing punctuation end the run. */
function trailing(message: string, start: number, stop: number): number {
  let n = 0
  while (stop - n > start && TRAILING.includes(message[stop - n - 1] ?? '')) n += 1
  return n
}
