/** The words of root-cause analysis, as the ontology, the instances and the rules spell them. */
export const CAUSAL_EVENT = 'CausalEvent'
export const SENSITIVITY_TIER = 'sensitivityTier'

/** Names that no approved event, entity or relationship may take. */
export const RCA_TERMS: ReadonlySet<string> = new Set([
  CAUSAL_EVENT, SENSITIVITY_TIER, 'hasCause', 'triggers', 'precededBy', 'rootCause', 'startedAt', 'endedAt', 'duration',
  'onEntity', 'service', 'severity', 'logFile', 'logOffset', 'derivation', 'hasMultipleCauses',
])
