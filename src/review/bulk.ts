/** One decision on many candidates: each stands or falls by itself, all in one transaction, and a dry run leaves nothing. */
import { type BulkOutcome, type BulkRequest, MAX_BULK, ServiceError } from '../contracts/index.ts'
import type { Workspace } from '../store/index.ts'
import { type DecideOptions, stepOf } from './decide.ts'
import { waitingIn } from './queue.ts'
import { Review } from './reviewing.ts'

type Outcome = BulkOutcome['outcomes'][number]

/** Carries the outcomes of a dry run out of the transaction that it undoes. */
class DryRun extends Error {
  readonly outcomes: Outcome[]
  constructor(outcomes: Outcome[]) {
    super('a dry run')
    this.outcomes = outcomes
  }
}

export function bulk(workspace: Workspace, request: BulkRequest, options: DecideOptions): BulkOutcome {
  const { action, dry_run: dryRun } = request
  const named = request.group === undefined ? [] : waitingIn(workspace, request.group, options.maxTier ?? 'Restricted')
  const ids = [...new Set([...request.ids, ...named])]
  if (ids.length > MAX_BULK) {
    throw new ServiceError('invalid_request', `at most ${MAX_BULK} candidates are decided at once`, { hint: 'decide in several calls' })
  }
  const outcomes = rolledBackIf(dryRun, workspace, () => {
    const { version, session } = workspace.session.load()
    const review = new Review(workspace, session, { ...options, ...(request.note === undefined ? {} : { note: request.note }) })
    const found = ids.map((pid) => one(workspace, review, pid, options, action))
    if (review.session !== session) workspace.session.save(review.session, version)
    return found
  })
  const done = outcomes.filter(({ outcome }) => outcome === 'done').length
  return { dry_run: dryRun, done, refused: outcomes.length - done, outcomes }
}

function one(workspace: Workspace, review: Review, pid: string, options: DecideOptions, action: BulkRequest['action']): Outcome {
  const { session } = review
  try {
    return workspace.transaction(() => {
      const { proposal, session_entry: entry, brought_along: along } =
        stepOf(workspace, review, pid, options, (step, found) => step.decide(found, action))
      return {
        pid, outcome: 'done', status: proposal.status, version: proposal.version,
        ...(entry === undefined ? {} : { session_entry: entry }), ...(along.length === 0 ? {} : { brought_along: [...along] }),
      }
    })
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    if (!['conflict', 'not_found', 'stale', 'invalid_request'].includes(error.code)) throw error
    review.session = session
    review.takeBroughtAlong()
    const { hint } = error.about
    return { pid, outcome: 'refused', code: error.code, detail: error.message, ...(hint === undefined ? {} : { hint }) }
  }
}

function rolledBackIf(dryRun: boolean, workspace: Workspace, work: () => Outcome[]): Outcome[] {
  try {
    return workspace.transaction(() => {
      const outcomes = work()
      if (dryRun) throw new DryRun(outcomes)
      return outcomes
    })
  } catch (error) {
    if (error instanceof DryRun) return error.outcomes
    throw error
  }
}
