/** How the values of a slot are shown: as `<*>`, with what all of them begin or end with (`blk_<*>`, `<*>ms`). Nothing of a private value is shown. */
import { isDigitCode, isLetterCode, mainKind } from '../shapes/index.ts'
import type { SlotSketch } from '../shapes/index.ts'
import { isPrivateValue } from './pii.ts'

export const MASK = '<*>'

/** How a slot is shown. */
export function shownSlot(sketch: SlotSketch, key: string, isPrivate = false): string {
  const kind = mainKind(sketch)
  if (isPrivate) return MASK
  if (key !== '' && kind !== 'duration') return MASK
  const texts = sketch.values.map((value) => value.text)
  if (texts.some(isPrivateValue)) return MASK
  if (kind === 'identifier' || kind === 'list') return `${commonHead(texts)}${MASK}`
  if (kind === 'iri') return `${commonScheme(texts)}${MASK}`
  if (kind === 'duration') return `${MASK}${commonUnit(texts)}`
  return MASK
}

/** What all begin with before their first digit; up to a mark in it where they go different ways. */
function commonHead(texts: readonly string[]): string {
  const words = texts.flatMap((text) => text.split(' '))
  const heads = words.map(headOf)
  let head = heads[0] ?? ''
  for (const each of heads) while (!each.startsWith(head)) head = head.slice(0, -1)
  const forked = heads.some((each) => each !== head)
  if (forked) while (head !== '' && isLetterCode(head.charCodeAt(head.length - 1))) head = head.slice(0, -1)
  const letters = [...head].filter((char) => isLetterCode(char.charCodeAt(0)) && char !== '_').length
  // one letter is a head only of plain figures: `v1.2`, `U07`, not `R00-M1`
  return letters >= 2 || (letters === 1 && !forked && words.every((word) => isFigures(word.slice(head.length)))) ? head : ''
}

const isFigures = (text: string): boolean =>
  text !== '' && [...text].every((char) => char === '.' || isDigitCode(char.charCodeAt(0)))

function headOf(text: string): string {
  let i = 0
  while (i < text.length && !isDigitCode(text.charCodeAt(i))) i += 1
  if (text[i - 1] === '-' && text[i - 2] === '_') i -= 1
  return text.slice(0, i)
}

function commonScheme(texts: readonly string[]): string {
  const schemes = new Set(texts.map((text) => text.slice(0, text.indexOf('://') + 3)))
  return schemes.size === 1 ? ([...schemes][0] ?? '') : ''
}

function commonUnit(texts: readonly string[]): string {
  const units = new Set(texts.map((text) => {
    let i = text.length
    while (i > 0 && isLetterCode(text.charCodeAt(i - 1))) i -= 1
    return text.slice(i)
  }))
  return units.size === 1 ? ([...units][0] ?? '') : ''
}
