/**
 * A loopback server in place of the providers: the real wire formats over real HTTP, with scripted replies and faults. It keeps
 * every byte that it was sent. No hosted provider is called by any test.
 */
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Wire, wireOf } from './support-model-wires.ts'

/** What the server does with one request. */
export type Turn =
  | { readonly text: string }
  /** the text as a stream, or cut where it stands, or beginning and never ending */
  | { readonly fault: 'cut_json' | 'broken_off'; readonly text: string }
  | { readonly fault: 'time_out' | 'endless' | 'slow_drip' | 'huge' | 'redirect' | 'not_json' }
  | { readonly fault: 'status'; readonly status: number; readonly retryAfter?: string }

export interface Recorded {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** how the request was read; null for a path that no provider has */
  readonly wire: Wire | null
}

type Script = Turn | ((request: Recorded, nth: number) => Turn)

export interface FakeModels {
  readonly origin: string
  readonly port: number
  readonly requests: Recorded[]
  /** answers from now on; a list is used up, its last turn stays */
  answer(script: Script | readonly Turn[]): void
  /** every byte that came in, headers included */
  heard(): string
  /** requests that are under way now */
  underWay(): number
  close(): Promise<void>
}

/** With a key, every request must carry it, in whichever header its provider uses. */
export async function fakeModels({ key }: { key?: string } = {}): Promise<FakeModels> {
  const requests: Recorded[] = []
  let script: Script = { text: '{"ready": true}' }
  let nth = 0
  const busy = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    busy.add(response)
    response.once('close', () => busy.delete(response))
    void read(request).then(async (recorded) => {
      requests.push(recorded)
      const turn = typeof script === 'function' ? script(recorded, nth) : script
      nth += 1
      if (key !== undefined && !keysIn(recorded.headers).includes(key)) return refuse(response, 401, recorded)
      await play(turn, recorded, response)
    }, () => response.destroy())
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    requests,
    answer(next) {
      nth = 0
      const turns = Array.isArray(next) ? (next as readonly Turn[]) : null
      script = turns === null ? (next as Script) : (_, i) => turns[Math.min(i, turns.length - 1)]!
    },
    heard: () => requests.map(({ path, headers, body }) => `${path}\n${JSON.stringify(headers)}\n${body}`).join('\n'),
    underWay: () => busy.size,
    close: () => new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    }),
  }
}

const keysIn = (headers: Recorded['headers']): string[] =>
  [headers['authorization']?.replace(/^Bearer /, ''), headers['api-key'], headers['x-api-key'], headers['x-goog-api-key']].filter((each) => each !== undefined)

async function read(request: IncomingMessage): Promise<Recorded> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks).toString('utf8')
  const path = request.url ?? ''
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
  let wire: Wire | null = null
  try {
    wire = wireOf(path, JSON.parse(body) as Record<string, unknown>)
  } catch {
    // not a request that any SDK makes
  }
  return { path, headers, body, wire }
}

/** Says back all it knows, as a careless provider would: nothing of it may travel on. */
function refuse(response: ServerResponse, status: number, { headers, body }: Recorded, extra: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', 'x-echo': keysIn(headers)[0] ?? '', ...extra })
  response.end(JSON.stringify({ error: { message: `status ${status} for ${keysIn(headers).join()}: ${body}`, type: 'error', code: null, param: null }, type: 'error' }))
}

async function play(turn: Turn, recorded: Recorded, response: ServerResponse): Promise<void> {
  const { wire } = recorded
  if (wire === null) return refuse(response, 404, recorded)
  if (!('fault' in turn)) return wire.streamed ? sendStream(wire, response, piecesOf(turn.text)) : sendWhole(response, JSON.stringify(wire.whole(turn.text)))
  switch (turn.fault) {
    case 'time_out':
      return undefined
    case 'status':
      return refuse(response, turn.status, recorded, turn.retryAfter === undefined ? {} : { 'retry-after': turn.retryAfter })
    case 'redirect':
      response.writeHead(307, { location: '/stolen' }).end()
      return undefined
    case 'not_json':
      return sendWhole(response, '<html>proxy error</html>')
    case 'cut_json':
      return play({ text: turn.text.slice(0, Math.ceil(turn.text.length / 2)) }, recorded, response)
    case 'broken_off': {
      const text = JSON.stringify(wire.whole(turn.text))
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(text.length) })
      response.write(text.slice(0, text.length / 2))
      await pause(20)
      response.destroy()
      return undefined
    }
    case 'huge':
      return wire.streamed ? sendStream(wire, response, pieces(10 * 1024, 'x'.repeat(1024))) : sendWhole(response, JSON.stringify(wire.whole('x'.repeat(10 * 1024 * 1024))))
    case 'endless':
      return wire.streamed ? sendStream(wire, response, pieces(Infinity, 'and on ')) : drip(response, ' ', 5)
    case 'slow_drip':
      return drip(response, wire.streamed ? ': still here\n\n' : ' ', 50)
  }
}

function sendWhole(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(text)
}

async function sendStream(wire: Wire, response: ServerResponse, from: Iterable<string>): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  let sent = 0
  for (const frame of wire.frames(from)) {
    if (response.destroyed) return
    response.write(frame)
    sent += 1
    if (sent % 100 === 0) await pause(1)
  }
  response.end()
}

/** JSON may begin with any number of blanks. */
async function drip(response: ServerResponse, bytes: string, ms: number): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json' })
  while (!response.destroyed) {
    response.write(bytes)
    await pause(ms)
  }
}

const piecesOf = (text: string): string[] => text.match(/[\s\S]{1,16}/g) ?? []

function* pieces(count: number, text: string): Generator<string> {
  for (let i = 0; i < count; i += 1) yield text
}

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })
