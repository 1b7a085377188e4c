/**
 * One exchange with a model: within its deadline, tried a second time where that may help, cancelled with its caller, its prompt
 * and its reply bounded. Whatever goes wrong ends as a ModelFailure in words of our own.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { LIMITS, ServiceError } from '../contracts/index.ts'
import { type Adapter } from './adapters.ts'
import { placeOfUrl, staysNear } from './address.ts'
import type { CatalogueEntry, Env } from './catalogue.ts'
import { ModelFailure } from './failure.ts'
import { type Exchange, guardedFetch, newExchange } from './guarded-fetch.ts'
import { type ModelReply, type ModelRequest, estimatedTokens } from './model.ts'
import { commonSdk } from './sdks.ts'

export interface Line {
  readonly id: string
  readonly entry: CatalogueEntry
  readonly env: Env
  readonly adapter: Adapter
}

/** Before a second try when nobody said how long to wait. */
const PAUSE_MS = 200
/** A second try shall have at least so much time to succeed. */
const WORTH_MS = 100

export async function generate<T>(line: Line, request: ModelRequest<T>): Promise<ModelReply<T>> {
  const limits = limitsOf(line, request)
  for (let attempt = 1; ; attempt += 1) {
    const seen = newExchange()
    try {
      return await within(limits, once(line, request, limits.signal, seen))
    } catch (error) {
      const failure = judged(line, seen, error, limits)
      const pauseMs = attempt === 1 ? pauseBefore(failure, seen) : null
      if (pauseMs === null || limits.leftMs() < pauseMs + WORTH_MS) throw failure
      await within(limits, wait(pauseMs)).catch((late: unknown) => {
        throw judged(line, seen, late, limits)
      })
    }
  }
}

export async function* stream(line: Line, request: Omit<ModelRequest, 'shape'>): AsyncGenerator<string> {
  const limits = limitsOf(line, request)
  for (let attempt = 1; ; attempt += 1) {
    const seen = newExchange()
    let begun = false
    try {
      for await (const piece of pieces(line, request, limits, seen)) {
        begun = true
        yield piece
      }
      return
    } catch (error) {
      const failure = judged(line, seen, error, limits)
      // what was heard cannot be taken back
      const pauseMs = attempt === 1 && !begun ? pauseBefore(failure, seen) : null
      if (pauseMs === null || limits.leftMs() < pauseMs + WORTH_MS) throw failure
      await wait(pauseMs)
    }
  }
}

interface Limits {
  readonly signal: AbortSignal
  /** the caller's own */
  readonly caller: AbortSignal | undefined
  readonly leftMs: () => number
}

function limitsOf({ id }: Line, { system, prompt, shape, deadlineMs, signal }: ModelRequest<unknown>): Limits {
  const tokens = estimatedTokens(system) + estimatedTokens(prompt) + (shape === undefined ? 0 : estimatedTokens(JSON.stringify(shape.jsonSchema)))
  if (tokens > LIMITS.model_prompt_tokens) throw new ModelFailure(id, 'prompt_too_long')
  if (signal?.aborted === true) throw stopped(signal)
  const ms = Math.max(1, Math.min(deadlineMs, LIMITS.max_timeout_ms))
  const end = performance.now() + ms
  const timeout = AbortSignal.timeout(Math.ceil(ms))
  return {
    signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
    caller: signal,
    leftMs: () => end - performance.now(),
  }
}

const stopped = ({ reason }: AbortSignal): ServiceError =>
  reason instanceof ServiceError ? reason : new ServiceError('cancelled', 'the client left before the end')

/** Settles at the limit even if the work does not. */
async function within<T>({ signal }: Limits, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const leave = (): void => reject(signal.reason)
  if (signal.aborted) leave()
  signal.addEventListener('abort', leave, { once: true })
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', leave)
    promise.catch(() => undefined)
    work.catch(() => undefined)
  }
}

async function modelOf({ id, entry, env, adapter }: Line, seen: Exchange) {
  const baseURL = adapter.baseUrl(entry, env)
  const base = new URL(baseURL)
  const mustStayNear = entry.residency === 'air-gapped'
  if (mustStayNear && !staysNear(base)) throw new ModelFailure(id, 'unreachable', placeOfUrl(base), { hint: STAYS_NEAR })
  const fetch = guardedFetch({ base, mustStayNear, maxBytes: LIMITS.model_reply_bytes }, seen)
  return adapter.model({ entry, env, baseURL, fetch })
}
const STAYS_NEAR = 'an air-gapped provider has a loopback or private address; any other needs another residency in wherefore.json'

const settingsOf = ({ adapter }: Line, { system, prompt, maxTokens }: Omit<ModelRequest, 'shape'>, abortSignal: AbortSignal) => ({
  system, prompt, abortSignal, maxRetries: 0, maxOutputTokens: maxTokens, providerOptions: adapter.options,
})

async function once<T>(line: Line, request: ModelRequest<T>, signal: AbortSignal, seen: Exchange): Promise<ModelReply<T>> {
  const [{ generateText, jsonSchema, Output }, model] = await Promise.all([commonSdk(), modelOf(line, seen)])
  const { shape } = request
  const asked = shape === undefined ? {} : { output: Output.object({ name: shape.name, schema: jsonSchema(shape.jsonSchema) }) }
  const reply = await generateText({ model, ...settingsOf(line, request, signal), ...asked })
  const usage = { inputTokens: reply.usage.inputTokens ?? 0, outputTokens: reply.usage.outputTokens ?? 0 }
  if (reply.finishReason !== 'stop') throw new ModelFailure(line.id, 'malformed', 'it ended before its end')
  if (shape === undefined) return { value: reply.text as T, usage }
  const read = shape.read.safeParse(jsonOf(reply.text))
  if (!read.success) throw new ModelFailure(line.id, 'malformed')
  return { value: read.data, usage }
}

/** Some models wrap their JSON in a code fence whatever they are asked for. */
function jsonOf(text: string): unknown {
  const bare = /^\s*```(?:json)?\s*\n([\s\S]*?)\n\s*```\s*$/.exec(text)?.[1] ?? text
  try {
    return JSON.parse(bare)
  } catch {
    return undefined
  }
}

async function* pieces(line: Line, request: Omit<ModelRequest, 'shape'>, limits: Limits, seen: Exchange): AsyncGenerator<string> {
  const [{ streamText }, model] = await within(limits, Promise.all([commonSdk(), modelOf(line, seen)]))
  const reply = streamText({ model, ...settingsOf(line, request, limits.signal), onError: () => undefined })
  const parts = reply.stream[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await within(limits, parts.next())
      if (next.done === true) throw new ModelFailure(line.id, 'malformed', 'it ended before its end')
      const part = next.value
      if (part.type === 'error') throw part.error
      if (part.type === 'abort') throw limits.signal.reason
      if (part.type === 'text-delta') yield part.text
      if (part.type === 'finish') {
        if (part.finishReason !== 'stop') throw new ModelFailure(line.id, 'malformed', 'it ended before its end')
        return
      }
    }
  } finally {
    void Promise.resolve(parts.return?.()).catch(() => undefined)
  }
}

/** What happened, told by the exchange itself and never by what an error says. */
function judged(line: Line, seen: Exchange, error: unknown, { signal, caller }: Limits): ServiceError {
  if (caller?.aborted === true) return stopped(caller)
  const fail = (kind: ConstructorParameters<typeof ModelFailure>[1], detail = '') => new ModelFailure(line.id, kind, detail)
  if (signal.aborted) return fail('timeout')
  if (seen.tooLarge) return fail('too_large')
  if (error instanceof ModelFailure) return error
  if (seen.elsewhere) return fail('refused', 'it leads to another address')
  const { status, networkCode } = seen
  const key = line.adapter.keyName
  if (status === 401 || status === 403) return fail('key_refused', key === null ? '' : key)
  if (status === 429) return fail('rate_limited')
  if (status !== null && status >= 500) return fail('broken', `status ${status}`)
  if (status !== null && status >= 400) return fail('refused', `status ${status}`)
  if (networkCode !== null) {
    const place = placeOfUrl(new URL(line.adapter.baseUrl(line.entry, line.env)))
    return BROKE_OFF.has(networkCode) ? fail('broken', 'the connection broke off') : fail('unreachable', place)
  }
  return fail(status === null ? 'broken' : 'malformed')
}

const BROKE_OFF: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'ERR_STREAM_PREMATURE_CLOSE'])

/** How long to wait before asking again, or null where that would not help. */
function pauseBefore(failure: ServiceError, { status, retryAfterMs }: Exchange): number | null {
  if (!(failure instanceof ModelFailure)) return null
  if (failure.kind === 'rate_limited') return retryAfterMs
  if (failure.kind === 'broken') return status === 501 ? null : (retryAfterMs ?? PAUSE_MS)
  return null
}
