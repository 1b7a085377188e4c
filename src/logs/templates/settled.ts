/**
 * Values that are the author's words after all: a word with a digit that never changed (`ssh2`), a key whose value never did
 * (`tty=ssh`), brackets that were always empty. Figures stay values however often they repeat, and so does what names a thing or
 * a person: to have seen one host only does not make it part of the statement.
 */
import { distinctOf, isDigitCode, isLetterCode, isLiteral, mainKind } from '../shapes/index.ts'
import type { SlotSketch, ValueKind } from '../shapes/index.ts'

/** With more digits it is an id. */
const WORD_DIGITS = 3

export interface Place {
  /** the name before `=`, else empty */
  readonly key: string
  /** a key or a noun says that a name stands here */
  readonly named: boolean
}

/** The constant that a slot is, or null; `lines` is how many must agree where the text alone does not tell. */
export function settledText(sketch: SlotSketch, place: Place, lines: number): string | null {
  const [only] = sketch.values
  if (only === undefined || distinctOf(sketch) !== 1) return null
  const kind = mainKind(sketch)
  if (kind === 'empty' || (kind === 'name' && isLiteral(only.text, 0, only.text.length))) return only.text
  return !place.named && isSettled(kind, place.key, only.text, sketch.n >= lines) ? only.text : null
}

function isSettled(kind: ValueKind, key: string, text: string, often: boolean): boolean {
  if (kind !== 'identifier' && kind !== 'name' && kind !== 'quoted') return false
  if (key !== '') return often
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

