/** How good the results are: question sets with their true SQL, labelled logs, scored by what is known to be right. */
export { drain3Peers } from './drain3.ts'
export { type Figures, type Share } from './figures.ts'
export { type EvaluatedQuestion, type Evaluation, type EvaluationOptions, evaluateQuestions } from './questions.ts'
export { evaluateTemplates } from './templates.ts'
export type { HeldOut, SetFigures, TemplateLine, TemplatePeer, TemplatesEvaluation, TemplatesEvaluationOptions } from './templates.ts'
export type { TemplateScores } from './template-scores.ts'
export {
  type CausalityEvaluation, type Corpus, type CorpusEvent, type CorpusOptions, type EdgeScores, type Incident, corpusFiles,
  evaluateCausality, incidentTruth, makeCorpus, readTruth, truthOf,
} from './causality/index.ts'
export type { Detection } from './detection.ts'
export {
  type SequenceVerdict, type SequencesAsked, type SequencesCrossValidated, type SequencesEvaluation, crossValidateSequences,
  evaluateSequences,
} from './sequences.ts'
export { type Hits, type RcaAsked, type RcaCase, type RcaEvaluation, type Rule, evaluateRca } from './rca/index.ts'
