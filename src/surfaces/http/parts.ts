/** What the HTTP skin is put together from, and the types its files share. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { Config, Tier } from '../../contracts/index.ts'
import type { Caller, Role, Service } from '../../runtime/index.ts'
import type { Token } from './identity.ts'
import type { Log } from './log.ts'

export interface Parts {
  readonly service: Service
  readonly config: Config
  /** with tokens every route of the API asks for one; without, the only caller is the person at this machine */
  readonly tokens?: readonly Token[]
  /** how far that person may see: SERVICE_MAX_TIER */
  readonly localGrant?: Tier
  /** SERVICE_SEARCH, read at each request */
  readonly enabled: () => boolean
  readonly clock: { now(): number }
  /** request ids */
  readonly ids: () => string
  readonly log?: Log
  /** the built console; by default the one of this package */
  readonly consoleDir?: string
  readonly heartbeatMs?: number
}

/** What a route is given: the parts, and a signal that fires when the server begins to stop. */
export interface RouteParts extends Parts {
  readonly stopping: AbortSignal
}

export type App = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger, ZodTypeProvider>

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
  }
  interface FastifyContextConfig {
    /** who may call the route; every route says so */
    role?: Role | 'anyone'
    /** the route is part of search, which SERVICE_SEARCH switches on */
    search?: boolean
  }
}
