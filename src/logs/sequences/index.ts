/** Sequences of templates: what is ordinary for a service, and what is not. */
export { learnSequences } from './anomalies.ts'
export type { SequenceOptions, SequencesLearned, ServiceModel } from './anomalies.ts'
export { DETECTORS, SIMPLE, learnOrdinary } from './learn.ts'
export type { Judged, SequenceModel } from './learn.ts'
export { FALSE_DISCOVERY, SURE, confidenceOf } from './verdict.ts'
