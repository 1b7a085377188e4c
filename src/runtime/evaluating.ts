/** Evaluation as the service offers it: for whoever may see whole databases, whether or not search is switched on. */
import { performance } from 'node:perf_hooks'
import { ServiceError, within } from '../contracts/index.ts'
import { type Evaluation, evaluateQuestions } from '../evaluation/index.ts'
import { providerFor } from '../providers/index.ts'
import type { Project } from './project.ts'
import type { Caller, Labelled } from './service.ts'

export type { EvaluatedQuestion, Evaluation, Figures, Share } from '../evaluation/index.ts'

export interface QuestionsEvaluation {
  readonly folder: string
  readonly provider?: string
  readonly field?: string
  readonly limit?: number
  readonly signal?: AbortSignal
  readonly progress?: (line: string) => void
  readonly onBug?: (error: unknown) => void
}

/** The true queries of a question set read what they like, so every figure rests on the whole database. */
const CEILING = 'Restricted'

export async function runQuestionsEvaluation(
  project: Project,
  { provider, ...asked }: QuestionsEvaluation,
  caller: Caller,
): Promise<Labelled<Evaluation>> {
  if (!within(CEILING, caller.grant)) {
    const hint = `an evaluation reads whole databases: it needs the grant ${CEILING}`
    throw new ServiceError('not_found', 'nothing here by that name', { hint })
  }
  providerFor(project.providers, provider ?? 'embedded', project.env)
  const { base_iri: baseIri, record_base: recordBase } = project.config
  const value = await evaluateQuestions({ ...asked, baseIri, recordBase, clock: performance })
  return { value, ceiling: CEILING }
}
