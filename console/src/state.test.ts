import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CLAIMS, TRACE, okAnswer } from '../../tests/e2e/fake-answer.ts'
import { cutSpans, highlights } from './highlight.ts'
import { cutMarkers, labels, shortName, stageSummary } from './names.ts'
import { IDLE, reduceRun } from './run-state.ts'
import type { RunAction } from './run-state.ts'
import { readAsk, writeAsk } from './url-state.ts'
import { TIERS } from './wire.ts'

const ANSWER = okAnswer('run-1', true)
const after = (...actions: RunAction[]) => actions.reduce(reduceRun, IDLE)

describe('a run', () => {
  const start: RunAction = { kind: 'start' }
  const stage: RunAction = { kind: 'event', event: { event: 'stage', data: TRACE[0]! } }
  const claim: RunAction = { kind: 'event', event: { event: 'claim', data: CLAIMS[0]! } }

  it('collects stages and claims and ends with the answer', () => {
    const state = after(start, stage, claim, { kind: 'event', event: { event: 'answer', data: ANSWER } }, { kind: 'ended' })
    expect(state).toMatchObject({ phase: 'done', runId: 'run-1', trouble: null })
    expect([state.stages.length, state.claims.length]).toEqual([1, 3])
  })

  it('keeps what arrived when the stream is cut', () => {
    expect(after(start, stage, claim, { kind: 'ended' })).toMatchObject({
      phase: 'failed', trouble: { code: 'stream_cut' }, stages: [TRACE[0]], claims: [CLAIMS[0]],
    })
  })

  it('keeps what arrived when the reader stops it, and hears nothing after that', () => {
    const state = after(start, stage, { kind: 'stopped' }, claim, { kind: 'ended' })
    expect(state).toMatchObject({ phase: 'stopped', claims: [], trouble: null })
  })

  it('forgets the last run when it starts again', () => {
    expect(after(start, stage, { kind: 'ended' }, start)).toEqual({ ...IDLE, phase: 'running' })
  })
})

describe('highlights', () => {
  it('lead from a claim to its records, SQL, rules and whole proof', () => {
    const found = highlights(ANSWER, { kind: 'claim', id: 'c2' })
    expect([...found.records]).toEqual([1, 3])
    expect([...found.facts].toSorted()).toEqual(['f1', 'f2'])
    expect([...found.rules]).toEqual(['at-risk', 'degraded'])
    const marked = found.spans.map(([query, from, to]) => ANSWER.executed_queries[query]!.sql.slice(from, to))
    expect(marked).toEqual(['"s"."resource_id" = ?'])
  })

  it('lead from a record to the claims that cite it and the facts that rest on it', () => {
    const found = highlights(ANSWER, { kind: 'record', n: 3 })
    expect([...found.claims]).toEqual(['c2', 'c3'])
    expect([...found.facts]).toEqual(['f1'])
  })

  it('lead from a fact to its proof, its records and the claims that rest on it', () => {
    const found = highlights(ANSWER, { kind: 'fact', id: 'f1' })
    expect([...found.claims]).toEqual(['c1', 'c2'])
    expect([...found.records]).toEqual([3, 4])
    expect([...highlights(ANSWER, { kind: 'fact', id: 'f2' }).facts].toSorted()).toEqual(['f1', 'f2'])
  })

  it('end although facts rest on each other', () => {
    const [fact] = ANSWER.inferred
    const circle = [{ ...fact!, id: 'x', derived_from: ['y'] }, { ...fact!, id: 'y', derived_from: ['x'] }]
    const claims = [{ ...CLAIMS[0]!, fact_ids: ['x'] }]
    const { facts } = highlights({ claims, citations: [], inferred: circle }, { kind: 'claim', id: 'c1' })
    expect([...facts].toSorted()).toEqual(['x', 'y'])
  })

  it('find nothing for a selection that is gone', () => {
    expect(highlights(ANSWER, { kind: 'claim', id: 'c9' }).records.size).toBe(0)
    expect(highlights(ANSWER, null).claims.size).toBe(0)
  })
})

describe('spans', () => {
  it('join where they overlap and are ignored where they do not fit', () => {
    expect(cutSpans('abcdef', [[3, 5], [1, 4], [9, 12], [2, 2], [-1, 3]])).toEqual([
      { text: 'a', marked: false }, { text: 'bcde', marked: true }, { text: 'f', marked: false },
    ])
    expect(cutSpans('', [])).toEqual([])
  })

  it('never change the text, and mark exactly the units they cover', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 30 }), fc.array(fc.tuple(fc.nat(32), fc.nat(32)), { maxLength: 5 }), (text, spans) => {
        const parts = cutSpans(text, spans)
        expect(parts.map((part) => part.text).join('')).toBe(text)
        const fits = spans.filter(([, to]) => to <= text.length)
        const covered = [...Array(text.length).keys()].map((at) => fits.some(([from, to]) => from <= at && at < to))
        expect(parts.flatMap((part) => Array<boolean>(part.text.length).fill(part.marked))).toEqual(covered)
      }),
    )
  })
})

describe('names', () => {
  it.each([
    ['https://enterprise.example/ontology#atRisk', 'atRisk'], ['https://enterprise.example/record/customer/cu%201', 'cu 1'],
    ['https://enterprise.example/record/', 'record'], ['no redundant path', 'no redundant path'], ['urn:x', 'urn:x'],
    ['https://e.x/%zz', '%zz'],
  ])('shorten %s to %s', (iri, short) => expect(shortName(iri)).toBe(short))

  it('prefer the label that the answer gives', () => {
    expect(labels(ANSWER)('https://enterprise.example/record/resource/crt-07')).toBe('crt-07')
    expect(labels(ANSWER)('https://enterprise.example/record/subscription/su-12')).toBe('su-12')
  })

  it('cut a sentence at its markers', () => {
    expect(cutMarkers('Acme [1] runs on crt-07 [2][13].')).toEqual(['Acme', 1, ' runs on crt-07', 2, 13, '.'])
    expect(cutMarkers('plain [x] text')).toEqual(['plain [x] text'])
    expect(cutMarkers('')).toEqual([])
  })

  it('sum up each stage', () => {
    expect(TRACE.map(stageSummary)).toEqual([
      'why · Customer, Resource', '2 rows', '12 neighbours, 2 hops', '3 facts, 2 rules', '3 claims, 1 dropped',
    ])
    expect(stageSummary({ stage: 'reason', status: 'skipped', ms: 0, detail: {} })).toBe('not needed')
  })
})

describe('the address', () => {
  it('gives back any question with its settings', () => {
    const ask = fc.record({
      question: fc.string(), flavor: fc.string(), source: fc.string(), tier: fc.constantFrom(...TIERS), materialize: fc.boolean(),
    })
    fc.assert(
      fc.property(ask, (one) => {
        expect(readAsk(writeAsk(one))).toEqual(one)
      }),
    )
  })

  it('falls back to the defaults where it makes no sense', () => {
    expect(readAsk('?tier=Secret&q=who')).toMatchObject({ question: 'who', tier: 'Internal', materialize: true })
    expect(writeAsk(readAsk(''))).toBe('')
  })
})
