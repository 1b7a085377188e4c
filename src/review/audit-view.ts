/** Everything that happened to a candidate, oldest first, without the names of candidates that the caller may not see. */
import type { AuditEntry, ProposalState, Tier } from '../contracts/index.ts'
import { within } from '../contracts/index.ts'
import type { Workspace } from '../store/index.ts'
import { visibleProposal } from './queue.ts'

export function auditView(workspace: Workspace, pid: string, { maxTier }: { readonly maxTier: Tier }): AuditEntry[] {
  visibleProposal(workspace, pid, maxTier)
  const seen = (id: string | null): string | null => {
    const other = id === null ? undefined : workspace.proposals.get(id)
    return other !== undefined && within(other.tier, maxTier) ? other.pid : null
  }
  return workspace.audit(pid).map(({ action, from_status: from, to_status: to, reviewer_id: reviewer, note, edits, via, at }) => ({
    action,
    from: from as ProposalState, // written from a checked proposal
    to: to as ProposalState,
    reviewer,
    note,
    edits: typeof edits['set'] === 'object' && edits['set'] !== null ? { ...edits['set'] } : {},
    via: seen(via),
    at,
  }))
}
