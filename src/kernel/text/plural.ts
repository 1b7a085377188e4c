/** Singular and plural of English nouns, as far as table names and questions need them. */

const IRREGULAR: ReadonlyMap<string, string> = new Map(
  Object.entries({
    person: 'people', child: 'children', man: 'men', woman: 'women', foot: 'feet', tooth: 'teeth', goose: 'geese',
    mouse: 'mice', index: 'indices', matrix: 'matrices', vertex: 'vertices', appendix: 'appendices',
    criterion: 'criteria', phenomenon: 'phenomena', axis: 'axes', analysis: 'analyses', basis: 'bases',
    crisis: 'crises', diagnosis: 'diagnoses', hypothesis: 'hypotheses', thesis: 'theses', synopsis: 'synopses',
    leaf: 'leaves', half: 'halves', shelf: 'shelves', knife: 'knives', wife: 'wives', wolf: 'wolves', life: 'lives',
    loaf: 'loaves', thief: 'thieves', self: 'selves', calf: 'calves', movie: 'movies', cookie: 'cookies', tie: 'ties',
    pie: 'pies', quiz: 'quizzes', cache: 'caches', shoe: 'shoes', toe: 'toes', gas: 'gases',
  }),
)
const REGULARISED: ReadonlyMap<string, string> = new Map([...IRREGULAR].map(([one, many]) => [many, one]))
/** Plurals that exist beside the irregular one. */
const ALSO_SINGULAR: ReadonlyMap<string, string> = new Map([['indexes', 'index'], ['matrixes', 'matrix'], ['vertexes', 'vertex']])

/** Words without a second form. Two-letter-and-s abbreviations (dns, sms) end in s and are singular. */
const UNCHANGING: ReadonlySet<string> = new Set([
  'data', 'metadata', 'information', 'equipment', 'series', 'species', 'sheep', 'fish', 'news', 'means', 'software', 'hardware',
  'traffic', 'staff', 'dns', 'sms', 'gps', 'aws', 'ios', 'https', 'os', 'is', 'was', 'has', 'this', 'its', 'does', 'yes',
])
/** Singular nouns in -s whose plural adds -es; those in -ss, -us and -is need no list to stay as they are. */
const ENDS_IN_S: readonly string[] = ['alias', 'bias', 'atlas', 'canvas', 'lens', 'chaos']
const ENDS_IN_US: readonly string[] = [
  'status', 'bus', 'virus', 'campus', 'bonus', 'census', 'corpus', 'consensus', 'focus', 'radius', 'nexus', 'surplus',
  'apparatus', 'plus',
]
const O_WITH_ES: ReadonlySet<string> = new Set(['hero', 'potato', 'tomato', 'echo', 'veto', 'torpedo', 'embargo', 'cargo'])

/** `singular('customers')` is `'customer'`; a word that is singular already stays as it is. */
export const singular = (word: string): string => inTheCaseOf(word, singularOf(word.toLowerCase()))

/** `plural('policy')` is `'policies'`. */
export const plural = (word: string): string => inTheCaseOf(word, pluralOf(word.toLowerCase()))

function singularOf(word: string): string {
  if (UNCHANGING.has(word) || IRREGULAR.has(word) || ENDS_IN_S.includes(word)) return word
  const irregular = REGULARISED.get(word) ?? ALSO_SINGULAR.get(word)
  if (irregular !== undefined) return irregular
  if (!word.endsWith('s') || word.length < 3 || ['ss', 'us', 'is'].some((end) => word.endsWith(end))) return word
  const bare = word.slice(0, -2)
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  if (word.endsWith('es')) {
    if (ENDS_IN_US.includes(bare) || ENDS_IN_S.includes(bare) || O_WITH_ES.has(bare)) return bare
    if (['ss', 'ch', 'sh', 'x', 'zz'].some((end) => bare.endsWith(end))) return bare
  }
  return word.slice(0, -1)
}

function pluralOf(word: string): string {
  if (word === '' || UNCHANGING.has(word) || REGULARISED.has(word)) return word
  const irregular = IRREGULAR.get(word)
  if (irregular !== undefined) return irregular
  if (word.endsWith('y') && word.length > 1 && !'aeiou'.includes(word.at(-2) ?? '')) return `${word.slice(0, -1)}ies`
  if (['s', 'x', 'z', 'ch', 'sh'].some((end) => word.endsWith(end)) || O_WITH_ES.has(word)) return `${word}es`
  return `${word}s`
}

/** Keeps the letters that did not change as they were written: Customers -> Customer, PEOPLE -> PERSON. */
function inTheCaseOf(original: string, word: string): string {
  let same = 0
  while (same < word.length && original[same]?.toLowerCase() === word[same]) same += 1
  const shouting = original.length > 1 && original === original.toUpperCase()
  const rest = word.slice(same)
  return original.slice(0, same) + (shouting ? rest.toUpperCase() : rest)
}
