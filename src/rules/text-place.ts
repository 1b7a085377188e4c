/** Where a term stands in the text of a rule: faults of a compiled rule are told at the word that caused them. */
import { STANDARD_PREFIXES } from '../kernel/rdf/index.ts'

export interface Place {
  readonly line: number
  readonly column: number
}

/** Line and column, both from 1, of an offset in UTF-16 units. */
export function placeAt(text: string, offset: number): Place {
  const before = text.slice(0, offset)
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') }
}

/** The first place outside comments where the text names this IRI, in full or under a prefix; undefined when it does not. */
export function placeOfIri(text: string, value: string): Place | undefined {
  const plain = text.replaceAll(/(^|[\s;.,{}[\]()])#[^\n]*/g, (comment) => ' '.repeat(comment.length))
  const spellings = [`<${value}>`, ...prefixesIn(text).flatMap(([prefix, namespace]) => {
    return value.startsWith(namespace) ? [`${prefix}:${value.slice(namespace.length)}`] : []
  })]
  const offsets = spellings.map((spelling) => wordAt(plain, spelling)).filter((at) => at >= 0)
  return offsets.length === 0 ? undefined : placeAt(text, Math.min(...offsets))
}

/** Declared ones and the standard ones, which rules need not declare. */
function prefixesIn(text: string): (readonly [string, string])[] {
  const declared = [...text.matchAll(/prefix\s+([^\s:<]*):\s*<([^<>]*)>/gi)].map(([, prefix = '', name = '']) => [prefix, name] as const)
  return [...declared, ...Object.entries(STANDARD_PREFIXES)]
}

function wordAt(text: string, word: string): number {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const [before, behind] = [text[at - 1] ?? ' ', text.slice(at + word.length)]
    const isWhole = !/[\p{L}\p{N}_-]/u.test(before) && !/^(?:[\p{L}\p{N}_-]|\.[\p{L}\p{N}_])/u.test(behind)
    if (word.startsWith('<') || isWhole) return at
  }
  return -1
}
