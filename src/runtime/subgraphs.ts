/** Result subgraphs by id. An id is unguessable and belongs to the caller and ceiling that made it. */
import { LIMITS, ServiceError, type Tier, within } from '../contracts/index.ts'
import type { Caller } from './service.ts'

interface Kept {
  readonly turtle: string
  readonly ceiling: Tier
  readonly caller: string
  readonly runId: string
  readonly until: number
}

const MAX_KEPT = 200

export class Subgraphs {
  private readonly kept = new Map<string, Kept>()
  private readonly now: () => number

  constructor(now: () => number) {
    this.now = now
  }

  keep(id: string, runId: string, turtle: string, ceiling: Tier, caller: Caller): void {
    this.kept.set(id, { turtle, ceiling, caller: caller.name, runId, until: this.now() + LIMITS.subgraph_minutes * 60_000 })
    const oldest = this.kept.keys().next()
    if (this.kept.size > MAX_KEPT && oldest.done !== true) this.kept.delete(oldest.value)
  }

  /** An unknown id, another caller's id and an id above the caller's grant are the same: not found. */
  find(ask: { subgraphId?: string; runId?: string }, caller: Caller): { turtle: string; ceiling: Tier } {
    for (const [id, entry] of this.kept) if (entry.until < this.now()) this.kept.delete(id)
    const found = [...this.kept].find(([id, entry]) => (ask.subgraphId === undefined ? entry.runId === ask.runId : id === ask.subgraphId))?.[1]
    if (found === undefined || found.caller !== caller.name || !within(found.ceiling, caller.grant)) {
      throw new ServiceError('not_found', 'no such subgraph', { hint: 'search again with materialize: true' })
    }
    return found
  }
}
