/** Root causes and similar incidents, computed from the materialised graph. */
export { type ComputedInsight, RCA_PRESETS, type RcaOptions, rootCause } from './rca.ts'
