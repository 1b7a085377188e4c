/** Phase reason: all rules over the generated graph to one fixpoint, with lineage, into the materialised files. */
import { LIMITS, type RuleLibrary, ServiceError, type Session, type Tier } from '../contracts/index.ts'
import { type Materialisation, materialisationFiles, materialisationFrom } from '../materialise/index.ts'
import { cutSession, hasLogDiscovery } from '../review/index.ts'
import { exportRules } from '../rules/index.ts'
import { readOutput, writeOutputs } from './files.ts'
import { ENTERPRISE, LOG_EVENTS } from './generate.ts'
import type { Phase } from './phase.ts'

export const reason: Phase = async (context) => {
  const { config, workspace, rcaLibrary } = context
  const session = cutSession(workspace.session.load().session, context.maxTier)
  const rules = hasLogDiscovery(session) ? rcaLibrary.rules : []
  const written = writeOutputs(config.out, exportRules(session, rules))
  const materialised = materialiseOutputs(config.out, config.base_iri, session, rcaLibrary, context)
  const files = writeOutputs(config.out, materialisationFiles(materialised))
  const derived = materialised.derived.length
  return {
    lines: [
      `${materialised.asserted.length} asserted triples, ${derived} derived, every derivation checked`,
      ...materialised.counts.map(({ engine, rule, triples }) => `  ${engine} ${rule}: ${triples}`),
      ...materialised.refused.map(({ rule, reason: why }) => `  refused ${rule}: ${why}`),
    ],
    files: [...written, ...files],
    counts: { asserted: materialised.asserted.length, derived },
  }
}

/** The graph of the output files, reasoned over under a ceiling. The phase writes it; explain and insights read it. */
export function materialiseOutputs(
  out: string,
  baseIri: string,
  session: Session,
  rcaLibrary: RuleLibrary,
  options: { readonly maxTier: Tier; readonly ignoreWindows: boolean; readonly entityJoin: boolean },
): Materialisation {
  const enterprise = readOutput(out, ENTERPRISE)
  if (enterprise === null) throw new ServiceError('not_found', 'there is no ontology yet', { hint: 'run phase 2 first: toolkit --phase 2' })
  const instances = readOutput(out, 'ontology/instances.ttl')
  const logEvents = readOutput(out, LOG_EVENTS)
  return materialisationFrom(
    { enterprise, ...(instances === null ? {} : { instances }), ...(logEvents === null ? {} : { logEvents }) },
    {
      baseIri,
      rules: [...session.rules.filter(({ enabled }) => enabled), ...(hasLogDiscovery(session) ? rcaLibrary.rules : [])],
      causalRules: session.causal_rules.filter(({ enabled }) => enabled),
      ceiling: options.maxTier,
      ignoreWindows: options.ignoreWindows,
      entityJoin: options.entityJoin,
      budget: { maxFacts: LIMITS.reason_facts, maxRounds: LIMITS.reason_rounds },
    },
  )
}
