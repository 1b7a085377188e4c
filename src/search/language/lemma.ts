/** The base form of a word: irregular forms from WordNet's lists, regular endings where what is left is a known word. */
import { readFileSync } from 'node:fs'
import { singular } from '../../kernel/text/index.ts'
import { degreesOf } from './degrees.ts'
import { WORD_CLASSES, isLemma } from './wordnet.ts'
import type { WordClass } from './wordnet.ts'

interface Form {
  readonly lemma: string
  /** met more often than a word that looks the same */
  readonly usual: boolean
}

/** Endings and what stands in their place, the more special one first. */
const ENDINGS: Readonly<Record<'verb' | 'adj', readonly (readonly [string, string])[]>> = {
  verb: [
    ['ies', 'y'], ['ied', 'y'], ['ying', 'ie'], ['es', 'e'], ['es', ''], ['s', ''],
    ['ed', 'e'], ['ed', ''], ['ing', 'e'], ['ing', ''],
  ],
  adj: [['iest', 'y'], ['ier', 'y'], ['est', 'e'], ['est', ''], ['er', 'e'], ['er', '']],
}

/** Short forms and spellings that no list has. */
const CONTRACTED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "'s": 'be', "'re": 'be', "'m": 'be', "'ve": 'have', "isn't": 'be', "aren't": 'be', "wasn't": 'be', "weren't": 'be',
    "don't": 'do', "doesn't": 'do', "didn't": 'do', "hasn't": 'have', "haven't": 'have', "hadn't": 'have',
    am: 'be', are: 'be', is: 'be', was: 'be', were: 'be', been: 'be', has: 'have', had: 'have', does: 'do', did: 'do',
  }),
)
/** Words that end like a form and are none; pronouns and prepositions are in no list of nouns and verbs. */
const CLOSED: ReadonlySet<string> = new Set(
  `this its his hers ours theirs yours us as thus yes during her per over under after never ever other than whose those these
  the of on in at to by or and an a i it he she we they you me him them who whom which what when where why how not no nor
  but if so for from with without into onto upon since until besides always perhaps afterwards inner outer upper utter
  modest honest earnest former latter proper`.split(/\s+/),
)

let loaded: ReadonlyMap<string, Form> | undefined

/**
 * `lemmaOf('played')` is `'play'`, `lemmaOf('written')` is `'write'`, `lemmaOf('children')` is `'child'`; the class decides where
 * a form has two: `lemmaOf('leaves', 'verb')` is `'leave'`. Words in lower case come out; an unknown one only loses its plural.
 */
export function lemmaOf(token: string, pos?: WordClass): string {
  const word = token.toLowerCase().replaceAll('’', "'").replace(/(?<=[\p{L}\p{N}])(?:'s|(?<=s)')$/u, '')
  const contracted = CONTRACTED.get(word)
  if (contracted !== undefined) return contracted
  if (CLOSED.has(word)) return word
  if (pos === 'noun') return nounOf(word) ?? singular(word)
  if (pos === 'verb' || pos === 'adj') return formOf(word, pos) ?? endingOff(word, pos) ?? word
  if (pos === 'adv') return formOf(word, 'adj') ?? word
  return lemmaOfAnyClass(word)
}

/** Nouns first, since tables and columns are nouns; but a form that people mean more often as a verb is one: found, left, saw. */
function lemmaOfAnyClass(word: string): string {
  const usual = (['noun', 'verb', 'adj'] as const).find((pos) => forms().get(pos[0] + word)?.usual === true)
  if (usual !== undefined) return usual === 'noun' ? (nounOf(word) ?? word) : (forms().get(usual[0] + word)?.lemma ?? word)
  const compared = endingOff(word, 'adj')
  if (compared !== undefined && degreesOf(compared).length > 0) return compared
  // an adjective that is a verb's form (listed, ordered) leads to the verb, which leads further
  return nounOf(word) ?? compared ?? endingOff(word, 'verb') ?? (isKnown(word) ? word : singular(word))
}

const isKnown = (word: string): boolean => WORD_CLASSES.some((pos) => isLemma(word, pos))

/** Null when no known noun comes out. The plurals of the kernel go first: labels are made with them. */
function nounOf(word: string): string | null {
  const form = forms().get(`n${word}`)
  const one = singular(word)
  if (one !== word && isLemma(one, 'noun')) return one
  if (form?.usual === true) return form.lemma
  const candidates = [word.replace(/men$/, 'man'), word, word.replace(/ies$/, 'ie'), word.replace(/(?<=ch|sh|[osxz])es$/, '')]
  return candidates.find((each) => isLemma(each, 'noun')) ?? form?.lemma ?? null
}

function formOf(word: string, pos: 'verb' | 'adj'): string | undefined {
  const form = forms().get(pos[0] + word)
  return form === undefined || (!form.usual && isLemma(word, pos)) ? undefined : form.lemma
}

/** The known word that is left when a regular ending goes; a doubled letter may go with it. */
function endingOff(word: string, pos: 'verb' | 'adj'): string | undefined {
  if (pos === 'verb' && isLemma(word, 'verb')) return word
  for (const [end, instead] of ENDINGS[pos]) {
    const stem = word.slice(0, -end.length)
    if (!word.endsWith(end) || stem.length < 2) continue
    const candidates = instead === '' && /(.)\1$/.test(stem) ? [stem, stem.slice(0, -1)] : [stem + instead]
    const found = candidates.find((each) => (pos === 'verb' || each.length > 2) && isLemma(each, pos))
    if (found !== undefined) return found
  }
  return undefined
}

/** A line reads `vwrote! write`: the class, the form, whether it is usual, the base form. */
function forms(): ReadonlyMap<string, Form> {
  if (loaded !== undefined) return loaded
  const text = readFileSync(new URL('./data/forms.txt', import.meta.url), 'utf8')
  loaded = new Map(
    text.trimEnd().split('\n').map((line) => {
      const space = line.indexOf(' ')
      const usual = line[space - 1] === '!'
      return [line.slice(0, usual ? space - 1 : space), { lemma: line.slice(space + 1), usual }]
    }),
  )
  return loaded
}
