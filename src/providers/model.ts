/** What the product asks of a model, whoever runs it. This interface is frozen by a contract test: it changes by addition only. */
import type { z } from 'zod'
import type { Tier } from '../contracts/index.ts'

export const RESIDENCIES = ['us-cloud', 'tenant-region', 'gcp-region', 'air-gapped'] as const
export type Residency = (typeof RESIDENCIES)[number]

/** What is known of a provider before anything is asked of it. `embedded` is this and nothing more. */
export interface ProviderCard {
  readonly id: string
  readonly model: string
  readonly residency: Residency
  readonly maxTier: Tier
}

export interface ModelProvider extends ProviderCard {
  /** One reply, whole, or a ModelFailure within the deadline. */
  generate<T = string>(request: ModelRequest<T>): Promise<ModelReply<T>>
  /** The reply as text, piece by piece; ends or throws a ModelFailure within the deadline. */
  stream(request: Omit<ModelRequest, 'shape'>): AsyncIterable<string>
}

export interface ModelRequest<T = string> {
  /** what the model is to do; nothing of the data stands here */
  readonly system: string
  readonly prompt: string
  /** the reply is JSON of this shape: the provider is asked for it, and what comes is checked here whatever it promised */
  readonly shape?: ReplyShape<T>
  /** the reply may be so long */
  readonly maxTokens: number
  readonly deadlineMs: number
  readonly signal?: AbortSignal
}

export interface ReplyShape<T> {
  /** a short name for it, in letters and underscores */
  readonly name: string
  /** sent to the provider */
  readonly jsonSchema: JsonSchema
  /** decides here */
  readonly read: z.ZodType<T>
}

export type JsonSchema = { readonly [key: string]: unknown }

export interface ModelReply<T = string> {
  readonly value: T
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number }
}

/** How a prompt is shared out: what is not vocabulary is the task, the plan to be repaired and the question. */
export const LIMITS_OF_PROMPT = { vocabularyTokens: 7000 } as const

/**
 * An estimate from above for texts of any language: a token of English has about four characters, of other scripts it has one to
 * two, each of two bytes or more.
 */
export const estimatedTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / 3)
