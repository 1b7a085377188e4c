/** Result subgraphs by id. An id is unguessable and belongs to the caller and ceiling that made it. */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { LIMITS, ServiceError, type Tier, within } from '../contracts/index.ts'
import type { Caller } from './service.ts'

/** A run as the store holds it. */
export interface RunRecord {
  readonly ceiling: Tier
  readonly caller: string
  readonly body: unknown
}

export interface FoundSubgraph {
  readonly turtle: string
  readonly ceiling: Tier
  /** read again from the store: over which source and ontology it was made, to be compared with those of today */
  readonly made?: { readonly source: string; readonly ontology: string }
}

interface Kept {
  readonly turtle: string
  readonly ceiling: Tier
  readonly caller: string
  readonly runId: string
  readonly until: number
}

interface Ask {
  readonly subgraphId?: string
  readonly runId?: string
}

const MAX_KEPT = 200
const MAX_STORED_CHARS = 4_000_000 // a store of many runs stays small; a larger graph is made again by asking again

/** What a stored run must hold to give its subgraph back. */
const StoredSubgraph = z.object({
  answer: z.object({ subgraph: z.object({ id: z.string() }) }),
  source: z.string(),
  ontology: z.string(),
  turtle: z.string(),
})

/** The id names its run, so that a graph that left memory is found by the run's key and not by reading every run. */
export const newSubgraphId = (runId: string): string => `${runId}.${randomBytes(16).toString('base64url')}`
const runOf = (subgraphId: string): string => subgraphId.slice(0, Math.max(0, subgraphId.lastIndexOf('.')))

/** What is kept of a graph beside its answer. */
export const storable = (subgraph: { readonly turtle: string } | null): { turtle?: string } =>
  subgraph === null || subgraph.turtle.length > MAX_STORED_CHARS ? {} : { turtle: subgraph.turtle }

export class Subgraphs {
  private readonly kept = new Map<string, Kept>()
  private readonly now: () => number
  private readonly stored: (runId: string) => RunRecord | undefined

  constructor(now: () => number, stored: (runId: string) => RunRecord | undefined = () => undefined) {
    this.now = now
    this.stored = stored
  }

  keep(id: string, runId: string, turtle: string, ceiling: Tier, caller: Caller): void {
    this.kept.set(id, { turtle, ceiling, caller: caller.name, runId, until: this.now() + LIMITS.subgraph_minutes * 60_000 })
    const oldest = this.kept.keys().next()
    if (this.kept.size > MAX_KEPT && oldest.done !== true) this.kept.delete(oldest.value)
  }

  /** An unknown id, another caller's id and an id above the caller's grant are the same: not found. */
  find(ask: Ask, caller: Caller): FoundSubgraph {
    for (const [id, entry] of this.kept) if (entry.until < this.now()) this.kept.delete(id)
    const found = this.inMemory(ask) ?? this.inStore(ask)
    if (found === undefined || found.caller !== caller.name || !within(found.ceiling, caller.grant)) throw noSubgraph()
    return found
  }

  private inMemory({ subgraphId, runId }: Ask): Kept | undefined {
    if (subgraphId !== undefined) return this.kept.get(subgraphId)
    return [...this.kept.values()].find((entry) => entry.runId === runId)
  }

  private inStore({ subgraphId, runId }: Ask): (FoundSubgraph & { readonly caller: string }) | undefined {
    const run = this.stored(subgraphId === undefined ? (runId ?? '') : runOf(subgraphId))
    const body = StoredSubgraph.safeParse(run?.body)
    if (run === undefined || !body.success) return undefined
    const { answer, source, ontology, turtle } = body.data
    if (subgraphId !== undefined && answer.subgraph.id !== subgraphId) return undefined
    return { turtle, ceiling: run.ceiling, caller: run.caller, made: { source, ontology } }
  }
}

export const noSubgraph = (): ServiceError =>
  new ServiceError('not_found', 'no such subgraph', { hint: 'search again with materialize: true' })
