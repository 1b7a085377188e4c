/**
 * The only way to a provider. It goes to the configured address and nowhere else, follows no redirect (a key would follow it),
 * stops reading at a limit, and notes how the exchange went, so that no failure is judged by a provider's words.
 */
import { staysNear } from './address.ts'

export interface Exchange {
  /** of the last response */
  status: number | null
  retryAfterMs: number | null
  /** the system's code, when no response came or it broke off */
  networkCode: string | null
  tooLarge: boolean
  elsewhere: boolean
}

export const newExchange = (): Exchange => ({ status: null, retryAfterMs: null, networkCode: null, tooLarge: false, elsewhere: false })

interface Guard {
  readonly base: URL
  readonly mustStayNear: boolean
  readonly maxBytes: number
}

export function guardedFetch({ base, mustStayNear, maxBytes }: Guard, seen: Exchange): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    if (url.origin !== base.origin || (mustStayNear && !staysNear(url))) {
      seen.elsewhere = true
      throw new TypeError('not the configured address')
    }
    Object.assign(seen, newExchange())
    try {
      const response = await fetch(url, { ...init, redirect: 'error' })
      seen.status = response.status
      seen.retryAfterMs = retryAfter(response.headers.get('retry-after'))
      return capped(response, maxBytes, seen)
    } catch (error) {
      seen.networkCode = codeOf(error)
      throw error
    }
  }
}

/** The same response, whose body ends in an error where it grows too large or breaks off. */
function capped(response: Response, maxBytes: number, seen: Exchange): Response {
  if (response.body === null) return response
  const reader = response.body.getReader()
  let read = 0
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (done) return controller.close()
        read += value.byteLength
        if (read > maxBytes) {
          seen.tooLarge = true
          await reader.cancel().catch(() => undefined)
          return controller.error(new TypeError('the reply is too large'))
        }
        controller.enqueue(value)
      } catch (error) {
        seen.networkCode = codeOf(error)
        controller.error(error)
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
  const { status, statusText, headers } = response
  return new Response(body, { status, statusText, headers })
}

/** Seconds; a date is for caches and is not waited for. */
const retryAfter = (header: string | null): number | null => (header !== null && /^\d{1,6}(\.\d+)?$/.test(header) ? Number(header) * 1000 : null)

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  if ('code' in error && typeof error.code === 'string') return error.code
  // two addresses of one name may have been tried
  return codeOf(error instanceof AggregateError ? error.errors[0] : error.cause)
}
