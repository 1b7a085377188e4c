/** How good the answers are: question sets with their true SQL, answered, and scored by what both queries return. */
export { type Figures, type Share } from './figures.ts'
export { type EvaluatedQuestion, type Evaluation, type EvaluationOptions, evaluateQuestions } from './questions.ts'
export { type CausalityEvaluation, type EdgeScores, evaluateCausality, readTruth } from './causality/index.ts'
