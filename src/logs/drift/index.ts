/** What of today's log the approved catalogue does not know. */
export { findDrift } from './drift.ts'
export type { ChangedRate, DriftOptions, DriftReport, KnownTemplate, NewTemplate, VanishedTemplate, VariantTemplate } from './drift.ts'
