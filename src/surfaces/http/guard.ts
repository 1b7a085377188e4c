/** What a request must look like before anyone reads it: sent to us, not forged by another page, not nested without end. */
import { LIMITS, ServiceError } from '../../contracts/index.ts'

const LOOPBACK = ['localhost', '127.0.0.1', '::1']
const EVERY_ADDRESS = ['0.0.0.0', '::']
const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS']

export const isLoopback = (host: string): boolean => LOOPBACK.includes(host)

/** Refuses a Host that is not ours: a page of another site may point its own name at this machine (DNS rebinding). */
export function checkHost(header: string | undefined, configured: string): void {
  // bound to every address we go by unknown names; the server then always asks for a token, which no page can send unasked
  if (EVERY_ADDRESS.includes(configured) && header !== undefined) return
  const name = hostName(header)
  if (name !== null && (isLoopback(name) || name === configured.toLowerCase())) return
  throw new ServiceError('forbidden_origin', 'this service does not answer under that Host')
}

/** Refuses writes that a page of another origin sends on its reader's behalf. Programs send no Origin. */
export function checkOrigin(method: string, origin: string | undefined, host: string | undefined): void {
  if (SAFE_METHODS.includes(method) || origin === undefined) return
  const same = [`http://${host}`, `https://${host}`].some((own) => own.toLowerCase() === origin.toLowerCase())
  if (!same) throw new ServiceError('forbidden_origin', 'this service takes no requests from other origins')
}

/** Refuses JSON nested deeper than the limit, counted on the text: parsing it would already spend the stack. */
export function checkDepth(text: string, limit: number = LIMITS.json_depth): void {
  let depth = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (inString) {
      if (char === '\\') at++
      else if (char === '"') inString = false
    } else if (char === '"') inString = true
    else if (char === '{' || char === '[') {
      depth++
      if (depth > limit) throw new ServiceError('invalid_request', `the body is nested deeper than ${limit} levels`)
    } else if (char === '}' || char === ']') depth--
  }
}

function hostName(header: string | undefined): string | null {
  const [, bracketed, plain] = /^(?:\[([0-9a-f:.]+)\]|([^:[\]/@\s]+))(?::\d{1,5})?$/i.exec(header ?? '') ?? []
  return (bracketed ?? plain)?.toLowerCase() ?? null
}
