/** The review queue, decisions on it, and what approved discoveries become in the ontology. */
export { approvedClusters } from './catalogue.ts'
export { withTurtle } from './candidate-turtle.ts'
export { cutSession } from './cut.ts'
export { type Action, ACTIONS, decide, type DecideOptions, type Decision } from './decide.ts'
export type { SessionEntry } from './entries.ts'
export { eventQuads, type InstanceOptions } from './instances.ts'
export { candidate, type CandidatePage, candidates, LOG_KINDS, type QueueQuery, type QueueSummary, summary } from './queue.ts'
export { hasLogDiscovery, rcaTaxonomyQuads, type TaxonomyOptions } from './taxonomy.ts'
