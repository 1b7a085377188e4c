/** Phase reason: all rules over the generated graph to one fixpoint, with lineage, into the materialised files. */
import { Worker } from 'node:worker_threads'
import { LIMITS, type Rule, type RuleLibrary, ServiceError, type Session, type Tier } from '../contracts/index.ts'
import { type Materialisation, type MaterialisationOptions, type MaterialisationTexts, materialisationFrom } from '../materialise/index.ts'
import { cutSession, hasLogDiscovery } from '../review/index.ts'
import { exportRules, staleRuleFiles } from '../rules/index.ts'
import { type OutputFile, readOutput, removeOutput, writeOutputs } from './files.ts'
import { ENTERPRISE, LOG_EVENTS } from './generate.ts'
import { outputPaths } from './outputs.ts'
import type { Phase, PhaseReport } from './phase.ts'

export interface ReasonOptions {
  readonly maxTier: Tier
  readonly ignoreWindows: boolean
  readonly entityJoin: boolean
  readonly uniqueNames: boolean
}

/** What the worker is given: texts and plain values only. */
export interface ReasonTask {
  readonly texts: MaterialisationTexts
  readonly options: Omit<MaterialisationOptions, 'budget'>
  readonly rdf12: boolean
}

/** What it gives back. An error crosses threads as its parts. */
export interface Reasoned extends Omit<PhaseReport, 'files'> {
  readonly files: readonly OutputFile[]
}
export type ReasonOutcome =
  | { readonly ok: true; readonly value: Reasoned }
  | { readonly ok: false; readonly error: { readonly code: ServiceError['code']; readonly message: string } & ServiceError['about'] }

export const reason: Phase = async (context) => {
  const { config, workspace, rcaLibrary, signal } = context
  const session = cutSession(workspace.session.load().session, context.maxTier)
  const task = reasonTask(config.out, config.base_iri, session, rcaLibrary, context.flavorRules, context)
  const exported = exportRules(session, hasLogDiscovery(session) ? rcaLibrary.rules : [])
  const written = writeOutputs(config.out, exported)
  for (const stale of staleRuleFiles(outputPaths(config.out), exported)) removeOutput(config.out, stale)
  const { files, lines, counts } = await inWorker({ ...task, rdf12: context.rdf12 }, signal)
  return { lines, counts, files: [...written, ...writeOutputs(config.out, files)] }
}

/** The graph of the output files, reasoned over under a ceiling. The phase writes it; explain and insights read it. */
export function materialiseOutputs(
  out: string,
  baseIri: string,
  session: Session,
  rcaLibrary: RuleLibrary,
  flavorRules: readonly Rule[],
  options: ReasonOptions,
): Promise<Materialisation> {
  const { texts, options: all } = reasonTask(out, baseIri, session, rcaLibrary, flavorRules, options)
  return materialisationFrom(texts, { ...all, budget: { maxFacts: LIMITS.reason_facts, maxRounds: LIMITS.reason_rounds } })
}

function reasonTask(
  out: string,
  baseIri: string,
  session: Session,
  rcaLibrary: RuleLibrary,
  flavorRules: readonly Rule[],
  { maxTier, ignoreWindows, entityJoin, uniqueNames }: ReasonOptions,
): Omit<ReasonTask, 'rdf12'> {
  const enterprise = readOutput(out, ENTERPRISE)
  if (enterprise === null) throw new ServiceError('not_found', 'there is no ontology yet', { hint: 'run phase 2 first: toolkit --phase 2' })
  const instances = readOutput(out, 'ontology/instances.ttl')
  const logEvents = readOutput(out, LOG_EVENTS)
  return {
    texts: { enterprise, ...(instances === null ? {} : { instances }), ...(logEvents === null ? {} : { logEvents }) },
    options: {
      baseIri,
      rules: [...session.rules, ...flavorRules, ...(hasLogDiscovery(session) ? rcaLibrary.rules : [])].filter(({ enabled }) => enabled),
      causalRules: session.causal_rules.filter(({ enabled }) => enabled),
      ceiling: maxTier,
      ignoreWindows,
      entityJoin,
      uniqueNames,
    },
  }
}

/** A thread of its own: the service answers meanwhile, and a run that is called off ends at once. */
function inWorker(task: ReasonTask, signal: AbortSignal | undefined): Promise<Reasoned> {
  // the file's own ending, because the compiled program has .js here
  const worker = new Worker(new URL(`./reason-worker${import.meta.url.slice(-3)}`, import.meta.url), { workerData: task })
  return new Promise((resolve, reject) => {
    const stop = () => {
      void worker.terminate()
      reject(new ServiceError('cancelled', 'the phase was called off; the old files are whole'))
    }
    signal?.addEventListener('abort', stop, { once: true })
    worker.once('message', (message: ReasonOutcome) => {
      signal?.removeEventListener('abort', stop)
      void worker.terminate()
      if (message.ok) resolve(message.value)
      else reject(new ServiceError(message.error.code, message.error.message, message.error))
    })
    worker.once('error', reject)
  })
}
