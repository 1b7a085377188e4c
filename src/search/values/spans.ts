/** The stretches of a question that may be values, in the forms they are looked for. */
import { type Token, textOf } from '../planner/tokens.ts'
import { isGlue } from '../planner/words.ts'
import type { Spelled } from './column-values.ts'
import { formOf, hashOf, normalise } from './normalise.ts'

const MAX_SPAN_TOKENS = 8

export interface Span extends Spelled {
  readonly start: number
  readonly end: number
  /** as written; a quoted one without its marks */
  readonly text: string
  /** words that only hold sentences together: a value only where it is spelled exactly so */
  readonly glue: boolean
  /** may be part of a longer value */
  readonly mayBePart: boolean
  /** may be a value with a slip in it */
  readonly mayBeSlip: boolean
}

export function spansOf(question: string, tokens: readonly Token[]): Span[] {
  const spans: Span[] = []
  for (let start = 0; start < tokens.length; start += 1) {
    for (let end = start + 1; end <= Math.min(tokens.length, start + MAX_SPAN_TOKENS); end += 1) {
      const span = spanOf(question, tokens, start, end)
      if (span !== null) spans.push(span)
    }
  }
  return spans
}

function spanOf(question: string, tokens: readonly Token[], start: number, end: number): Span | null {
  const part = tokens.slice(start, end)
  const quoted = part.some((token) => token.quoted)
  if (quoted && part.length > 1) return null // what is quoted is meant whole
  const glue = !quoted && part.every(isGlue)
  // "students with grade A": in capitals and not where every sentence has one
  if (glue && (part[0]?.opens === true || part.some(({ text }) => text !== text.toUpperCase()))) return null
  const text = textOf(question, tokens, start, end)
  const norm = normalise(text)
  const form = formOf(norm)
  const framed = quoted || (!glue && [part[0], part.at(-1)].every((token) => token !== undefined && !isGlue(token)))
  const named = quoted || part.every((token) => isGlue(token) || isName(token))
  return {
    start, end, text, norm, form, glue, normHash: hashOf(norm), formHash: hashOf(form),
    mayBePart: framed && (named || part.length > 1),
    mayBeSlip: framed && named,
  }
}

/** Written like a name: with a capital that no sentence asks for, or letters with digits. */
function isName({ text, opens }: Token): boolean {
  return /\p{Lu}/u.test(opens ? text.slice(1) : text) || (/\p{N}/u.test(text) && /\p{L}/u.test(text))
}
