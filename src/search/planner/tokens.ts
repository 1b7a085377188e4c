/** A question as tokens: words with their place in the text, a lemma, and quoted strings kept whole. */
import { singular } from '../../kernel/text/index.ts'

export interface Token {
  readonly text: string
  readonly lower: string
  readonly lemma: string
  readonly from: number
  readonly to: number
  readonly quoted: boolean
  /** a new sentence begins here */
  readonly opens: boolean
  /** a comma or semicolon stands before it */
  readonly paused: boolean
}

/** Every alternative is linear in the length of the question. */
const WORD = new RegExp(
  [
    /"[^"]{1,200}"|“[^”]{1,200}”|‘[^’]{1,200}’/,
    /(?<![\p{L}\p{N}])'[^'\n]{1,200}'(?![\p{L}\p{N}])/u,
    /\b(?:as well as|along with|together with|his or her|he or she|him or her)\b/,
    /\p{L}+n['’]t\b/u,
    /(?<![\p{L}\p{N}])-\d+(?:\.\d+)?/u,
    /\d{1,3}(?:,\d{3})+(?:\.\d+)?/,
    // identifiers such as ab-07, ge-0/0/1 or a@b.c stay one word
    /[\p{L}\p{N}]+(?:[-_.:/@+&][\p{L}\p{N}]+)*/u,
  ].map(({ source }) => source).join('|'),
  'gu',
)

/** Marks that only structure a sentence. Anything else outside a word (<, %, $, =) may change what is asked. */
const PUNCTUATION = /[\s.,;:?!'"“”‘’()…–—-]/u

const QUOTES = /^["“‘']/
const NEGATED = /^\p{L}+n['’]t$/u

export function tokenise(question: string): Token[] {
  let end = 0
  let shortened = false
  return [...question.matchAll(WORD)].map((match, at) => {
    const gap = question.slice(end, match.index)
    end = match.index + match[0].length
    const quoted = QUOTES.test(match[0])
    // the last point of "M.Sc." or "U.S." ends no sentence
    const ends = /[?!]\s|[?!]$/.test(gap) || (/\.\s|\.$/.test(gap) && !shortened)
    shortened = !quoted && /^\p{L}{1,2}(?:\.\p{L}{1,2})+$/u.test(match[0])
    const text = quoted ? match[0].slice(1, -1) : match[0]
    const lower = quoted ? text.toLowerCase() : saidPlainly(text)
    return {
      text,
      lower,
      lemma: quoted ? lower : singular(lower),
      from: match.index,
      to: end,
      quoted,
      opens: at === 0 || ends,
      paused: /[,;:]/.test(gap),
    }
  })
}

/** "don't have" says "do not have", where the negation is what counts; "as well as" says "and", "his or her" names no choice. */
function saidPlainly(text: string): string {
  if (NEGATED.test(text)) return 'not'
  if (/^h\S+ or /.test(text)) return text.slice(0, text.indexOf(' '))
  return /\s/.test(text) ? 'and' : text.toLowerCase()
}

/** Signs of the question that no token covers and that are not mere punctuation. */
export function straySigns(question: string, tokens: readonly Token[]): string[] {
  const covered = new Set(tokens.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, i) => from + i)))
  // "$ 180" is 180 of what the column counts
  const isCurrency = (at: number) => /^\p{Sc}\s?\d/u.test(question.slice(at, at + 3))
  return [...new Set([...question].filter((sign) => !PUNCTUATION.test(sign)))].filter((sign) => {
    for (let at = question.indexOf(sign); at !== -1; at = question.indexOf(sign, at + 1)) {
      if (!covered.has(at) && !isCurrency(at)) return true
    }
    return false
  })
}

/** The part of the question that the tokens [start, end) cover, as written. */
export const textOf = (question: string, tokens: readonly Token[], start: number, end: number): string =>
  tokens[start]?.quoted === true && end === start + 1
    ? tokens[start].text
    : question.slice(tokens[start]?.from ?? 0, tokens[end - 1]?.to ?? 0)

const SPELLED = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')

/** The number that a token says: digits, digits in groups of three, a small number in letters, once, twice. */
export function numberOf({ lower, quoted }: Token): number | null {
  if (quoted) return null
  if (/^-?\d+(\.\d+)?$/.test(lower)) return Number(lower)
  if (/^\d{1,3}(,\d{3})+(\.\d+)?$/.test(lower)) return Number(lower.replaceAll(',', ''))
  const spelled = SPELLED.indexOf(lower)
  if (spelled > 0) return spelled
  return lower === 'once' ? 1 : lower === 'twice' ? 2 : null
}
