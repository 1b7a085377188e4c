import { describe, expect, it } from 'vitest'
import type { EventLine, Request } from './day.ts'
import { CHILD, END, START, callOutcome, observe } from './observe.ts'
import type { Span } from './read/index.ts'
import { explains } from './patterns.ts'
import { covered, spanDurations } from './slowness.ts'

const line = (tsMs: number, service: string, span: string, event: string): EventLine => ({ tsMs, service, trace: 't', span, event, error: false })
const span = (id: string, parent: string, service: string, operation: string, startMs: number, endMs: number): Span =>
  ({ trace: 't', id, parent, service, operation, startMs, endMs })
const request = (lines: readonly EventLine[], spans: readonly Span[] = []): Request => ({ trace: 't', startMs: 0, reference: false, lines, spans })

/** a asks b for something between two of its own lines. */
const LINES = [line(1, 'a', 's1', 'ask'), line(2, 'b', 's2', 'asked'), line(3, 'a', 's1', 'told')]

describe('what a request shows', () => {
  it('by lines: steps of each service, and what was called between two of them', () => {
    const seen = observe(request(LINES), false)
    expect(seen.filter(({ kind }) => kind === 'step').map(({ service, context, outcomes }) => [service, context, outcomes])).toEqual([
      ['a', 'ask', ['told']], ['a', 'told', [END]], ['b', 'asked', [END]],
    ])
    expect(seen.filter(({ kind }) => kind === 'call')).toMatchObject([{ service: 'a', outcomes: [callOutcome('b', 'asked')], fromMs: 1, toMs: 3 }])
  })

  it('also that nothing was called: the pair is there, its inside is empty', () => {
    const seen = observe(request(LINES.filter(({ service }) => service === 'a')), false)
    expect(seen.find(({ kind }) => kind === 'call')?.outcomes).toEqual([])
  })

  it('by spans: lines and the service\'s own children in the order of time, from the start of the operation', () => {
    const spans = [span('s0', '', 'a', '/x', 0, 9), span('c', 's0', 'a', 'POST', 1, 8), span('s2', 'c', 'b', '/y', 2, 7)]
    const seen = observe(request([line(0.5, 'a', 's0', 'ask'), line(3, 'b', 's2', 'asked')], spans), true)
    expect(seen.map(({ service, context, outcomes }) => [service, context, outcomes])).toEqual([
      ['a', `${START}/x`, ['ask']], ['a', 'ask', [`${CHILD}POST`]], ['a', `${CHILD}POST`, [END]], ['a', `${START}POST`, [END]],
      ['b', `${START}/y`, ['asked']], ['b', 'asked', [END]],
    ])
  })

  it('of a line whose span is not known, as by lines', () => {
    const seen = observe(request([line(1, 'a', 'lost', 'x')], [span('s0', '', 'a', '/x', 0, 9)]), true)
    expect(seen.map(({ context }) => context)).toEqual([`${START}/x`, 'x'])
  })
})

describe('explaining', () => {
  const shown = (service: string, fromMs: number, toMs: number, score = 20) => ({ deviation: { service, score }, fromMs, toMs })
  it.each([
    ['what happened inside', shown('b', 2, 3), shown('a', 1, 4), true],
    ['not what happened around', shown('a', 1, 4), shown('b', 2, 3), false],
    ['what was over before', shown('b', 1, 2), shown('c', 3, 4), true],
    ['what ended without a word, inside', shown('b', 2, Infinity), shown('a', 1, 4), true],
    ['of two that ended without a word the later', shown('b', 2, Infinity), shown('a', 1, Infinity), true],
    ['and not the earlier', shown('a', 1, Infinity), shown('b', 2, Infinity), false],
    ['never its own service', shown('a', 2, 3), shown('a', 1, 4), false],
    ['not by what is much weaker', shown('b', 2, 3, 5), shown('a', 1, 4), false],
  ])('%s', (_, one, other, explained) => expect(explains(one, other)).toBe(explained))
})

describe('own time', () => {
  const parent = span('p', '', 'a', '/x', 0, 10)
  it('is what no child fills, overlaps counted once', () => {
    expect(covered(parent, [span('1', 'p', 'a', 'x', 1, 4), span('2', 'p', 'a', 'y', 3, 6), span('3', 'p', 'a', 'z', 8, 12)])).toBe(7)
  })
  it('of a call is the time on its way, and accuses both ends', () => {
    const spans = [span('c', '', 'a', 'POST', 0, 10), span('s', 'c', 'b', '/y', 2, 9)]
    expect(spanDurations(spans)).toEqual([
      { kind: 'link', services: ['a', 'b'], what: 'a to b', ms: 3 }, { kind: 'slow', services: ['b'], what: '/y', ms: 7 },
    ])
  })
})
