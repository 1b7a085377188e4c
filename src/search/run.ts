/**
 * One search, as one stream of events: plan -> execute -> relations -> reason -> synthesize. The SDK drains it, HTTP drains
 * it, SSE forwards it, the command line prints it, metrics count it.
 */
import {
  type AnswerPlan, type ExecutedQuery, type Plan, type SearchAnswer, type SearchEvent, type Stage, type StageEvent, STAGES, ServiceError, problem,
} from '../contracts/index.ts'
import type { StoredFact } from '../kernel/datalog/index.ts'
import { compareText } from '../kernel/term.ts'
import { checkPlan } from './check-plan.ts'
import { type SearchContext, stopReason, wireCell } from './context.ts'
import { editedConfidence } from './edited-confidence.ts'
import { type Executed, execute } from './execute.ts'
import { wireInferred } from './inferred.ts'
import { type Planned, plan as planStage } from './plan.ts'
import { demandConsentToWord, planWithModel } from './planner/model/plan-with-model.ts'
import { nearestNames } from './planner/nearest.ts'
import { argumentClasses, ruleBook, rulesFor } from './planner/rule-heads.ts'
import { type Reasoned, othersOf, reason } from './reason.ts'
import { type RecordSet, recordLabel } from './records.ts'
import { relations } from './relations.ts'
import { type BuiltSubgraph, buildSubgraph, resultRecords, viewOf } from './subgraph.ts'
import { synthesize } from './synthesize.ts'
import { evidenceIris } from './verify.ts'
import { listed } from './wording/english.ts'
import { followUps } from './wording/follow-ups.ts'
import { proseOf } from './wording/with-model.ts'

/** What only the run itself knows: the subgraph's text stays on the host until it is asked for by id. */
export interface SearchOutcome {
  readonly answer: SearchAnswer
  readonly subgraph: BuiltSubgraph | null
}

export async function* runSearch(
  context: SearchContext,
  about: { requestId: string; subgraphId: () => string; onDone?: (outcome: SearchOutcome) => void; onBug: (error: unknown) => void },
): AsyncGenerator<SearchEvent> {
  const trace: StageEvent[] = []
  let stage: Stage = 'plan'
  let since = context.clock.now()
  const enter = (next: Stage) => {
    stage = next
    since = context.clock.now()
  }
  const leave = (detail: Record<string, unknown>, status: StageEvent['status'] = 'done'): SearchEvent => {
    const event: StageEvent = { stage, status, ms: rounded(context.clock.now() - since), ...detail }
    trace.push(event)
    return { event: 'stage', data: event }
  }

  yield { event: 'run', data: { run_id: context.runId } }
  try {
    const planned: Planned = context.request.plan === undefined ? await plannedBy(context) : edited(context.request.plan)
    if (planned.status !== 'planned') {
      yield leave({ outcome: planned.status, terms: planned.terms, uncovered: 'uncovered' in planned ? planned.uncovered : [] })
      for (const next of STAGES.slice(1)) {
        enter(next)
        yield leave({}, 'skipped')
      }
      const answer = refusal(context, planned, trace)
      about.onDone?.({ answer, subgraph: null })
      yield { event: 'answer', data: answer }
      return
    }
    const { plan } = planned
    const book = ruleBook(context.flavor, context.ontology)
    checkPlan(context.ontology, book, plan)
    yield leave({
      intent: plan.intent,
      classes: [plan.from, ...(plan.why?.given.map((given) => given.class) ?? [])].filter((name, at, all) => all.indexOf(name) === at),
      properties: plan.select.flatMap(({ path }) => (path === undefined ? [] : [path.join('.')])),
      terms: planned.terms,
      alternatives: planned.alternatives.length,
    })

    demandConsentToWord(context, plan)
    enter('execute')
    const executed = await execute(context, plan)
    yield leave({ sql: executed.compiled.main.sql, rows: executed.rows.length })

    enter('relations')
    const goal = plan.why?.predicate
    const rules = goal === undefined ? [] : rulesFor(book, goal)
    const related = await relations(context, executed, rules)
    yield leave({ neighbour_rows: related.records.size, hops: related.hops, tables: related.tables })

    enter('reason')
    let reasoned: Reasoned | null = null
    if (goal === undefined) yield leave({}, 'skipped')
    else if (!related.complete) {
      context.warnings.push('the rules need more records than may be read for one question, so nothing was derived: narrow the question')
      yield leave({ incomplete: true }, 'failed')
    } else {
      reasoned = reason(context, executed, related.records, rules)
      if (reasoned.model.stopped !== null) {
        throw new ServiceError('deadline_exceeded', 'the rules ran past their limit and were stopped', { stage: 'reason' })
      }
      const { fired, derived } = firedIn(reasoned.model)
      yield leave({ rules_fired: fired, derived, rounds: reasoned.model.rounds })
    }

    enter('synthesize')
    const incomplete = goal !== undefined && reasoned === null && executed.evidence.length > 0
    const made = incomplete ? null : await synthesize(context, executed, related.records, reasoned)
    for (const claim of made?.claims ?? []) yield { event: 'claim', data: claim }
    const claims = [...(made?.claims ?? [])]
    const prose = await proseOf(context, context.models?.synthesizer, claims)
    yield leave({ claims: made?.claims.length ?? 0, dropped: made?.dropped ?? 0 })

    const inferred = made?.inferred ?? []
    const result = goal === undefined ? related.records : resultRecords(context.ontology, related.records, evidenceIris(context, executed), inferred)
    const subgraph = context.request.materialize ? buildSubgraph(context.ontology, result, inferred) : null
    const answer: SearchAnswer = {
      ...blank(context, trace, planned.by),
      status: incomplete || claims.length === 0 ? 'ungrounded' : made?.found === true ? 'ok' : 'empty',
      answer: claims.length === 0 ? 'No statement passed its check, so none is made.' : prose,
      claims,
      citations: [...(made?.citations ?? [])],
      executed_query: executed.compiled.main.sql,
      executed_queries: [...executed.queries, ...related.records.queries].map(roundedQuery),
      plan: shownPlan(planned),
      results: resultsOf(context, executed, related.records, reasoned),
      inferred: inferred.map(wireInferred),
      subgraph: { id: subgraph === null ? null : about.subgraphId(), count: subgraph?.count ?? 0, view: subgraph?.view ?? viewOf(context.ontology, result, inferred) },
      confidence: planned.confidence,
      warnings: warningsOf(context, executed),
      follow_ups: made?.found === true ? followUps(context.ontology, plan) : [],
    }
    about.onDone?.({ answer, subgraph })
    yield { event: 'answer', data: answer }
  } catch (error) {
    // told before the listener hears of it, who may leave at once
    if (!(error instanceof ServiceError)) about.onBug(error)
    const failure = failureOf(error, stage, context.signal)
    // what fails after a stage was told, and before the next, is no second telling of it
    if (trace.at(-1)?.stage !== stage) yield leave({ code: failure.code }, 'failed')
    yield { event: 'error', data: problem(new ServiceError(failure.code, failure.message, { stage, ...failure.about }), about.requestId) }
  }
}

/** What the listener hears. Once a run is stopped, whatever fails in it fails because of that. */
function failureOf(error: unknown, stage: Stage, signal: AbortSignal | undefined): ServiceError {
  if (!(error instanceof ServiceError)) return new ServiceError('internal', 'an unexpected failure; its id is in the log', { stage, cause: error })
  return signal?.aborted === true ? stopReason(signal) : error
}

const plannedBy = (context: SearchContext): Promise<Planned> =>
  context.models?.planner === undefined ? planStage(context) : planWithModel(context, context.models.planner)

/** A plan that the caller edited takes the place of planning; it is checked against the vocabulary like any other. */
const edited = (plan: Plan): Planned => ({ status: 'planned', plan, terms: [], alternatives: [], uncovered: [], confidence: editedConfidence(plan) })

const shownPlan = (planned: Extract<Planned, { status: 'planned' }>): AnswerPlan => ({
  ...planned.plan,
  terms: [...planned.terms],
  alternatives: [...planned.alternatives],
  uncovered: [...planned.uncovered],
})

const rounded = (ms: number): number => Math.round(ms * 100) / 100
const roundedQuery = (query: ExecutedQuery): ExecutedQuery => ({ ...query, ms: rounded(query.ms) })

/** The rules that found something first, and how many facts; what was given has no rule. */
function firedIn({ size, rulesOf }: Reasoned['model']): { fired: string[]; derived: number } {
  const fired = new Set<string>()
  let derived = 0
  for (let id = 0; id < size; id += 1) {
    const [rule] = rulesOf(id)
    if (rule === undefined) continue
    derived += 1
    fired.add(rule)
  }
  return { fired: [...fired].toSorted(), derived }
}

/** The rows of the main query; for a why-question what was derived, since no query selects that. */
function resultsOf(context: SearchContext, executed: Executed, records: RecordSet, reasoned: Reasoned | null): SearchAnswer['results'] {
  const why = executed.plan.why
  if (why === undefined || reasoned === null) {
    return { columns: [...executed.columns], rows: executed.rows.map((row) => row.map(wireCell)), truncated: executed.truncated }
  }
  const classes = argumentClasses({ rules: reasoned.program.rules, unavailable: new Map() }, context.ontology, why.predicate)
  const cell = (term: StoredFact['args'][number]) => {
    const record = term?.kind === 'iri' ? records.get(term.value) : undefined
    return record === undefined ? (term?.value ?? null) : recordLabel(record)
  }
  if (why.complement) {
    const names = othersOf(executed, reasoned).map((iri) => records.get(iri)).map((record) => [record === undefined ? null : recordLabel(record)])
    const column = context.ontology.classes.find((cls) => cls.name === classes[why.ask])?.label ?? 'record'
    return { columns: [column], rows: names.slice(0, context.request.limit), truncated: names.length > context.request.limit }
  }
  const rows = reasoned.answers.map(({ args }) => args.map(cell)).toSorted((a, b) => compareText(a.join('\n'), b.join('\n')))
  const columns = classes.map((name, at) => context.ontology.classes.find((cls) => cls.name === name)?.label ?? `argument ${at + 1}`)
  return { columns, rows: rows.slice(0, context.request.limit), truncated: rows.length > context.request.limit }
}

function warningsOf(context: SearchContext, executed: Executed): string[] {
  const cut = executed.truncated ? [`only the first ${executed.rows.length} rows were read: raise limit to see more`] : []
  return [...context.warnings, ...cut]
}

function blank(context: SearchContext, trace: readonly StageEvent[], by: Planned['by']): SearchAnswer {
  return {
    run_id: context.runId,
    status: 'empty',
    answer: '',
    claims: [],
    citations: [],
    executed_query: '',
    executed_queries: [],
    plan: null,
    results: { columns: [], rows: [], truncated: false },
    inferred: [],
    subgraph: { id: null, count: 0, view: { nodes: [], edges: [], truncated: false } },
    confidence: 0,
    warnings: [...context.warnings],
    follow_ups: [],
    trace: [...trace],
    provider: by?.provider ?? 'embedded',
    model: by?.model ?? '',
    timings_ms: Object.fromEntries(trace.map(({ stage, ms }) => [stage, ms])),
  }
}

function refusal(context: SearchContext, planned: Exclude<Planned, { status: 'planned' }>, trace: readonly StageEvent[]): SearchAnswer {
  const base = { ...blank(context, trace, planned.by), status: planned.status }
  if (planned.status === 'clarify') {
    const question = 'This can be read in more than one way. Which one is meant?'
    return { ...base, answer: question, clarification: { question, options: [...planned.options] } }
  }
  if (planned.status === 'blocked') {
    return {
      ...base,
      answer: `This needs data above the tier ${context.ceiling}.`,
      warnings: [...base.warnings, 'ask again with a higher max_tier, which your grant allows'],
    }
  }
  const words = planned.uncovered.map((word) => `"${word}"`)
  const answer = words.length === 0
    ? 'I cannot tell what this asks of the data.'
    : `I do not know what ${listed(words)} ${words.length === 1 ? 'means' : 'mean'} in this data.`
  const near = planned.uncovered.flatMap((word) => {
    const names = nearestNames(context.ontology, word)
    return names.length === 0 ? [] : [`nearest to "${word}" here: ${listed(names, names.length, 'or')}`]
  })
  return { ...base, answer, warnings: [...base.warnings, 'nothing was run: the vocabulary lists what can be asked about', ...near] }
}
