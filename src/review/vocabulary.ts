/** The words of root-cause analysis, as the ontology, the instances and the rules spell them. */
export const CAUSAL_EVENT = 'CausalEvent'
export const SENSITIVITY_TIER = 'sensitivityTier'

/** Names that no approved event, entity or relationship may take. */
export const RCA_TERMS: ReadonlySet<string> = new Set([
  CAUSAL_EVENT, SENSITIVITY_TIER, 'hasCause', 'triggers', 'precededBy', 'rootCause', 'startedAt', 'endedAt', 'duration',
  'occurrences', 'onEntity', 'involves', 'occurredAtService', 'severity', 'logFile', 'logOffset', 'lastLogFile', 'lastLogOffset', 'repeats',
  'derivation', 'multipleCandidateCauses', 'inCausalCycle', 'cycleEntry',
])

/** The trace of a line is a thing like any other. */
export const TRACE = 'trace'
/** So is the service that wrote it, when records are looked for. */
export const SERVICE = 'service'
