/** Root causes measured on generated incidents, along the whole path of the product: lines of text in, ranked causes out. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Insight, LOG_DISCOVERY } from '../contracts/index.ts'
import {
  type Corpus, type CorpusEvent, type CorpusOptions, type Incident, corpusFiles, incidentTruth, makeCorpus, truthOf,
} from '../evaluation/index.ts'
import { RDF_TYPE, parseTurtle } from '../kernel/rdf/index.ts'
import { compileCausalRule } from '../rules/index.ts'
import { openWorkspace } from '../store/index.ts'
import { createService } from './create-service.ts'
import { openProject } from './project.ts'
import type { Caller, Service } from './service.ts'

export interface IncidentsAsked extends CorpusOptions {
  /** an empty folder of its own; what is left there can be looked at */
  readonly folder: string
  /** approve the causal candidates as they come, or the edges that are true */
  readonly approve: 'mined' | 'true'
  /** ask about every so many-th incident (1: all) */
  readonly every?: number
  /** every line of a statement that begins incidents is written so many times more, three seconds apart (0) */
  readonly repeats?: number
  /** false leaves the files of phase reason out: the questions reason for themselves, and a test has little time */
  readonly writeGraph?: boolean
}

export interface JudgedIncident {
  readonly root: string
  readonly effect: string
  /** place of the true root among the ranked causes from 1 on, or null */
  readonly rank: number | null
  /** the same among the causes whose every step is proven */
  readonly provenRank: number | null
  /** steps from the root to the effect in truth; null where a line in between did not reach the log */
  readonly hops: number | null
  readonly topIsPlanned: boolean
  /** why the root is not first, or null */
  readonly failure: 'event not in the graph' | 'root not in the graph' | 'no cause found' | 'root not reached' | 'ranked lower' | null
  readonly ranked: readonly string[]
}

export interface IncidentsEvaluation {
  readonly rules: number
  readonly trueRules: number
  readonly incidents: readonly JudgedIncident[]
  /** chains that came back; of these the ones with a step that is marked as supposed, which no proof stands behind */
  readonly chains: number
  readonly supposed: number
  /** questions where the checker refused a chain, which was then dropped */
  readonly refused: number
  /** planned lines that were asked about, and those that a cause was given to */
  readonly planned: number
  readonly plannedExplained: number
}

const CALLER: Caller = { name: 'evaluation', grant: 'Restricted', roles: ['reader', 'reviewer', 'author', 'admin'] }

export async function evaluateIncidents({ folder, approve, every = 1, writeGraph = true, repeats = 0, ...options }: IncidentsAsked): Promise<IncidentsEvaluation> {
  const corpus = repeated(makeCorpus(options), repeats)
  const logs = join(folder, 'logs')
  mkdirSync(logs, { recursive: true })
  for (const { file, text } of corpusFiles(corpus)) writeFileSync(join(logs, file), text)
  writeFileSync(join(folder, 'truth.json'), `${JSON.stringify({ ...truthOf(corpus), ...incidentTruth(corpus) }, null, 1)}\n`)
  const base = openProject({ cwd: folder, env: {}, overrides: { out: join(folder, 'output'), store: join(folder, 'store.db') } })
  const project = { ...base, config: { ...base.config, sources: {}, log_roots: [folder] } }
  const service = createService(project)
  try {
    await service.runPhase('mine', { logPath: logs })
    const statementOf = statementsOf(project.config.store, corpus)
    if (approve === 'mined') approveAll(service)
    else approveTrue(service, project.config, corpus, statementOf)
    await service.runPhase('2', {})
    if (writeGraph) await service.runPhase('reason', {})
    const { session } = service.session(CALLER).value
    const statements = new Map(session.events.map(({ name, templates }) => [name, statementOf.get(templates[0] ?? '') ?? '']))
    const isTrue = new Set(corpus.edges.map(({ cause, effect }) => `${cause} ${effect}`))
    const trueRules = session.causal_rules.filter(
      ({ cause_class: cause = '', effect_class: effect = '' }) => isTrue.has(`${statements.get(cause)} ${statements.get(effect)}`),
    )
    const instances = new Instances(readFileSync(join(project.config.out, 'ontology/log-events.ttl'), 'utf8'), project.config.base_iri, statements)
    const asked = await askAll(service, corpus, instances, every)
    return { rules: session.causal_rules.length, trueRules: trueRules.length, ...asked }
  } finally {
    await service.close()
  }
}

const REPEAT_MS = 3000

function repeated(corpus: Corpus, repeats: number): Corpus {
  const roots = new Set(corpus.incidents.map(({ root }) => root.statement.id))
  const again = corpus.events.filter(({ statement }) => roots.has(statement.id)).flatMap((event) =>
    Array.from({ length: repeats }, (_, n) => ({ ...event, tsMs: event.tsMs + (n + 1) * REPEAT_MS })))
  return again.length === 0 ? corpus : { ...corpus, events: [...corpus.events, ...again].toSorted((x, y) => x.tsMs - y.tsMs) }
}

function hopsOf(root: CorpusEvent, effects: Incident['effects']): number | null {
  const causes = new Map(effects.map(({ event, cause }) => [event, cause]))
  let hops = 0
  for (let at = effects.at(-1)?.event ?? null; at !== root; at = causes.get(at) ?? null) {
    if (at === null || hops > effects.length) return null
    hops += 1
  }
  return hops
}

/** Which statement the lines of each mined template mainly are, by the times of the lines. */
function statementsOf(store: string, { events }: Corpus): Map<string, string> {
  const written = Map.groupBy(events, ({ tsMs, statement }) => `${tsMs} ${statement.service}`)
  const workspace = openWorkspace(store)
  try {
    return new Map(workspace.logs.templates().map(({ clusterId }) => {
      const lines = workspace.logs.events([clusterId]).slice(0, 50).flatMap(({ tsMs, service }) => written.get(`${tsMs} ${service}`) ?? [])
      const [main] = [...Map.groupBy(lines, ({ statement }) => statement.id)].toSorted(([, x], [, y]) => y.length - x.length)
      return [clusterId, main?.[0] ?? '']
    }))
  } finally {
    workspace.close()
  }
}

function approveAll(service: Service): void {
  for (;;) {
    const { candidates } = service.candidates({ kind: 'LOG_CAUSAL_EDGE', status: 'PENDING', limit: 100 }, CALLER).value
    if (candidates.length === 0) return
    for (const { pid } of candidates) service.decide(pid, 'approve', {}, CALLER)
  }
}

/** True edges that were offered are approved as offered; an engineer who knows of the others writes their rules by hand. */
function approveTrue(service: Service, config: { store: string; base_iri: string }, corpus: Corpus, statementOf: ReadonlyMap<string, string>): void {
  const workspace = openWorkspace(config.store)
  const left = new Map(corpus.edges.map((edge) => [`${edge.cause} ${edge.effect}`, edge]))
  for (const proposal of workspace.proposals.list({ kind: 'LOG_CAUSAL_EDGE', limit: 10_000 }).proposals) {
    const end = (key: string) => statementOf.get(String(proposal.evidence[key]))
    if (left.delete(`${end('cause_cluster')} ${end('effect_cluster')}`)) service.decide(proposal.pid, 'approve', {}, CALLER)
  }
  const wanted = new Set([...left.values()].flatMap(({ cause, effect }) => [cause, effect]))
  const taken = new Set(service.session(CALLER).value.session.events.flatMap(({ templates }) => templates))
  for (const proposal of workspace.proposals.list({ kind: 'LOG_EVENT', limit: 10_000 }).proposals) {
    const [cluster] = (proposal.evidence['clusters'] ?? []) as string[]
    if (cluster === undefined || taken.has(cluster) || !wanted.has(statementOf.get(cluster) ?? '')) continue
    service.decide(proposal.pid, 'approve', {}, CALLER)
  }
  const { session, version } = workspace.session.load()
  const classesOf = Map.groupBy(session.events, ({ templates }) => statementOf.get(templates[0] ?? '') ?? '')
  const byHand = [...left.values()].flatMap((edge) =>
    (classesOf.get(edge.cause) ?? []).flatMap((cause) =>
      (classesOf.get(edge.effect) ?? []).map((effect) =>
        compileCausalRule({
          id: `by-hand-${cause.name}-${effect.name}`.toLowerCase().slice(0, 64), pid: '', causeClass: cause.name, effectClass: effect.name,
          windowSeconds: Math.max(30, Math.ceil((1.5 * edge.p95Ms) / 1000)), sharedEntity: edge.sharedSlot, baseIri: config.base_iri,
        }),
      ),
    ),
  )
  const rules = byHand.map((rule) => ({ ...rule, source: LOG_DISCOVERY, pid: undefined }))
  workspace.session.save({ ...session, causal_rules: [...session.causal_rules, ...rules] }, version)
  workspace.close()
}

interface Instance {
  readonly iri: string
  readonly from: number
  readonly to: number
  readonly entities: string
}

/** The events of the graph, found by what the truth knows of a line. */
class Instances {
  private readonly byStatement = new Map<string, Instance[]>()

  constructor(turtle: string, baseIri: string, statements: ReadonlyMap<string, string>) {
    const parsed = parseTurtle(turtle)
    if (!parsed.ok) throw new Error('log-events.ttl cannot be read')
    for (const [iri, own] of Map.groupBy(parsed.quads, ({ subject }) => subject.value)) {
      const values = (name: string) => own.filter(({ predicate }) => predicate.value === name).map(({ object }) => object.value)
      const [start] = values(`${baseIri}startedAt`)
      if (start === undefined) continue
      const entities = [...values(`${baseIri}onEntity`), ...values(`${baseIri}involves`)].map(decodeURIComponent).join(' ')
      const instance = { iri, from: Date.parse(start), to: Date.parse(values(`${baseIri}endedAt`)[0] ?? start), entities }
      for (const type of values(RDF_TYPE)) {
        const statement = statements.get(decodeURIComponent(type.slice(baseIri.length)))
        if (statement !== undefined) this.byStatement.set(statement, [...(this.byStatement.get(statement) ?? []), instance])
      }
    }
  }

  find({ statement, tsMs, entity }: CorpusEvent): string | undefined {
    const at = (this.byStatement.get(statement.id) ?? []).filter(({ from, to }) => from <= tsMs && tsMs <= to)
    return (at.find(({ entities }) => entities.includes(entity)) ?? at[0])?.iri
  }
}

async function askAll(service: Service, corpus: Corpus, instances: Instances, every: number) {
  const planned = new Set(corpus.decoys.map((line) => instances.find(line)))
  const ask = async (event_iri: string): Promise<Insight> =>
    (await service.rca({ preset: 'root-cause', event_iri, include_materialised: true, confirm_residency: false }, CALLER)).value
  const incidents: JudgedIncident[] = []
  let [chains, supposed, refused] = [0, 0, 0]
  for (const incident of corpus.incidents.filter((_, n) => n % every === 0)) {
    const effect = incident.effects.at(-1)?.event
    const iri = effect && instances.find(effect)
    const insight = iri === undefined ? null : await ask(iri)
    if ((insight?.chain?.length ?? 0) > 0) chains += 1
    if (insight?.warnings.some((warning) => warning.includes('proof checker')) === true) refused += 1
    if (insight?.chain?.some((step) => step.supposed !== null) === true) supposed += 1
    incidents.push(judged(incident, insight, instances, planned))
  }
  const decoys = corpus.decoys.filter((_, n) => n % every === 0).flatMap((line) => instances.find(line) ?? [])
  let plannedExplained = 0
  for (const iri of decoys) if (((await ask(iri)).ranked_causes ?? []).length > 0) plannedExplained += 1
  return { incidents, chains, supposed, refused, planned: decoys.length, plannedExplained }
}

function judged({ root, effects }: Incident, insight: Insight | null, instances: Instances, planned: ReadonlySet<string | undefined>): JudgedIncident {
  const ranked = (insight?.ranked_causes ?? []).map(({ event }) => event)
  const wanted = instances.find(root)
  const place = wanted === undefined ? -1 : ranked.indexOf(wanted)
  const rank = place < 0 ? null : place + 1
  const proven = (insight?.ranked_causes ?? []).filter((cause) => cause.supposed === null).map(({ event }) => event)
  const provenPlace = wanted === undefined ? -1 : proven.indexOf(wanted)
  const failure =
    rank === 1 ? null
    : insight === null ? 'event not in the graph'
    : wanted === undefined ? 'root not in the graph'
    : ranked.length === 0 ? 'no cause found'
    : rank === null ? 'root not reached' : 'ranked lower'
  const effect = effects.at(-1)?.event
  return {
    hops: hopsOf(root, effects),
    root: `${root.statement.id} ${new Date(root.tsMs).toISOString()} ${wanted ?? '-'}`,
    effect: `${effect?.statement.id} ${new Date(effect?.tsMs ?? 0).toISOString()} ${effect === undefined ? '' : (instances.find(effect) ?? '-')}`,
    rank, provenRank: provenPlace < 0 ? null : provenPlace + 1, failure, topIsPlanned: ranked[0] !== undefined && planned.has(ranked[0]), ranked: ranked.slice(0, 5),
  }
}
