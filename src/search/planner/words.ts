/** The small closed word lists of the planner. Each is about English, never about a database. */

/** Function words: never a term by themselves, whatever a column may be called. They may be passed over without changing the question. */
export const FUNCTION_WORDS = new Set(
  `a an the that which what is are was were be been being am do does did has have had having
  of in on at to from for with into onto about as and there their they it its our your my me us we you i
  any can could would should will s`.split(/\s+/),
)

/** Words that add nothing unless the ontology has a term of that name. */
const FILLERS = new Set(`show list find give tell display get return please now currently named called exist exists existing
  kind kinds type types record records entry entries`.split(/\s+/))

export const isGlue = (word: string): boolean => FUNCTION_WORDS.has(word) || FILLERS.has(word)

/** "list all customers" is every customer; anywhere else "all" is a condition that this planner does not read. */
export const ASKS_FOR_ALL = new Set(['list', 'show', 'find', 'give', 'display', 'get', 'return', 'me'])

export const COUNT_PHRASES = [['how', 'many'], ['number', 'of'], ['count', 'of'], ['count']]
export const WHY_WORDS = new Set(['why', 'because', 'reason', 'cause', 'explain'])
export const NEGATIONS = new Set(['not', 'no'])
export const GROUPING = new Set(['per', 'each', 'every', 'by'])

export const AGGREGATE_WORDS: Readonly<Record<string, 'avg' | 'sum' | 'max' | 'min'>> = {
  average: 'avg',
  mean: 'avg',
  total: 'sum',
  sum: 'sum',
  maximum: 'max',
  minimum: 'min',
}

/** Longest first: "at least" must not be read as "least". */
export const COMPARISON_PHRASES: readonly (readonly [words: readonly string[], op: '>' | '>=' | '<' | '<='])[] = [
  [['greater', 'than'], '>'],
  [['more', 'than'], '>'],
  [['higher', 'than'], '>'],
  [['larger', 'than'], '>'],
  [['less', 'than'], '<'],
  [['fewer', 'than'], '<'],
  [['lower', 'than'], '<'],
  [['smaller', 'than'], '<'],
  [['at', 'least'], '>='],
  [['at', 'most'], '<='],
  [['above'], '>'],
  [['over'], '>'],
  [['under'], '<'],
  [['below'], '<'],
  [['exceeding'], '>'],
]
