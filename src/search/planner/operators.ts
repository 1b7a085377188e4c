/**
 * The small closed lexicon of what English says about quantities, order and absence. It is about the language, never about a
 * database; each entry is a phrase and what it asks for.
 */
import { type Degree, comparedForms, degreeAdjectives, degreesOf } from '../language/degrees.ts'
import type { Token } from './tokens.ts'

export type Comparison = '=' | '!=' | '<' | '<=' | '>' | '>='
export type Fold = 'avg' | 'sum' | 'max' | 'min'

export type Operation =
  | { readonly kind: 'count' }
  | { readonly kind: 'fold'; readonly fold: Fold }
  /** the one at an end of a scale: "highest", "oldest", "latest"; `degree`: what the adjective may measure, the likeliest first */
  | { readonly kind: 'extreme'; readonly up: boolean; readonly degree: readonly Degree[] }
  /** the one with the most or fewest of something; `often`: that occurs most or least often */
  | { readonly kind: 'most'; readonly up: boolean; readonly often: 'no' | 'which' | 'how' }
  | { readonly kind: 'top' }
  | { readonly kind: 'compare'; readonly op: Comparison; readonly degree: readonly Degree[] }
  /** before what is compared: "a higher capacity than" */
  | { readonly kind: 'graded'; readonly op: '<' | '>' }
  | { readonly kind: 'between' }
  /** after a number: "3 or more" */
  | { readonly kind: 'bound'; readonly op: '>=' | '<=' }
  | { readonly kind: 'negation'; readonly lacking: boolean }
  | { readonly kind: 'or' }
  /** more than one */
  | { readonly kind: 'several' }
  /** after a number: so many years old */
  | { readonly kind: 'aged' }
  | { readonly kind: 'both' }
  | { readonly kind: 'each' }
  | { readonly kind: 'order'; readonly up: boolean | null; readonly alphabetical: boolean }
  | { readonly kind: 'direction'; readonly up: boolean }
  | { readonly kind: 'distinct' }
  | { readonly kind: 'like'; readonly place: 'inside' | 'start' | 'end' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'why' }
  | { readonly kind: 'ask'; readonly word: 'who' | 'where' | 'when' }
  /** "how old", "how long is": the quantity of an adjective */
  | { readonly kind: 'how'; readonly degree: readonly Degree[] }
  /** "them", "those": what an earlier question spoke of */
  | { readonly kind: 'back' }
  | { readonly kind: 'everything' }

/** "oldest", "most expensive", "older than", "less expensive than": every adjective of degree in its forms. */
const graded: readonly [string, Operation][] = degreeAdjectives().flatMap((adjective) => {
  const degree = degreesOf(adjective)
  const opposite = degree.map((each): Degree => ({ ...each, end: each.end === 'more' ? 'less' : 'more' }))
  const [comparative, superlative] = comparedForms(adjective) ?? []
  const more = degree[0]?.end === 'more'
  const extremes = [`most ${adjective}`, ...(superlative === undefined ? [] : [superlative])]
  const comparatives = [`more ${adjective} than`, ...(comparative === undefined ? [] : [`${comparative} than`])]
  return [
    ...extremes.map((phrase): [string, Operation] => [phrase, { kind: 'extreme', up: more, degree }]),
    ...comparatives.map((phrase): [string, Operation] => [phrase, { kind: 'compare', op: more ? '>' : '<', degree }]),
    [`least ${adjective}`, { kind: 'extreme', up: !more, degree: opposite }],
    [`how ${adjective}`, { kind: 'how', degree }],
    [`less ${adjective} than`, { kind: 'compare', op: more ? '<' : '>', degree: opposite }],
  ]
})

const op = (phrases: string, operation: Operation): [string, Operation][] =>
  phrases.split('|').map((phrase) => [phrase.trim(), operation])

const ENTRIES: readonly [string, Operation][] = [
  ...op(
    `how many | number of | numbers of | the numbers of | the number | count of | count | total number of
    | quantity of | total count of | count the number of | how many different`,
    { kind: 'count' },
  ),
  ...op('average | mean | avg', { kind: 'fold', fold: 'avg' }),
  ...op('total | sum of | sum | total amount of | combined | overall', { kind: 'fold', fold: 'sum' }),
  ...op('maximum | max', { kind: 'fold', fold: 'max' }),
  ...op('minimum | min', { kind: 'fold', fold: 'min' }),
  ...op('last | most recently', { kind: 'extreme', up: true, degree: degreesOf('late') }),
  ...op('first | least recently', { kind: 'extreme', up: false, degree: degreesOf('early') }),
  ...op(
    `most | the most number of | most number of | greatest number of | largest number of | highest number of
    | largest amount of | biggest number of | the most of | most amount of | greatest amount of
    | highest amount of | largest quantity of | highest quantity of`,
    { kind: 'most', up: true, often: 'no' },
  ),
  ...op(
    `fewest | least | least number of | smallest number of | lowest number of | fewest number of
    | least amount of | smallest amount of | lowest amount of`,
    { kind: 'most', up: false, often: 'no' },
  ),
  ...op(
    `most common | most popular | most frequent | most used | most prominent | commonest`,
    { kind: 'most', up: true, often: 'which' },
  ),
  ...op(
    `most often | most frequently | most commonly | most times | the most times | most number of times
    | the most number of times | greatest number of times | highest number of times | largest number of times`,
    { kind: 'most', up: true, often: 'how' },
  ),
  ...op('least common | least popular | least frequent | rarest | least used', { kind: 'most', up: false, often: 'which' }),
  ...op(
    `least often | least frequently | least commonly | fewest times | least number of times | fewest number of times`,
    { kind: 'most', up: false, often: 'how' },
  ),
  ...op('top', { kind: 'top' }),
  ...op(
    `more than | greater than | over | above | exceeding | exceeds | exceed | in excess of | beyond`,
    { kind: 'compare', op: '>', degree: [] },
  ),
  ...op(
    `less than | fewer than | below | under | beneath`,
    { kind: 'compare', op: '<', degree: [] },
  ),
  ...op(
    `at least | no less than | not less than | no fewer than | not fewer than | greater than or equal to
    | more than or equal to | larger than or equal to | higher than or equal to | bigger than or equal to
    | equal to or greater than | equal to or more than | minimum of | a minimum of`,
    { kind: 'compare', op: '>=', degree: [] },
  ),
  ...op(
    `at most | no more than | not more than | up to | less than or equal to | fewer than or equal to | smaller than or equal to
    | lower than or equal to | equal to or less than | equal to or smaller than | maximum of | a maximum of`,
    { kind: 'compare', op: '<=', degree: [] },
  ),
  ...op('equal to | equals | exactly', { kind: 'compare', op: '=', degree: [] }),
  ...op('higher | greater | larger | bigger', { kind: 'graded', op: '>' }),
  ...op('lower | smaller', { kind: 'graded', op: '<' }),
  ...op('between | in the range of | ranging from', { kind: 'between' }),
  ...op('or more | or above | or higher | or over | or greater | or larger | or longer | or older', { kind: 'bound', op: '>=' }),
  ...op('or less | or fewer | or below | or lower | or under | or smaller | or shorter | or younger', { kind: 'bound', op: '<=' }),
  ...op(
    `not | never | cannot | non | besides | not including | other than | except | except for | excluding | but not | neither | nor | instead of`,
    { kind: 'negation', lacking: false },
  ),
  ...op(
    `no | without | lack | lacking | without any | not any | do not have | does not have | not have any | has no
    | have no`,
    { kind: 'negation', lacking: true },
  ),
  ...op('or', { kind: 'or' }),
  ...op('multiple | several', { kind: 'several' }),
  ...op('years old | year old | years of age', { kind: 'aged' }),
  ...op('both | not only', { kind: 'both' }),
  ...op('each | every | per | for each | for every | of each | in each | grouped by | group by', { kind: 'each' }),
  ...op(
    `ordered by | order by | sorted by | sort the result by | sort the results by | order the results by
    | order the result by | sort the list by | sort results by | order results by | order the list by
    | sort the names by | ordered in | sort by | ranked by | rank by | in order of | in the order of | order them by
    | sort them by | sorted in order of | ordering by | sorting by | sorted using | ordered using`,
    { kind: 'order', up: null, alphabetical: false },
  ),
  ...op(
    `alphabetically | ordered alphabetically | sorted alphabetically`,
    { kind: 'order', up: true, alphabetical: true },
  ),
  ...op(
    `from least to greatest | from low to high | from lowest to highest | from smallest to largest
    | from least to most | from youngest to oldest | from the lowest to the highest
    | from the youngest to the oldest | from earliest to latest | ascending | in ascending | increasing
    | in ascending manner`,
    { kind: 'direction', up: true },
  ),
  ...op(
    `from greatest to least | from high to low | from highest to lowest | from largest to smallest
    | from most to least | from oldest to youngest | from high to low | from the highest to the lowest
    | from the oldest to the youngest | from latest to earliest | descending | in descending | decreasing
    | in reverse order`,
    { kind: 'direction', up: false },
  ),
  ...op('different | distinct | unique', { kind: 'distinct' }),
  ...op(
    `contain | contains | containing | contain the word | contains the word | containing the word | include the word
    | includes the word | including the word | contains the substring | contain the substring | contains the letter
    | contain the letter | with the word | has the substring | that has the word | includes the substring
    | include the substring`,
    { kind: 'like', place: 'inside' },
  ),
  ...op(
    `starts with | start with | starting with | begins with | begin with | beginning with | started with`,
    { kind: 'like', place: 'start' },
  ),
  ...op('ends with | end with | ending with | ending in', { kind: 'like', place: 'end' }),
  ...op('missing | unknown | null | unspecified', { kind: 'missing' }),
  ...op('why | because | reason | explain', { kind: 'why' }),
  ...op('who | whom', { kind: 'ask', word: 'who' }),
  ...op('where', { kind: 'ask', word: 'where' }),
  ...op('when', { kind: 'ask', word: 'when' }),
  ...op('them | ones | those | these | they | of them | of those | of these | those ones | the same', { kind: 'back' }),
  ...op(
    `all information | all the information | all details | all the details | all columns | all attributes
    | everything | all info | the information | all the detail | information | info | all the available information`,
    { kind: 'everything' },
  ),
]

const BY_FIRST: ReadonlyMap<string, readonly (readonly [words: readonly string[], operation: Operation])[]> = (() => {
  const map = new Map<string, (readonly [readonly string[], Operation])[]>()
  const said = new Set(ENTRIES.map(([phrase]) => phrase))
  // what stands in the list means what stands there: the most common is a matter of counting
  for (const [phrase, operation] of [...ENTRIES, ...graded.filter(([phrase]) => !said.has(phrase))]) {
    const words = phrase.split(' ')
    map.set(words[0]!, [...(map.get(words[0]!) ?? []), [words, operation]])
  }
  return map
})()

const ADJECTIVES: Readonly<Record<string, { up?: boolean; alphabetical?: boolean }>> = {
  ascending: { up: true }, increasing: { up: true }, descending: { up: false }, decreasing: { up: false },
  reverse: { up: false }, reversed: { up: false }, alphabetical: { alphabetical: true }, alphabetic: { alphabetical: true },
  lexicographic: { alphabetical: true }, lexicographical: { alphabetical: true }, dictionary: { alphabetical: true },
  chronological: {},
}
const SORTING = 'sort|order|list|rank|arrange|ordered|sorted|listed|ranked|arranged|return|show'
const SORTED = 'it|them|the results?|results?|the list|the names'
/** "in", "by", "sorted in an", "list them in the", "ordered": what an order phrase begins with. */
const LEADS = new RegExp(`^(?:(?:${SORTING})(?: (?:${SORTED}))? )?(?:(?:in|by|into) (?:an |the )?)?`)

/** "sort the results in descending alphabetical order of": any adjectives, in any order. */
function orderAt(tokens: readonly Token[], at: number): { length: number; operation: Operation } | null {
  const words = tokens.slice(at, at + 12).map(({ lower, quoted }) => (quoted ? '"' : lower))
  const lead = LEADS.exec(words.join(' '))?.[0].trim() ?? ''
  if (lead === '') return null
  let next = lead.split(' ').length
  let up: boolean | null = null
  let alphabetical = false
  let adjectives = 0
  for (; Object.hasOwn(ADJECTIVES, words[next] ?? ''); next += 1, adjectives += 1) {
    const said = ADJECTIVES[words[next]!]!
    up = said.up ?? up
    alphabetical ||= said.alphabetical === true
  }
  // "ordered descending by" needs no noun, "in descending" does
  const sorting = /^(?:ordered|sorted|ranked|listed|arranged)$/.test(lead)
  if (adjectives === 0 || (words[next] !== 'order' && !sorting)) return null
  if (words[next] === 'order') next += 1
  if (['of', 'by', 'for', 'using'].includes(words[next] ?? '')) next += 1
  return { length: next, operation: { kind: 'order', up: up ?? true, alphabetical } }
}

/** Every operation that a phrase starting at a token may ask for, longest phrase first. */
export function operationsAt(tokens: readonly Token[], at: number): { length: number; operation: Operation }[] {
  const first = tokens[at]
  if (first === undefined || first.quoted) return []
  const order = orderAt(tokens, at)
  const phrases = (BY_FIRST.get(first.lower) ?? [])
    .filter(([words]) => words.every((word, i) => tokens[at + i]?.quoted === false && tokens[at + i]?.lower === word))
    .map(([words, operation]) => ({ length: words.length, operation }))
  return [...(order === null ? [] : [order]), ...phrases].toSorted((a, b) => b.length - a.length)
}
