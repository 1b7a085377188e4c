/**
 * Values that are the author's words after all: a word with a digit that never changed (`ssh2`), a key whose value never did
 * (`tty=ssh`) in any statement, brackets that were always empty. Figures stay values however often they repeat, and so does what names a thing or
 * a person: to have seen one host only does not make it part of the statement.
 */
import { distinctOf, isDigitCode, isLetterCode, isLiteral, mainKind } from '../shapes/index.ts'
import type { Shape, SlotSketch } from '../shapes/index.ts'
import { isPrivateValue } from './pii.ts'

/** With more digits it is an id. */
const WORD_DIGITS = 3

export interface Place {
  /** the name before `=`, else empty */
  readonly key: string
  /** a key or a noun says that a name stands here */
  readonly named: boolean
}

/** The constant that a slot is, or null; `lines` is how many must agree where the text alone does not tell. */
export function settledText(sketch: SlotSketch, { key, named }: Place, lines: number): string | null {
  const [only] = sketch.values
  if (only === undefined || distinctOf(sketch) !== 1) return null
  const { text } = only
  const kind = mainKind(sketch)
  if (kind === 'empty' || (kind === 'name' && isLiteral(text, 0, text.length))) return text
  if (named || (kind !== 'identifier' && kind !== 'name' && kind !== 'quoted')) return null
  if (isPrivateValue(text)) return null
  const often = sketch.n >= lines
  return (key === '' ? isWordWithDigit(text, often) : often) ? text : null
}

function isWordWithDigit(text: string, often: boolean): boolean {
  if (!isLetterCode(text.charCodeAt(0))) return false
  const digits = digitsIn(text)
  return digits === 1 || (digits <= WORD_DIGITS && often) || isDottedName(text)
}

/** `org.example.v2.Reader`: a name in a program. */
const isDottedName = (text: string): boolean => text.split('.').length > 2 && /[A-Z]/.test(text)

function digitsIn(text: string): number {
  let digits = 0
  for (let i = 0; i < text.length; i += 1) if (isDigitCode(text.charCodeAt(i))) digits += 1
  return digits
}

/** Keys whose values differ somewhere in the log: they are variables in every statement. */
export function variableKeys(shapes: readonly Shape[]): Set<string> {
  const first = new Map<string, string>()
  const variable = new Set<string>()
  for (const { parts, slots } of shapes) {
    const keys = parts.filter((part) => part.slot).map((part) => part.key)
    for (const [i, key] of keys.entries()) {
      if (key === '') continue
      for (const { hash } of slots[i]?.values ?? []) {
        if ((first.get(key) ?? hash) !== hash) variable.add(key)
        first.set(key, hash)
      }
    }
  }
  return variable
}
