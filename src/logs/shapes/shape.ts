/**
 * The shape of a message: what its author wrote, with a slot where the program filled in a value. Lines of one statement have
 * one shape, or few; the template pass brings those few together. Lists of any length have one shape.
 */
import { hash64 } from '../../kernel/text/index.ts'
import type { ValueKind } from './kinds.ts'
import { tokenise } from './tokens.ts'
import type { Token } from './tokens.ts'

export interface Constant {
  readonly slot: false
  readonly text: string
  readonly spaced: boolean
  readonly start: number
  readonly end: number
}

export interface SlotPart {
  readonly slot: true
  /** empty: the value lies in the message */
  readonly text: ''
  readonly kind: ValueKind
  /** the name before `=`, else empty */
  readonly key: string
  readonly spaced: boolean
  /** where the value lies in the message */
  readonly start: number
  readonly end: number
}

export type Part = Constant | SlotPart

export interface MessageShape {
  /** 64 bits as 16 hex digits */
  readonly key: string
  readonly parts: readonly Part[]
}

/** Stands for a slot where keys are made: no message holds it as a constant, as codes up to 32 are space. */
const SLOT_MARK = '\0'

export function shapeOf(message: string): MessageShape {
  const parts = partsOf(message)
  return { key: hash64(keyText(parts)), parts }
}

/** What the key is the hash of: constants as written, slots as one mark, one space where there was any. */
export function keyText(parts: readonly { readonly slot: boolean; readonly spaced: boolean; readonly text: string }[]): string {
  let text = ''
  for (const [i, part] of parts.entries()) text += (part.spaced && i > 0 ? ' ' : '') + (part.slot ? SLOT_MARK : part.text)
  return text
}

export function partsOf(message: string): Part[] {
  const tokens = tokenise(message)
  const parts: Part[] = []
  for (let i = 0; i < tokens.length; ) {
    const token = tokens[i] as Token
    const bracketed = isMark(message, tokens[i - 1], '[') ? bracketEnd(message, tokens, i) : -1
    const next = bracketed > i ? bracketed : isValue(token) ? listEnd(message, tokens, i) : i + 1
    const last = tokens[next - 1] as Token
    if (bracketed < 0 && !isValue(token)) {
      const { start, end, spaced } = token
      parts.push({ slot: false, text: message.slice(start, end), spaced, start, end })
    } else {
      const kind = next - i > 1 || !isValue(token) ? 'list' : (token.kind as ValueKind)
      parts.push({ slot: true, text: '', kind, key: token.key, spaced: token.spaced, start: token.start, end: last.end })
    }
    i = next
  }
  return parts
}

const isValue = (token: Token): boolean => token.kind !== 'word' && token.kind !== 'punctuation'
const isMark = (message: string, token: Token | undefined, text: string): boolean =>
  token?.kind === 'punctuation' && message.startsWith(text, token.start) && token.end - token.start === text.length

/**
 * Where the list that begins at `from` ends: values side by side, or with one and the same mark between them. A comma makes a
 * list of two, other marks of three and more. An element is a value, or two with a colon (address and port).
 */
function listEnd(message: string, tokens: readonly Token[], from: number): number {
  const first = tokens[from] as Token
  let end = elementEnd(message, tokens, from)
  const between = tokens[end]
  const mark = between?.kind === 'punctuation' ? message.slice(between.start, between.end) : ''
  let elements = 1
  for (;;) {
    const next = mark === '' ? end : isMark(message, tokens[end], mark) ? end + 1 : tokens.length
    const token = tokens[next]
    if (token === undefined || !isValue(token) || token.key !== '' || !isAlike(first, token)) break
    if (mark === '' && !token.spaced) break
    end = elementEnd(message, tokens, next)
    elements += 1
  }
  return elements >= (mark === '' || mark === ',' ? 2 : 3) ? end : from + 1
}

/**
 * Where the elements of `[shanghai, suzhou]` end, which may be words: so collections are printed. A single element counts only
 * behind `=`, as people put words in brackets. -1 where it is none.
 */
function bracketEnd(message: string, tokens: readonly Token[], from: number): number {
  let at = from
  let elements = 0
  for (;;) {
    const element = tokens[at]
    if (element === undefined || element.kind === 'punctuation' || (elements > 0 && !element.spaced)) return -1
    elements += 1
    at += 1
    if (isMark(message, tokens[at], ']')) break
    if (!isMark(message, tokens[at], ',')) return -1
    at += 1
  }
  return elements > 1 || isMark(message, tokens[from - 2], '=') ? at : -1
}

/** Figures go together, anything else with its own kind. */
const isAlike = (x: Token, y: Token): boolean => x.kind === y.kind || (isFigure(x) && isFigure(y))
const isFigure = ({ kind }: Token): boolean => kind === 'number' || kind === 'hex' || kind === 'timestamp' || kind === 'version'

function elementEnd(message: string, tokens: readonly Token[], at: number): number {
  const port = tokens[at + 2]
  const colon = tokens[at + 1]
  const glued = colon !== undefined && !colon.spaced && port !== undefined && !port.spaced && port.kind === 'number'
  return glued && isMark(message, colon, ':') && tokens[at]?.kind === 'ip' ? at + 3 : at + 1
}
