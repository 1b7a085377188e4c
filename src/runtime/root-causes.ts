/** Root causes as the service answers them: the graph, what mining found about its edges, and what nobody has approved yet. */
import {
  type CauseHint, type CausalRule, type Proposal, type RcaRequest, ServiceError, type Tier, minTier, within,
} from '../contracts/index.ts'
import { type EdgeFigures, RCA_PRESETS, postMortem, rootCause } from '../insights/index.ts'
import { cutSession } from '../review/index.ts'
import { joinsOnThing } from '../rules/index.ts'
import type { Workspace } from '../store/index.ts'
import type { Graphs } from './graphs.ts'
import type { Caller, Service } from './service.ts'

interface RootCauseParts {
  readonly graphs: Graphs
  readonly workspace: () => Workspace
  readonly clock: { now(): number }
  /** a term as people read it */
  readonly short: (term: string) => string
}

export function rootCauses({ graphs, workspace, clock, short }: RootCauseParts): Pick<Service, 'rcaPresets' | 'rca' | 'rcaReport'> {
  const figuresFor = figuresByGraph(workspace)
  const computed = async (request: RcaRequest, ceiling: Tier) => {
    if (request.provider !== undefined && request.provider !== 'embedded') {
      const hint = 'leave provider out'
      throw new ServiceError('provider_not_ready', 'root causes are computed by the embedded provider here', { hint })
    }
    const graph = await graphs.at(ceiling)
    const hints = (name: string) => causeHints(workspace(), name, ceiling)
    return rootCause(graph, { ...request, ceiling, figures: figuresFor(graph, ceiling), hints })
  }
  const ceilingOf = (request: RcaRequest, { grant }: Caller): Tier => minTier(grant, request.max_tier ?? grant)
  return {
    rcaPresets: () => [...RCA_PRESETS],
    async rca(request, caller) {
      const ceiling = ceilingOf(request, caller)
      const since = clock.now()
      const insight = await computed(request, ceiling)
      return { value: { ...insight, provider: 'embedded', model: '', duration_ms: Math.round(clock.now() - since) }, ceiling }
    },
    async rcaReport(request, caller) {
      const ceiling = ceilingOf(request, caller)
      const insight = await computed({ ...request, preset: 'root-cause' }, ceiling)
      const event_iri = insight.about?.event
      const { similar = [] } = await computed({ ...request, event_iri, at: undefined, on: undefined, preset: 'similar-incidents' }, ceiling)
      const templates = templatesByClass(workspace(), ceiling)
      return { value: postMortem({ insight, similar, short, template: (name) => templates.get(name) }), ceiling }
    },
  }
}

/** What the lines of each approved event look like, within the ceiling. */
function templatesByClass(workspace: Workspace, ceiling: Tier): Map<string, string> {
  const texts = new Map(workspace.logs.templates().map(({ clusterId, template }) => [clusterId, template]))
  const { events } = cutSession(workspace.session.load().session, ceiling)
  return new Map(events.flatMap(({ name, templates: [first] }) => {
    const text = texts.get(first ?? '')
    return text === undefined ? [] : [[name, text] as const]
  }))
}

/** Hints shown: the nearest candidates, not the queue. */
const HINTS = 3

/** Figures of the approved edges that the ceiling leaves. A candidate above it says nothing. */
function edgeFigures(workspace: Workspace, ceiling: Tier): EdgeFigures[] {
  const session = cutSession(workspace.session.load().session, ceiling)
  return session.causal_rules.filter(({ enabled }) => enabled).flatMap((rule) => figuresOf(rule, proposalOf(workspace, rule, ceiling)))
}

/** The same, read once for each graph: a decision or a phase makes a new one. */
function figuresByGraph(workspace: () => Workspace): (graph: object, ceiling: Tier) => readonly EdgeFigures[] {
  const known = new WeakMap<object, readonly EdgeFigures[]>()
  return (graph, ceiling) => {
    const figures = known.get(graph) ?? edgeFigures(workspace(), ceiling)
    known.set(graph, figures)
    return figures
  }
}

function proposalOf(workspace: Workspace, { pid }: CausalRule, ceiling: Tier): Proposal | undefined {
  const found = pid === undefined || pid === '' ? undefined : workspace.proposals.get(pid)
  return found !== undefined && within(found.tier, ceiling) ? found : undefined
}

function figuresOf({ id, cause_class: cause, effect_class: effect, window_seconds, body }: CausalRule, proposal: Proposal | undefined): EdgeFigures[] {
  if (cause === undefined || effect === undefined) return []
  const evidence = proposal?.evidence ?? {}
  const figure = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null)
  return [{
    rule: id,
    cause,
    effect,
    windowSeconds: window_seconds ?? 30,
    joined: joinsOnThing(body),
    confidence: proposal?.confidence ?? null,
    n: figure(evidence['n']),
    followed: figure(evidence['causes_followed']),
    lagMsP50: proposal?.lag_ms_p50 ?? null,
    lagMsP95: proposal?.lag_ms_p95 ?? null,
  }]
}

/** Candidates for causes of a kind of event, best first; those that somebody decided against are none. */
function causeHints(workspace: Workspace, className: string, ceiling: Tier): CauseHint[] {
  const { events } = cutSession(workspace.session.load().session, ceiling)
  const templates = events.filter(({ name }) => name === className).flatMap((event) => event.templates)
  const isEdge = ({ proposal_type: type }: Proposal): boolean => type === 'LOG_CAUSAL_EDGE'
  return workspace.proposals.over(templates, ['effect'])
    .filter((proposal) => isEdge(proposal) || proposal.proposal_type === 'LOG_RELATIONSHIP')
    .filter(({ status, tier }) => (status === 'PENDING' || status === 'DEFERRED') && within(tier, ceiling))
    .toSorted((x, y) => Number(isEdge(y)) - Number(isEdge(x)) || y.confidence - x.confidence)
    .slice(0, HINTS)
    .map(({ pid, title, confidence, status }) => ({ pid, title, confidence, status }))
}
