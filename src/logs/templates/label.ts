/**
 * A template in the convention of the public labelled sets, which write every group of digits as a mask of its own: a decimal is
 * `<*>.<*>`, a date `<*>-<*>-<*>`. To us both are one value; only the evaluation prints them so.
 */
import { isDigitCode, isLetterCode, tokenise } from '../shapes/index.ts'
import type { SlotSketch } from '../shapes/index.ts'
import { MASK } from './show.ts'
import type { Template } from './templates.ts'

/** An id is longer than this many digits; counters joined by `_` are shorter. */
const ID_DIGITS = 8

export function labelText(template: Template): string {
  let slot = 0
  let text = ''
  for (const [i, part] of template.parts.entries()) {
    text += part.spaced && i > 0 ? ' ' : ''
    if (!part.slot) text += part.text
    else {
      const sketch = template.sketches[slot]
      slot += 1
      const pattern = sketch === undefined ? MASK : commonPattern(sketch, part.text)
      text += part.text.replace(MASK, () => pattern)
    }
  }
  return text
}

function commonPattern(sketch: SlotSketch, shown: string): string {
  const head = shown.slice(0, shown.indexOf(MASK)).length
  const tail = shown.length - head - MASK.length
  const patterns = new Set(sketch.values.map(({ text }) => patternOf(text.slice(head, text.length - tail))))
  return patterns.size === 1 ? ([...patterns][0] ?? MASK) : MASK
}

function patternOf(value: string): string {
  const tokens = tokenise(value)
  let text = ''
  for (const [i, token] of tokens.entries()) {
    const own = value.slice(token.start, token.end)
    text += token.spaced && i > 0 ? ' ' : ''
    text += token.kind === 'punctuation' ? own : isFigure(token.kind, own) ? digitGroups(own) : MASK
  }
  return text === '' ? MASK : text
}

const isFigure = (kind: string, text: string): boolean => {
  if (kind === 'ip' || kind === 'uuid') return false
  let digits = 0
  for (let i = 0; i < text.length; i += 1) {
    if (isDigitCode(text.charCodeAt(i))) digits += 1
    else if (isLetterCode(text.charCodeAt(i)) && text[i] !== '_') return false
  }
  return digits > 0 && (kind !== 'identifier' || digits <= ID_DIGITS)
}

function digitGroups(text: string): string {
  let out = ''
  let i = 0
  if (text[0] === '-' || text[0] === '+') i = 1
  while (i < text.length) {
    if (!isDigitCode(text.charCodeAt(i))) {
      out += text[i]
      i += 1
      continue
    }
    while (i < text.length && isDigitCode(text.charCodeAt(i))) i += 1
    out += MASK
  }
  return out
}
