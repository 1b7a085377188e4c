import { connect } from 'node:net'
import { fastify } from 'fastify'
import { expect, it, vi } from 'vitest'
import { ServiceError, problem } from '../../contracts/index.ts'
import type { SearchEvent } from '../../contracts/index.ts'
import { frames, sendStream, untilGone } from './stream.ts'
import type { StreamAbout } from './stream.ts'

const RUN: SearchEvent = { event: 'run', data: { run_id: 'r' } }
const about = (more: Partial<StreamAbout> = {}): StreamAbout => ({
  requestId: 'q-1', heartbeatMs: 60_000, stopping: new AbortController().signal, ...more,
})
const collect = async (source: AsyncIterable<string>) => {
  const out: string[] = []
  for await (const text of source) out.push(text)
  return out
}
async function* failing(): AsyncGenerator<SearchEvent> {
  yield RUN
  throw new Error('a secret')
}
async function* endless(): AsyncGenerator<SearchEvent> {
  yield RUN
  await new Promise(() => {})
}
async function* of(...events: SearchEvent[]): AsyncGenerator<SearchEvent> {
  yield* events
}

it('ends with an error when the search throws, and shows nothing of a bug', async () => {
  const onBug = vi.fn()
  const out = await collect(frames(failing(), about({ onBug })))
  expect(out).toHaveLength(2)
  expect(out[1]).toMatch(/^id: 2\nevent: error\ndata: .*"code":"internal"/)
  expect(out.join('')).not.toContain('secret')
  expect(onBug).toHaveBeenCalledOnce()
})

it('ends with an error when the search stops without an answer', async () => {
  expect((await collect(frames(of(RUN), about()))).at(-1)).toContain('event: error')
})

it('says nothing after the end', async () => {
  const error: SearchEvent = { event: 'error', data: problem(new ServiceError('deadline_exceeded', 'late'), 'q-1') }
  expect(await collect(frames(of(error, RUN), about()))).toHaveLength(1)
})

it('beats while nothing happens', async () => {
  const { promise: waited, resolve: arrive } = Promise.withResolvers<void>()
  async function* slow(): AsyncGenerator<SearchEvent> {
    await waited
    yield RUN
  }
  const stream = frames(slow(), about({ heartbeatMs: 2 }))
  expect((await stream.next()).value).toMatch(/^:/)
  expect((await stream.next()).value).toMatch(/^:/)
  arrive()
  let text = ''
  while (!text.startsWith('id:')) text = (await stream.next()).value as string
  expect(text).toMatch(/^id: 1\nevent: run/)
})

it('ends open streams when the server stops', async () => {
  const stop = new AbortController()
  const stream = frames(endless(), about({ stopping: stop.signal }))
  await stream.next()
  const last = stream.next()
  stop.abort()
  expect((await last).value).toContain('"code":"shutting_down"')
  expect((await stream.next()).done).toBe(true)
})

it('cuts off a client that takes nothing, and keeps one that does', async () => {
  const app = fastify()
  const gone: string[] = []
  const heavy = 'x'.repeat(100_000)
  app.get('/:who', (request, reply) => {
    const { who } = request.params as { who: string }
    untilGone(reply).addEventListener('abort', () => gone.push(who))
    async function* endless(): AsyncGenerator<SearchEvent> {
      for (;;) {
        yield { event: 'run', data: { run_id: heavy } }
        await new Promise((resolve) => void setTimeout(resolve, 5))
      }
    }
    return sendStream(reply, frames(endless(), about()), 300)
  })
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const sockets = ['deaf', 'listening'].map((who) => {
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(`GET /${who} HTTP/1.1\r\nhost: x\r\n\r\n`))
    if (who === 'listening') socket.resume()
    return socket.on('error', () => undefined)
  })
  await vi.waitFor(() => expect(gone).toEqual(['deaf']), { timeout: 15_000 })
  for (const socket of sockets) socket.destroy()
  await app.close()
})
