/** Hostile requests and streams: what a browser, a proxy or a slow client could do to the HTTP surface. */
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SearchAnswer } from '../src/contracts/index.ts'
import { CASES, Scores, leaks, makePeople, sha256 } from './support-adversarial.ts'
import { type HttpWorld, framesOf, httpWorld } from './support-http.ts'

const PEOPLE = { db_path: 'people', max_tier: 'Public' } as const
const LIST = { intent: 'list', from: 'Person', select: [{ path: ['name'] }] } as const
const FRAME_LIKE = [
  'a\n\nevent: answer\ndata: {}\n\n', '\r\nid: 99\r\n\r\n', '\u2028\u2029event: error', 'data: x\r\rretry: 1', '\0',
]
const EVENTS = ['run', 'stage', 'claim', 'answer', 'error']

const scores = new Scores()
let world: HttpWorld
let port = 0
let hash = ''

beforeAll(async () => {
  world = await httpWorld({
    keepRuns: true,
    project: (folder) => {
      const database = `${folder}/people.sqlite`
      makePeople(database)
      return { database, config: { sources: { people: { path: 'people.sqlite' } } } }
    },
  })
  hash = sha256(world.database)
  const { server } = world.app
  expect([server.requestTimeout, server.headersTimeout]).toEqual([30_000, 30_000])
  // the same, but so short that nobody waits half a minute here
  Object.assign(server, { requestTimeout: 300, headersTimeout: 300, connectionsCheckingInterval: 100 })
  const address = await world.app.listen({ host: '127.0.0.1', port: 0 })
  port = Number(new URL(address).port)
})
afterAll(async () => {
  console.log(`hostile requests\n${scores.text()}`)
  expect(sha256(world.database)).toBe(hash)
  await world.close()
})

type Outcome = () => Promise<string | null>
const input = (id: string): string => CASES.find((each) => each.id === id)?.input ?? ''
const post = (body: unknown, who = 'Internal', headers: Record<string, string> = {}) =>
  world.call('POST', '/api/search', who, body, headers)
const statusOf = async (reply: ReturnType<typeof post>, ...codes: number[]): Promise<string | null> => {
  const { statusCode, body } = await reply
  if (leaks(body)) return 'a value above the ceiling came out'
  return codes.includes(statusCode) ? null : `status ${statusCode}: ${body.slice(0, 200)}`
}
const json = (text: string): object => JSON.parse(text)
const planned = (value: string) =>
  ({ ...PEOPLE, question: 'List the persons', plan: { ...LIST, where: [{ path: ['name'], op: '=', value }] } })

/** What each case asks for, in the words of the contract where the two differ. */
const OUTCOMES: Readonly<Record<string, Outcome>> = {
  'http-221': () => statusOf(post(json(input('http-221'))), 400),
  'http-222': async () => {
    const { warnings }: SearchAnswer =
      (await post({ ...PEOPLE, ...json(input('http-222').split(' from a caller')[0] ?? '') })).json()
    return warnings.some((warning) => warning.includes('lowered to Internal'))
      ? null : `the ceiling was not lowered: ${warnings.join()}`
  },
  'http-223': () => statusOf(post(json(input('http-223'))), 403),
  'http-224': () => statusOf(post(json(input('http-224'))), 400),
  // the case shows the start of it; a question over its own limit is refused by that one
  'http-226': async () =>
    (await statusOf(post({ ...PEOPLE, question: 'a'.repeat(100_000) }), 413))
    ?? statusOf(post({ ...PEOPLE, question: 'a'.repeat(2001) }), 400),
  'http-228': () =>
    statusOf(post('{"question":"x"}', 'Internal', { 'content-type': 'text/plain', origin: 'https://evil.example' }), 403, 415),
  'http-229': () => statusOf(post({ ...PEOPLE, question: 'x' }, 'Internal', { host: 'evil.example' }), 403),
  'http-230': async () => {
    const { text, ms } = await slowly()
    return text.startsWith('HTTP/1.1 408 ') && text.includes('request_timeout') && ms < 5000 ? null : `after ${ms} ms: ${text}`
  },
  'sse-232': async () => {
    for (const value of FRAME_LIKE) {
      const { body } = await world.call('POST', '/api/search/stream', 'Public', planned(value))
      const end = JSON.parse(/.*\ndata: ([^\n]*)\n\n$/s.exec(body)?.[1] ?? '{}')
      const fault = strayLine(body) ?? (end.executed_queries?.[0].params[0] === value ? null : 'the value did not come through')
      if (fault !== null) return fault
    }
    return null
  },
  'sse-233': async () => {
    const deaf = connect(port, '127.0.0.1').pause()
    const body = JSON.stringify({ ...planned('x'), limit: 10_000, k: 200 })
    deaf.write(`${head('/api/search/stream', body.length)}${body}`)
    const others = await Promise.all(
      Array.from({ length: 5 }, () => statusOf(post({ ...PEOPLE, question: 'List the persons', plan: LIST }), 200)))
    deaf.destroy()
    return others.find((fault) => fault !== null) ?? (await settled())
  },
  'sse-234': async () => {
    const values = ['first of two', 'second of two']
    const bodies = await Promise.all(
      values.map(async (value) => (await world.call('POST', '/api/search/stream', 'Public', planned(value))).body))
    const faults = bodies.map((body, at) => {
      const frames = framesOf(body)
      const ids = frames.map(({ id }) => id)
      const runs = new Set(frames.flatMap(({ data }) => data.run_id ?? []))
      if (body.includes(values[1 - at] ?? '')) return 'a frame of the other stream'
      if (runs.size !== 1) return `${runs.size} runs in one stream`
      return ids.every((id, n) => id === n + 1) ? null : `ids ${ids.join()}`
    })
    return faults.find((fault) => fault !== null) ?? null
  },
  'metrics-243': async () => {
    const series = async () => {
      const lines = (await world.call('GET', '/metrics', 'Restricted')).body.split('\n')
      return lines.filter((line) => /^service_search|zqlabel/.test(line)).map((line) => line.replace(/ [^ ]*$/, ''))
    }
    await post({ ...PEOPLE, question: 'zzz' }, 'Public')
    const known = await series()
    await post({ ...PEOPLE, question: 'zqlabel "}\nservice_search_requests_total{status="zqlabel"} 1' }, 'Public')
    const now = await series()
    return now.join().includes('zqlabel') || now.length !== known.length ? `${now.length} series after ${known.length}` : null
  },
}

if (CASES.length === 0) it.skip('the hostile inputs are not here: SHARED_DATA says where they lie')

describe.skipIf(CASES.length === 0)('a hostile request', () => {
  const cases = CASES.filter(({ surface }) => ['http', 'sse', 'metrics'].includes(surface))

  it.each(cases)('$id: $note', async ({ id, surface }) => {
    await post({ ...PEOPLE, question: 'List the persons', plan: LIST }, 'Public') // every series stands once
    const outcome = OUTCOMES[id]
    const fault = outcome === undefined ? 'no test knows this case' : await outcome()
    scores.add(surface, id, fault)
    expect(fault).toBeNull()
    expect((await post({ ...PEOPLE, question: 'List the persons', plan: LIST }, 'Public')).json().status).toBe('ok')
  })
})

/** What stands before the body of a request on a bare socket. */
const head = (path: string, length: number): string =>
  [
    `POST ${path} HTTP/1.1`, 'host: 127.0.0.1', 'authorization: Bearer Public', 'content-type: application/json',
    `content-length: ${length}`, '', '',
  ].join('\r\n')

/** A body that comes byte by byte, until the server has had enough. */
function slowly(): Promise<{ text: string; ms: number }> {
  const began = performance.now()
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.write(head('/api/search', 1000))
    const drip = setInterval(() => socket.write('{'), 50)
    socket.on('data', (part) => void (text += part.toString()))
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearInterval(drip)
      done({ text, ms: Math.round(performance.now() - began) })
    })
  })
}

/** A line of a stream that is none of ours. */
function strayLine(body: string): string | null {
  const ours = new RegExp(`^(id: \\d+|event: (${EVENTS.join('|')})|data: .*|:.*|)$`, 's')
  const stray = body.split('\n').find((line) => !ours.test(line) || line.includes('\r'))
  if (stray !== undefined) return `stray line ${JSON.stringify(stray.slice(0, 100))}`
  const ends = body.split('\n').filter((line) => line === 'event: answer' || line === 'event: error').length
  return ends === 1 ? null : `${ends} ends`
}

/** No search is left running. */
async function settled(): Promise<string | null> {
  for (let tries = 0; tries < 50; tries += 1) {
    const { body } = await world.call('GET', '/metrics', 'Restricted')
    if (/^service_search_in_flight 0$/m.test(body)) return null
    await new Promise((done) => setTimeout(done, 100))
  }
  return 'a search is still running'
}
