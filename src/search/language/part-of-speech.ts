/** The class of each word of a question, by a small language model that is loaded at the first question. */
import { createRequire } from 'node:module'
import type { ItsHelpers, PartOfSpeech, WinkMethods } from 'wink-nlp'

export type Pos = 'noun' | 'verb' | 'adj' | 'adv' | 'num' | 'other'

const CLASSES: Readonly<Partial<Record<PartOfSpeech, Pos>>> = {
  NOUN: 'noun', PROPN: 'noun', VERB: 'verb', AUX: 'verb', ADJ: 'adj', ADV: 'adv', NUM: 'num',
}

/** The model remembers every word it ever met. It is made anew (150 ms) before that becomes much: about 10 MB. */
const WORDS_REMEMBERED = 100_000

let loaded: WinkMethods | undefined
let wordsMet = 0

/** One class a word, in order. A word that the model takes apart (crt-07, New York) has the class of its last piece with one. */
export function posOf(words: readonly string[]): readonly Pos[] {
  wordsMet += words.length
  if (wordsMet > WORDS_REMEMBERED) [loaded, wordsMet] = [undefined, words.length]
  const model = load()
  const tokens = model.readDoc(words.join(' ')).tokens()
  const its: ItsHelpers = model.its
  const [pieces, gaps, classes] = [tokens.out(its.value), tokens.out(its.precedingSpaces), tokens.out(its.pos)]
  const found: Pos[] = words.map(() => 'other')
  let [at, word, end] = [0, 0, words[0]?.length ?? 0]
  for (const [i, piece] of pieces.entries()) {
    at += (gaps[i] ?? '').length
    while (word < words.length - 1 && at > end) end += 1 + (words[(word += 1)]?.length ?? 0)
    const pos = CLASSES[classes[i] as PartOfSpeech]
    if (pos !== undefined) found[word] = pos
    at += piece.length
  }
  return found
}

function load(): WinkMethods {
  if (loaded !== undefined) return loaded
  // an import would load 50 MB with the program, question or not
  const require = createRequire(import.meta.url)
  const make = require('wink-nlp') as typeof import('wink-nlp').default
  loaded = make(require('wink-eng-lite-web-model'), ['pos'])
  return loaded
}
