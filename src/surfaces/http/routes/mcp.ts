/** POST /mcp: the Model Context Protocol over Streamable HTTP. Each request is served on its own, for the caller who sent it. */
import type { IncomingHttpHeaders } from 'node:http'
import { type AuthInfo, createMcpHandler } from '@modelcontextprotocol/server'
import { LIMITS, ServiceError } from '../../../contracts/index.ts'
import { type McpParts, mcpServer } from '../../mcp/index.ts'
import { bugLine } from '../log.ts'
import type { App, RouteParts } from '../parts.ts'
import { sendStream, untilGone } from '../stream.ts'

const HEARTBEAT_MS = LIMITS.heartbeat_seconds * 1000

export function mcpRoutes(app: App, { service, enabled, stopping, log, heartbeatMs = HEARTBEAT_MS }: RouteParts): void {
  // the library hands through what is known about a request under this type; who asks is kept beside it, out of its reach
  const asked = new WeakMap<AuthInfo, McpParts>()
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const parts = authInfo === undefined ? undefined : asked.get(authInfo)
      if (parts === undefined) throw new Error('an MCP request without a caller')
      return mcpServer(parts)
    },
    { keepAliveMs: heartbeatMs, maxSubscriptions: 0 }, // nothing here changes behind a client's back
  )
  app.addHook('preClose', () => handler.close())

  app.post('/mcp', {
    config: { role: 'reader' },
    schema: { hide: true }, // tools/list describes it
    handler: async ({ id, caller, headers, body }, reply) => {
      if (body === null || typeof body !== 'object' || Array.isArray(body)) {
        throw new ServiceError('invalid_request', 'the body is not one JSON-RPC message', {
          hint: 'send one message per request',
        })
      }
      const gone = AbortSignal.any([untilGone(reply), stopping])
      const who: AuthInfo = { token: '', clientId: caller.name, scopes: [] }
      asked.set(who, { service, caller, enabled, ids: () => id, gone, onBug: (error) => log?.bug(bugLine(error, id)) })
      const request = new Request('http://localhost/mcp', { method: 'POST', headers: spoken(headers), signal: gone })
      const answer = await handler.fetch(request, { authInfo: who, parsedBody: body })
      void reply.code(answer.status)
      const type = answer.headers.get('content-type')
      if (answer.body === null || type === null) return reply.send()
      if (type.startsWith('text/event-stream')) return sendStream(reply, answer.body.pipeThrough(new TextDecoderStream()))
      return reply.type(type).send(await answer.text())
    },
  })
}

/** The headers that the protocol itself reads; a token is none of its business. */
const spoken = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' && /^(accept|content-type|mcp-.+)$/.test(name) ? [[name, value]] : [],
    ),
  )
