/** Adjectives of degree and the quantities they speak of: the oldest has the greatest age, the cheapest the smallest price. */

export interface Degree {
  /** names of the quantity */
  readonly nouns: readonly string[]
  /** words that a column of the quantity may be called by, and that are no names of it by themselves */
  readonly also: readonly string[]
  /** whether the adjective means much or little of it */
  readonly end: 'more' | 'less'
}

interface Scale {
  readonly nouns: readonly string[]
  readonly also?: readonly string[]
  readonly more: readonly string[]
  readonly less: readonly string[]
}

const SCALES: readonly Scale[] = [
  { nouns: ['age'], more: ['old', 'elderly', 'senior', 'aged'], less: ['young', 'junior'] },
  // who is older was born earlier: a date runs the other way
  {
    nouns: ['birth date', 'date of birth', 'birthday', 'birth year'], also: ['birth', 'born', 'dob'],
    more: ['young'], less: ['old', 'elderly'],
  },
  { nouns: [], also: ['founded', 'built', 'start', 'opening', 'establish', 'established'], more: ['young', 'new'], less: ['old'] },
  { nouns: ['date', 'time', 'year', 'day'], more: ['late', 'recent', 'new', 'current'], less: ['early', 'old'] },
  { nouns: ['length'], more: ['long', 'lengthy'], less: ['short', 'brief'] },
  { nouns: ['duration', 'time', 'runtime'], also: ['distance'], more: ['long', 'lengthy'], less: ['short', 'brief', 'quick'] },
  { nouns: ['height'], more: ['tall', 'high'], less: ['short', 'low'] },
  { nouns: ['altitude', 'elevation', 'level'], more: ['high'], less: ['low'] },
  { nouns: ['width', 'breadth'], more: ['wide', 'broad'], less: ['narrow'] },
  { nouns: ['depth'], more: ['deep'], less: ['shallow'] },
  { nouns: ['thickness'], more: ['thick'], less: ['thin'] },
  { nouns: ['weight', 'mass'], more: ['heavy'], less: ['light', 'lightweight'] },
  {
    nouns: ['price', 'cost', 'fee', 'charge', 'fare', 'rent'],
    also: ['amount', 'rate'],
    more: ['expensive', 'costly', 'pricey', 'dear'],
    less: ['cheap', 'inexpensive', 'affordable', 'economical'],
  },
  { nouns: ['value', 'worth'], more: ['valuable', 'precious'], less: ['worthless', 'cheap'] },
  { nouns: ['speed', 'velocity', 'pace'], more: ['fast', 'quick', 'rapid', 'swift'], less: ['slow'] },
  {
    nouns: ['size', 'area', 'capacity', 'volume'],
    also: ['population', 'amount', 'number'],
    more: ['large', 'big', 'huge', 'great', 'vast'],
    less: ['small', 'tiny'],
  },
  { nouns: ['capacity', 'area', 'space'], more: ['spacious', 'roomy'], less: ['cramped'] },
  { nouns: ['population', 'inhabitants'], more: ['populous', 'populated', 'crowded'], less: ['deserted'] },
  {
    nouns: ['income', 'salary', 'wealth', 'money', 'earnings'],
    more: ['rich', 'wealthy', 'affluent', 'well-paid'],
    less: ['poor'],
  },
  { nouns: ['temperature', 'heat'], more: ['hot', 'warm'], less: ['cold', 'cool', 'chilly'] },
  { nouns: ['distance'], more: ['far', 'distant', 'remote'], less: ['near', 'close', 'nearby'] },
  { nouns: ['rating', 'score', 'grade', 'quality', 'result'], more: ['good', 'excellent'], less: ['bad', 'poor'] },
  { nouns: ['popularity', 'views', 'sales', 'votes', 'likes'], more: ['popular'], less: ['unpopular'] },
  { nouns: ['success', 'wins', 'points'], more: ['successful'], less: ['unsuccessful'] },
  { nouns: ['profit', 'revenue', 'earnings'], more: ['profitable', 'lucrative'], less: ['unprofitable'] },
  { nouns: ['strength', 'force', 'power'], more: ['strong', 'powerful', 'mighty'], less: ['weak'] },
  { nouns: ['frequency', 'count', 'occurrence'], more: ['frequent', 'common'], less: ['infrequent', 'rare', 'uncommon'] },
  { nouns: ['difficulty'], more: ['difficult', 'hard', 'tough'], less: ['easy', 'simple'] },
  {
    nouns: ['importance', 'priority', 'severity'],
    more: ['important', 'urgent', 'severe', 'serious'],
    less: ['unimportant', 'minor'],
  },
  { nouns: ['experience'], more: ['experienced'], less: ['inexperienced'] },
  { nouns: ['risk'], more: ['risky', 'dangerous'], less: ['safe'] },
  { nouns: ['brightness'], more: ['bright'], less: ['dark', 'dim'] },
  { nouns: ['volume', 'loudness'], more: ['loud', 'noisy'], less: ['quiet', 'silent'] },
]

/** The quantities an adjective (in its base form) speaks of, the most usual first; empty when it speaks of none. */
export const degreesOf = (adjective: string): readonly Degree[] =>
  SCALES.flatMap(({ nouns, also = [], more, less }) => [
    ...(more.includes(adjective) ? [{ nouns, also, end: 'more' as const }] : []),
    ...(less.includes(adjective) ? [{ nouns, also, end: 'less' as const }] : []),
  ])

/** The adjectives that speak of a quantity: `degreeAdjectivesOf('age')` has old and young. */
export const degreeAdjectivesOf = (noun: string): readonly string[] =>
  SCALES.filter(({ nouns }) => nouns.includes(noun)).flatMap(({ more, less }) => [...more, ...less])

/** Every adjective of degree, once. */
export const degreeAdjectives = (): readonly string[] => [...new Set(SCALES.flatMap(({ more, less }) => [...more, ...less]))]

const IRREGULAR: ReadonlyMap<string, readonly [comparative: string, superlative: string]> = new Map([
  ['good', ['better', 'best']], ['bad', ['worse', 'worst']], ['far', ['further', 'furthest']],
])

/** `comparedForms('heavy')` is heavier and heaviest; null for one that is never inflected. */
export function comparedForms(adjective: string): readonly [comparative: string, superlative: string] | null {
  const irregular = IRREGULAR.get(adjective)
  if (irregular !== undefined) return irregular
  if (adjective.endsWith('y')) {
    const stem = adjective.replace(/e?y$/, 'i')
    return [`${stem}er`, `${stem}est`]
  }
  const syllables = adjective.replace(/e$/, '').match(/[aeiouy]+/g)?.length ?? 0
  if (syllables > 1) return null
  const stem = /[^aeiou][aeiou][bdgmnpt]$/.test(adjective) ? adjective + adjective.at(-1)! : adjective.replace(/e$/, '')
  return [`${stem}er`, `${stem}est`]
}
