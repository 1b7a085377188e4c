/** Who is asking: the person at this machine, or the holder of a token. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { ServiceError, Tier } from '../../contracts/index.ts'
import type { Caller, Role } from '../../runtime/index.ts'

const ROLE_NAMES = ['reader', 'reviewer', 'author', 'admin'] as const satisfies readonly Role[]

/** One line of the tokens file. The token itself is stored nowhere. */
export const Token = z.strictObject({
  name: z.string().min(1).max(64),
  sha256: z.string().regex(/^[0-9a-f]{64}$/, 'sixty-four lower-case hex digits'),
  max_tier: Tier,
  roles: z.array(z.enum(ROLE_NAMES)).min(1),
})
export type Token = z.infer<typeof Token>

/** Reads the file that SERVICE_TOKENS names. */
export function readTokens(path: string): Token[] {
  let content: unknown
  try {
    content = JSON.parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    throw new ServiceError('invalid_request', 'the tokens file cannot be read as JSON', { cause, hint: 'check SERVICE_TOKENS' })
  }
  const tokens = z.array(Token).min(1).safeParse(content)
  if (tokens.success) return tokens.data
  throw new ServiceError('invalid_request', 'the tokens file does not fit its schema', {
    hint: 'a list of {name, sha256, max_tier, roles}',
    errors: tokens.error.issues.map(({ path: at, message }) => ({ path: at.join('.'), message })),
  })
}

/** The caller when no tokens are configured; the server then listens on loopback only. */
export const localCaller = (grant: Tier = 'Restricted'): Caller => ({ name: 'local', grant, roles: ROLE_NAMES })

/** The holder of the bearer token in an Authorization header. */
export function bearer(header: string | undefined, tokens: readonly Token[]): Caller {
  const [, presented] = /^Bearer +([^\s]+)$/i.exec(header ?? '') ?? []
  if (presented === undefined) {
    throw new ServiceError('unauthenticated', 'this service asks for a token', { hint: 'send Authorization: Bearer <token>' })
  }
  const digest = createHash('sha256').update(presented).digest()
  // every entry is compared, each in constant time, so that the time taken says nothing about which came close
  const [holder] = tokens.filter(({ sha256 }) => timingSafeEqual(Buffer.from(sha256, 'hex'), digest))
  if (holder === undefined) throw new ServiceError('unauthenticated', 'the token is not known')
  return { name: holder.name, grant: holder.max_tier, roles: holder.roles }
}

export function demandRole(caller: Caller, role: Role): void {
  if (!caller.roles.includes(role)) throw new ServiceError('forbidden_role', `this needs the role ${role}`)
}
