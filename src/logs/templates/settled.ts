/**
 * Values that are the author's words after all: a word with a digit that never changed (`ssh2`), a key whose value never did
 * (`tty=ssh`), brackets that were always empty. Figures stay values however often they repeat, and so does what names a thing or
 * a person: to have seen one host only does not make it part of the statement.
 */
import { isPrivateName } from './pii.ts'
import { distinctOf, isDigitCode, isLetterCode, mainKind } from '../shapes/index.ts'
import type { SlotSketch, ValueKind } from '../shapes/index.ts'
import { isNaming } from './words.ts'

/** From so many lines on, a value that never changed is taken for the author's word. */
const SETTLED_LINES = 20
/** With more digits it is an id. */
const WORD_DIGITS = 3

/** The constant that a slot is, or null. */
export function settledText(sketch: SlotSketch, key: string): string | null {
  const [only] = sketch.values
  if (only === undefined || distinctOf(sketch) !== 1) return null
  return isSettled(sketch, mainKind(sketch), key, only.text) ? only.text : null
}

function isSettled(sketch: SlotSketch, kind: ValueKind, key: string, text: string): boolean {
  if (kind === 'empty') return true
  if (kind !== 'identifier' && kind !== 'name' && kind !== 'quoted') return false
  if (key !== '') return sketch.n >= SETTLED_LINES && !isNaming(key) && !isPrivateName(key)
  if (!isLetterCode(text.charCodeAt(0))) return false
  const digits = digitsIn(text)
  return digits === 1 || (digits <= WORD_DIGITS && sketch.n >= SETTLED_LINES) || isDottedName(text)
}

/** `org.example.v2.Reader`: a name in a program. */
const isDottedName = (text: string): boolean => text.split('.').length > 2 && /[A-Z]/.test(text)

function digitsIn(text: string): number {
  let digits = 0
  for (let i = 0; i < text.length; i += 1) if (isDigitCode(text.charCodeAt(i))) digits += 1
  return digits
}

