/** Search as the service offers it: who asks, what they may see, which database answers. */
import { randomUUID } from 'node:crypto'
import { type Flavor, LIMITS, type SearchEvent, type SearchRequest, ServiceError, type Tier, minTier, problem, tierRank, within } from '../contracts/index.ts'
import { type Ontology, cutOntology, ontologyFingerprint } from '../ontology/index.ts'
import { type Chosen, providersFor } from '../providers/index.ts'
import { type SparqlFormat, runSparql } from '../graph-store/index.ts'
import { SERVICE_WARNINGS, type SearchContext, type SearchOutcome, runSearch, stopReason } from '../search/index.ts'
import { AnswerCache } from './answer-cache.ts'
import { cutAt } from './cuts.ts'
import { earlierPlan, placeOfSource } from './follow-up.ts'
import type { Metrics } from './metrics.ts'
import type { OpenSources } from './open-sources.ts'
import { type Project, flavorNamed, searchEnabled } from './project.ts'
import type { EarlierRun } from './run-desk.ts'
import type { Origin } from './run-record.ts'
import type { Caller, Labelled } from './service.ts'
import { type FoundSubgraph, type Subgraphs, newSubgraphId, noSubgraph } from './subgraphs.ts'
import { Turnstile } from './turnstile.ts'

export interface SearchAbout {
  readonly requestId: string
  readonly signal?: AbortSignal
  readonly anyPath?: boolean
}

interface SearchParts {
  readonly project: Project
  readonly sources: OpenSources
  readonly subgraphs: Subgraphs
  readonly metrics: Metrics
  readonly clock: { now(): number }
  readonly today: () => Date
  readonly onBug: (error: unknown, requestId: string) => void
  readonly onDone?: (outcome: SearchOutcome, about: Origin & { caller: Caller; ceiling: Tier }) => void
  /** throws not_found for any run that the caller, granted no more than this, may not see */
  readonly earlier: (runId: string, caller: Caller) => EarlierRun
}

export function searching(parts: SearchParts) {
  const { project, sources, subgraphs, metrics, clock } = parts
  const searches = new Turnstile({ atOnce: LIMITS.searches_at_once, waiting: LIMITS.searches_waiting })
  const answers = new AnswerCache()
  const queries = new Turnstile({ atOnce: LIMITS.sparql_at_once, waiting: LIMITS.sparql_waiting })

  async function* events(request: SearchRequest, caller: Caller, about: SearchAbout): AsyncGenerator<SearchEvent> {
    let leave = (): void => undefined
    try {
      demandEnabled(project)
      // who has waited as long as the search itself may take is told to come back
      leave = await searches.enter({ waitMs: request.timeout_ms, ...signalOf(about) })
      const { context, origin } = await unlessGone(contextFor(request, caller, about), about.signal)
      const subgraphId = newSubgraphId(context.runId)
      const done = (outcome: SearchOutcome): void => {
        const { ceiling } = context
        if (outcome.subgraph !== null) subgraphs.keep(subgraphId, context.runId, outcome.subgraph.turtle, ceiling, caller)
        parts.onDone?.(outcome, { caller, ceiling, ...origin, ontology: ontologyFingerprint(context.ontology) })
      }
      yield* answers.through({ context, caller, subgraphId, onDone: done }, (onDone) =>
        runSearch(context, {
          requestId: about.requestId,
          subgraphId: () => subgraphId,
          onBug: (error) => parts.onBug(error, about.requestId),
          onDone,
        }),
      )
    } catch (error) {
      if (!(error instanceof ServiceError)) parts.onBug(error, about.requestId)
      yield { event: 'error', data: problem(error, about.requestId) }
    } finally {
      leave()
    }
  }

  async function contextFor(request: SearchRequest, caller: Caller, about: SearchAbout) {
    if (request.flavor !== undefined) flavorNamed(project, request.flavor)
    const named = sources.find(request.db_path, request.flavor, about.anyPath === true)
    const flavor: Flavor = flavorNamed(project, request.flavor ?? named.flavor ?? 'generic')
    const providers = providersFor(project.providers, request.providers, project.env)
    const grant = minTier(caller.grant, named.maxTier, providers.maxTier)
    const ceiling = minTier(request.max_tier, grant)
    const wanted = minTier(request.max_tier, caller.grant, named.maxTier)
    const warnings = tierRank(request.max_tier) > tierRank(caller.grant) ? [SERVICE_WARNINGS.lowered(wanted)] : []
    if (ceiling !== wanted) warnings.push(SERVICE_WARNINGS.cleared(providers.maxTier))
    // a run above this question's ceiling is as unknown to it as one that never was
    const earlier = request.context === undefined ? null : parts.earlier(request.context, { ...caller, grant: ceiling })
    const { source, ontology } = await sources.open(named)
    const origin = placeOfSource(named, sources.configured())
    const context: SearchContext = {
      runId: randomUUID(),
      request,
      source,
      flavor,
      ceiling,
      ontology: cutAt(ontology, ceiling),
      granted: cutAt(ontology, grant),
      clock,
      startedAt: clock.now(),
      today: parts.today(),
      ...signalOf(about),
      warnings,
      models: callable(providers),
      ...(earlier === null ? {} : goneOn(earlier, origin, ontology, warnings)),
    }
    return { context, origin }
  }

  async function sparql(
    ask: { subgraphId?: string; runId?: string; query: string; format?: SparqlFormat },
    caller: Caller,
    about: { readonly signal?: AbortSignal } = {},
  ): Promise<Labelled<string>> {
    demandEnabled(project)
    const found = subgraphs.find(ask, caller)
    if (!(await stillStands(found))) throw noSubgraph()
    const leave = await queries.enter({ waitMs: LIMITS.default_timeout_ms, ...signalOf(about) })
    try {
      const { format = 'json' } = ask
      const limits = { timeoutMs: LIMITS.default_timeout_ms, maxRows: LIMITS.sparql_rows, ...signalOf(about) }
      return { value: await runSparql(found.turtle, ask.query, limits, format), ceiling: found.ceiling }
    } finally {
      leave()
    }
  }

  /** A graph from the store was cut by the tiers of its day: it is shown only while today's ontology has the same cut. */
  async function stillStands({ made, ceiling }: FoundSubgraph): Promise<boolean> {
    if (made === undefined) return true
    const named = sources.configured().find(({ name }) => name === made.source)
    if (named === undefined || !within(ceiling, named.maxTier)) return false
    const { ontology } = await sources.open(named)
    return ontologyFingerprint(cutOntology(ontology, ceiling)) === made.ontology
  }

  return {
    search: (request: SearchRequest, caller: Caller, about: SearchAbout) => metrics.counted(events(request, caller, about), () => clock.now()),
    /** throws too_many_requests where the next search would be sent away at once */
    demandRoom: () => searches.demandRoom(),
    sparql,
  }
}

const signalOf = ({ signal }: { readonly signal?: AbortSignal }): { signal?: AbortSignal } => (signal === undefined ? {} : { signal })

/** The models of a request; what the embedded planner and grammar do needs none. */
const callable = ({ planner, synthesizer }: Chosen): NonNullable<SearchContext['models']> => ({
  ...(planner.call === null ? {} : { planner: planner.call }),
  ...(synthesizer.call === null ? {} : { synthesizer: synthesizer.call }),
})

function goneOn(run: EarlierRun, origin: ReturnType<typeof placeOfSource>, ontology: Ontology, warnings: string[]): Pick<SearchContext, 'earlier'> {
  const found = earlierPlan(run, origin, ontology)
  if ('plan' in found) return { earlier: found.plan }
  warnings.push(found.warning)
  return {}
}

/** Opening a database is shared with others and goes on; who has left does not wait for it. */
function unlessGone<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(stopReason(signal))
    if (signal.aborted) leave()
    signal.addEventListener('abort', leave, { once: true })
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}

export function demandEnabled(project: Project): void {
  if (searchEnabled(project.env)) return
  throw new ServiceError('search_disabled', 'reasoning search is switched off', { hint: 'set SERVICE_SEARCH=1 and start again' })
}
