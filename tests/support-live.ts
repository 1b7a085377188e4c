/** A real server on a port, callers with tokens, listeners to its streams, and a database that can be made to stand still. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import type { SearchAnswer, Tier } from '../src/contracts/index.ts'
import { type Service, createService } from '../src/runtime/index.ts'
import { type Serving, type Token, serve } from '../src/surfaces/http/index.ts'
import { type World, newWorld } from './support.ts'

const token = (name: string, max_tier: Tier, word: string): Token => ({
  name, max_tier, roles: ['reader', 'reviewer', 'author', 'admin'], sha256: createHash('sha256').update(word).digest('hex'),
})
/** ann holds two tokens, one of them with a lower grant */
export const TOKENS = [token('ann', 'Restricted', 'ann'), token('ann', 'Public', 'ann-low'), token('bob', 'Restricted', 'bob')]

export interface Frame {
  readonly id: number
  readonly event: string
  // oxlint-disable-next-line no-explicit-any -- whatever the stream says
  readonly data: any
}

export interface Listener {
  readonly status: number
  readonly headers: Headers
  /** everything that came, as it came */
  text(): string
  frames(): Frame[]
  /** waits for an event of that name; fails when the stream ends without */
  heard(event: string): Promise<Frame>
  /** waits for the end of the stream */
  ended(): Promise<Frame[]>
  leave(): void
}

export interface LiveServer {
  readonly world: World
  readonly service: Service
  readonly bugs: unknown[]
  send(path: string, init?: { method?: string; body?: unknown; who?: string; headers?: Record<string, string>; signal?: AbortSignal }): Promise<Response>
  ask(question: string, more?: object, who?: string): Promise<SearchAnswer>
  listen(path: string, init?: { body?: unknown; who?: string; last?: number }): Promise<Listener>
  stop(): Promise<void>
  /** the same project in a new service */
  restart(options?: Options): Promise<void>
  close(): Promise<void>
}

type Options = Parameters<typeof createService>[1]

export async function liveServer(options: Options = {}, heartbeatMs = 40): Promise<LiveServer> {
  const world = newWorld()
  const bugs: unknown[] = []
  let origin = ''
  let running: { service: Service; serving: Serving } | null = null
  const start = async (more: Options = {}): Promise<void> => {
    const service = createService(world.project, { keepRuns: true, onBug: (error) => bugs.push(error), ...options, ...more })
    let n = 0
    const clock = { now: () => performance.now() }
    const parts = { service, config: world.project.config, tokens: TOKENS, enabled: () => true, clock, ids: () => `r${(n += 1)}`, heartbeatMs }
    const serving = await serve(parts, { port: 0 })
    origin = serving.url
    running = { service, serving }
  }
  const stop = async (): Promise<void> => {
    const stopping = running
    running = null
    await stopping?.serving.close()
    await stopping?.service.close()
  }
  await start()
  const send: LiveServer['send'] = (path, { method, body, who = 'ann', headers = {}, signal } = {}) =>
    fetch(origin + path, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: { authorization: `Bearer ${who}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    })
  return {
    world,
    bugs,
    get service() {
      return running!.service
    },
    send,
    ask: async (question, more = {}, who = 'ann') => {
      const reply = await send('/api/search', { body: { question, flavor: 'network-ops', ...more }, who })
      if (reply.status !== 200) throw new Error(await reply.text())
      return (await reply.json()) as SearchAnswer
    },
    listen: async (path, { body, who, last } = {}) => {
      const gone = new AbortController()
      const headers: Record<string, string> = last === undefined ? {} : { 'last-event-id': String(last) }
      const reply = await send(path, { headers, signal: gone.signal, ...(body === undefined ? {} : { body }), ...(who === undefined ? {} : { who }) })
      return listenerTo(reply, gone)
    },
    stop,
    restart: async (more) => {
      await stop()
      await start(more)
    },
    close: async () => {
      await stop()
      await world.close()
    },
  }
}

function listenerTo(reply: Response, gone: AbortController): Listener {
  let text = ''
  let waiting = Promise.withResolvers<void>()
  let open = true
  const reading = (async () => {
    const decoder = new TextDecoder()
    try {
      for await (const chunk of reply.body ?? []) {
        text += decoder.decode(chunk, { stream: true })
        waiting.resolve()
      }
    } catch {
      // cut off, by us or by the server
    } finally {
      open = false
      waiting.resolve()
    }
  })()
  return {
    status: reply.status,
    headers: reply.headers,
    text: () => text,
    frames: () => framesOf(text),
    heard: async (event) => {
      for (;;) {
        const found = framesOf(text).find((frame) => frame.event === event)
        if (found !== undefined) return found
        if (!open) throw new Error(`no ${event} in ${text}`)
        await waiting.promise
        waiting = Promise.withResolvers<void>()
      }
    },
    ended: async () => {
      await reading
      return framesOf(text)
    },
    leave: () => gone.abort(),
  }
}

/** Read as the standard says (HTML, 9.2.6): lines end with LF, CR or CRLF; an empty line ends an event; a colon first is a comment. */
export function framesOf(text: string): Frame[] {
  const frames: Frame[] = []
  let fields = new Map<string, string>()
  for (const line of text.split(/\r\n|\n|\r/)) {
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/su.exec(line) ?? []
    if (line !== '' && name !== '') fields.set(name, fields.has(name) ? `${fields.get(name)}\n${value}` : value)
    if (line !== '') continue
    if (fields.has('data')) frames.push({ id: Number(fields.get('id')), event: fields.get('event') ?? 'message', data: JSON.parse(fields.get('data')!) })
    fields = new Map()
  }
  return frames
}

/** Only Linux lists the children of a process, and only so can a database be made to wait without a second clock. */
export const CAN_FREEZE = existsSync(`/proc/self/task/${process.pid}/children`)

export const children = (): number[] =>
  readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ').filter((pid) => pid !== '').map(Number)

/** Makes the processes that read the databases stand still; the function returned lets them go on. */
export function freeze(): () => void {
  const pids = children()
  const tell = (signal: NodeJS.Signals): void => {
    for (const pid of pids) {
      try {
        process.kill(pid, signal)
      } catch {
        // it has ended
      }
    }
  }
  tell('SIGSTOP')
  return () => tell('SIGCONT')
}
