/**
 * The template of the catalogue that is most like a given one. The same statement is found by its words and slots; else words
 * in common are counted, which is cheap, and only the few that share most are laid side by side, which is not.
 */
import { compareText } from '../../kernel/term.ts'
import type { LogTemplate } from '../candidate.ts'
import { type Alignment, type Token, align, tokensOf } from './align.ts'

type Known = Pick<LogTemplate, 'clusterId' | 'template'>

export interface Place<K extends Known> {
  readonly known: K | null
  /** the same statement: nothing of it differs but values */
  readonly same: boolean
  readonly alignment: Alignment
}

const NOTHING: Alignment = { similarity: 0, covered: false, freed: [], lost: [], added: [] }
const SAME: Alignment = { ...NOTHING, similarity: 1, covered: true }

/** Templates laid beside a given one: so many by the share of common words, as many by how much of theirs it holds. */
const CANDIDATES = 8
/** Words that templates of the catalogue share with a given one and that are counted, rarest words first. */
const MOST_COUNTED = 5000

interface Entry<K> {
  readonly known: K
  readonly tokens: readonly Token[]
  readonly words: number
}

export function lookupIn<K extends Known>(catalogue: readonly K[]): (template: Known) => Place<K> {
  const byId = new Map(catalogue.map((known) => [known.clusterId, known]))
  const entries = catalogue.toSorted((x, y) => compareText(x.clusterId, y.clusterId)).map((known): Entry<K> => {
    const tokens = tokensOf(known.template)
    return { known, tokens, words: wordsOf(tokens).length }
  })
  const byText = new Map(entries.toReversed().map((entry) => [textOf(entry.tokens), entry.known]))
  const byWord = new Map<string, number[]>()
  for (const [i, { tokens }] of entries.entries()) {
    for (const word of wordsOf(tokens)) {
      const list = byWord.get(word)
      if (list === undefined) byWord.set(word, [i])
      else list.push(i)
    }
  }
  return (template) => {
    const tokens = tokensOf(template.template)
    const exact = byId.get(template.clusterId) ?? byText.get(textOf(tokens))
    if (exact !== undefined) return { known: exact, same: true, alignment: SAME }
    let best: Place<K> = { known: null, same: false, alignment: NOTHING }
    for (const i of likely(tokens, entries, byWord)) {
      const { known, tokens: other } = entries[i]!
      const alignment = align(other, tokens)
      if (isBetter(alignment, best.alignment)) best = { known, same: alignment.covered, alignment }
    }
    return best
  }
}

const textOf = (tokens: readonly Token[]): string => tokens.map(({ text }) => text).join(' ')

const wordsOf = (tokens: readonly Token[]): string[] => [...new Set(tokens.filter(({ slot }) => !slot).map(({ text }) => text))]

const isBetter = (x: Alignment, y: Alignment): boolean => (x.covered === y.covered ? x.similarity > y.similarity : x.covered)

/** Entries that share most words, in the order of the entries. */
function likely(tokens: readonly Token[], entries: readonly Entry<unknown>[], byWord: ReadonlyMap<string, readonly number[]>): number[] {
  const words = wordsOf(tokens)
  const lists = words.flatMap((word) => [byWord.get(word) ?? []]).toSorted((x, y) => x.length - y.length)
  const shared = new Map<number, number>()
  let counted = 0
  for (const list of lists) {
    // a word that many have says little
    if (counted > 0 && counted + list.length > MOST_COUNTED) break
    counted += list.length
    for (const i of list) shared.set(i, (shared.get(i) ?? 0) + 1)
  }
  const alike = (i: number, count: number): number => (2 * count) / (words.length + entries[i]!.words)
  // among those that it holds as far, the one with more words in common
  const held = (i: number, count: number): number => count / entries[i]!.words + count / 1e6
  return [...new Set([...highest(shared, alike), ...highest(shared, held)])].toSorted((x, y) => x - y)
}

/** The CANDIDATES with the highest scores in one pass, the earlier entry first among equals. */
function highest(shared: ReadonlyMap<number, number>, scoreOf: (i: number, count: number) => number): number[] {
  const top: { readonly i: number; readonly score: number }[] = []
  const isBefore = (x: { i: number; score: number }, y: { i: number; score: number }): boolean => x.score > y.score || (x.score === y.score && x.i < y.i)
  for (const [i, count] of shared) {
    const one = { i, score: scoreOf(i, count) }
    if (top.length === CANDIDATES && !isBefore(one, top.at(-1)!)) continue
    if (top.length === CANDIDATES) top.pop()
    const at = top.findIndex((each) => isBefore(one, each))
    top.splice(at < 0 ? top.length : at, 0, one)
  }
  return top.map(({ i }) => i)
}
