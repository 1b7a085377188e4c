/** Stage plan: a question becomes a plan over the ontology, or an honest refusal. */
import type { MatchedTerm, Plan } from '../contracts/index.ts'
import type { SearchContext } from './context.ts'
import { remainingMs } from './context.ts'
import { assembleWhy } from './planner/assemble-why.ts'
import { assemble } from './planner/assemble.ts'
import { type Meaning, lexiconOf } from './planner/lexicon.ts'
import { type Reading, readings } from './planner/readings.ts'
import { type RuleBook, isAvailable, ruleBook } from './planner/rule-heads.ts'
import { type Segmented, segment } from './planner/segments.ts'
import { tokenise } from './planner/tokens.ts'
import { candidateSpellings, findValues } from './planner/values.ts'
import { describePlan } from './wording/describe-plan.ts'

export type Planned =
  | {
      readonly status: 'planned'
      readonly plan: Plan
      readonly terms: readonly MatchedTerm[]
      readonly alternatives: readonly Plan[]
      readonly confidence: number
    }
  | { readonly status: 'ungrounded' | 'blocked'; readonly uncovered: readonly string[]; readonly terms: readonly MatchedTerm[] }
  | { readonly status: 'clarify'; readonly options: readonly { label: string; plan: Plan }[]; readonly terms: readonly MatchedTerm[] }

const READINGS_TRIED = 24
/** A question of more parts than this is not one question. */
const MAX_SEGMENTS = 40
/** Two readings closer than this are a question back, not a choice. */
const CLOSE = 0.25
const STEP_COST = 0.4

export async function plan(context: SearchContext): Promise<Planned> {
  const { request, ontology, flavor, source } = context
  const { question } = request
  const tokens = tokenise(question)
  const book = ruleBook(flavor, ontology)
  const lexicon = lexiconOf(ontology, flavor, (predicate) => isAvailable(book, predicate))
  const values = await findValues(ontology, source, candidateSpellings(question, tokens), {
    timeoutMs: remainingMs(context, 'plan'),
    ...(context.signal === undefined ? {} : { signal: context.signal }),
  })
  const segmented = segment(question, tokens, lexicon, values)
  if (segmented.segments.length > MAX_SEGMENTS) return { status: 'ungrounded', uncovered: [], terms: [] }
  const read = readings(segmented.segments)
  const terms = termsOf(read[0])
  if (isBlocked(context, segmented)) return { status: 'blocked', uncovered: segmented.uncovered, terms }
  if (segmented.uncovered.length > 0 || segmented.segments.every(({ meanings }) => meanings.length === 0)) {
    return { status: 'ungrounded', uncovered: segmented.uncovered, terms }
  }
  const ranked = rank(context, book, read)
  const [best, second] = ranked
  if (best === undefined) return { status: 'ungrounded', uncovered: [], terms }
  const alternatives = ranked.slice(1, 4).map((option) => option.plan)
  if (second !== undefined && best.score - second.score < CLOSE && request.clarify) {
    const options = ranked.filter((option) => best.score - option.score < CLOSE).slice(0, 4)
    return { status: 'clarify', options: options.map((option) => ({ label: describePlan(ontology, option.plan), plan: option.plan })), terms }
  }
  return { status: 'planned', plan: best.plan, terms: termsOf(best.reading), alternatives, confidence: confidenceOf(best, second) }
}

interface Option {
  readonly plan: Plan
  readonly reading: Reading
  readonly score: number
  readonly steps: number
}

function rank(context: SearchContext, book: RuleBook, read: readonly Reading[]): Option[] {
  const options = new Map<string, Option>()
  for (const reading of read.slice(0, READINGS_TRIED)) {
    const asksRule = reading.elements.some(({ meaning }) => meaning?.kind === 'rule')
    const assembled = asksRule ? assembleWhy(context.ontology, book, reading) : assemble(context.ontology, reading)
    if (assembled === null) continue
    const key = JSON.stringify(assembled.plan)
    const score = reading.score - STEP_COST * assembled.steps
    if (!options.has(key)) options.set(key, { plan: assembled.plan, reading, score, steps: assembled.steps })
  }
  // readings arrive best first, and sorting is stable: equal scores keep that order
  return [...options.values()].toSorted((a, b) => b.score - a.score)
}

/**
 * How sure the reading is: less so the closer the runner-up and the longer the way along foreign keys.
 * A monotone score from the planner's own evidence; it is not yet fitted to outcomes on held-out questions.
 */
function confidenceOf(best: Option, second: Option | undefined): number {
  const margin = second === undefined ? 3 : Math.max(0, best.score - second.score)
  return Number(((1 - 0.4 * Math.exp(-margin)) * 0.97 ** best.steps * 0.99).toFixed(4))
}

/**
 * What the question needs is above the ceiling but within the caller's own grant: a term that the wider vocabulary knows covers a
 * word that is left over, or covers several words at once that the narrower one can only read piece by piece. Values are never
 * looked up above the ceiling.
 */
function isBlocked(context: SearchContext, segmented: Segmented): boolean {
  const book = ruleBook(context.flavor, context.granted)
  const lexicon = lexiconOf(context.granted, context.flavor, (predicate) => isAvailable(book, predicate))
  const { question } = context.request
  const missing = new Set(segmented.uncovered)
  return segment(question, tokenise(question), lexicon, []).segments.some(({ text, start, end, meanings }) => {
    if (meanings.length === 0 || !meanings.every((meaning) => isHidden(context, meaning))) return false
    const whole = segmented.segments.some((other) => other.start <= start && other.end >= end && other.meanings.length > 0)
    return !whole && (end - start > 1 || tokenise(text).some((token) => missing.has(token.text)))
  })
}

/** A meaning that the ontology cut to the ceiling does not have. */
function isHidden({ ontology, flavor }: SearchContext, meaning: Meaning): boolean {
  if (meaning.kind === 'rule') return !isAvailable(ruleBook(flavor, ontology), meaning.predicate)
  const cls = ontology.classes.find(({ name }) => name === meaning.cls.name)
  if (meaning.kind === 'class') return cls === undefined
  return cls?.properties.every(({ name }) => name !== meaning.property.name) ?? true
}

function termsOf(reading: Reading | undefined): MatchedTerm[] {
  if (reading === undefined) return []
  return reading.elements.map(({ segment: { text }, meaning, operation }) => {
    if (meaning === null) return { text, kind: 'operation', term: operation?.kind ?? '' }
    if (meaning.kind === 'class') return { text, kind: 'class', term: meaning.cls.name }
    if (meaning.kind === 'rule') return { text, kind: 'rule', term: meaning.predicate }
    const term = `${meaning.cls.name}.${meaning.property.name}`
    return meaning.kind === 'property' ? { text, kind: 'property', term } : { text, kind: 'value', term: `${term} = ${meaning.value}` }
  })
}
