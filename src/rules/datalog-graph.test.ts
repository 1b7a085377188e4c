import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Fact, evaluate, parseRules } from '../kernel/datalog/index.ts'
import { RDF_TYPE, factTriple, parseTurtle, quad, reasonOver, relationOf, tripleFact } from '../kernel/rdf/index.ts'
import { type Term, XSD, iri, literal } from '../kernel/term.ts'
import { compileDatalogRule } from './datalog-graph.ts'
import { headsOf, relationsIn } from './datalog-scan.ts'
import { type RuleVocabulary, classColumns, relationsOf, vocabularyOfGraph } from './rule-vocabulary.ts'

const BASE = 'https://enterprise.example/ontology#'
const GRAPH = `@prefix : <${BASE}> . @prefix r: <https://enterprise.example/record/> . @prefix xsd: <${XSD}> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
:CriticalAlarm rdfs:subClassOf :Alarm .
:Alarm.count a owl:DatatypeProperty ; rdfs:domain :Alarm ; rdfs:range xsd:integer .
r:a1 a :Alarm ; :Alarm.resource r:r1 ; :Alarm.state "open" ; :Alarm.count "5"^^xsd:integer .
r:a2 a :Alarm ; :Alarm.resource r:r1 ; :Alarm.state "closed" ; :Alarm.count "5.0"^^xsd:decimal .
r:a3 a :Alarm ; :Alarm.resource r:r2, r:r3 ; :Alarm.state "open" ; :Alarm.count "6"^^xsd:integer .
r:r1 a :Resource . r:r2 a :Resource ; :Resource.name "two" . r:r3 a :Resource . r:r4 a :Resource ; :Resource.state "up" .
`
const parsed = parseTurtle(GRAPH)
if (!parsed.ok) throw new Error(parsed.fault.message)
const { quads } = parsed
const vocabulary = vocabularyOfGraph(quads, BASE)
const compile = (body: string, others: readonly string[] = []) =>
  compileDatalogRule({ id: 'r', body }, vocabulary, BASE, others.map((other) => ({ kind: 'datalog' as const, body: other })))

const short = (value: string) =>
  value.replace(BASE, ':').replace('https://enterprise.example/record/', 'r:').replace(/^.*#type$/, 'a')
function derive(...bodies: readonly string[]): string[] {
  const rules = bodies.flatMap((body, n) => {
    const compiled = compileDatalogRule({ id: `r${n}`, body }, vocabulary, BASE, bodies.map((other) => ({ kind: 'datalog' as const, body: other })))
    if (!compiled.ok) throw new Error(compiled.faults.map(({ message }) => message).join('; '))
    return compiled.rules
  })
  const { model } = reasonOver({ facts: quads.map((one) => tripleFact(one)), rules })
  return model.facts
    .filter(({ asserted }) => !asserted)
    .flatMap((fact) => factTriple(fact) ?? [])
    .map(({ subject, predicate, object }) => [subject, predicate, object].map(({ value }) => short(value)).join(' '))
    .toSorted()
}

describe('a Datalog rule over a graph', () => {
  it('reads a class with named arguments and derives a class', () => {
    expect(derive('in_trouble(?r) :- Alarm(resource: ?r, state: "open").')).toEqual([
      'r:r1 a :InTrouble', 'r:r2 a :InTrouble', 'r:r3 a :InTrouble',
    ])
  })

  it('derives a property from two arguments', () => {
    expect(derive('raised_on(?a, ?r) :- Alarm(?a, resource: ?r, state: "closed").')).toEqual(['r:a2 :raised_on r:r1'])
  })

  it.each(['5', '5.0', '"5"^^xsd:integer', '5e0'])('meets %s by value, however the graph spells it', (five) => {
    expect(derive(`five(?a) :- Alarm(?a, count: ${five}).`)).toEqual(['r:a1 a :Five', 'r:a2 a :Five'])
  })

  it('denies a record with all its named arguments together', () => {
    expect(derive('quiet(?r) :- Resource(?r), not Alarm(resource: ?r, state: "open").')).toEqual(['r:r4 a :Quiet'])
    expect(derive('no_five(?r) :- Resource(?r), not Alarm(resource: ?r, count: 5).')).toEqual(
      ['r:r2 a :NoFive', 'r:r3 a :NoFive', 'r:r4 a :NoFive'])
    expect(derive('plain(?r) :- Resource(?r), not Alarm(?r).')).toHaveLength(4)
    expect(derive('nameless(?r) :- Resource(?r), not name(?r, ?n).')).toEqual([
      'r:r1 a :Nameless', 'r:r3 a :Nameless', 'r:r4 a :Nameless',
    ])
  })

  it('counts the records that match, a property with two values once for each', () => {
    expect(derive('alarms(?r, ?n) :- Resource(?r), ?n = count { Alarm(resource: ?r) }.')).toEqual([
      'r:r1 :alarms 2', 'r:r2 :alarms 1', 'r:r3 :alarms 1', 'r:r4 :alarms 0',
    ])
    const fives = 'fives(?r, ?n) :- Resource(?r), ?n = count { Alarm(resource: ?r, count: 5) }, ?n > 0.'
    expect(derive(fives)).toEqual(['r:r1 :fives 2'])
    expect(derive('pairs(?a, ?n) :- Alarm(?a), ?n = count { Alarm(?a, resource: ?r) }, ?n > 1.')).toEqual(['r:a3 :pairs 2'])
  })

  it('reads what other rules derive, by one argument or two, and relations with more', () => {
    const hot = 'hot(?r) :- Alarm(resource: ?r, state: "open").'
    expect(derive(hot, 'cool(?r) :- Resource(?r), not hot(?r).')).toContain('r:r4 a :Cool')
    const seen = 'seen(?r, ?a, ?s) :- Alarm(?a, resource: ?r, state: ?s).'
    expect(derive(seen, 'twice(?r) :- seen(?r, ?a, ?s), seen(?r, ?b, ?t), ?s != ?t.')).toEqual(['r:r1 a :Twice'])
    expect(compile(seen)).toMatchObject({ ok: true, notes: ['seen has 3 arguments: other rules read it, but no triple says it'] })
  })

  it('reads a property of the ontology by its name where only one class has it, and any by its IRI', () => {
    expect(derive('about(?r, ?a) :- resource(?a, ?r), name(?r, "two").')).toEqual(['r:r2 :about r:a3'])
    expect(derive(`up(?x) :- <${BASE}Resource.state>(?x, "up").`)).toEqual(['r:r4 a :Up'])
    const message = expect.stringMatching(/several classes have a property state/)
    expect(compile('up(?x) :- state(?x, "up").')).toMatchObject({ ok: false, faults: [{ message }] })
  })

  it('lets a class have the properties of the classes above it', () => {
    expect(compile('bad(?a) :- CriticalAlarm(?a, state: "open").').ok).toBe(true)
  })

  it('keeps the clauses of one text apart from rules with numbered names', () => {
    const compiled = compile('hot(?r) :- Alarm(resource: ?r).\nhot(?r) :- Resource(?r, state: "hot").')
    expect(compiled.ok && compiled.rules.map(({ id }) => id)).toEqual(['r', 'r~2'])
  })

  it('notes a text that no value of the property equals', () => {
    expect(compile('five(?a) :- Alarm(?a, count: "5").')).toMatchObject({
      ok: true, notes: ['Alarm.count holds values of xsd:integer, which no plain text equals'],
    })
  })
})

describe('what is not there is a fault with its place', () => {
  it.each([
    ['a class', 'x(?a) :- Alrm(?a).', 1, 10, /no class, property or rule is called Alrm; did you mean Alarm/],
    ['a property', 'x(?a) :- Alarm(?a, stat: "open").', 1, 20, /Alarm has no column stat/],
    ['a predicate', 'hot(?r) :- Resource(?r).\nx(?a) :-\n  Resource(?a),\n  hott(?a).', 4, 3, /did you mean hot\?/],
    ['a number of arguments', 'x(?a) :- Resource(?a), cold(?a, ?a).', 1, 24, /cold has 2 arguments here and 1 argument where/],
    ['a value as a subject', 'n(?v, ?a) :- Alarm(?a, count: ?v).', 1, 1, /first argument of n is a value/],
    ['a value as a record', 'x(?v) :- Resource(?v), Alarm("a").', 1, 24, /is a thing, not a value/],
    ['a class of the data', 'alarm(?r) :- Resource(?r).', 1, 1, /the class Alarm of the data/],
    ['an unsafe variable', 'x(?b) :- Resource(?a).', 1, 3, /\?b/],
    ['a broken text', 'x(?b) :- ', 1, 10, /expected/],
  ])('%s', (_, body, line, column, message) => {
    const compiled = compile(body, ['cold(?r) :- Resource(?r).'])
    expect(compiled.ok ? [] : compiled.faults).toMatchObject([{ line, column, message: expect.stringMatching(message) }])
  })
})

describe('a text without an ontology', () => {
  it('shows its heads and its classes', () => {
    const text = `% x(?y) :- z.
a(?x, ?y) :- Alarm(?x, state: ". b(?x)"), c(?x), near(to: ?y), ?z = 1.5.
b(?x) :- a(?x, _), Site(?x), strlen(?x) > 1.`
    expect(headsOf(text)).toEqual([{ name: 'a', arity: 2 }, { name: 'b', arity: 1 }])
    expect(relationsIn(text).map(({ name, columns }) => [name, columns.map((column) => column.name)])).toEqual([
      ['Alarm', ['@id', 'state']], ['near', ['@id', 'to']], ['Site', ['@id']],
    ])
  })
})

describe('the same rules say the same of rows and of a graph', () => {
  const RULES = [
    'hot(?r) :- Alarm(resource: ?r, state: "open").',
    'cold(?r) :- Resource(?r), not Alarm(resource: ?r, state: "open").',
    'peer(?a, ?b) :- Alarm(?a, resource: ?r), Alarm(?b, resource: ?r), ?a != ?b.',
    'linked(?a, ?b) :- peer(?a, ?b), Alarm(?a, state: "open").\nlinked(?a, ?c) :- linked(?a, ?b), peer(?b, ?c).',
    'alone(?a) :- Alarm(?a), not peer(?a, _).',
    'many(?r, ?n) :- Resource(?r), ?n = count { Alarm(resource: ?r, state: "open") }, ?n > 1.',
    'seen(?r, ?s, ?a) :- Alarm(?a, resource: ?r, state: ?s).\nmixed(?r) :- seen(?r, ?s, _), seen(?r, ?t, _), ?s != ?t.',
  ]
  /** with the class that a predicate of one argument is */
  const PREDICATES = [
    ['hot', 'Hot'], ['cold', 'Cold'], ['alone', 'Alone'], ['mixed', 'Mixed'], ['peer'], ['linked'], ['many'],
  ] as const
  const node = (name: string) => iri(`https://enterprise.example/record/${name}`)
  const vocabulary: RuleVocabulary = {
    classes: ['Alarm', 'Resource'].map((name) => ({ iri: BASE + name, qname: `:${name}`, parents: [] })),
    properties: [['resource', 'object'], ['state', 'data']].map(([name, kind]) => ({
      iri: `${BASE}Alarm.${name}`, qname: `:Alarm.${name}`, kind: kind as 'object', domain: `${BASE}Alarm`, range: '',
    })),
  }
  const relations = relationsOf(classColumns(vocabulary))
  const whole = RULES.join('\n')

  it('for any alarms', () => {
    const compiled = compileDatalogRule({ id: 'r', body: whole }, vocabulary, BASE)
    const rows = parseRules(whole, { relations, id: 'r' })
    if (!compiled.ok || !rows.ok) throw new Error('the rules do not compile')
    const alarm = fc.record({ resource: fc.integer({ min: 0, max: 3 }), state: fc.constantFrom('open', 'closed') })
    fc.assert(
      fc.property(fc.array(alarm, { maxLength: 7 }), (alarms) => {
        const things = [0, 1, 2, 3].map((n) => node(`r${n}`))
        const facts: Fact[] = things.map((thing) => ({ predicate: 'Resource', args: [thing] }))
        const graph = things.map((thing) => quad(thing, iri(RDF_TYPE), iri(`${BASE}Resource`)))
        for (const [n, { resource, state }] of alarms.entries()) {
          facts.push({ predicate: 'Alarm', args: [node(`a${n}`), node(`r${resource}`), literal(state)] })
          graph.push(
            quad(node(`a${n}`), iri(RDF_TYPE), iri(`${BASE}Alarm`)),
            quad(node(`a${n}`), iri(`${BASE}Alarm.resource`), node(`r${resource}`)),
            quad(node(`a${n}`), iri(`${BASE}Alarm.state`), literal(state)),
          )
        }
        const ofRows = evaluate({ relations, rules: rows.rules }, facts)
        const ofGraph = reasonOver({ facts: graph.map((one) => tripleFact(one)), rules: compiled.rules }).model
        const said = (args: readonly (Term | null)[]) => args.map((arg) => arg?.value).join(' ')
        for (const [name, cls] of PREDICATES) {
          const found = ofGraph.find(cls === undefined ? BASE + name : relationOf(RDF_TYPE, iri(BASE + cls)))
          const things = found.map(({ args }) => said(cls === undefined ? args : args.slice(0, 1)))
          expect(things.toSorted(), name).toEqual(ofRows.find(name).map(({ args }) => said(args)).toSorted())
        }
      }),
      { numRuns: process.env['WHEREFORE_FULL'] === undefined ? 50 : 2000 },
    )
  })
})
