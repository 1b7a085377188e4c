/** A proposal's audit read as a stack: every decision is pushed, every undo takes the last one off. */
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
  const standing: ProposalEvent[] = []
  for (const event of audit) {
    if (event.action === 'undo') standing.pop()
    else standing.push(event)
  }
  const last = standing.at(-1)
  if (last === undefined) return undefined
  const before = standing.at(-2)
  const { before: columns, ...about } = last.edits
  return {
    id: last.id,
    action: last.action,
    from: last.from_status as ProposalState, // written by `decide` from a checked proposal, and append-only since
    via: last.via,
    signed: { reviewer: before?.reviewer_id ?? null, note: before?.note ?? null, at: before?.at ?? null },
    ...(columns === undefined ? {} : { before: columns as Changes }),
    about,
  }
}
