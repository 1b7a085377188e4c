/** A proposal's audit read as a stack: every decision is pushed, every undo takes one off, which is the last unless it names another. */
import type { ProposalState } from '../contracts/index.ts'
import type { Changes, ProposalEvent, ProposalStep } from '../store/index.ts'

export interface LastDecision {
  readonly id: number
  readonly action: string
  readonly from: ProposalState
  /** the edge that brought this decision along, or null when it was taken on its own */
  readonly via: string | null
  /** who signed for the state to which an undo returns */
  readonly signed: NonNullable<ProposalStep['signed']>
  /** columns as they were before it, where it changed any */
  readonly before?: Changes
  /** what else the step wrote down about itself */
  readonly about: Readonly<Record<string, unknown>>
}

/** The decision that an undo would take back; undefined when none stands. */
export function lastDecision(audit: readonly ProposalEvent[]): LastDecision | undefined {
  const standing = standingSteps(audit)
  return decisionAt(standing, standing.length - 1)
}

/** The approval that stands; edits may have come after it. */
export function standingApproval(audit: readonly ProposalEvent[]): LastDecision | undefined {
  const standing = standingSteps(audit)
  return decisionAt(standing, standing.findLastIndex(({ action }) => action === 'approve'))
}

/** Approved as a causal edge and turned into a relationship since: undoing both needs the events that it brought in. */
export function isDemoted(audit: readonly ProposalEvent[]): boolean {
  const standing = standingSteps(audit)
  const since = standing.slice(standing.findLastIndex(({ action }) => action === 'approve') + 1)
  return since.some(({ edits }) => (edits['before'] as Changes | undefined)?.proposal_type === 'LOG_CAUSAL_EDGE' && hasKind(edits['set']))
}

const hasKind = (set: unknown): boolean => typeof set === 'object' && set !== null && 'proposal_type' in set

function standingSteps(audit: readonly ProposalEvent[]): ProposalEvent[] {
  const standing: ProposalEvent[] = []
  for (const event of audit) {
    if (event.action !== 'undo') {
      standing.push(event)
      continue
    }
    const named = standing.findIndex(({ id }) => id === event.edits['undoes'])
    standing.splice(named === -1 ? standing.length - 1 : named, 1)
  }
  return standing
}

function decisionAt(standing: readonly ProposalEvent[], at: number): LastDecision | undefined {
  const step = standing[at]
  if (step === undefined) return undefined
  const left = standing.toSpliced(at, 1).at(-1)
  const { before: columns, ...about } = step.edits
  return {
    id: step.id,
    action: step.action,
    from: step.from_status as ProposalState, // written by `decide` from a checked proposal, and append-only since
    via: step.via,
    signed: { reviewer: left?.reviewer_id ?? null, note: left?.note ?? null, at: left?.at ?? null },
    ...(columns === undefined ? {} : { before: columns as Changes }),
    about,
  }
}
