/**
 * A template in the convention of the public labelled sets, which write every group of digits as a mask of its own: a decimal is
 * `<*>.<*>`, a date `<*>-<*>-<*>`. To us both are one value; only the evaluation prints them so.
 */
import { isDigitCode, isLetterCode, mainKind, tokenise } from '../shapes/index.ts'
import type { SlotSketch, ValueKind } from '../shapes/index.ts'
import { MASK } from './show.ts'
import type { Template } from './templates.ts'

/** Behind a name an id has more digits than this; counters joined by `_` have fewer: `job_1445144423722_20`, `rdd_4_2`. */
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

const FIGURES: ReadonlySet<ValueKind> = new Set(['number', 'duration', 'timestamp', 'version', 'identifier', 'list'])

function commonPattern(sketch: SlotSketch, shown: string): string {
  if (!FIGURES.has(mainKind(sketch))) return MASK
  const isVersion = mainKind(sketch) === 'version'
  const head = shown.indexOf(MASK)
  const tail = shown.length - head - MASK.length
  const inner = (text: string): string => text.slice(head, text.length - tail)
  const pattern = (text: string): string => (isVersion ? versionPattern(text) : patternOf(inner(text), head > 0))
  const patterns = new Set(sketch.values.map(({ text }) => pattern(text)))
  return patterns.size === 1 ? ([...patterns][0] ?? MASK) : MASK
}

/** `1.2.3` by its groups, `HTTP/1.1` as one. */
const versionPattern = (text: string): string => (isDigitCode(text.charCodeAt(0)) ? digitGroups(text) : MASK)

function patternOf(value: string, headed: boolean): string {
  const tokens = tokenise(value)
  let text = ''
  for (const [i, token] of tokens.entries()) {
    const own = value.slice(token.start, token.end)
    text += token.spaced && i > 0 ? ' ' : ''
    text += token.kind === 'punctuation' ? own : isFigure(token.kind, own, headed) ? digitGroups(own) : MASK
  }
  return text === '' ? MASK : text
}

const isFigure = (kind: string, text: string, headed: boolean): boolean => {
  if (kind === 'ip' || kind === 'uuid') return false
  let digits = 0
  for (let i = 0; i < text.length; i += 1) {
    if (isDigitCode(text.charCodeAt(i))) digits += 1
    else if (isLetterCode(text.charCodeAt(i)) && text[i] !== '_') return false
  }
  return digits > 0 && (!headed || kind !== 'identifier' || digits <= ID_DIGITS)
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
