/** Root causes and similar incidents, computed from the materialised graph. */
export type { EdgeFigures } from './edge-book.ts'
export { type PostMortem, postMortem } from './report.ts'
export { type ComputedInsight, RCA_PRESETS, type RcaOptions, rootCause } from './rca.ts'
