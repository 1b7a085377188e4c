import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readEvents, sseParser } from './sse.ts'
import type { SseEvent } from './sse.ts'

const parse = (text: string) => sseParser()(text)
const collect = async (chunks: readonly Uint8Array[]) => {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })
  const events: SseEvent[] = []
  for await (const event of readEvents(body)) events.push(event)
  return events
}

describe('the parser', () => {
  it('reads an id, an event and its data', () => {
    expect(parse('id: 1\nevent: stage\ndata: {"a":1}\n\n')).toEqual([{ id: '1', event: 'stage', data: '{"a":1}' }])
  })

  it.each<[string, string, Partial<SseEvent>[]]>([
    ['several lines of data', 'data: a\ndata: b\ndata:\n\n', [{ data: 'a\nb\n' }]],
    ['carriage returns', 'data: a\r\rdata: b\r\r', [{ data: 'a' }, { data: 'b' }]],
    ['both line ends', 'data: a\r\n\r\ndata: b\r\n\r\n', [{ data: 'a' }, { data: 'b' }]],
    ['comments', ': still here\n\ndata: a\n: inside\n\n', [{ data: 'a' }]],
    ['one leading space only', 'data:  a\n\ndata:b\n\n', [{ data: ' a' }, { data: 'b' }]],
    ['colons in the data', 'data: a: b\n\n', [{ data: 'a: b' }]],
    ['a field without a colon', 'data\n\n', [{ data: '' }]],
    ['unknown fields', 'retry: 5\ncolour: red\ndata: a\n\n', [{ data: 'a' }]],
    ['an event without data', 'event: stage\n\ndata: a\n\n', [{ event: 'message', data: 'a' }]],
    ['an id that stays', 'id: 7\ndata: a\n\ndata: b\n\n', [{ id: '7' }, { id: '7' }]],
    ['an id with a NUL', 'id: 7\ndata: a\n\nid: x\0\ndata: b\n\n', [{ id: '7' }, { id: '7' }]],
    ['an event that never ends', 'data: a\n\ndata: b\n', [{ data: 'a' }]],
    ['nothing', '', []],
  ])('knows %s', (_what, text, expected) => {
    expect(parse(text)).toMatchObject(expected)
    expect(parse(text)).toHaveLength(expected.length)
  })
})

describe('the reader', () => {
  const TEXT =
    ': hello\r\n\r\nid: 1\r\nevent: run\rdata: {"name":"Größe 😀"}\n\nid: 2\nevent: answer\r\ndata: a\r\ndata: b\r\n\r\n'
  const EVENTS = [{ id: '1', event: 'run', data: '{"name":"Größe 😀"}' }, { id: '2', event: 'answer', data: 'a\nb' }]
  const bytes = new TextEncoder().encode(TEXT)

  it('gives the same events wherever the network cuts the bytes', async () => {
    for (let at = 0; at <= bytes.length; at++) expect(await collect([bytes.slice(0, at), bytes.slice(at)])).toEqual(EVENTS)
    expect(await collect([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(EVENTS)
  })

  it('gives the same events for any text and any cuts', async () => {
    const piece = fc.constantFrom('data', 'id', 'event', ':', ' ', '\r', '\n', '\r\n', 'x', 'é', '😀')
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 60 }), fc.array(fc.nat(80), { maxLength: 6 }), async (pieces, cuts) => {
        const whole = new TextEncoder().encode(pieces.join(''))
        const places = [0, ...cuts.filter((cut) => cut < whole.length).toSorted((a, b) => a - b), whole.length]
        const chunks = places.slice(1).map((end, index) => whole.slice(places[index], end))
        expect(await collect(chunks)).toEqual(parse(pieces.join('')))
      }),
      { numRuns: 300 },
    )
  })
})
