import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { MaterialisedQuery } from '../contracts/index.ts'
import { BASE, RECORD, incident, short } from './graph.test-support.ts'
import { projectPrefixes } from './terms.ts'
import { materialisedTriples } from './triples.ts'

const m = incident()
const prefixes = projectPrefixes(BASE, RECORD)
const ask = (query: MaterialisedQuery, of = m) => materialisedTriples(of, query, prefixes)
const texts = (query: MaterialisedQuery) =>
  ask(query).page.triples.map(({ triple: { subject, predicate, object } }) => short(`${subject} ${predicate} ${object}`))

describe('the derived triples', () => {
  it('stand with their tier and with every engine that derives them', () => {
    const { page } = ask({ predicate: ':hasCause', subject: 'record:e2' })
    expect(page).toEqual({
      triples: [
        {
          triple: { subject: `${RECORD}e2`, predicate: `${BASE}hasCause`, object: `${RECORD}e1` },
          tier: 'Internal',
          derivations: [{ engine: 'sparql', rule: 'cause-0' }, { engine: 'owl', rule: 'prp-inv1' }],
        },
      ],
      next_cursor: null,
      total: 1,
    })
  })

  it('are those of an engine, of a rule, of a term or of a word', () => {
    expect(ask({}).page.total).toBe(m.derived.length)
    expect(texts({ rule: 'cause-0' })).toEqual(['r:e1 :triggers r:e2', 'r:e2 :hasCause r:e1'])
    expect(texts({ rule: 'cause-0', engine: 'owl' })).toEqual([])
    expect(texts({ engine: 'owl', q: 'E1 ' }).length).toBeGreaterThan(0)
    expect(texts({ rule: 'no-such-rule' })).toEqual([])
    expect(texts({ predicate: 'derivation', object: 'inferred' })).toEqual(['r:e4 :derivation "inferred"'])
    expect(ask({ engine: 'shacl' }).page).toEqual({ triples: [], next_cursor: null, total: 0 })
  })

  it.each([0, -1, 501, 1.5, Number.NaN])('refuses a limit of %s', (limit) => {
    expect(() => ask({ limit })).toThrow(expect.objectContaining({ code: 'invalid_request' }))
  })
})

describe('cursors', () => {
  it('lead through every page to every triple once, whatever the limit', () => {
    const whole = texts({ limit: 500 })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: whole.length + 3 }), (limit) => {
        const seen: string[] = []
        for (let cursor: string | null | undefined; cursor !== null; ) {
          const query = { limit, ...(cursor === undefined ? {} : { cursor }) }
          seen.push(...texts(query))
          cursor = ask(query).page.next_cursor
        }
        expect(seen).toEqual(whole)
      }),
      { numRuns: 20 },
    )
  })

  it('belong to their graph and their filters', () => {
    const cursor = ask({ limit: 1 }).page.next_cursor!
    expect(ask({ limit: 2, cursor }).page.triples).toHaveLength(2)
    expect(ask({ limit: 2, cursor }, incident()).page.triples).toHaveLength(2)
    const about = { hint: expect.stringContaining('without a cursor') }
    const unknown = expect.objectContaining({ code: 'invalid_request', about })
    expect(() => ask({ cursor }, incident({ ceiling: 'Internal' }))).toThrow(unknown)
    expect(() => ask({ cursor, engine: 'owl' })).toThrow(unknown)
  })

  it('of anybody else are refused', () => {
    const cursor = ask({ limit: 1 }).page.next_cursor!
    const mark = Buffer.from(cursor, 'base64url').toString().split(' ')[0]!
    const forged = ['0', '-1', '1e3', '999999', '', 'x'].map((place) => Buffer.from(`${mark} ${place}`).toString('base64url'))
    for (const bad of ['', 'x', '....', cursor.slice(1), ...forged]) {
      expect(() => ask({ cursor: bad })).toThrow(expect.objectContaining({ code: 'invalid_request' }))
    }
  })
})

describe('the etag', () => {
  it('is the same for the same page and another for another', () => {
    const pages = [ask({}), ask({ limit: 1 }), ask({ engine: 'owl' }), ask({}, incident({ ceiling: 'Internal' }))]
    const tags = pages.map(({ etag }) => etag)
    expect(new Set(tags).size).toBe(4)
    expect(ask({}, incident()).etag).toBe(tags[0])
  })
})
