/** How good the answers are: question sets with their true SQL, answered, and scored by what both queries return. */
export { type Figures, type Share } from './figures.ts'
export { type EvaluatedQuestion, type Evaluation, type EvaluationOptions, evaluateQuestions } from './questions.ts'
export type { Detection } from './detection.ts'
export {
  type SequenceVerdict, type SequencesAsked, type SequencesCrossValidated, type SequencesEvaluation, crossValidateSequences,
  evaluateSequences,
} from './sequences.ts'
