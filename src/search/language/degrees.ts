/** Adjectives of degree and the quantities they speak of: the oldest has the greatest age, the cheapest the smallest price. */

export interface Degree {
  /** names of the quantity */
  readonly nouns: readonly string[]
  /** whether the adjective means much or little of it */
  readonly end: 'more' | 'less'
}

interface Scale {
  readonly nouns: readonly string[]
  readonly more: readonly string[]
  readonly less: readonly string[]
}

const SCALES: readonly Scale[] = [
  { nouns: ['age'], more: ['old', 'elderly', 'senior', 'aged'], less: ['young', 'junior'] },
  // who is older was born earlier: a date runs the other way
  { nouns: ['birth date', 'date of birth', 'birthday', 'birth year'], more: ['young'], less: ['old', 'elderly'] },
  { nouns: ['date', 'time', 'year', 'day'], more: ['late', 'recent', 'new', 'current'], less: ['early', 'old'] },
  { nouns: ['length'], more: ['long', 'lengthy'], less: ['short', 'brief'] },
  { nouns: ['duration', 'time', 'runtime'], more: ['long', 'lengthy'], less: ['short', 'brief', 'quick'] },
  { nouns: ['height'], more: ['tall', 'high'], less: ['short', 'low'] },
  { nouns: ['altitude', 'elevation', 'level'], more: ['high'], less: ['low'] },
  { nouns: ['width', 'breadth'], more: ['wide', 'broad'], less: ['narrow'] },
  { nouns: ['depth'], more: ['deep'], less: ['shallow'] },
  { nouns: ['thickness'], more: ['thick'], less: ['thin'] },
  { nouns: ['weight', 'mass'], more: ['heavy'], less: ['light', 'lightweight'] },
  {
    nouns: ['price', 'cost', 'fee', 'charge', 'fare', 'rent'],
    more: ['expensive', 'costly', 'pricey', 'dear'],
    less: ['cheap', 'inexpensive', 'affordable', 'economical'],
  },
  { nouns: ['value', 'worth'], more: ['valuable', 'precious'], less: ['worthless', 'cheap'] },
  { nouns: ['speed', 'velocity', 'pace'], more: ['fast', 'quick', 'rapid', 'swift'], less: ['slow'] },
  {
    nouns: ['size', 'area', 'capacity', 'volume'],
    more: ['large', 'big', 'huge', 'great', 'vast'],
    less: ['small', 'little', 'tiny'],
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
  SCALES.flatMap(({ nouns, more, less }) => [
    ...(more.includes(adjective) ? [{ nouns, end: 'more' as const }] : []),
    ...(less.includes(adjective) ? [{ nouns, end: 'less' as const }] : []),
  ])

/** The adjectives that speak of a quantity: `degreeAdjectivesOf('age')` has old and young. */
export const degreeAdjectivesOf = (noun: string): readonly string[] =>
  SCALES.filter(({ nouns }) => nouns.includes(noun)).flatMap(({ more, less }) => [...more, ...less])
