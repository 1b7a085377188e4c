import { describe, expect, it } from 'vitest'
import type { Rule, Tier } from '../contracts/index.ts'
import { parseFragment } from '../rules/index.ts'
import { BASE, PREFIXES, short, sparql } from './graph.test-support.ts'
import { hiddenTerms, mentions, tieredAxioms } from './hidden-terms.ts'
import { inputFrom } from './load.ts'
import { materialise } from './run.ts'

const SCHEMA = `${PREFIXES}
:Alarm a owl:Class ; :sensitivityTier "Public" . :Alarm.state a owl:DatatypeProperty ; :sensitivityTier "Public" .
:Product a owl:Class ; :sensitivityTier "Public" . :Product.name a owl:DatatypeProperty ; :sensitivityTier "Public" .
:Customer a owl:Class ; :sensitivityTier "Public" . :Vip rdfs:subClassOf :Customer ; :sensitivityTier "Public" .
:Customer.name a owl:DatatypeProperty ; :sensitivityTier "Restricted" .
:Customer.salary a owl:DatatypeProperty ; :sensitivityTier "Restricted" .
:AtRisk a owl:Class ; :sensitivityTier "Restricted" . :Secret a owl:Class ; :sensitivityTier "Confidential" .
:Odd%20One a owl:Class ; :sensitivityTier "Restricted" .
`
const DATA = `${PREFIXES}r:a a :Alarm ; :Alarm.state "open" . r:p a :Product ; :Product.name "box" .\n`
const input = (rules: readonly Rule[], ceiling: Tier) =>
  inputFrom({ enterprise: SCHEMA, instances: DATA }, { baseIri: BASE, rules, ceiling })
const { asserted } = input([], 'Internal')
const hidden = hiddenTerms(asserted, BASE, 'Internal')

const as = (kind: Rule['kind'], body: string, more: Partial<Rule> = {}): Rule => ({ ...sparql('r', ''), kind, body, ...more })
const NS = `PREFIX : <${BASE}>`

describe('a rule mentions what is hidden', () => {
  it.each<[string, Rule]>([
    ['by a prefixed name', as('sparql', `${NS} CONSTRUCT { ?x :y 1 } WHERE { ?x a :Secret }`)],
    ['at the end of a sentence', as('owl', ':Alarm rdfs:subClassOf :Secret.')],
    ['by its full IRI', as('sparql', `CONSTRUCT { ?x a <${BASE}Secret> } WHERE { ?x ?y ?z }`)],
    ['with the namespace cut elsewhere', as('sparql', `PREFIX s: <${BASE}Sec> CONSTRUCT { ?x a s:ret } WHERE { ?x ?y ?z }`)],
    ['relative to a base', as('sparql', `BASE <${BASE}> CONSTRUCT { ?x a <#Secret> } WHERE { ?x ?y ?z }`)],
    ['by letters spelt as numbers', as('sparql', `${NS} CONSTRUCT { ?x a :S\\u0065cret } WHERE { ?x ?y ?z }`)],
    ['with a backslash', as('sparql', `${NS} CONSTRUCT { ?x :Customer\\.salary 1 } WHERE { ?x ?y ?z }`)],
    ['in a path', as('sparql', `${NS} CONSTRUCT { ?x :y ?z } WHERE { ?x (^:Customer.salary|:other)+/:more ?z }`)],
    ['in a query inside a shape',
      as('shacl', '[] sh:rule [ sh:construct """CONSTRUCT { $this e:y 1 } WHERE { $this a e:Secret }""" ] .')],
    ['in a text that does not parse', as('sparql', 'CONSTRUCT ?x a :Secret }')],
    ['as part of a name', as('owl', `${NS} :Secret.code a owl:DatatypeProperty .`)],
    ['as a Datalog class', as('datalog', 'bad(?x) :- Secret(?x).')],
    ['as a Datalog head', as('datalog', 'at_risk(?x) :- Alarm(?x).')],
    ['as a column that only it has', as('datalog', 'bad(?x) :- Vip(?x, salary: ?s).')],
    ['as a predicate that only it can be', as('datalog', 'bad(?x) :- salary(?x, ?s).')],
    ['as a column that others have too', as('datalog', 'bad(?x) :- Customer(?x, name: ?n).')],
    ['as a column of a class below', as('datalog', 'bad(?x) :- Vip(?x, name: ?n).')],
    ['by its full IRI in Datalog', as('datalog', `bad(?x) :- <${BASE}Secret>(?x).`)],
    ['in its slots', as('shacl', '', { meta: { target_class: 'Alarm', conditions: [{ path: 'on/^Customer.salary' }] } })],
    ['as a value of its slots', as('shacl', '', { meta: { assertion: { path: 'a', value: { iri: ':Secret' } } } })],
    ['as its cause', as('sparql', '', { cause_class: 'Secret' })],
    ['by a name that is no word', as('sparql', `CONSTRUCT { ?x a <${BASE}Odd%20One> } WHERE { ?x ?y ?z }`)],
  ])('%s', (_, rule) => expect(mentions(rule, hidden)).toBe(true))

  it.each<[string, Rule]>([
    ['visible names', as('sparql', `${NS} CONSTRUCT { ?x :y ?z } WHERE { ?x a :Alarm ; :Alarm.state ?z }`)],
    ['a longer name', as('sparql', `${NS} CONSTRUCT { ?x a :Secretary } WHERE { ?x a <${BASE}NotSecret> }`)],
    ['a variable', as('sparql', `${NS} CONSTRUCT { ?Secret :y 1 } WHERE { ?Secret a :Alarm }`)],
    ['the same name elsewhere', as('sparql', 'PREFIX o: <urn:other#> CONSTRUCT { ?x a o:Secret } WHERE { ?x ?y ?z }')],
    ['the same column of another class', as('datalog', 'good(?x) :- Product(?x, name: ?n).')],
    ['a value', as('datalog', 'good(?x) :- Alarm(?x, state: "Secret").  % Secret')],
    ['a value of its slots', as('shacl', '', { meta: { target_class: 'Alarm', assertion: { path: 'y', value: 'Secret' } } })],
  ])('but not by %s', (_, rule) => expect(mentions(rule, hidden)).toBe(false))

  it('and nothing is hidden from whoever may see it', () => {
    const rule = as('owl', ':Alarm rdfs:subClassOf :Secret .')
    const at = (ceiling: Tier) => mentions(rule, hiddenTerms(asserted, BASE, ceiling))
    expect([at('Public'), at('Internal'), at('Confidential'), at('Restricted')]).toEqual([true, true, false, false])
  })
})

describe('below a label nobody hears of the rules that name it', () => {
  const telling: Rule[] = [
    as('sparql', `${NS} CONSTRUCT { ?x a :Secret } WHERE { ?x a :Alarm }`, { id: 's-fires' }),
    as('sparql', `${NS} CONSTRUCT { ?x :y 1 } WHERE { ?x a :Secret }`, { id: 's-idle' }),
    as('sparql', `${NS} CONSTRUCT ?x a :Secret`, { id: 's-broken' }),
    as('sparql', `${NS} CONSTRUCT { ?x a :Secret } WHERE { { SELECT ?x { ?x a :Alarm } LIMIT 1 } }`, { id: 's-delegated' }),
    as('owl', `${PREFIXES} :Alarm rdfs:subClassOf :Secret .`, { id: 'o-fires' }),
    as('datalog', 'bad(?x) :- Customer(?x, salary: ?s).', { id: 'd-refused' }),
    as('shacl', `${PREFIXES} :S a sh:NodeShape ; sh:targetClass :Secret ; sh:rule [ a sh:TripleRule ; sh:order 7 ;
      sh:subject sh:this ; sh:predicate :y ; sh:object 1 ] .`, { id: 'h-idle' }),
  ]
  const open = as('datalog', 'good(?x) :- Alarm(?x, state: "open").', { id: 'good' })
  const told = (rules: readonly Rule[], ceiling: Tier) => {
    const m = materialise(input(rules, ceiling))
    const { derived, counts, rulesWithoutFirings, refused, delegated, queries, notices, inconsistencies } = m
    return { asserted: m.asserted, derived, counts, rulesWithoutFirings, refused, delegated, queries, notices, inconsistencies }
  }

  it('not by what is derived, counted, refused, idle or noticed', () => {
    for (const rule of telling) expect(told([rule, open], 'Internal'), rule.id).toEqual(told([open], 'Internal'))
    expect(told([...telling, open], 'Internal')).toEqual(told([open], 'Internal'))
    expect(told([open], 'Internal').derived).toHaveLength(1)
  })

  it('though each of them would show without the label', () => {
    for (const rule of telling) expect(told([rule, open], 'Restricted'), rule.id).not.toEqual(told([open], 'Restricted'))
  })

  it('a causal rule neither', () => {
    const [rule] = telling
    const m = materialise({ ...input([], 'Internal'), causalRules: [rule!] })
    expect([m.rulesWithoutFirings, m.derived, m.refused]).toEqual([[], [], []])
  })
})

describe('an axiom of a rule', () => {
  it('is as sensitive as the terms it names, through blank nodes too', () => {
    const parsed = parseFragment(`${PREFIXES} :A rdfs:subClassOf :B . :A rdfs:subClassOf :Secret . r:x :Customer.salary 1 .
      :Alarm rdfs:subClassOf [ a owl:Restriction ; owl:onProperty :Customer.name ; owl:hasValue "x" ] .
      :New :sensitivityTier "Confidential" ; rdfs:label "new" .`)
    const tiers = tieredAxioms(parsed.ok ? parsed.quads : [], asserted, BASE)
    const named = tiers.filter(({ quad }) => quad.subject.kind === 'iri')
    const property = (iri: string) => short(iri).replace(/.*[#/]/, '')
    expect(named.map(({ quad, tier }) => `${short(quad.subject.value)} ${property(quad.predicate.value)} ${tier}`)).toEqual([
      ':A subClassOf Public', ':A subClassOf Confidential', 'r:x :Customer.salary Restricted', ':Alarm subClassOf Restricted',
      ':New :sensitivityTier Confidential', ':New label Confidential',
    ])
    const blank = tiers.filter(({ quad }) => quad.subject.kind === 'bnode')
    expect(blank.map(({ tier }) => tier)).toEqual(['Restricted', 'Restricted', 'Restricted'])
  })

  it('hands its sensitivity on to what follows from it, and takes no part above the ceiling', () => {
    const rule = as('owl', `${PREFIXES} :Alarm rdfs:subClassOf :New . :New :sensitivityTier "Confidential" .`)
    const schema = `${PREFIXES}:Alarm :sensitivityTier "Public" .`
    const texts = { enterprise: schema, instances: `${PREFIXES}r:a a :Alarm .` }
    const at = (ceiling: Tier) => materialise(inputFrom(texts, { baseIri: BASE, rules: [rule], ceiling }))
    const types = at('Restricted').derived.filter(({ quad }) => quad.object.value === `${BASE}New`)
    expect(types.map(({ quad, tier }) => `${short(quad.subject.value)} ${tier}`)).toContain('r:a Confidential')
    expect(JSON.stringify(at('Internal').asserted)).not.toContain('New')
    expect(at('Internal').derived).toEqual([])
  })
})
