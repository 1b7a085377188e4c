/** Evaluation of sequences: it reads the files that were named and nothing of the project, so whoever can name them may see it. */
import {
  type SequencesAsked, type SequencesCrossValidated, type SequencesEvaluation, crossValidateSequences, evaluateSequences,
} from '../evaluation/index.ts'
import type { Labelled } from './service.ts'

export type { Detection, SequenceVerdict, SequencesCrossValidated, SequencesEvaluation } from '../evaluation/index.ts'

export const runSequencesEvaluation = (asked: SequencesAsked): Labelled<SequencesEvaluation> => ({
  value: evaluateSequences(asked), ceiling: 'Public',
})

export const runSequencesCrossValidation = (asked: { readonly file: string; readonly folds: number }): Labelled<SequencesCrossValidated> => ({
  value: crossValidateSequences(asked), ceiling: 'Public',
})
