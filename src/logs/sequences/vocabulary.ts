/** Templates as small numbers, as the detectors want them. */
import { compareText } from '../../kernel/term.ts'

export interface Vocabulary {
  /** templates that were learned; symbol `size` stands for every other */
  readonly size: number
  readonly templates: readonly string[]
  readonly encode: (templates: readonly string[]) => number[]
}

/** In order of the templates' own text, so that the order of the sequences changes nothing. */
export function vocabularyOf(sequences: readonly (readonly string[])[]): Vocabulary {
  const templates = [...new Set(sequences.flat())].toSorted(compareText)
  const symbolOf = new Map(templates.map((template, i) => [template, i]))
  const size = templates.length
  return { size, templates, encode: (given) => given.map((template) => symbolOf.get(template) ?? size) }
}
