/** Evaluation of root causes as the service offers it: for whoever may see all that was recorded in the folder he names. */
import { ServiceError, within } from '../contracts/index.ts'
import { type RcaAsked, type RcaEvaluation, evaluateRca } from '../evaluation/index.ts'
import type { Caller, Labelled } from './service.ts'

export type { Hits, RcaCase, RcaEvaluation } from '../evaluation/index.ts'

const CEILING = 'Restricted'

export async function runRcaEvaluation(asked: RcaAsked, caller: Caller): Promise<Labelled<RcaEvaluation>> {
  if (!within(CEILING, caller.grant)) {
    const hint = `an evaluation reads everything it is given: it needs the grant ${CEILING}`
    throw new ServiceError('not_found', 'nothing here by that name', { hint })
  }
  return { value: await evaluateRca(asked), ceiling: CEILING }
}
