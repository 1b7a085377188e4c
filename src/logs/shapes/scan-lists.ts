/** The lists of shape.ts over bytes: values side by side become one part. */
import type { Tokens } from './scan-columns.ts'
import { KINDS } from './scan-classes.ts'

const { HEX, IP, LIST, NUMBER, PUNCTUATION, TIMESTAMP, VERSION, WORD } = KINDS
const [COLON, EQUALS] = [58, 61] as const

/** Lists become one part; the tokens are moved together in place. How many parts there are then. */
export function join(t: Tokens): number {
  const { count } = t
  let parts = 0
  let opened = false
  for (let i = 0; i < count; parts += 1) {
    const kind = t.kind[i] as number
    const value = kind < WORD
    const bracketed = opened ? bracketEnd(t, i, isMarkAt(t, parts - 2, EQUALS)) : -1
    // a value before a word is alone
    const next = bracketed > i ? bracketed : value && i + 1 < count && t.kind[i + 1] !== WORD ? listEnd(t, i) : i + 1
    opened = kind === PUNCTUATION && isMarkAt(t, i, 91)
    if (next === i + 1 && i === parts && (value || bracketed < 0)) {
      i = next
      continue
    }
    const end = t.end[next - 1] as number
    t.kind[parts] = next - i > 1 || (bracketed > i && !value) ? LIST : (t.kind[i] as number)
    t.start[parts] = t.start[i] as number
    t.end[parts] = end
    t.spaced[parts] = t.spaced[i] as number
    t.keyStart[parts] = t.keyStart[i] as number
    t.keyEnd[parts] = t.keyEnd[i] as number
    t.hashOne[parts] = t.hashOne[i] as number
    t.hashTwo[parts] = t.hashTwo[i] as number
    i = next
  }
  return parts
}

/** Whether a part, which is where its token was or moved to, is this mark. */
function isMarkAt(t: Tokens, i: number, code: number): boolean {
  return i >= 0 && t.kind[i] === PUNCTUATION && t.bytes[t.start[i] as number] === code
    && (t.end[i] as number) - (t.start[i] as number) === 1
}

/** Where the elements of `[shanghai, suzhou]` end, or -1; a single one counts only behind `=`. */
function bracketEnd(t: Tokens, from: number, keyed: boolean): number {
  let at = from
  let elements = 0
  for (;;) {
    if (at >= t.count || t.kind[at] === PUNCTUATION || (elements > 0 && t.spaced[at] === 0)) return -1
    elements += 1
    at += 1
    if (at >= t.count) return -1
    if (isMarkAt(t, at, 93)) break
    if (!isMarkAt(t, at, 44)) return -1
    at += 1
  }
  return elements > 1 || keyed ? at : -1
}

/** Figures go together, anything else with its own kind. */
function alike(t: Tokens, i: number, other: number): boolean {
  return t.kind[i] === t.kind[other] || (isFigure(t.kind[i] as number) && isFigure(t.kind[other] as number))
}

function listEnd(t: Tokens, from: number): number {
  const first = elementEnd(t, from)
  if (first >= t.count) return from + 1
  const marked = t.kind[first] === PUNCTUATION
  let end = first
  let elements = 1
  for (;;) {
    if (marked && !sameMark(t, end, first)) break
    const next = marked ? end + 1 : end
    if (next >= t.count || (t.kind[next] as number) >= WORD || (t.keyEnd[next] as number) > 0 || !alike(t, from, next)) break
    if (!marked && t.spaced[next] === 0) break
    end = elementEnd(t, next)
    elements += 1
  }
  if (elements === 1) return from + 1
  const comma = (t.end[first] as number) - (t.start[first] as number) === 1 && t.bytes[t.start[first] as number] === 44
  return elements >= (!marked || comma ? 2 : 3) ? end : from + 1
}

function sameMark(t: Tokens, i: number, other: number): boolean {
  if (i >= t.count || t.kind[i] !== PUNCTUATION) return false
  const [at, from, size] = [t.start[i] as number, t.start[other] as number, (t.end[other] as number) - (t.start[other] as number)]
  if ((t.end[i] as number) - at !== size) return false
  for (let k = 0; k < size; k += 1) if (t.bytes[at + k] !== t.bytes[from + k]) return false
  return true
}

function elementEnd(t: Tokens, at: number): number {
  if (at + 2 >= t.count || t.kind[at] !== IP || t.kind[at + 1] !== PUNCTUATION || t.kind[at + 2] !== NUMBER) return at + 1
  if (t.spaced[at + 1] === 1 || t.spaced[at + 2] === 1) return at + 1
  return t.end[at + 1] === (t.start[at + 1] as number) + 1 && t.bytes[t.start[at + 1] as number] === COLON ? at + 3 : at + 1
}

const isFigure = (kind: number): boolean => kind === NUMBER || kind === HEX || kind === TIMESTAMP || kind === VERSION
