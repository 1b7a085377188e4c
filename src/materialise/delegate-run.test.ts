import { Store, parse } from 'oxigraph'
import { describe, expect, it } from 'vitest'
import type { Rule } from '../contracts/index.ts'
import { LIMITS, ServiceError } from '../contracts/index.ts'
import { runSparql } from '../graph-store/index.ts'
import { type Term, XSD, literal, termKey } from '../kernel/term.ts'
import { type AskStore, materialiseWithStore } from './delegate-run.ts'
import { BASE, PREFIXES, short, sparql } from './graph.test-support.ts'
import { inputFrom } from './load.ts'
import type { Materialisation } from './materialisation.ts'
import { spellingsIn } from './spellings.ts'

const SCHEMA = `${PREFIXES}:p :sensitivityTier "Public" . :q :sensitivityTier "Public" .\n`

/** A sub-query with an order and a limit is what no compiler reads. */
const first = (id: string, construct: string, select: string, where = ''): Rule =>
  sparql(id, `CONSTRUCT { ${construct} } WHERE { ${where} { SELECT ${select} LIMIT 5 } }`)

/** The same store without the thread around it, which takes long to start. */
const nearby: AskStore = (turtle, query) => {
  const store = new Store(parse(turtle, { format: 'text/turtle' }))
  return Promise.resolve(store.query(query, { results_format: 'json' }) as string)
}

const run = (data: string, rules: readonly Rule[], ask = nearby): Promise<Materialisation> =>
  materialiseWithStore(inputFrom({ enterprise: SCHEMA, instances: PREFIXES + data }, { baseIri: BASE, rules }), ask)

const derived = (m: Materialisation): string[] =>
  m.derived.map(({ quad }) => short([quad.subject, quad.predicate, quad.object].map(termKey).join(' ')))

describe('solutions of the store come back in the spelling of the graph', () => {
  it.each([
    ['a moment', '"2024-05-01T10:12:29.000Z"^^xsd:dateTime', `"2024-05-01T10:12:29.000Z"^^<${XSD}dateTime>`],
    ['a decimal', '1.50', `"1.50"^^<${XSD}decimal>`],
    ['an integer of another size', '"05"^^xsd:int', `"05"^^<${XSD}int>`],
    ['a truth value', '"1"^^xsd:boolean', `"1"^^<${XSD}boolean>`],
    ['a duration', '"P1Y0M"^^xsd:duration', `"P1Y0M"^^<${XSD}duration>`],
    ['a float', '"0.10"^^xsd:float', `"0.10"^^<${XSD}float>`],
    ['malformed', '"oops"^^xsd:int', `"oops"^^<${XSD}int>`],
  ])('%s', async (_, written, key) => {
    const m = await run(`r:x :p ${written} .`, [
      first('handed', '?x :handed ?v', '?x ?v { ?x :p ?v }'),
      first('joined', '?x :joined ?v', '?x { ?x :p ?v }', '?x :p ?v'),
    ])
    expect(m.refused).toEqual([])
    expect(derived(m)).toEqual([`<r:x> <:handed> ${key}`, `<r:x> <:joined> ${key}`])
  })

  it('where the graph has several, each thing keeps its own', async () => {
    const m = await run('r:x :p 1.5 . r:y :p 1.50 .', [first('joined', '?x :joined ?v', '?x { ?x :p ?v }', '?x :p ?v')])
    expect(derived(m)).toEqual([`<r:x> <:joined> "1.5"^^<${XSD}decimal>`, `<r:y> <:joined> "1.50"^^<${XSD}decimal>`])
  })

  it('the exact term goes first, then its datatype, then the smallest; asserted before derived; unknown as answered', () => {
    const quad = (object: Term) => ({ subject: literal('s'), predicate: literal('p'), object })
    const decimal = (value: string) => literal(value, `${XSD}decimal`)
    const integer = (value: string, datatype: string) => literal(value, XSD + datatype)
    const of = (asserted: readonly Term[], more: readonly Term[], answer: Term) =>
      spellingsIn(asserted.map(quad), more.map(quad), [answer])(answer).map(termKey)
    expect(of([decimal('01.5'), decimal('1.5')], [], decimal('1.5'))[0]).toBe(termKey(decimal('1.5')))
    expect(of([decimal('1.50'), decimal('01.5')], [], decimal('1.5'))[0]).toBe(termKey(decimal('01.5')))
    const integers = [integer('5', 'int'), integer('05', 'integer')]
    expect(of(integers, [], integer('5', 'integer'))[0]).toBe(termKey(integer('05', 'integer')))
    expect(of([decimal('1.50')], [decimal('1.5')], decimal('1.5'))[0]).toBe(termKey(decimal('1.50')))
    expect(of([decimal('100'), decimal('1')], [], decimal('10.0'))).toEqual([termKey(decimal('10.0'))])
    expect(of([literal('1.5')], [], decimal('1.5'))).toEqual([termKey(decimal('1.5'))])
  })
})

describe('a delegated rule is refused, and the others run without it', () => {
  const good = first('good', '?x :good true', '?x { ?x :p ?v }')

  it('when what it derives takes its solutions away', async () => {
    const lonely = first('lonely', '?x :paired true', '?x { ?x :p ?v FILTER NOT EXISTS { ?x :paired ?y } }')
    const m = await run('r:x :p 1 .', [lonely, good])
    expect(derived(m)).toEqual([`<r:x> <:good> "true"^^<${XSD}boolean>`])
    expect(m.refused).toEqual([{ engine: 'sparql', rule: 'lonely', reason: 'its solutions change as the graph grows' }])
    expect(m.delegated.map(({ rule }) => rule)).toEqual(['good'])
    expect(m.rulesWithoutFirings).toEqual([])
  })

  it('when what others derive takes its solutions away', async () => {
    const least = sparql('least', 'CONSTRUCT { ?x :least true } WHERE { { SELECT ?x { ?x :q ?v } ORDER BY ?v LIMIT 1 } }')
    const lower = first('lower', '?y :q 0', '?y { ?y :p ?v }')
    const m = await run('r:x :q 5 . r:y :p 1 .', [least, lower])
    expect(derived(m)).toEqual([`<r:y> <:q> "0"^^<${XSD}integer>`])
    expect(m.refused.map(({ rule }) => rule)).toEqual(['least'])
  })

  it('but not when its solutions hold in the end', async () => {
    const open = first('open', '?x :open true', '?x { ?x :p ?v FILTER NOT EXISTS { ?x :q ?y } }')
    const m = await run('r:x :p 1 . r:y :p 2 ; :q 3 .', [open])
    expect(derived(m)).toEqual([`<r:x> <:open> "true"^^<${XSD}boolean>`])
    expect(m.refused).toEqual([])
  })

  it('when the store does not answer in time or cannot', async () => {
    const slow = first('slow', '?x :slow true', '?x { ?x :p ?v }', '?x :p ?late')
    const odd = first('odd', '?x :odd true', '?x { ?x :p ?v }', '?x :p ?other')
    const ask: AskStore = (turtle, query) => {
      if (query.includes('?other')) throw new ServiceError('unsupported_query', 'the query could not be evaluated')
      return query.includes('?late') ? runSparql(turtle, query, { timeoutMs: 1 }) : nearby(turtle, query)
    }
    const m = await run('r:x :p 1 .', [slow, odd, good], ask)
    expect(m.refused.map(({ rule, reason }) => `${rule}: ${reason}`)).toEqual([
      'odd: the SPARQL store does not answer it: the query could not be evaluated',
      'slow: the SPARQL store does not answer it: the query ran past its limit of 1 ms',
    ])
    expect(derived(m)).toEqual([`<r:x> <:good> "true"^^<${XSD}boolean>`])
  })

  it('and a query gets less time than a caller may ask for', () => {
    expect(LIMITS.delegated_query_ms).toBeLessThan(LIMITS.max_timeout_ms)
  })

  it('while a failure that is none of the store ends the run', async () => {
    await expect(run('r:x :p 1 .', [good], () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  })
})

it('what a delegated rule derives is as sensitive as the most sensitive triple of the graph', async () => {
  const seen = first('seen', '?x :seen true', '?x { ?x :p ?v }', '?x :p ?w')
  const tiersOf = async (data: string) => (await run(data, [seen])).derived.map(({ tier }) => tier)
  expect(await tiersOf('r:x :p 1 .')).toEqual(['Public'])
  expect(await tiersOf('r:x :p 1 . r:y :unlabelled 2 .')).toEqual(['Restricted'])
})
