/** Evaluation as the service offers it: for whoever may see whole databases, whether or not search is switched on. */
import { performance } from 'node:perf_hooks'
import { ServiceError, within } from '../contracts/index.ts'
import {
  type Evaluation, type TemplatesEvaluation, drain3Peers, evaluateQuestions, evaluateTemplates,
} from '../evaluation/index.ts'
import { providersFor } from '../providers/index.ts'
import type { Project } from './project.ts'
import type { Caller, Labelled } from './service.ts'

export type {
  EvaluatedQuestion, Evaluation, Figures, Share, TemplateScores, TemplatesEvaluation,
} from '../evaluation/index.ts'

export interface QuestionsEvaluation {
  readonly folder: string
  readonly provider?: string
  readonly field?: string
  readonly limit?: number
  readonly confirmResidency?: boolean
  readonly timeoutMs?: number
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
  needsAll(caller)
  const { planner } = providersFor(project.providers, provider ?? 'embedded', project.env)
  const { base_iri: baseIri, record_base: recordBase } = project.config
  const value = await evaluateQuestions({ ...asked, ...(planner.call === null ? {} : { planner: planner.call }), baseIri, recordBase, clock: performance })
  return { value, ceiling: CEILING }
}

export interface TemplatesEvaluationAsked {
  readonly folder: string
  /** a Python that has Drain3, whose figures then stand beside ours */
  readonly python?: string
}

/** Labelled logs hold what their lines hold, so they are shown to whoever may see everything. */
export function runTemplatesEvaluation({ folder, python }: TemplatesEvaluationAsked, caller: Caller): Labelled<TemplatesEvaluation> {
  needsAll(caller)
  return { value: evaluateTemplates({ folder, peers: drain3Peers(python) }), ceiling: CEILING }
}

function needsAll(caller: Caller): void {
  if (within(CEILING, caller.grant)) return
  const hint = `an evaluation reads everything it is given: it needs the grant ${CEILING}`
  throw new ServiceError('not_found', 'nothing here by that name', { hint })
}
