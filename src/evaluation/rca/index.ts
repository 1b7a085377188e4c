/** Root causes on recorded days with injected faults. */
export { type Hits, type RcaAsked, type RcaCase, type RcaEvaluation, evaluateRca } from './evaluate.ts'
export type { Rule } from './simple-rules.ts'
