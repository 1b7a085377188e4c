/** Search as the service offers it: who asks, what they may see, which database answers. */
import { randomUUID } from 'node:crypto'
import { type Flavor, LIMITS, type SearchEvent, type SearchRequest, ServiceError, type Tier, minTier, problem, tierRank, within } from '../contracts/index.ts'
import { cutOntology, ontologyFingerprint } from '../ontology/index.ts'
import { providerFor } from '../providers/index.ts'
import { type SparqlFormat, runSparql } from '../graph-store/index.ts'
import { type SearchContext, type SearchOutcome, runSearch } from '../search/index.ts'
import type { Metrics } from './metrics.ts'
import type { NamedSource, OpenSources } from './open-sources.ts'
import { type Project, flavorNamed, searchEnabled } from './project.ts'
import type { Caller, Labelled } from './service.ts'
import { type FoundSubgraph, type Subgraphs, newSubgraphId, noSubgraph } from './subgraphs.ts'

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
  readonly onBug: (error: unknown, requestId: string) => void
  readonly onDone?: (outcome: SearchOutcome, about: { caller: Caller; ceiling: Tier; source: string; ontology: string }) => void
}

export function searching(parts: SearchParts) {
  const { project, sources, subgraphs, metrics, clock } = parts

  async function* events(request: SearchRequest, caller: Caller, about: SearchAbout): AsyncGenerator<SearchEvent> {
    try {
      demandEnabled(project)
      if (request.context !== undefined || request.resumable) {
        throw new ServiceError('invalid_request', 'follow-up questions and resumable streams are not part of this version', { hint: 'leave context and resumable out' })
      }
      const { context, source } = await contextFor(request, caller, about)
      const subgraphId = newSubgraphId(context.runId)
      yield* runSearch(context, {
        requestId: about.requestId,
        subgraphId: () => subgraphId,
        onBug: (error) => parts.onBug(error, about.requestId),
        onDone: (outcome) => {
          const ceiling = minTier(context.ceiling, source.maxTier)
          if (outcome.subgraph !== null) subgraphs.keep(subgraphId, context.runId, outcome.subgraph.turtle, ceiling, caller)
          parts.onDone?.(outcome, { caller, ceiling, source: source.name, ontology: ontologyFingerprint(context.ontology) })
        },
      })
    } catch (error) {
      if (!(error instanceof ServiceError)) parts.onBug(error, about.requestId)
      yield { event: 'error', data: problem(error, about.requestId) }
    }
  }

  async function contextFor(request: SearchRequest, caller: Caller, about: SearchAbout): Promise<{ context: SearchContext; source: NamedSource }> {
    if (request.flavor !== undefined) flavorNamed(project, request.flavor)
    const named = sources.find(request.db_path, request.flavor, about.anyPath === true)
    const flavor: Flavor = flavorNamed(project, request.flavor ?? named.flavor ?? 'generic')
    const provider = providerFor(project.providers, request.providers, project.env)
    const { source, ontology } = await sources.open(named)
    const grant = minTier(caller.grant, named.maxTier, provider.maxTier)
    const ceiling = minTier(request.max_tier, grant)
    const warnings = tierRank(request.max_tier) > tierRank(caller.grant) ? [`max_tier was lowered to ${ceiling}, which is what you may see`] : []
    return {
      source: named,
      context: {
        runId: randomUUID(),
        request,
        source,
        flavor,
        ceiling,
        ontology: cutOntology(ontology, ceiling),
        granted: cutOntology(ontology, grant),
        clock,
        startedAt: clock.now(),
        ...(about.signal === undefined ? {} : { signal: about.signal }),
        warnings,
      },
    }
  }

  async function sparql(ask: { subgraphId?: string; runId?: string; query: string; format?: SparqlFormat }, caller: Caller): Promise<Labelled<string>> {
    demandEnabled(project)
    const found = subgraphs.find(ask, caller)
    if (!(await stillStands(found))) throw noSubgraph()
    return { value: await runSparql(found.turtle, ask.query, LIMITS.default_timeout_ms, ask.format), ceiling: found.ceiling }
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
    sparql,
  }
}

export function demandEnabled(project: Project): void {
  if (searchEnabled(project.env)) return
  throw new ServiceError('search_disabled', 'reasoning search is switched off', { hint: 'set SERVICE_SEARCH=1 and start again' })
}
