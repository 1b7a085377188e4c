import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BASE, INCIDENT, type GraphParts, graphWorld } from '../support-graph.ts'
import { type HttpWorld, steady } from '../support-http.ts'

/**
 * Non-interference over rules: two projects whose hidden classes, properties and rules differ send the same bytes to a caller
 * with the ceiling Internal, also where that caller writes rules that guess at what is hidden.
 */
let worlds: [HttpWorld, HttpWorld]

const TWIN: GraphParts = {
  ...INCIDENT,
  classes: { ...INCIDENT.classes, Outage: 'CRITICAL' },
  events: [...INCIDENT.events, ['h9', 'Outage', 14]],
  schema: ':sabotage a <http://www.w3.org/2002/07/owl#ObjectProperty> ; :sensitivityTier "Restricted" .\n:Outage rdfs:label "outage" .\n',
  data: 'r:h9 :sabotage r:e1 .\n',
}
const P = `PREFIX : <${BASE}>\n`
const sparql = (head: string, where: string, comment = '') => ({ kind: 'sparql', body: `${comment}${P}CONSTRUCT { ${head} }\nWHERE { ${where} }` })
const HIDDEN = sparql('?o :grave true', '?o a :Outage ; :sabotage ?x')

beforeAll(async () => {
  worlds = [await graphWorld(INCIDENT), await graphWorld(TWIN)]
  for (const world of worlds) {
    const open = await world.call('PUT', '/api/rules/seen', 'Restricted', sparql('?e :late true', '?e a :LinkDown'))
    if (open.statusCode !== 201) throw new Error(open.body)
  }
  for (const id of ['secret', 'taken']) {
    const hidden = await worlds[1].call('PUT', `/api/rules/${id}`, 'Restricted', HIDDEN)
    if (hidden.statusCode !== 201) throw new Error(hidden.body)
  }
})
afterAll(async () => {
  for (const world of worlds) await world.close()
})

const FULL = process.env['WHEREFORE_FULL'] !== undefined
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
const stable = (body: string) => steady(body).replaceAll(/"duration_ms":[\d.]+/g, '"duration_ms":null')

async function both(method: Method, url: string, who: string, payload?: unknown) {
  const [a, b] = await Promise.all(
    worlds.map(async (world) => {
      const { statusCode, body, headers } = await world.call(method, url, who, payload)
      return [statusCode, stable(body), headers['etag'], headers['content-type']]
    }),
  )
  return { a, b }
}

/** What a caller may write who guesses: the class, the property, both in the head, in a comment, in a text, mistyped. */
const GUESSES = {
  'a hidden class': sparql('?o :x true', '?o a :Outage'),
  'a hidden class, mistyped': sparql('?o :x true', '?o a :Outge'),
  'a hidden property': sparql('?o :x ?y', '?o :sabotage ?y'),
  'a hidden property, mistyped': sparql('?o :x ?y', '?o :sabotge ?y'),
  'a hidden class in the head': sparql('?o a :Outage', '?o a :LinkDown'),
  'a hidden property in the head': sparql('?o :sabotage ?c', '?o a :LinkDown ; :startedAt ?c'),
  'a hidden name in a comment': sparql('?o :x true', '?o a :LinkDown', '# :Outage :sabotage\n'),
  'what a hidden rule gives': sparql('?o :x true', '?o :grave true'),
  'negation through a hidden rule': sparql('?o :y true', '?o a :LinkDown FILTER NOT EXISTS { ?o :grave true }'),
  'hidden axioms': { kind: 'owl', body: `@prefix : <${BASE}> .\n:Outage rdfs:subClassOf :Trouble .` },
  'Datalog over a hidden class': { kind: 'datalog', body: 'gone(?x) :- Outage(?x).' },
  'a hidden class given by Datalog': { kind: 'datalog', body: 'outage(?x) :- LinkDown(?x).' },
} as const

describe('TRUST-1 two projects whose hidden rules and terms differ cannot be told apart', () => {
  for (const who of ['Internal', 'Public']) {
    it.each(['/api/rules', '/api/rules/coverage', '/api/rules/library', '/api/rules/library/rca', '/api/rules/library/telecom', '/api/rules/seen', '/api/rules/secret', '/api/rules/taken', '/api/rules/none'])(
      `${who}: %s`, async (url) => {
        const { a, b } = await both('GET', url, who)
        expect(b).toEqual(a)
      })

    if (who === 'Public' && !FULL) continue
    it.each(Object.entries(GUESSES))(`${who}: %s`, async (what, rule) => {
      const asks: [Method, string, unknown?][] = [
        ['POST', '/api/rules/validate', rule], ['POST', '/api/rules/summarise', rule],
        ...(FULL || what.endsWith('in the head') ? [['POST', '/api/rules/preview', { rule, data: 'graph' }] satisfies [Method, string, unknown]] : []),
        // whatever becomes of it, it is as visible and as gone in both
        ['PUT', '/api/rules/guess', rule], ['GET', '/api/rules/guess'], ['GET', '/api/rules'], ['GET', '/api/rules/coverage'],
        ['GET', `/api/materialised/triples?rule=guess`], ['DELETE', '/api/rules/guess'],
      ]
      for (const [method, url, payload] of asks) {
        const { a, b } = await both(method, url, who, payload)
        expect([url, b]).toEqual([url, a])
      }
    })
  }

  it('an id that a hidden rule has is free, and the hidden rule is kept', async () => {
    const { a, b } = await both('PUT', '/api/rules/taken', 'Internal', sparql('?e :mine true', '?e a :LinkDown'))
    expect(a?.[0]).toBe(201)
    expect(b).toEqual(a)
    expect((await worlds[1].call('GET', '/api/rules/taken-2')).json()).toMatchObject({ body: HIDDEN.body, tier: 'Restricted' })
    const gone = await both('DELETE', '/api/rules/secret', 'Internal')
    expect(gone.b).toEqual(gone.a)
    expect((await worlds[1].call('GET', '/api/rules/secret')).statusCode).toBe(200)
  })

  it('the harness sees a difference where there is one', async () => {
    for (const url of ['/api/rules', '/api/rules/coverage']) {
      const { a, b } = await both('GET', url, 'Restricted')
      expect(b).not.toEqual(a)
    }
  })
})
