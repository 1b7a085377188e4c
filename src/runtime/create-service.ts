/** Puts the rooms together into one service. Everything that varies (clock, environment, files) comes in through the project. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { MINING, ServiceError, type Tier, minTier } from '../contracts/index.ts'
import { RCA_PRESETS, rootCause } from '../insights/index.ts'
import { type Materialisation, explainTriple } from '../materialise/index.ts'
import { cutOntology, vocabularyOf } from '../ontology/index.ts'
import { materialiseOutputs, runPhases } from '../pipeline/index.ts'
import { candidate, candidates, cutSession, decide, summary } from '../review/index.ts'
import { loadLibrary, withBase } from '../rules/index.ts'
import { type Workspace, openWorkspace } from '../store/index.ts'
import { Metrics } from './metrics.ts'
import { OpenSources } from './open-sources.ts'
import { type Project, packageRoot, searchEnabled } from './project.ts'
import { searching } from './searching.ts'
import type { Caller, Labelled, PhaseOptions, Service } from './service.ts'
import { Subgraphs } from './subgraphs.ts'

export interface ServiceOptions {
  readonly clock?: { now(): number }
  readonly date?: () => Date
  readonly onBug?: (error: unknown, requestId: string) => void
  readonly progress?: (line: string) => void
}

export function createService(project: Project, options: ServiceOptions = {}): Service {
  const { clock = { now: () => performance.now() }, date = () => new Date(), onBug = () => undefined, progress = () => undefined } = options
  const { config } = project
  const sources = new OpenSources(config)
  const metrics = new Metrics()
  const subgraphs = new Subgraphs(() => clock.now())
  const rcaLibrary = withBase(loadLibrary(readFileSync(join(packageRoot, 'templates', 'rules', 'rca.yaml'), 'utf8')), config.base_iri)
  // opened when first needed: a question alone leaves no file behind
  let opened: Workspace | null = null
  const workspace = (): Workspace => (opened ??= openWorkspace(config.store, { clock: date }))
  const graphs = new Graphs(project, workspace, rcaLibrary)

  const { search, sparql } = searching({
    project, sources, subgraphs, metrics, clock, onBug,
    onDone: ({ answer }, caller, ceiling) => {
      if (opened === null) return
      opened.runs.save({ runId: answer.run_id, ceiling, caller: caller.name, body: answer, createdAt: date().toISOString() })
    },
  })

  async function runPhase(phase: string, asked: PhaseOptions) {
    const { source, logPath, maxTier = 'Restricted', windowSeconds = MINING.window_seconds, ignoreWindows = false, entityJoin = true } = asked
    try {
      const outcomes = await runPhases(
        phase,
        {
          config, rcaLibrary, maxTier, windowSeconds, ignoreWindows, entityJoin, progress,
          workspace: workspace(),
          logPath: logPath === undefined ? null : resolve(logPath),
          clock: date,
          ontology: async () => {
            const known = sources.configured()
            if (source === undefined && known.length === 0) return null
            return (await sources.open(sources.find(source, undefined, true))).ontology
          },
        },
        () => clock.now(),
      )
      for (const outcome of outcomes) metrics.phases.inc({ phase: outcome.phase, outcome: 'done' })
      graphs.forget()
      return outcomes.map(({ phase: name, ms, lines, files, counts }) => ({ phase: name, ms, lines: [...lines], files: [...files], counts }))
    } catch (error) {
      metrics.phases.inc({ phase: 'any', outcome: 'failed' })
      throw error
    }
  }

  return {
    search,
    sparql,
    async vocabulary(caller, maxTier, source) {
      const named = sources.find(source, undefined, false)
      const ceiling = minTier(ceilingFor(caller, maxTier), named.maxTier)
      const { ontology } = await sources.open(named)
      return { value: vocabularyOf(cutOntology(ontology, ceiling)), ceiling }
    },
    sources: () => sources.configured().map(({ name, flavor, maxTier }) => ({ name, flavor, max_tier: maxTier })),
    flavors: () => [...project.flavors.values()].map(({ name, label, example }) => ({ name, label, example: example ?? null })),
    summary: (caller) => ({ value: { ...summary(workspace(), { maxTier: caller.grant }) }, ceiling: caller.grant }),
    candidates: (query, caller) => ({ value: candidates(workspace(), { ...query, maxTier: caller.grant }), ceiling: caller.grant }),
    candidate: (pid, caller) => ({ value: candidate(workspace(), pid, { maxTier: caller.grant }), ceiling: caller.grant }),
    decide(pid, action, { note }, caller) {
      candidate(workspace(), pid, { maxTier: caller.grant }) // one above the grant is as unknown as any other
      const about = { reviewer: caller.name, now: date().toISOString(), baseIri: config.base_iri, ...(note === undefined ? {} : { note }) }
      graphs.forget()
      return { value: decide(workspace(), pid, action, about), ceiling: caller.grant }
    },
    async seed(logPath, caller) {
      const path = logPath === undefined ? config.log_roots[0] : resolve(logPath)
      const allowed = path !== undefined && config.log_roots.some((root) => path === root || path.startsWith(`${root}/`))
      if (!allowed) throw new ServiceError('invalid_request', 'only folders below log_roots can be mined', { hint: 'add the folder to log_roots in wherefore.json' })
      const [mined] = await runPhase('mine', { logPath: path })
      return { value: mined?.counts ?? {}, ceiling: caller.grant }
    },
    session(caller) {
      const { version, session } = workspace().session.load()
      return { value: { version, session: cutSession(session, caller.grant) }, ceiling: caller.grant }
    },
    rcaPresets: () => [...RCA_PRESETS],
    async rca(request, caller) {
      const ceiling = ceilingFor(caller, request.max_tier)
      const since = clock.now()
      if (request.provider !== undefined && request.provider !== 'embedded') {
        throw new ServiceError('provider_not_ready', 'root causes are computed by the embedded provider here', { hint: 'leave provider out' })
      }
      const insight = rootCause(graphs.at(ceiling), { ...request, ceiling })
      return { value: { ...insight, provider: 'embedded', model: '', duration_ms: Math.round(clock.now() - since) }, ceiling }
    },
    async explain(triple, depth, caller) {
      return { value: explainTriple(graphs.at(caller.grant), triple, depth, caller.grant), ceiling: caller.grant }
    },
    runPhase,
    metrics: () => metrics.registry.metrics(),
    health: () => ({ status: 'ok', search_enabled: searchEnabled(project.env), version: packageVersion() }),
    async close() {
      await sources.close()
      opened?.close()
      opened = null
    },
  }
}

const ceilingFor = (caller: Caller, asked?: Tier): Tier => minTier(caller.grant, asked ?? caller.grant)

/** The materialised graph, one per ceiling that is asked for, built from the output files when first needed. */
class Graphs {
  private readonly built = new Map<Tier, Materialisation>()
  private readonly project: Project
  private readonly workspace: () => Workspace
  private readonly rcaLibrary: Parameters<typeof materialiseOutputs>[3]

  constructor(project: Project, workspace: () => Workspace, rcaLibrary: Parameters<typeof materialiseOutputs>[3]) {
    this.project = project
    this.workspace = workspace
    this.rcaLibrary = rcaLibrary
  }

  at(ceiling: Tier): Materialisation {
    const { out, base_iri } = this.project.config
    const found = this.built.get(ceiling)
    if (found !== undefined) return found
    const { session } = this.workspace().session.load()
    const graph = materialiseOutputs(out, base_iri, session, this.rcaLibrary, { maxTier: ceiling, ignoreWindows: false, entityJoin: true })
    this.built.set(ceiling, graph)
    return graph
  }

  forget(): void {
    this.built.clear()
  }
}

export const packageVersion = (): string => String(JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')).version)

export type { Labelled }
