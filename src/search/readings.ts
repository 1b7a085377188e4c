/** Every reading of a question over an ontology and its data, likeliest first: what the stage plan chooses from. */
import type { Flavor, Plan } from '../contracts/index.ts'
import type { Ontology } from '../ontology/index.ts'
import type { Source } from '../sources/index.ts'
import type { Confirmed } from './planner/pattern.ts'
import { type Read, readQuestion } from './planner/read-question.ts'
import { soundsKnown } from './planner/term-index.ts'
import { type Token, tokenise } from './planner/tokens.ts'
import { vocabularyOf } from './planner/vocabulary.ts'
import { kindsOf, timeReader } from './planner/word-kinds.ts'
import { tryReadings } from './try-readings.ts'
import { countIndexed, findValues } from './values/find-values.ts'
import type { LookLimits } from './values/value-shelf.ts'

export interface Surroundings {
  readonly ontology: Ontology
  readonly flavor: Flavor
  readonly source: Source
  /** what "today" and "last week" are counted from */
  readonly today: Date
  /** the plan that "those" and "them" refer back to */
  readonly earlier?: Plan
  /** forms of questions and plans that a person has confirmed */
  readonly confirmed?: Confirmed
}

export async function readingsFor(
  question: string,
  { ontology, flavor, source, today, earlier, confirmed }: Surroundings,
  limits: LookLimits,
  tokens: readonly Token[] = tokenise(question),
): Promise<Read> {
  const { index, ways, book } = vocabularyOf(ontology, flavor)
  const values = await findValues(ontology, source, question, tokens, limits)
  const read = readQuestion({
    question, tokens, values, ontology, index, ways, book,
    time: timeReader(tokens, today), kindOf: kindsOf(tokens, (word) => soundsKnown(index, word)),
    ...(earlier === undefined ? {} : { earlier }), ...(confirmed === undefined ? {} : { confirmed }),
  })
  return { ...read, options: await tryReadings(ontology, source, read.options, limits) }
}

/** Makes the indexes that the first question would wait for. Returns how many text values can be found by them. */
export async function makeReady({ ontology, flavor, source }: Surroundings, limits: LookLimits): Promise<number> {
  vocabularyOf(ontology, flavor)
  return countIndexed(ontology, source, limits)
}
