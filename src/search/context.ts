/** What one search run works with. Everything that varies between runs comes in here: data, ceiling, clock, ids. */
import type { Flavor, Plan, SearchRequest, Tier } from '../contracts/index.ts'
import { ServiceError } from '../contracts/index.ts'
import type { Ontology } from '../ontology/index.ts'
import type { ModelProvider } from '../providers/index.ts'
import type { Cell, Source } from '../sources/index.ts'
import type { Confirmed } from './planner/pattern.ts'

export interface SearchContext {
  readonly runId: string
  readonly request: SearchRequest
  readonly source: Source
  readonly flavor: Flavor
  readonly ceiling: Tier
  /** cut to the ceiling: the only ontology that plans and SQL are made over */
  readonly ontology: Ontology
  /** cut to what the caller may see at all: tells "blocked" from "unknown", and nothing else */
  readonly granted: Ontology
  /** milliseconds that only move forward */
  readonly clock: { now(): number }
  readonly startedAt: number
  /** what "today" and "last week" are counted from */
  readonly today: Date
  readonly signal?: AbortSignal
  readonly warnings: string[]
  /** who plans and who words it, where that is not the embedded planner and its grammar */
  readonly models?: { readonly planner?: ModelProvider; readonly synthesizer?: ModelProvider }
  /** the plan of the run that a follow-up names: it speaks of the same source and lies within the ceiling */
  readonly earlier?: Plan
  /** forms of questions and plans that a person has confirmed; who keeps them hands them in */
  readonly confirmed?: Confirmed
}

/** Why a run was stopped: whoever stopped it may say so, else its client left. */
export const stopReason = ({ reason }: AbortSignal): ServiceError =>
  reason instanceof ServiceError ? reason : new ServiceError('cancelled', 'the client left before the end')

/** What is left of the run's time, for one statement. */
export function remainingMs(context: SearchContext, stage: string): number {
  if (context.signal?.aborted === true) throw stopReason(context.signal)
  const left = context.request.timeout_ms - (context.clock.now() - context.startedAt)
  if (left <= 0) {
    throw new ServiceError('deadline_exceeded', `the search ran past its limit of ${context.request.timeout_ms} ms`, {
      stage,
      hint: 'raise timeout_ms or narrow the question',
    })
  }
  return Math.ceil(left)
}

/** A cell as it goes over the wire: integers that JSON numbers cannot hold become decimal strings, bytes become their length. */
export function wireCell(cell: Cell): string | number | boolean | null {
  if (typeof cell === 'bigint') {
    return cell <= BigInt(Number.MAX_SAFE_INTEGER) && cell >= -BigInt(Number.MAX_SAFE_INTEGER) ? Number(cell) : cell.toString()
  }
  if (cell instanceof Uint8Array) return `(${cell.length} bytes)`
  return cell
}
