/** Decisions that the state of a candidate does not allow. */
import { type Proposal, ServiceError } from '../contracts/index.ts'
import { isAnomaly } from './evidence.ts'

export function refuseDecided({ status }: Proposal): void {
  if (status === 'PENDING' || status === 'DEFERRED') return
  throw new ServiceError('conflict', `this candidate is ${status}; only PENDING and DEFERRED ones can be decided`, {
    hint: 'undo the earlier decision first',
  })
}

export function refuseTarget(proposal: Proposal, target: Proposal): void {
  const refuse = (detail: string, hint: string): never => {
    throw new ServiceError('conflict', detail, { hint })
  }
  if (target.pid === proposal.pid) refuse('a candidate cannot be merged into itself', 'name another one of the same kind')
  if (target.proposal_type !== proposal.proposal_type || isAnomaly(target) !== isAnomaly(proposal)) {
    refuse('only candidates of the same kind can be merged', `name a ${proposal.proposal_type} that was found in the same way`)
  }
  if (target.status === 'MERGED') refuse('the target has itself been merged', 'name what it was merged into')
  if (target.status === 'REJECTED') refuse('the target is REJECTED', 'undo that decision first, or reject this one as well')
}
