/**
 * Stage plan with a model: it is asked for a plan over the slice of the vocabulary that matters, told once what is wrong with it,
 * and left aside where that does not help. The embedded planner reads the question first, in milliseconds: it knows what is
 * blocked, it is the fallback, and where it is sure of something else the question is asked back.
 */
import { isDeepStrictEqual } from 'node:util'
import { type Fault, type Flavor, type Plan, ServiceError } from '../../../contracts/index.ts'
import { type FailureKind, LIMITS_OF_PROMPT, ModelFailure, type ModelProvider, needsConsent } from '../../../providers/index.ts'
import { faultsOf } from '../../check-plan.ts'
import { type SearchContext, remainingMs } from '../../context.ts'
import { editedConfidence } from '../../edited-confidence.ts'
import { type Planned, plan as planEmbedded } from '../../plan.ts'
import { SERVICE_WARNINGS } from '../../service-warnings.ts'
import { findTheSame } from '../../try-readings.ts'
import { findValues } from '../../values/find-values.ts'
import { describePlans } from '../../wording/describe-plan.ts'
import { mentionsOf } from '../mentions.ts'
import { type RuleBook, argumentClasses } from '../rule-heads.ts'
import { tokenise } from '../tokens.ts'
import { vocabularyOf } from '../vocabulary.ts'
import { timeReader } from '../word-kinds.ts'
import { type Said, baselessIn } from './basis.ts'
import { foundWords } from './found-words.ts'
import { PLAN_SHAPE } from './plan-shape.ts'
import { SYSTEM, type Told, planPrompt, repairPrompt } from './prompt.ts'
import { type Slice, sliceOf } from './slice.ts'
import { withStoredValues } from './stored-values.ts'

/** Room for a plan, and for a model that thinks first. */
const REPLY_TOKENS = 4000
/** Of the time that is left, what one call may take: the rest is for a repair, and for running the plan. */
const SHARE = 0.6
/** From here on the embedded planner is sure enough to be heard against a model. */
const SURE = 0.85

type Answered = Extract<Planned, { status: 'planned' }>

export async function planWithModel(context: SearchContext, model: ModelProvider): Promise<Planned> {
  const embedded = await planEmbedded(context)
  // nothing above the ceiling is asked for, and what refers back is read here: no model hears of an earlier answer
  if (embedded.status === 'blocked') return embedded
  const { warnings } = context
  if (context.earlier !== undefined) {
    warnings.push(SERVICE_WARNINGS.unplanned('refers_back'))
    return embedded
  }
  const asking = await prepared(context)
  // nothing here may be told to it
  if (asking.slice.classes.length === 0) return embedded
  demandConsent(context, model, asking)
  const proposed = await propose(context, model, asking)
  if (proposed.plan === null) {
    if (!context.request.fallback) throw proposed.failure
    warnings.push(SERVICE_WARNINGS.unplanned(proposed.why))
    return embedded
  }
  return settled(context, model, proposed.plan, embedded)
}

interface Asking {
  readonly said: Said
  readonly slice: Slice
  readonly told: Told
  readonly book: RuleBook
}

async function prepared(context: SearchContext): Promise<Asking> {
  const { request: { question }, ontology, flavor, source, today } = context
  const tokens = tokenise(question)
  const { index, ways, book } = vocabularyOf(ontology, flavor)
  const limits = { timeoutMs: remainingMs(context, 'plan'), ...(context.signal === undefined ? {} : { signal: context.signal }) }
  const values = await findValues(ontology, source, question, tokens, limits)
  const mentions = mentionsOf(tokens, index, values, timeReader(tokens, today))
  const slice = sliceOf(ontology, ways, mentions, LIMITS_OF_PROMPT.vocabularyTokens)
  const told = {
    question, today: today.toISOString().slice(0, 10), vocabulary: slice.lines, rules: rulesTold(context, book), found: foundWords(question, tokens, values),
  }
  return { said: { question, tokens, mentions, values }, slice, told, book }
}

/** The heads that can be derived within the ceiling, as people say them. */
function rulesTold({ flavor, ontology }: SearchContext, book: RuleBook): Told['rules'] {
  const heads = [...new Set(book.rules.map(({ head }) => head.predicate))].filter((predicate) => !book.unavailable.has(predicate))
  return heads.slice(0, MOST_RULES).flatMap((predicate) => {
    const said = phrasesOf(flavor, predicate)
    if (said.length === 0) return []
    return [{ predicate, said, arguments: argumentClasses(book, ontology, predicate).map((name) => name ?? 'value') }]
  })
}
const MOST_RULES = 40
const phrasesOf = ({ rules }: Flavor, predicate: string): string[] =>
  [...new Set(rules.filter(({ body }) => body.trimStart().startsWith(`${predicate}(`)).flatMap(({ phrases }) => phrases))].slice(0, 5).map((phrase) => phrase.slice(0, 60))

/** What would leave the host, word for word of what kind it is; asked for once, for planning and for wording. */
function demandConsent({ request, models }: SearchContext, model: ModelProvider, { slice, told }: Asking): void {
  const away = needsConsent(model)
  if (!away || request.confirm_residency) return
  const names = slice.classes.length > NAMED ? `${slice.classes.slice(0, NAMED).join(', ')} and ${slice.classes.length - NAMED} more` : slice.classes.join(', ')
  throw unconfirmed(model, [
    `to ${model.id}: the question`,
    `to ${model.id}: the names of ${slice.classes.length} classes (${names}) and of ${slice.properties} of their properties`,
    ...told.rules.map(({ predicate }) => `to ${model.id}: the rule head ${predicate} with its phrases`),
    ...told.found.map(({ words, property }) => `to ${model.id}: that "${words}" stands in ${property}`),
    ...(models?.synthesizer !== undefined && needsConsent(models.synthesizer) ? [`to ${models.synthesizer.id}: the sentences of the answer with the values in them`] : []),
  ])
}
const NAMED = 20

/** The rows of an answer leave with its sentences: asked for before any is read. */
export function demandConsentToWord({ request, models }: SearchContext, plan: Plan): void {
  const model = models?.synthesizer
  if (model === undefined || request.confirm_residency || !needsConsent(model)) return
  const columns = plan.select.flatMap(({ path }) => (path === undefined ? [] : [[plan.from, ...path].join('.')]))
  throw unconfirmed(model, [`to ${model.id}: the sentences of the answer, with the values of ${columns.length === 0 ? `the counted ${plan.from}` : columns.join(', ')}`])
}

const unconfirmed = ({ id, residency }: Pick<ModelProvider, 'id' | 'residency'>, leaving: readonly string[]): ServiceError =>
  new ServiceError('residency_unconfirmed', `the provider ${id} keeps data in ${residency}`, {
    stage: 'plan', leaving, hint: 'send confirm_residency: true to agree to what leaving lists, or name a provider that stays with you',
  })

type Why = FailureKind | 'no_plan' | 'faulty'
type Proposed = { readonly plan: Plan } | { readonly plan: null; readonly why: Why; readonly failure: ServiceError }

/** A plan that holds, at the first or the second try. */
async function propose(context: SearchContext, model: ModelProvider, asking: Asking): Promise<Proposed> {
  const prompt = planPrompt(asking.told)
  const first = await attempt(context, model, asking, prompt)
  if ('plan' in first || !first.repairable) return ended(model, first)
  const second = await attempt(context, model, asking, repairPrompt(prompt, first.offered, first.faults))
  return ended(model, second)
}

type Attempt =
  | { readonly plan: Plan }
  | { readonly why: Why; readonly repairable: boolean; readonly offered: Plan | null; readonly faults: readonly Fault[]; readonly failure?: ModelFailure }

async function attempt(context: SearchContext, model: ModelProvider, { said, book }: Asking, prompt: string): Promise<Attempt> {
  const { ontology, signal } = context
  try {
    const { value: { plan } } = await model.generate({
      system: SYSTEM, prompt, shape: PLAN_SHAPE, maxTokens: REPLY_TOKENS, deadlineMs: SHARE * remainingMs(context, 'plan'), ...(signal === undefined ? {} : { signal }),
    })
    if (plan === undefined) return { why: 'no_plan', repairable: false, offered: null, faults: [] }
    const unknown = faultsOf(ontology, book, plan)
    if (unknown.length > 0) return { why: 'faulty', repairable: true, offered: plan, faults: unknown }
    const stored = withStoredValues(ontology, plan, said)
    const baseless = baselessIn(ontology, stored, said)
    return baseless.length > 0 ? { why: 'faulty', repairable: true, offered: plan, faults: baseless } : { plan: stored }
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error
    const faults = [{ message: 'the reply was not of the shape asked for' }]
    return { why: error.kind, repairable: error.kind === 'malformed', offered: null, faults, failure: error }
  }
}

function ended(model: ModelProvider, outcome: Attempt): Proposed {
  if ('plan' in outcome) return outcome
  const { why, faults, failure } = outcome
  const errors = faults.map(({ path, message }) => ({ ...(path === undefined ? {} : { path }), message: message.slice(0, 200) }))
  return { plan: null, why, failure: failure ?? new ModelFailure(model.id, 'malformed', why === 'faulty' ? 'its plan does not hold' : 'it found no plan', { errors }) }
}

/** The model's plan, unless the embedded planner is sure of another one that finds something else. */
async function settled(context: SearchContext, model: ModelProvider, plan: Plan, embedded: Planned): Promise<Planned> {
  const by = { provider: model.id, model: model.model }
  if (embedded.status !== 'planned') {
    return { status: 'planned', plan, terms: [...embedded.terms], alternatives: [], uncovered: [], confidence: alone(plan), by }
  }
  if (isDeepStrictEqual(plan, embedded.plan)) return { ...embedded, confidence: together(embedded.confidence), by }
  const { ontology, source, request } = context
  const limits = { timeoutMs: remainingMs(context, 'plan'), ...(context.signal === undefined ? {} : { signal: context.signal }) }
  const same = await findTheSame(ontology, source, [{ plan }, embedded], limits)
  if (!same && request.clarify && embedded.confidence >= SURE) return asked(context, plan, embedded, by)
  const alternatives = [embedded.plan, ...embedded.alternatives].filter((other) => !isDeepStrictEqual(other, plan)).slice(0, 3)
  return { ...embedded, plan, alternatives, confidence: same ? together(embedded.confidence) : alone(plan) * (1 - embedded.confidence / 2), by }
}

/** Estimates, not fitted to outcomes: two that agree are right more often than either, one that nobody confirms less often. */
const together = (confidence: number): number => Number((1 - (1 - confidence) / 2).toFixed(4))
const ALONE = 0.8
const alone = (plan: Plan): number => Number((ALONE * editedConfidence(plan)).toFixed(4))

function asked({ ontology }: SearchContext, plan: Plan, embedded: Answered, by: Planned['by']): Planned {
  const plans = [plan, embedded.plan]
  const labels = describePlans(ontology, plans)
  return { status: 'clarify', options: plans.map((each, at) => ({ label: labels[at] ?? '', plan: each })), terms: embedded.terms, ...(by === undefined ? {} : { by }) }
}
