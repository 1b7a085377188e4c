/** One MCP server for one caller: lists and calls the tools, lists and reads the files. Transports are not its business. */
import { INTERNAL_ERROR, INVALID_PARAMS, ProtocolError, ResourceNotFoundError, Server } from '@modelcontextprotocol/server'
import type { ServerContext } from '@modelcontextprotocol/server'
import type { Caller, Service } from '../../runtime/index.ts'
import { problemOf, toolError } from './failures.ts'
import { RESOURCE_TEMPLATES, listFiles, readFileResource } from './resources.ts'
import type { Asking } from './tool.ts'
import { INSTRUCTIONS, TOOLS } from './tools.ts'

export interface McpParts {
  readonly service: Service
  readonly caller: Caller
  readonly enabled: () => boolean
  /** request ids */
  readonly ids: () => string
  /** fires when whoever asked is gone, or the server stops */
  readonly gone?: AbortSignal
  readonly onBug?: (error: unknown, requestId: string) => void
}

export function mcpServer(parts: McpParts): Server {
  const { service, caller, enabled, ids, gone, onBug } = parts
  const server = new Server(
    { name: 'wherefore', title: 'Wherefore', version: service.health().version },
    { capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS },
  )

  server.setRequestHandler('tools/list', () => ({ tools: [...TOOLS.values()].map(({ listed }) => listed) }))

  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const tool = TOOLS.get(params.name)
    if (tool === undefined) throw new ProtocolError(INVALID_PARAMS, `no such tool; there are ${[...TOOLS.keys()].join(', ')}`)
    const requestId = ids()
    const signal = gone === undefined ? context.mcpReq.signal : AbortSignal.any([context.mcpReq.signal, gone])
    try {
      const asking = { service, caller, enabled, requestId, signal, progress: progressOf(context) }
      return await tool.call(params.arguments ?? {}, asking)
    } catch (error) {
      return toolError(problemOf(error, requestId, onBug))
    }
  })

  server.setRequestHandler('resources/list', async () => guarded(() => listFiles(service, caller)))
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: RESOURCE_TEMPLATES }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }) =>
    guarded(() => readFileResource(uri, service, caller), uri),
  )

  /** Resources have no error of their own kind: the problem travels in the protocol's error. */
  async function guarded<T>(work: () => Promise<T>, uri?: string): Promise<T> {
    try {
      return await work()
    } catch (error) {
      const body = problemOf(error, ids(), onBug)
      if (body.code === 'not_found' && uri !== undefined) throw new ResourceNotFoundError(uri, body.detail)
      throw new ProtocolError(body.status < 500 ? INVALID_PARAMS : INTERNAL_ERROR, body.detail, body)
    }
  }

  return server
}

/** Progress goes to those who sent a token for it. */
function progressOf({ mcpReq }: ServerContext): Asking['progress'] {
  const token = mcpReq._meta?.progressToken
  if (token === undefined) return async () => undefined
  return (progress, total, message) =>
    mcpReq.notify({ method: 'notifications/progress', params: { progressToken: token, progress, total, message } })
}
