/** Evaluation of causality as the service offers it: for whoever may see all lines of the logs he names. */
import { ServiceError, within } from '../contracts/index.ts'
import { type CausalityEvaluation, evaluateCausality, readTruth } from '../evaluation/index.ts'
import { collectLogs } from '../logs/index.ts'
import type { Caller, Labelled } from './service.ts'

export type { CausalityEvaluation, EdgeScores } from '../evaluation/index.ts'

export interface CausalityEvaluationAsked {
  readonly logPath: string
  readonly truth: string
  readonly windowSeconds?: number
  readonly gate?: 'sound' | 'stated'
}

const CEILING = 'Restricted'

export async function runCausalityEvaluation(
  asked: CausalityEvaluationAsked, caller: Caller,
): Promise<Labelled<CausalityEvaluation>> {
  if (!within(CEILING, caller.grant)) {
    const hint = `an evaluation reads everything it is given: it needs the grant ${CEILING}`
    throw new ServiceError('not_found', 'nothing here by that name', { hint })
  }
  const { logPath, truth, ...options } = asked
  const { records } = await collectLogs(logPath)
  return { value: evaluateCausality(records, readTruth(truth), options), ceiling: CEILING }
}
