/** Stage plan: a question becomes a plan over the ontology, a question back, or an honest refusal. */
import type { Flavor, MatchedTerm, Plan } from '../contracts/index.ts'
import type { SearchContext } from './context.ts'
import { remainingMs } from './context.ts'
import { mentionsOf } from './planner/mentions.ts'
import { ANSWERED_FROM, closeTo, confidenceOf } from './planner/rank.ts'
import { type Option, type Read, termsOf } from './planner/read-question.ts'
import { type Token, textOf, tokenise } from './planner/tokens.ts'
import { vocabularyOf } from './planner/vocabulary.ts'
import { readingsFor } from './readings.ts'
import { findTheSame } from './try-readings.ts'
import { describePlans } from './wording/describe-plan.ts'

/** `by`: the model that made it, where one did */
export type Planned = { readonly by?: { readonly provider: string; readonly model: string } } & (
  | {
      readonly status: 'planned'
      readonly plan: Plan
      readonly terms: readonly MatchedTerm[]
      readonly alternatives: readonly Plan[]
      /** words beside a term that say no more than it, as far as anybody can tell */
      readonly uncovered: readonly string[]
      readonly confidence: number
    }
  | { readonly status: 'ungrounded' | 'blocked'; readonly uncovered: readonly string[]; readonly terms: readonly MatchedTerm[] }
  | { readonly status: 'clarify'; readonly options: readonly { label: string; plan: Plan }[]; readonly terms: readonly MatchedTerm[] }
)

/** A question of more words than this is not one question. */
const MAX_TOKENS = 80
const OPTIONS_SHOWN = 4
/**
 * The fitted threshold is for data that nobody has described. Where a flavor brings words of its own, people have said
 * what its names mean, and the outcomes that the threshold was fitted to are too dark a picture.
 */
const DESCRIBED_FROM = 0.3
const answeredFrom = ({ synonyms }: Flavor): number =>
  Object.keys(synonyms).length === 0 ? ANSWERED_FROM : Math.min(ANSWERED_FROM, DESCRIBED_FROM)
/** A term of the wider vocabulary must be named whole, or nearly, to be what the question means. */
const MEANT = 0.9

export async function plan(context: SearchContext): Promise<Planned> {
  const { request, ontology } = context
  const { question } = request
  const tokens = tokenise(question)
  if (tokens.length > MAX_TOKENS) return { status: 'ungrounded', uncovered: [], terms: [] }
  const limits = { timeoutMs: remainingMs(context, 'plan'), ...(context.signal === undefined ? {} : { signal: context.signal }) }
  const read = await readingsFor(question, context, limits, tokens)
  const terms = read.best === null ? [] : termsOf({ question, tokens }, read.best)
  if (isBlocked(context, tokens, read)) return { status: 'blocked', uncovered: read.unplaced, terms }
  const [best] = read.options
  if (best === undefined) return { status: 'ungrounded', uncovered: read.unplaced, terms }
  const confidence = best.plan.why === undefined ? confidenceOf(read.options) : whyConfidence(read.options)
  const tied = [...closeTo(read.options), ...best.others.map((plan): Option => ({ ...best, plan }))]
  const undecided = best.others.length > 0
  const close = tied.length > 1 && !undecided && (await findTheSame(ontology, context.source, tied, limits)) ? [best] : tied
  if (request.clarify && (close.length > 1 || confidence < answeredFrom(context.flavor))) {
    const offered = (close.length > 1 ? close : read.options).slice(0, OPTIONS_SHOWN)
    const labels = describePlans(ontology, offered.map((option) => option.plan))
    return { status: 'clarify', options: offered.map((option, at) => ({ label: labels[at] ?? '', plan: option.plan })), terms: best.terms }
  }
  const alternatives = read.options.slice(1, OPTIONS_SHOWN).map((option) => option.plan)
  return { status: 'planned', plan: best.plan, terms: best.terms, alternatives, uncovered: wordsPassedOver(question, tokens, best), confidence }
}

/** What the reading passed over, for the reader of the answer to see; words that add nothing in any sentence are not told. */
const wordsPassedOver = (question: string, tokens: readonly Token[], { reading }: Option): string[] =>
  reading.elements.flatMap((element) =>
    element.kind === 'word' && element.passed !== undefined && element.passed !== 'weak'
      ? [textOf(question, tokens, element.start, element.end)]
      : [],
  )

/**
 * Questions that name a rule have no outcomes to be fitted to, since the rules are the user's own: less sure the closer the
 * runner-up and the weaker the matches.
 */
function whyConfidence([best, second]: readonly Option[]): number {
  const margin = best === undefined || second === undefined ? 3 : Math.max(0, best.score - second.score)
  return Number(((1 - 0.4 * Math.exp(-margin)) * Math.min(0.99, 0.6 + 0.4 * (best?.quality ?? 0))).toFixed(4))
}

/**
 * What the question needs is above the ceiling but within the caller's own grant: a term that the wider vocabulary knows covers a
 * word that is left over, or covers several words at once that the narrower one can only read piece by piece. Values are never
 * looked up above the ceiling.
 */
function isBlocked({ granted, ontology, flavor }: SearchContext, tokens: readonly Token[], read: Read): boolean {
  if (granted === ontology) return false
  const { index } = vocabularyOf(granted, flavor)
  const cut = vocabularyOf(ontology, flavor)
  const missing = new Set(read.unplaced)
  const own = mentionsOf(tokens, cut.index, [], () => null).filter(({ kind }) => kind === 'class' || kind === 'property' || kind === 'rule')
  const elements = read.options[0]?.reading.elements ?? read.best?.elements ?? []
  return mentionsOf(tokens, index, [], () => null).some((wide) => {
    if (wide.kind !== 'rule' && !((wide.kind === 'class' || wide.kind === 'property') && wide.weight >= MEANT)) return false
    const narrow = own.some((mention) => mention.start <= wide.start && mention.end >= wide.end)
    const whole = elements.some((element) => element.kind !== 'word' && element.start <= wide.start && element.end >= wide.end)
    if (narrow || whole) return false
    return wide.end - wide.start > 1 || tokens.slice(wide.start, wide.end).some(({ text }) => missing.has(text))
  })
}
