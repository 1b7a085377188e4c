/** Phase reason: all rules over the generated graph to one fixpoint, with lineage, into the materialised files. */
import { LIMITS, type Rule, type RuleLibrary, type Session, type Tier } from '../contracts/index.ts'
import { MATERIALISED_PATHS, type Materialisation, type MaterialisationOptions, materialisationFrom } from '../materialise/index.ts'
import { cutSession, hasLogDiscovery } from '../review/index.ts'
import { exportRules, staleRuleFiles } from '../rules/index.ts'
import { dropDrafts, placeDrafts, readOutput, removeOutput, writeDrafts, writeOutputs } from './files.ts'
import { ENTERPRISE } from './generate.ts'
import { outputPaths } from './outputs.ts'
import type { Phase } from './phase.ts'
import { noOntology, readTexts } from './reason-input.ts'
import { REASON_RUN, reasonRun, runLine, runText } from './reason-run.ts'
import { inWorker } from './reason-thread.ts'

export interface ReasonOptions {
  readonly maxTier: Tier
  readonly ignoreWindows: boolean
  readonly entityJoin: boolean
  readonly uniqueNames: boolean
}

export const reason: Phase = async (context) => {
  const { config, workspace, rcaLibrary, signal } = context
  const session = cutSession(workspace.session.load().session, context.maxTier)
  const { out } = config
  if (readOutput(out, ENTERPRISE) === null) throw noOntology()
  const options = reasonOptions(config.base_iri, session, rcaLibrary, context.flavorRules, context)
  const exported = exportRules(session, hasLogDiscovery(session) ? rcaLibrary.rules : [])
  const run = reasonRun({ ...context, session })
  try {
    const { files, lines, counts } = await inWorker({ out, options, rdf12: context.rdf12, run: runLine(run) }, signal)
    writeDrafts(out, [{ path: REASON_RUN, chunks: () => [runText(run)] }])
    // only now: the rules on the disk are those of the graph beside them
    const written = writeOutputs(out, exported)
    for (const stale of staleRuleFiles(outputPaths(out), exported)) removeOutput(out, stale)
    return { lines, counts, files: [...written, ...placeDrafts(out, [...files, REASON_RUN])] }
  } catch (error) {
    dropDrafts(out, [...MATERIALISED_PATHS, REASON_RUN])
    throw error
  }
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
  const all = reasonOptions(baseIri, session, rcaLibrary, flavorRules, options)
  // asked for by somebody who waits, in a process that serves others
  const deadline = performance.now() + LIMITS.graph_seconds * 1000
  const shouldStop = () => performance.now() > deadline
  return materialisationFrom(readTexts(out), { ...all, budget: { maxFacts: LIMITS.reason_facts, maxRounds: LIMITS.reason_rounds, shouldStop } })
}

function reasonOptions(
  baseIri: string,
  session: Session,
  rcaLibrary: RuleLibrary,
  flavorRules: readonly Rule[],
  { maxTier, ignoreWindows, entityJoin, uniqueNames }: ReasonOptions,
): Omit<MaterialisationOptions, 'budget'> {
  return {
    baseIri,
    rules: [...session.rules, ...flavorRules, ...(hasLogDiscovery(session) ? rcaLibrary.rules : [])].filter(({ enabled }) => enabled),
    causalRules: session.causal_rules.filter(({ enabled }) => enabled),
    ceiling: maxTier,
    ignoreWindows,
    entityJoin,
    uniqueNames,
  }
}
