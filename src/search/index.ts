/** Reasoning search: plan, execute, relations, reason, synthesize and verify, as one stream of stage events. */
export { type SearchContext, stopReason } from './context.ts'
export { type SearchOutcome, runSearch } from './run.ts'
export {
  type AnswerReport, type ClaimVerdict, compareAnswer, planOf, remake, requestsFor, sameQueries, sameReads, unfitReport,
} from './verify-answer.ts'
export { SERVICE_WARNINGS } from './service-warnings.ts'
export { type Suggestion, suggest } from './suggest.ts'
export { type RuleBook, isAvailable, ruleBook } from './planner/rule-heads.ts'
export { partialLooks } from './values/find-values.ts'
export { type Surroundings, makeReady, readingsFor } from './readings.ts'
export type { Evidence } from './planner/evidence.ts'
export type { Option } from './planner/read-question.ts'
export { compilePlan } from './compiler/compile.ts'
export { type ConfidenceModel, type PlannerModel, confidenceIn, dot, standingOf } from './planner/confidence.ts'
export { believed, closeTo, isUndecided, scoreOf } from './planner/rank.ts'
