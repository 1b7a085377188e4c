/**
 * Why a model gave no usable reply. The words are ours: what a provider writes about a failure may hold the prompt, the key or an
 * instruction, so nothing of it is kept, not even as a cause.
 */
import { type About, type ProblemCode, ServiceError } from '../contracts/index.ts'

export const FAILURES = {
  timeout: { code: 'deadline_exceeded', said: 'did not answer within its limit' },
  rate_limited: { code: 'provider_failed', said: 'has too much to do' },
  key_refused: { code: 'provider_failed', said: 'refused the key' },
  refused: { code: 'provider_failed', said: 'refused the request' },
  unreachable: { code: 'provider_not_ready', said: 'cannot be reached' },
  broken: { code: 'provider_failed', said: 'failed' },
  malformed: { code: 'provider_failed', said: 'gave a reply that is not of the shape asked for' },
  too_large: { code: 'provider_failed', said: 'gave a reply beyond every limit, which was cut off' },
  prompt_too_long: { code: 'provider_failed', said: 'was not asked: the prompt is longer than its limit' },
} as const satisfies Record<string, { code: ProblemCode; said: string }>
export type FailureKind = keyof typeof FAILURES

export class ModelFailure extends ServiceError {
  readonly kind: FailureKind
  /** of one that cannot be reached: `host:port` */
  readonly place: string

  constructor(provider: string, kind: FailureKind, detail = '', about: Omit<About, 'cause'> = {}) {
    const { code, said } = FAILURES[kind]
    super(code, `the provider ${provider} ${said}${detail === '' ? '' : `: ${detail}`}`, { hint: HINTS[kind], ...about })
    this.kind = kind
    this.place = kind === 'unreachable' ? detail : ''
  }
}

const HINTS: Readonly<Record<FailureKind, string>> = {
  timeout: 'raise timeout_ms, or name embedded, which needs no model',
  rate_limited: 'ask again later, or name embedded, which needs no model',
  key_refused: 'set a valid key in the environment and start again; wherefore providers test tries it',
  refused: 'wherefore providers test tries the provider; the model that is configured may not exist there',
  unreachable: 'start it, or set its base_url in wherefore.json',
  broken: 'ask again later, or name embedded, which needs no model',
  malformed: 'ask again, or name a model that keeps to a JSON schema',
  too_large: 'ask again, or name another model',
  prompt_too_long: 'ask a shorter question',
}
