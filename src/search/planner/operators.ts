/**
 * The small closed lexicon of what English says about quantities, order and absence. It is about the language, never about a
 * database; each entry is a phrase and what it asks for.
 */
import type { Token } from './tokens.ts'

/** What a graded adjective measures, in words that a column may be called by; `up` is the end that "-est" asks for. */
export interface Degree {
  readonly measures: readonly string[]
  /** over a date the same adjective may point the other way: the oldest was born first */
  readonly dates?: readonly string[]
  readonly up: boolean
}

export type Comparison = '=' | '!=' | '<' | '<=' | '>' | '>='
export type Fold = 'avg' | 'sum' | 'max' | 'min'

export type Operation =
  | { readonly kind: 'count' }
  | { readonly kind: 'fold'; readonly fold: Fold }
  /** the one at an end of a scale: "highest", "oldest", "latest" */
  | { readonly kind: 'extreme'; readonly up: boolean; readonly degree: Degree | null }
  /** the one with the most or fewest of something; `often`: that occurs most or least often */
  | { readonly kind: 'most'; readonly up: boolean; readonly often: 'no' | 'which' | 'how' }
  | { readonly kind: 'top' }
  | { readonly kind: 'compare'; readonly op: Comparison; readonly degree: Degree | null }
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
  /** "them", "those": what an earlier question spoke of */
  | { readonly kind: 'back' }
  | { readonly kind: 'everything' }

const degree = (measures: string, up: boolean, dates?: string): Degree => ({
  measures: measures.split(' '),
  up,
  ...(dates === undefined ? {} : { dates: dates.split(' ') }),
})

const AGE = degree('age', true, 'birth born birthday dob founded built start opening establish')
const YOUTH = degree('age', false, 'birth born birthday dob founded built start opening establish')
const LONG = degree('length duration long time distance runtime', true)
const SHORT = degree('length duration time distance runtime height', false)
const TALL = degree('height', true)
const HEAVY = degree('weight', true)
const LIGHT = degree('weight', false)
const DEAR = degree('price cost amount fee', true)
const CHEAP = degree('price cost amount fee', false)
const BIG = degree('size area population capacity amount number', true)
const SMALL = degree('size area population capacity amount number', false)
const FAST = degree('speed velocity', true)
const SLOW = degree('speed velocity', false)
const LATE = degree('date time year day', true)
const EARLY = degree('date time year day', false)

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
  ...op('highest | greatest', { kind: 'extreme', up: true, degree: null }),
  ...op('lowest', { kind: 'extreme', up: false, degree: null }),
  ...op('largest | biggest', { kind: 'extreme', up: true, degree: BIG }),
  ...op('smallest', { kind: 'extreme', up: false, degree: SMALL }),
  ...op('oldest', { kind: 'extreme', up: true, degree: AGE }),
  ...op('youngest | newest', { kind: 'extreme', up: true, degree: YOUTH }),
  ...op('longest', { kind: 'extreme', up: true, degree: LONG }),
  ...op('shortest', { kind: 'extreme', up: true, degree: SHORT }),
  ...op('tallest', { kind: 'extreme', up: true, degree: TALL }),
  ...op('heaviest', { kind: 'extreme', up: true, degree: HEAVY }),
  ...op('lightest', { kind: 'extreme', up: true, degree: LIGHT }),
  ...op('most expensive | priciest', { kind: 'extreme', up: true, degree: DEAR }),
  ...op('cheapest | least expensive', { kind: 'extreme', up: true, degree: CHEAP }),
  ...op('fastest', { kind: 'extreme', up: true, degree: FAST }),
  ...op('slowest', { kind: 'extreme', up: true, degree: SLOW }),
  ...op('latest | most recent | most recently | last', { kind: 'extreme', up: true, degree: LATE }),
  ...op('earliest | least recent | first', { kind: 'extreme', up: true, degree: EARLY }),
  ...op(
    `most | the most number of | most number of | greatest number of | largest number of | highest number of
    | maximum number of | largest amount of | biggest number of`,
    { kind: 'most', up: true, often: 'no' },
  ),
  ...op(
    `fewest | least | least number of | smallest number of | lowest number of | minimum number of | fewest number of`,
    { kind: 'most', up: false, often: 'no' },
  ),
  ...op(
    `most common | most popular | most frequent | most used | most prominent`,
    { kind: 'most', up: true, often: 'which' },
  ),
  ...op('most often | most frequently | most commonly | most times', { kind: 'most', up: true, often: 'how' }),
  ...op('least common | least popular | least frequent | rarest', { kind: 'most', up: false, often: 'which' }),
  ...op('least often | least frequently', { kind: 'most', up: false, often: 'how' }),
  ...op('top', { kind: 'top' }),
  ...op(
    `more than | greater than | higher than | over | above | exceeding | exceeds | exceed | bigger than
    | in excess of`,
    { kind: 'compare', op: '>', degree: null },
  ),
  ...op(
    `less than | fewer than | lower than | smaller than | below | under`,
    { kind: 'compare', op: '<', degree: null },
  ),
  ...op(
    `at least | no less than | not less than | no fewer than | greater than or equal to | minimum of`,
    { kind: 'compare', op: '>=', degree: null },
  ),
  ...op(
    `at most | no more than | not more than | up to | less than or equal to | maximum of`,
    { kind: 'compare', op: '<=', degree: null },
  ),
  ...op('equal to | equals | exactly', { kind: 'compare', op: '=', degree: null }),
  ...op('larger than', { kind: 'compare', op: '>', degree: BIG }),
  ...op('older than', { kind: 'compare', op: '>', degree: AGE }),
  ...op('younger than', { kind: 'compare', op: '>', degree: YOUTH }),
  ...op('longer than', { kind: 'compare', op: '>', degree: LONG }),
  ...op('shorter than', { kind: 'compare', op: '>', degree: SHORT }),
  ...op('taller than', { kind: 'compare', op: '>', degree: TALL }),
  ...op('heavier than', { kind: 'compare', op: '>', degree: HEAVY }),
  ...op('lighter than', { kind: 'compare', op: '>', degree: LIGHT }),
  ...op('cheaper than', { kind: 'compare', op: '>', degree: CHEAP }),
  ...op('more expensive than', { kind: 'compare', op: '>', degree: DEAR }),
  ...op('faster than', { kind: 'compare', op: '>', degree: FAST }),
  ...op('higher | greater | larger | bigger', { kind: 'graded', op: '>' }),
  ...op('lower | smaller', { kind: 'graded', op: '<' }),
  ...op('between | in the range of | ranging from', { kind: 'between' }),
  ...op('or more | or above | or higher | or over | or greater', { kind: 'bound', op: '>=' }),
  ...op('or less | or fewer | or below | or lower | or under', { kind: 'bound', op: '<=' }),
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
  ...op('both', { kind: 'both' }),
  ...op('each | every | per | for each | for every | of each | in each | grouped by | group by', { kind: 'each' }),
  ...op(
    `ordered by | order by | sorted by | sort the result by | sort the results by | order the results by
    | order the result by | sort the list by | sort results by | order results by | order the list by
    | sort the names by | ordered in | sort by | ranked by | rank by | in order of | in the order of | order them by
    | sort them by | sorted in order of`,
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
  ...op('them | those | these | they | of them | of those | of these | those ones | the same', { kind: 'back' }),
  ...op(
    `all information | all the information | all details | all the details | all columns | all attributes
    | everything | all info | the information | all the detail | information | info | all the available information`,
    { kind: 'everything' },
  ),
]

const BY_FIRST: ReadonlyMap<string, readonly (readonly [words: readonly string[], operation: Operation])[]> = (() => {
  const map = new Map<string, (readonly [readonly string[], Operation])[]>()
  for (const [phrase, operation] of ENTRIES) {
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
/** "in", "sorted in an", "list them in the": what an order phrase begins with. */
const LEADS = new RegExp(`^(?:(?:${SORTING})(?: (?:${SORTED}))? )?in (?:an |the )?`)

/** "sort the results in descending alphabetical order of": any adjectives, in any order. */
function orderAt(tokens: readonly Token[], at: number): { length: number; operation: Operation } | null {
  const words = tokens.slice(at, at + 12).map(({ lower, quoted }) => (quoted ? '"' : lower))
  const lead = LEADS.exec(words.join(' '))
  if (lead === null) return null
  let next = lead[0].trim().split(' ').length
  let up: boolean | null = null
  let alphabetical = false
  let adjectives = 0
  for (; Object.hasOwn(ADJECTIVES, words[next] ?? ''); next += 1, adjectives += 1) {
    const said = ADJECTIVES[words[next]!]!
    up = said.up ?? up
    alphabetical ||= said.alphabetical === true
  }
  if (adjectives === 0 || words[next] !== 'order') return null
  next += 1
  if (words[next] === 'of' || words[next] === 'by' || words[next] === 'for') next += 1
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
