/** A call that shows whether a provider works: nothing of the data is in it, and what it must give back is known. */
import { z } from 'zod'
import { LIMITS, ServiceError } from '../contracts/index.ts'
import type { Env, ProviderCatalogue } from './catalogue.ts'
import { ModelFailure } from './failure.ts'
import { providerNamed } from './readiness.ts'
import { type Installed, isInstalled } from './sdks.ts'

export interface ProviderTest {
  readonly id: string
  readonly model: string
  readonly ok: boolean
  /** null when it works */
  readonly reason: string | null
  readonly ms: number
}

const Ready = z.strictObject({ ready: z.literal(true) })
const SHAPE = {
  name: 'readiness',
  jsonSchema: {
    type: 'object', properties: { ready: { type: 'boolean' } }, required: ['ready'], additionalProperties: false,
  },
  read: Ready,
}

export async function testProvider(
  catalogue: ProviderCatalogue,
  id: string,
  env: Env,
  { signal, installed = isInstalled }: { signal?: AbortSignal; installed?: Installed } = {},
): Promise<ProviderTest> {
  const since = performance.now()
  const state = providerNamed(catalogue, id, env, installed)
  const ended = (reason: string | null): ProviderTest => {
    const { model } = state.card
    return { id, model, ok: reason === null, reason, ms: Math.round(performance.now() - since) }
  }
  if (!state.ready) return ended(state.reason)
  if (state.model === null) return ended(null)
  try {
    await state.model.generate({
      system: 'You are asked whether you are ready. Answer in JSON.',
      prompt: 'Answer {"ready": true}.',
      shape: SHAPE,
      maxTokens: TEST_TOKENS,
      deadlineMs: LIMITS.provider_test_ms,
      ...(signal === undefined ? {} : { signal }),
    })
    return ended(null)
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error instanceof ServiceError ? error : new ServiceError('internal', 'the test call failed', { cause: error })
    return ended(error.kind === 'unreachable' ? `unreachable (${error.place})` : error.message)
  }
}

/** Models that think first need room for that. */
const TEST_TOKENS = 1000
