/** Puts the app on a port. Anything but loopback is refused until tokens say who may call. */
import type { Socket } from 'node:net'
import { ServiceError } from '../../contracts/index.ts'
import { buildApp } from './app.ts'
import { isLoopback } from './guard.ts'
import type { App, Parts } from './parts.ts'

const GRACE_MS = 10_000 // what is under way at a stop may take this long to end
const SWEEP_MS = 50

export interface Serving {
  readonly app: App
  readonly url: string
  /** stops accepting, ends the streams with an error event, waits for what is under way */
  close(): Promise<void>
}

/** `at` holds the flags of the command line, which win over the configuration. */
export async function serve(parts: Parts, at: { readonly host?: string; readonly port?: number } = {}): Promise<Serving> {
  const host = at.host ?? parts.config.host
  const port = at.port ?? parts.config.port
  if (!isLoopback(host) && parts.tokens === undefined) {
    throw new ServiceError('invalid_request', 'an address that others can reach needs tokens', {
      hint: 'name a tokens file in SERVICE_TOKENS, or bind 127.0.0.1',
    })
  }
  const app = buildApp({ ...parts, config: { ...parts.config, host, port } })
  const unused = unusedConnections(app)
  const url = await app.listen({ host, port }).catch((cause: unknown) => {
    const hint = 'is another server running there? try --port'
    throw new ServiceError('conflict', `cannot listen on port ${port}`, { cause, hint })
  })
  return { app, url, close: () => close(app, unused) }
}

/** Connections that were opened ahead and never asked anything. Node takes them for busy and would wait for them at a stop. */
function unusedConnections({ server }: App): ReadonlySet<Socket> {
  const unused = new Set<Socket>()
  server.on('connection', (socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  server.on('request', ({ socket }) => unused.delete(socket))
  return unused
}

async function close(app: App, unused: ReadonlySet<Socket>): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), GRACE_MS)
  // a connection that falls idle after the stop began would otherwise be kept alive for the next request
  const sweep = setInterval(() => {
    app.server.closeIdleConnections()
    for (const socket of unused) socket.destroy()
  }, SWEEP_MS)
  try {
    await app.close()
  } finally {
    clearTimeout(cut)
    clearInterval(sweep)
  }
}
