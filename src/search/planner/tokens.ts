/** A question as tokens: words with their place in the text, a lemma, and quoted strings kept whole. */
import { singular } from '../../kernel/text/index.ts'

export interface Token {
  readonly text: string
  readonly lower: string
  readonly lemma: string
  readonly from: number
  readonly to: number
  readonly quoted: boolean
}

// identifiers such as crt-07, ge-0/0/1 or a@b.c stay one word; every alternative is linear
const WORD = /"[^"]{1,200}"|“[^”]{1,200}”|(?<![\p{L}\p{N}])-\d+(?:\.\d+)?|[\p{L}\p{N}]+(?:[-_.:/@+][\p{L}\p{N}]+)*/gu

/** Marks that only structure a sentence. Anything else outside a word (<, %, $, =) may change what is asked. */
const PUNCTUATION = /[\s.,;:?!'"“”‘’()…–—-]/u

export function tokenise(question: string): Token[] {
  return [...question.matchAll(WORD)].map((match) => {
    const quoted = /^["“]/.test(match[0])
    const text = quoted ? match[0].slice(1, -1) : match[0]
    const lower = text.toLowerCase()
    return { text, lower, lemma: quoted ? lower : singular(lower), from: match.index, to: match.index + match[0].length, quoted }
  })
}

/** Signs of the question that no token covers and that are not mere punctuation. */
export function straySigns(question: string, tokens: readonly Token[]): string[] {
  const covered = new Set(tokens.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, i) => from + i)))
  return [...new Set([...question].filter((sign) => !PUNCTUATION.test(sign)))].filter((sign) => {
    for (let at = question.indexOf(sign); at !== -1; at = question.indexOf(sign, at + 1)) if (!covered.has(at)) return true
    return false
  })
}

/** The part of the question that the tokens [start, end) cover, as written. */
export const textOf = (question: string, tokens: readonly Token[], start: number, end: number): string =>
  tokens[start]?.quoted === true && end === start + 1
    ? tokens[start].text
    : question.slice(tokens[start]?.from ?? 0, tokens[end - 1]?.to ?? 0)
