import { expect, it } from 'vitest'
import { mine } from '../mine.ts'
import { readText } from '../read/index.ts'
import { mapStream } from './map-stream.ts'
import { reduceStates } from './reduce.ts'
import { memoryState } from './sources.ts'

const json = (fields: Record<string, string>, i: number) =>
  JSON.stringify({ ts: `2026-03-14T09:00:${String(i % 60).padStart(2, '0')}Z`, level: 'INFO', ...fields })

/** Private values where no slot is: each must be gone from all that mining hands on. */
const LINES = Array.from({ length: 12 }, (_, i) => [
  json({ service: 'svc', trace_id: `tr${i}@corp.example.com`, msg: 'traced call' }, i),
  json({ service: `sv${i}@corp.example.com`, msg: 'service call' }, i),
  json({ service: 'svc', request_id: `eyJhbGciOiJIUzI1NiJ9.reqjwt${i}.sig`, msg: 'req call' }, i),
  json({ service: 'svc', msg: `order_id=${i === 3 ? '4539148803436467' : `o${i}`} opened` }, i),
  json({ service: 'svc\u0000\u202e', trace_id: `t\u001b[31m\u200b${i}`, msg: 'hidden \u200bmarks\u{e0041} call' }, i),
]).flat().join('\n')

it('private values and control characters pass no door', async () => {
  const { sink, state } = memoryState('x')
  async function* chunks() {
    yield Buffer.from(LINES)
  }
  await mapStream(chunks(), sink, { name: 'a\u001b[31m.jsonl', offset: 0, referenceMs: 0 })
  const { templates, events, profiles, columns } = reduceStates([state])
  const mined = mine(readText('a.jsonl', Buffer.from(LINES)).records)
  for (const part of [templates, events, profiles, columns.services, columns.files, mined.candidates, mined.events]) {
    expect(JSON.stringify(part)).not.toMatch(/@corp|reqjwt|4539148803436467|\\u00[01]|[\u200b\u202e]|\u{e0041}/u)
  }
  expect(new Set(events.map(({ trace }) => trace).filter((trace) => trace.startsWith('private-'))).size).toBe(24)
  expect(events.flatMap(({ entities }) => entities)).toContain('order_id=o4')
})
