/** Puts the rooms together into one service. Everything that varies (clock, environment, files) comes in through the project. */
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { LIMITS, MINING, ServiceError, Session, type Tier, minTier } from '../contracts/index.ts'
import { materialisedTriples, projectPrefixes } from '../materialise/index.ts'
import { cutOntology, vocabularyOf } from '../ontology/index.ts'
import { runPhases } from '../pipeline/index.ts'
import { flavorRules, loadLibrary, withBase } from '../rules/index.ts'
import { type Workspace, openWorkspace } from '../store/index.ts'
import { realSourcesDir } from './add-source.ts'
import { competencyDesk } from './competency-questions.ts'
import { explained, whyNotFound } from './explaining.ts'
import { outputShelf } from './files.ts'
import { Graphs } from './graphs.ts'
import { Jobs } from './jobs.ts'
import { LiveRuns } from './live-runs.ts'
import { allowedLogPath } from './log-roots.ts'
import { metadataDesk } from './metadata-desk.ts'
import { metadataSupply } from './metadata-supply.ts'
import { Metrics } from './metrics.ts'
import { shortNames } from './names.ts'
import { OpenSources } from './open-sources.ts'
import { phaseSource } from './phase-source.ts'
import { type Project, flavorNamed, isBundled, packageRoot, searchEnabled } from './project.ts'
import { reviewDesk } from './review-desk.ts'
import { previewing } from './previewing.ts'
import { ruleDesk } from './rule-desk.ts'
import { ruleLibraries } from './rule-libraries.ts'
import { RuleSights } from './rule-sight.ts'
import { providerDesk } from './provider-desk.ts'
import { rootCauses } from './root-causes.ts'
import { earlierRun, runDesk } from './run-desk.ts'
import { runRecorder } from './run-recorder.ts'
import { demandEnabled, searching } from './searching.ts'
import type { Caller, Labelled, PhaseOptions, Service } from './service.ts'
import { sourceDesk } from './source-desk.ts'
import { Subgraphs, storable } from './subgraphs.ts'
import { suggesting } from './suggesting.ts'
import { verifying } from './verifying.ts'

export interface ServiceOptions {
  readonly clock?: { now(): number }
  readonly date?: () => Date
  readonly onBug?: (error: unknown, requestId: string) => void
  readonly progress?: (line: string) => void
  /** store each answer, so that it can be asked for again and follow-ups can name it */
  readonly keepRuns?: boolean
  /** ids of jobs */
  readonly ids?: () => string
  /** the folder below which an admin may add files as sources */
  readonly sourcesDir?: string
  /** how long a resumable search goes on while nobody listens */
  readonly resumeMs?: number
  /** where searches are counted; services that share it are counted together */
  readonly metrics?: Metrics
  /** how long suggestions may look for values */
  readonly suggestValuesMs?: number
}

export function createService(project: Project, options: ServiceOptions = {}): Service {
  const { clock = { now: () => performance.now() }, date = () => new Date(), onBug = () => undefined, progress = () => undefined } = options
  const { ids = randomUUID, resumeMs = LIMITS.resume_seconds * 1000 } = options
  const sourcesDir = options.sourcesDir === undefined ? null : realSourcesDir(options.sourcesDir)
  const { config } = project
  const { metrics = new Metrics() } = options
  const subgraphs = new Subgraphs(() => clock.now(), (runId) => peek()?.runs.get(runId))
  const rcaLibrary = withBase(loadLibrary(readFileSync(join(packageRoot, 'templates', 'rules', 'rca.yaml'), 'utf8')), config.base_iri)
  // opened when first needed: a question alone leaves no file behind
  let opened: Workspace | null = null
  const workspace = (): Workspace => (opened ??= openWorkspace(config.store, { clock: date }))
  const peek = (): Workspace | null => opened ?? (existsSync(config.store) ? workspace() : null)
  const supply = metadataSupply(config.store, peek)
  const sources = new OpenSources(config, supply)
  // the rules of a trade run over the databases of that trade
  const ownFlavors = sources.configured().flatMap(({ flavor, path }) => (flavor === null || isBundled(project, path) ? [] : flavor))
  const rulesOf = (flavors: readonly string[] = ownFlavors) =>
    [...new Set(flavors)].flatMap((name) => {
      const found = project.flavors.get(name)
      return found === undefined ? [] : flavorRules(found)
    })
  const graphs = new Graphs({ config, workspace, rcaLibrary, flavorRules: rulesOf })
  const prefixes = projectPrefixes(config.base_iri, config.record_base)

  const now = () => date().toISOString()
  const recorder = runRecorder({ workspace, now, onBug })
  const found = { peek, demandEnabled: () => demandEnabled(project) }
  const live = new LiveRuns(onBug)
  const { search, sparql, demandRoom } = searching({
    project, sources, subgraphs, metrics, clock, today: date, onBug,
    earlier: (runId, caller) => earlierRun(found, runId, caller),
    onDone: ({ answer, subgraph }, made) => {
      if (options.keepRuns === true) recorder.keep(answer, { ...made, ...storable(subgraph) })
    },
  })

  async function runPhase(phase: string, asked: PhaseOptions) {
    const { source, logPath, maxTier = 'Restricted', windowSeconds = MINING.window_seconds, gate = 'sound', ignoreWindows = false, entityJoin = true, uniqueNames = true, rdf12 = false } = asked
    const ended = metrics.pipeline()
    const told = asked.progress ?? progress
    try {
      const named = phaseSource(project, sources, { source, flavor: asked.flavor })
      const bundled = named !== null && isBundled(project, named.path)
      if (bundled) told(`the bundled example ${named.name} is read`)
      const outcomes = await runPhases(
        phase,
        {
          ...(asked.workers === undefined ? {} : { workers: asked.workers }),
          ...(asked.similarity === undefined ? {} : { similarity: asked.similarity }),
          ...(asked.minHits === undefined ? {} : { minHits: asked.minHits }),
          ...(asked.dependent === undefined ? {} : { dependent: asked.dependent }),
          ...(asked.states === undefined ? {} : { states: asked.states }),
          config, rcaLibrary, maxTier, windowSeconds, gate, ignoreWindows, entityJoin, uniqueNames, rdf12,
          progress: told,
          ...(asked.driftSimilarity === undefined ? {} : { driftSimilarity: asked.driftSimilarity }),
          ...(asked.signal === undefined ? {} : { signal: asked.signal }),
          ...(asked.onBegin === undefined ? {} : { onBegin: asked.onBegin }),
          onPhase: (outcome) => {
            metrics.phase(outcome.phase, outcome.ms)
            asked.onPhase?.(outcome)
          },
          workspace: workspace(),
          logPath: logPath === undefined ? null : resolve(demandPath(logPath)),
          clock: date,
          directMapping: asked.directMapping ?? false,
          flavorRules: asked.flavor === undefined ? rulesOf(bundled && named.flavor !== null ? [named.flavor] : ownFlavors) : flavorRules(flavorNamed(project, asked.flavor)),
          hasDatabase: named !== null,
          database: async () => {
            if (named === null) return null
            supply.forget()
            return { name: named.name, ...(await sources.open(named)) }
          },
        },
        () => clock.now(),
      )
      graphs.forget()
      return outcomes.map(({ phase: name, ms, lines, files, counts }) => ({ phase: name, ms, lines: [...lines], files: [...files], counts }))
    } catch (error) {
      metrics.phaseFailed(error)
      throw error
    } finally {
      ended()
    }
  }
  // a job is asked for over the network: it reads configured sources and folders below log_roots, nothing else
  const firstRoot = config.log_roots[0] === undefined ? {} : { logPath: config.log_roots[0] }
  const jobs = new Jobs({
    ids,
    onBug,
    run: async (phase, asked) =>
      runPhase(phase, {
        ...asked,
        ...(asked.source === undefined ? {} : { source: sources.find(asked.source, undefined, false).name }),
        ...(asked.logPath === undefined ? firstRoot : { logPath: allowedLogPath(asked.logPath, config.log_roots) }),
      }),
  })

  const recordedSearch: Service['search'] = (request, caller, about) => {
    const events = search(request, caller, about)
    return options.keepRuns === true ? recorder.recorded(events, { request, caller, requestId: about.requestId }) : events
  }

  const rules = ruleDesk({
    workspace, peek, flavorRules: rulesOf, rcaLibrary, libraries: ruleLibraries(), baseIri: config.base_iri, changed: () => graphs.forget(),
    sights: new RuleSights({ config, sources, session: () => peek()?.session.load() ?? NO_SESSION }),
    previewing: previewing({ baseIri: config.base_iri, recordBase: config.record_base, out: config.out, clock }),
  })

  return {
    search: recordedSearch,
    stream(request, caller, { requestId, signal }) {
      demandRoom()
      const about = { caller, requestId, ceiling: minTier(request.max_tier, caller.grant), lingerMs: request.resumable ? resumeMs : 0 }
      return live.start((stop) => recordedSearch(request, caller, { requestId, signal: stop }), about, signal)
    },
    sparql,
    competency: competencyDesk({ workspace, peek, search: recordedSearch, demandEnabled: () => demandEnabled(project), clock }),
    runs: runDesk({ ...found, workspace, now, join: (runId, caller, listening) => live.join(runId, caller, listening) }),
    verify: verifying({ project, sources, clock }),
    suggest: suggesting({ project, sources, clock, ...(options.suggestValuesMs === undefined ? {} : { valuesMs: options.suggestValuesMs }) }),
    async vocabulary(caller, maxTier, source) {
      const named = sources.find(source, undefined, false)
      const ceiling = minTier(ceilingFor(caller, maxTier), named.maxTier)
      const { ontology } = await sources.open(named)
      return { value: vocabularyOf(cutOntology(ontology, ceiling)), ceiling }
    },
    rules,
    providers: providerDesk(project),
    sources: sourceDesk({ project, sources, sourcesDir, clock }),
    metadata: metadataDesk({ workspace, peek, sources, now: () => date().toISOString(), changed: () => supply.forget() }),
    files: outputShelf(config.out),
    jobs,
    flavors: () => [...project.flavors.values()].map(({ name, label, example }) => ({ name, label, example: example ?? null })),
    ...reviewDesk({
      workspace, config, now, sources, rules, isOwn: (path) => !isBundled(project, path), changed: () => graphs.forget(), mine: (logPath) => runPhase('mine', { logPath }),
    }),
    ...rootCauses({ graphs, workspace, clock, short: shortNames(project) }),
    async explain(triple, depth, caller) {
      const asked = { graph: await graphs.at(caller.grant), triple, prefixes, notes: graphs.notes(caller.grant) }
      return { value: explained(asked, depth), ceiling: caller.grant }
    },
    async whyNot(triple, caller) {
      const asked = { graph: await graphs.at(caller.grant), triple, prefixes, notes: graphs.notes(caller.grant) }
      return { value: whyNotFound(asked), ceiling: caller.grant }
    },
    async materialised(query, caller) {
      return { value: materialisedTriples(await graphs.at(caller.grant), query, prefixes), ceiling: caller.grant }
    },
    runPhase,
    metrics: () => metrics.text(),
    countRequest: (request) => metrics.request(request),
    health: () => ({ status: 'ok', search_enabled: searchEnabled(project.env), version: packageVersion() }),
    async close() {
      await live.close()
      await jobs.close()
      await sources.close()
      opened?.close()
      opened = null
    },
  }
}

const NO_SESSION = { version: 0, session: Session.parse({}) }

const ceilingFor = (caller: Caller, asked?: Tier): Tier => minTier(caller.grant, asked ?? caller.grant)

export const packageVersion = (): string => String(JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')).version)

export type { Labelled }

/** An empty path would be the folder that the program was started in, which nobody meant. */
function demandPath(path: string): string {
  if (path.trim() !== '') return path
  throw new ServiceError('invalid_request', 'the log path is empty', { hint: 'name a folder, a file or a pattern with --log-path' })
}
