import { describe, expect, it } from 'vitest'
import type { TripleText, WhyNot } from '../contracts/index.ts'
import { BASE, PREFIXES, RECORD, incident, short, sparql } from './graph.test-support.ts'
import { projectPrefixes } from './terms.ts'
import { whyNotTriple } from './why-not.ts'

const prefixes = projectPrefixes(BASE, RECORD)
const m = incident()
const ask = (subject: string, predicate: string, object: string, of = m): WhyNot =>
  whyNotTriple(of, { subject, predicate, object }, of.ceiling, prefixes)
const text = ({ subject, predicate, object }: TripleText) => short(`${subject} ${predicate} ${object}`)
const held = ({ misses }: WhyNot) => misses[0]?.held.map((one) => (one.kind === 'triple' ? text(one.triple) : one.text))
const needs = ({ misses }: WhyNot) => misses.map(({ engine, rule, missing }) => [engine, rule, missing.kind, short(missing.text)])

describe('why not', () => {
  it('names the window that an effect came too late for, after all that held', () => {
    const found = ask('record:late', ':hasCause', 'record:e1')
    expect(found.holds).toBe(false)
    expect(held(found)).toContain('r:late :onEntity r:crt-07')
    const window = '2024-05-01T11:12:33.000Z is within 30 s of 2024-05-01T10:12:29.000Z'
    expect(needs(found)[0]).toEqual(['sparql', 'cause-0', 'condition', window])
  })

  it('names it for times that a rule derives too, and what is no time as such', () => {
    const rules = [sparql('seen', 'CONSTRUCT { ?x :startedAt ?t } WHERE { ?x :logged ?t }')]
    const at = (name: string, cls: string, time: string) => `r:${name} a :${cls} ; :logged "${time}"^^xsd:dateTime ; :onEntity r:n1 .`
    const lines = [at('d1', 'LinkDown', '2024-05-02T10:00:00Z'), at('d2', 'BgpPeerLost', '2024-05-02T10:00:30Z')]
    const late = at('d3', 'BgpPeerLost', '2024-05-02T10:00:31Z')
    const derived = incident({ rules, events: [PREFIXES, ...lines, late].join('\n') })
    expect(ask('record:d2', ':hasCause', 'record:d1', derived).holds).toBe(true)
    const found = ask('record:d3', ':hasCause', 'record:d1', derived)
    expect(needs(found)[0]?.[3]).toBe('2024-05-02T10:00:31Z is within 30 s of 2024-05-02T10:00:00Z')
    expect(held(found)?.filter((part) => part.includes('PT30S'))).toEqual([])
    const counted = incident({ events: `${PREFIXES}r:n3 a :LinkDown ; :startedAt 3 ; :onEntity r:n1 . r:n5 a :BgpPeerLost ; :startedAt 5 ; :onEntity r:n1 .` })
    expect(needs(ask('record:n5', ':hasCause', 'record:n3', counted))[0]?.[3]).toBe('a time: 3 is none')
  })

  it('names the triple that is missing', () => {
    expect(short(ask('record:far', ':hasCause', 'record:e1').misses[0]!.missing.text)).toBe('<r:far> :onEntity <r:crt-07>')
  })

  it('names what stands in the way of an absence', () => {
    const [miss] = ask('record:e3', ':rootCause', 'record:e2').misses
    expect(miss).toMatchObject({ rule: 'rca-rootcause-onehop', missing: { kind: 'unwanted' } })
    expect(miss?.missing.triples).toEqual([{ subject: `${RECORD}e2`, predicate: `${BASE}hasCause`, object: `${RECORD}e1` }])
  })

  it('does not say again in an absence what held', () => {
    const denied = 'FILTER NOT EXISTS { ?x :onEntity ?n . ?x :line ?l . ?l :in ?f }'
    const rules = [sparql('clean', `CONSTRUCT { ?x :clean ?n } WHERE { ?x :onEntity ?n ${denied} }`)]
    const [miss] = ask('record:z', ':clean', 'record:n', incident({ rules, events: `${PREFIXES}r:z :onEntity r:n ; :line r:l . r:l :in r:f .` })).misses
    expect(short(miss?.missing.text ?? '')).toBe('no match of { <r:z> :line ?l . ?l :in ?f }')
  })

  it('says of a triple that is there that it is, and where to ask', () => {
    const there = ask('record:e2', ':hasCause', 'record:e1')
    expect(there).toMatchObject({ holds: true, asserted: false, misses: [], notes: [expect.stringContaining('explain')] })
    expect(ask('record:e1', ':line', '17')).toMatchObject({ holds: true, asserted: true })
  })

  it('says when no rule could ever derive it', () => {
    const never = ask('record:e1', ':nope', 'x')
    expect(never).toMatchObject({ holds: false, misses: [], notes: [expect.stringContaining('no rule')] })
  })

  it('reads a value as the rule writes it', () => {
    const found = ask('record:e2', ':multipleCandidateCauses', 'true')
    expect(found.triple.object).toBe('"true"^^<http://www.w3.org/2001/XMLSchema#boolean>')
    expect(found.misses[0]?.rule).toBe('rca-multiple-causes')
  })

  it('looks through a rule with an open property to what makes the triple', () => {
    const rules = [sparql('turn', 'CONSTRUCT { ?y ?p ?x } WHERE { ?x :twin ?y . ?p :turns true }')]
    const open = incident({ rules, events: `${PREFIXES}r:t1 :twin r:t2 . :likes :turns true .` })
    expect(ask('record:t2', ':likes', 'record:t1', open).holds).toBe(true)
    const found = ask('record:t2', ':knows', 'record:t1', open)
    expect(needs(found)[0]).toEqual(['sparql', 'turn', 'triple', ':knows :turns true'])
    expect(held(found)).toEqual(['r:t1 :twin r:t2'])
  })

  it('says what a count came to instead, and what else is wrong', () => {
    const count = '{ SELECT ?e (COUNT(?x) AS ?n) WHERE { ?x :onEntity ?e } GROUP BY ?e }'
    const rules = [sparql('busy', `CONSTRUCT { ?e :load ?n } WHERE { ${count} ?e :rack ?k . ?e :row ?r }`)]
    const counted = incident({ rules, events: `${PREFIXES}r:crt-07 :rack 1 ; :row 2 .` })
    const [miss] = ask('record:crt-07', ':load', '9', counted).misses
    expect(miss).toMatchObject({ rule: 'busy', missing: { kind: 'condition', text: expect.stringContaining('it is 5') } })
    const [further] = ask('record:crt-09', ':load', '1', counted).misses
    const lacks = [further?.missing, ...(further?.further ?? [])].map((one) => short(one?.text ?? ''))
    expect(lacks).toEqual(['<r:crt-09> :rack ?k', '<r:crt-09> :row ?r'])
  })

  it('names the rules that did not run, since one of them might have derived it', () => {
    const broken = incident({ rules: [sparql('broken', 'CONSTRUCT { ?x :nope ?y WHERE { ?x :line ?y }')] })
    expect(ask('record:e1', ':nope', '17', broken).notes).toContainEqual(expect.stringMatching(/^the rule broken was refused: /))
  })

  it('shows nothing of what lies above the ceiling', () => {
    const cut = incident({ ceiling: 'Internal' })
    const hidden = ask('record:e4', ':hasCause', 'record:e3', cut)
    const absent = ask('record:e5', ':hasCause', 'record:e3', cut)
    expect(hidden.holds).toBe(false)
    expect(JSON.stringify(hidden).replaceAll('e4', 'e5')).toBe(JSON.stringify(absent))
  })
})
