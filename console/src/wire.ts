/** What the console knows of the API: types of the contract, and the few lists it must spell out itself to stay small. */
import type { Problem, Stage, Tier } from '../../src/contracts/index.ts'

export type {
  AnswerPlan, Citation, Claim, ExecutedQuery, InferredFact, Plan, SearchAnswer, SearchEvent, StageEvent, Subgraph,
} from '../../src/contracts/index.ts'
export type { Stage, Tier }

export const TIERS = ['Public', 'Internal', 'Confidential', 'Restricted'] as const satisfies readonly Tier[]
export const STAGES = ['plan', 'execute', 'relations', 'reason', 'synthesize'] as const satisfies readonly Stage[]

export interface FlavorInfo {
  readonly name: string
  readonly label: string
  readonly example: string | null
}

export interface SourceInfo {
  readonly name: string
  readonly flavor: string | null
  readonly max_tier: Tier
}

/** A problem of the API, or one that the page noticed itself (no answer, a stream cut short). */
export interface Trouble extends Partial<Omit<Problem, 'code'>> {
  readonly code: Problem['code'] | 'unreachable' | 'stream_cut'
  readonly title: string
  readonly detail: string
}

export interface SparqlResults {
  readonly head: { readonly vars: readonly string[] }
  readonly results: { readonly bindings: readonly Readonly<Record<string, { readonly type: string; readonly value: string }>>[] }
}
