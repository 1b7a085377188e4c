/** beside.ts over bytes: what a token is by what stands beside it. */
import { isFileName } from './kinds.ts'
import type { Tokens } from './scan-columns.ts'
import { BITS, BYTE_CLASS, KINDS } from './scan-classes.ts'
import { WORD_FLAGS } from './scan-words.ts'

const CLASS = BYTE_CLASS
const { DATE_WORD, LITERAL, VERSION_WORD, ZONE } = WORD_FLAGS
const { LETTER_BIT } = BITS
const { EMPTY, HOST, IDENTIFIER, IP, NAME, NUMBER, PUNCTUATION, TIMESTAMP, VERSION, WORD } = KINDS
const [SLASH, COLON, EQUALS, DASH] = [47, 58, 61, 45] as const

/** What a token is by what stands beside it, as `settled` of the reference. */
export function settle(t: Tokens): void {
  const b = t.bytes
  let empties = 0
  for (let k = 0; k < t.unsettled; k += 1) {
    const i = t.toSettle[k] as number
    const kind = t.kind[i] as number
    if (kind !== PUNCTUATION) t.kind[i] = kindBeside(t, i, kind)
    else {
      const open = b[t.start[i] as number]
      if ((open === 40 || open === 91) && i + 1 < t.count && isEmptyPair(t, i, open)) empties += 1
    }
  }
  if (empties > 0) insertEmpties(t, empties)
}

function kindBeside(t: Tokens, i: number, kind: number): number {
  const last = i + 1 === t.count
  if (!last && isKey(t, i)) return WORD
  if (kind === NAME) return (t.keyEnd[i] as number) > 0 && !last && isOpenedBehind(t, i) ? WORD : kind
  if ((kind === WORD || kind === IDENTIFIER) && isBeforePort(t, i)) return HOST
  if (kind === IP) return i > 0 && (flagsOf(t, i - 1) & VERSION_WORD) !== 0 ? VERSION : kind
  if (kind !== WORD) return kind
  const flags = flagsOf(t, i)
  if (flags === 0) return kind
  const dated = i > 0 && t.kind[i - 1] === TIMESTAMP
  if ((flags & DATE_WORD) !== 0 && (dated || (!last && isDated(t, i + 1)))) return TIMESTAMP
  if ((flags & ZONE) !== 0 && dated) return TIMESTAMP
  return (flags & LITERAL) !== 0 ? NAME : kind
}

function flagsOf(t: Tokens, i: number): number {
  return t.words.of(t.bytes, t.start[i] as number, t.end[i] as number)
}

/** `Rect` of `bounds=Rect(0, 0)` */
function isOpenedBehind(t: Tokens, i: number): boolean {
  const end = t.end[i] as number
  const open = t.bytes[end]
  return t.start[i + 1] === end && (open === 40 || open === 91 || open === 123)
}

function isKey(t: Tokens, i: number): boolean {
  const end = t.end[i] as number
  return t.keyEnd[i] === 0 && t.start[i + 1] === end && t.end[i + 1] === end + 1 && t.bytes[end] === EQUALS
    && ((CLASS[t.bytes[t.start[i] as number] as number] as number) & LETTER_BIT) !== 0
}

function isEmptyPair(t: Tokens, i: number, open: number): boolean {
  const start = t.start[i] as number
  if (t.spaced[i] !== 1 || (t.end[i] as number) - start !== 1 || t.spaced[i + 1] === 1) return false
  return t.bytes[t.start[i + 1] as number] === (open === 40 ? 41 : 93)
}

/** From the end, so that nothing is overwritten before it has moved. */
function insertEmpties(t: Tokens, empties: number): void {
  let to = t.count + empties - 1
  for (let i = t.count - 1; i >= 0; i -= 1) {
    const open = t.bytes[t.start[i] as number] as number
    const empty = t.kind[i] === PUNCTUATION && (open === 40 || open === 91) && i + 1 < t.count && emptyBehind(t, i, to, open)
    if (empty) t.put(to--, EMPTY, t.end[i] as number, t.end[i] as number, 0, 0, 0)
    t.put(to--, t.kind[i] as number, t.start[i] as number, t.end[i] as number, t.spaced[i] as number, t.keyStart[i] as number, t.keyEnd[i] as number)
  }
  t.count += empties
}

/** Whether the token behind, which has moved to `to + 1`, closes an empty pair. */
function emptyBehind(t: Tokens, i: number, to: number, open: number): boolean {
  const start = t.start[i] as number
  if (t.spaced[i] !== 1 || (t.end[i] as number) - start !== 1 || t.spaced[to + 1] === 1) return false
  return t.bytes[t.start[to + 1] as number] === (open === 40 ? 41 : 93)
}

function isBeforePort(t: Tokens, i: number): boolean {
  const b = t.bytes
  const end = t.end[i] as number
  const code = b[end]
  if ((code !== COLON && code !== SLASH) || i + 2 >= t.count) return false
  if (t.start[i + 1] !== end || t.start[i + 2] !== end + 1) return false
  const digits = (t.end[i + 2] as number) - (t.start[i + 2] as number)
  const port = t.kind[i + 2]
  const named = code === COLON
    ? port === NUMBER && digits >= 2 && digits <= 5 && b[t.end[i + 2] as number] !== COLON
    : code === SLASH && port === IP
  if (!named || isFileName(text(t, i), 0, end - (t.start[i] as number))) return false
  let marks = 0
  for (let at = t.start[i] as number; at < end; at += 1) {
    const inside = b[at]
    if (inside === 46 || inside === DASH) marks += 1
    else if (inside === 95 || inside === 36) return false
  }
  return marks > 0
}

function isDated(t: Tokens, i: number): boolean {
  if (t.spaced[i] !== 1) return false
  if (t.kind[i] === TIMESTAMP || (flagsOf(t, i) & DATE_WORD) !== 0) return true
  return t.kind[i] === NUMBER && (t.end[i] as number) - (t.start[i] as number) <= 2
}

function text(t: Tokens, i: number): string {
  return t.bytes.toString('latin1', t.start[i], t.end[i])
}
