import { describe, expect, it } from 'vitest'
import type { RuleKind } from '../contracts/index.ts'
import type { RuleVocabulary } from './rule-vocabulary.ts'
import { writeSlotFill } from './slot-fill.ts'
import { validateRule } from './validate.ts'

const BASE = 'https://enterprise.example/ontology#'
const check = (kind: RuleKind, body: string) => validateRule({ id: 'r', kind, body })
const fine = { ok: true, errors: [], warnings: [] }

describe('a SPARQL rule', () => {
  it('may be a CONSTRUCT', () => {
    expect(check('sparql', 'CONSTRUCT { ?a <x:b> ?c } WHERE { ?a <x:d> ?c }')).toEqual(fine)
  })

  it.each([
    ['a SELECT', 'SELECT * WHERE { ?s ?p ?o }', 1, 1],
    ['an update', 'INSERT DATA { <x:a> <x:b> <x:c> }', 1, 1],
    ['nothing', '', 1, 1],
    ['an unknown prefix', 'CONSTRUCT { ?a <x:b> ?c }\nWHERE { ?a no:such ?c }', 2, 12],
    ['a stray character', 'CONSTRUCT { ?a <x:b> ?c }\n WHERE { ?a @@ ?c }', 2, 13],
    ['65 braces', `CONSTRUCT { ?a <x:b> ?c } WHERE ${'{'.repeat(65)} ?a <x:b> ?c ${'}'.repeat(65)}`, 1, 97],
  ])('may not be %s', (_, body, line, column) => {
    expect(check('sparql', body)).toMatchObject({ ok: false, errors: [{ line, column }] })
  })

  it('that the kernel has no reading for is saved with a warning that its premises are partial', () => {
    const body = 'CONSTRUCT { ?a <x:b> ?c }\nWHERE { { SELECT ?a ?c WHERE { ?a <x:d> ?c } LIMIT 3 } }'
    const warnings = [{ line: 2, message: expect.stringMatching(/partial premises/) }]
    expect(check('sparql', body)).toMatchObject({ ok: true, errors: [], warnings })
  })

  it.each([
    ['another graph', 'GRAPH <x:g> { ?a <x:d> ?c }'],
    ['another host', 'SERVICE <x:g> { ?a <x:d> ?c }'],
    ['a value that changes from run to run', '?a <x:d> ?c . FILTER(NOW() > ?c)'],
    ['a function that nobody knows', '?a <x:d> ?c . FILTER(<x:f>(?c))'],
  ])('may not ask for %s', (_, where) => {
    expect(check('sparql', `CONSTRUCT { ?a <x:b> ?c }\nWHERE { ${where} }`)).toMatchObject({ ok: false, errors: [{ line: 2 }] })
  })

  it('with a window is enforced by the kernel or refused', () => {
    const limited = '{ SELECT ?a ?c WHERE { ?a <x:d> ?c } LIMIT 3 }'
    const body = `# window_seconds: 30\nCONSTRUCT { ?a <x:b> ?c } WHERE { ${limited} ?a <x:t> ?s . ?c <x:t> ?e FILTER(?e > ?s) }`
    expect(check('sparql', body).ok).toBe(false)
  })
})

describe('an OWL rule', () => {
  it('may leave out the standard prefixes', () => {
    expect(check('owl', '@prefix : <https://x#> .\n:A rdfs:subClassOf :B .')).toEqual(fine)
  })

  it.each([
    ['does not parse', '@prefix : <https://x#> .\n\n:A :b', 3],
    ['uses an unknown prefix', '@prefix : <https://x#> .\n:A no:b :C .', 2],
    ['states nothing', '# only a comment\n', 1],
  ])('is refused with its line when it %s', (_, body, line) => {
    expect(check('owl', body)).toMatchObject({ ok: false, errors: [{ line }] })
  })

  it('that states no axiom is worth a warning', () => {
    expect(check('owl', '<x:a> <x:b> <x:c> .')).toMatchObject({ ok: true, warnings: [{ line: 1 }] })
  })
})

describe('a SHACL rule', () => {
  const slots = {
    target_class: 'Alarm', conditions: [{ path: 'severity', op: '=', value: 'high' }], assertion: { path: 'urgent', value: true },
  }
  const body = writeSlotFill(slots, BASE)

  it('may leave out the standard prefixes', () => {
    expect(check('shacl', body.replace(/@prefix sh:.*\n/, ''))).toEqual(fine)
  })

  it.each([
    ['does not parse', ':A', 1],
    ['holds no rule', '@prefix : <https://x#> .\n:A a sh:NodeShape ; sh:targetClass :B .', 1],
    ['has a rule without a predicate', body.replace(/ +sh:predicate.*\n/, ''), undefined],
    ['has a condition that nobody knows', body.replace('sh:hasValue "high"', 'sh:sparql [ sh:select "SELECT" ]'), undefined],
  ])('is refused when it %s', (_, text, line) => {
    expect(check('shacl', text)).toMatchObject({ ok: false, errors: [line === undefined ? {} : { line }] })
  })

  it('with slots is refused when they say something else', () => {
    const rule = { id: 'r', kind: 'shacl', body } as const
    expect(validateRule({ ...rule, meta: slots })).toEqual(fine)
    const other = validateRule({ ...rule, meta: { ...slots, target_class: 'Ticket' } })
    expect(other).toMatchObject({ ok: false, errors: [{ path: 'meta' }] })
    const broken = validateRule({ ...rule, meta: { target_class: 'Ticket' } })
    expect(broken.errors).toContainEqual(expect.objectContaining({ path: 'meta.conditions' }))
  })
})

describe('a Datalog rule', () => {
  const vocabulary: RuleVocabulary = {
    classes: [{ iri: `${BASE}Alarm`, qname: ':Alarm', parents: [] }],
    properties: [{ iri: `${BASE}Alarm.state`, qname: ':Alarm.state', kind: 'data', domain: `${BASE}Alarm`, range: '' }],
  }
  const valid = { id: 'r', kind: 'datalog', body: 'open(?a) :- Alarm(?a, state: "open").' } as const

  it('is checked against the classes of an ontology', () => {
    expect(validateRule(valid, { vocabulary })).toEqual(fine)
    const colour = { ...valid, body: 'open(?a) :-\n  Alarm(?a, colour: "red").' }
    expect(validateRule(colour, { vocabulary })).toMatchObject({ ok: false, errors: [{ line: 2, column: 13 }] })
  })

  it('may read what the rules beside it derive, and nothing else', () => {
    const reader = { ...valid, id: 's', body: 'bad(?a) :- open(?a).' }
    expect(validateRule(reader, { vocabulary, others: [valid] })).toEqual(fine)
    expect(validateRule(reader, { vocabulary })).toMatchObject({ ok: false, errors: [{ line: 1, column: 12 }] })
  })

  it('without an ontology is read as far as that goes', () => {
    expect(validateRule(valid)).toMatchObject({ ok: true, warnings: [{ message: expect.stringMatching(/no ontology/) }] })
    const unsafe = { ...valid, body: 'open(?b) :- Alarm(?a).' }
    expect(validateRule(unsafe)).toMatchObject({ ok: false, errors: [{ line: 1, column: 6 }] })
  })
})

it('an id that would be a route or a path, or is taken, is refused', () => {
  const body = '<x:a> rdfs:subClassOf <x:c> .'
  for (const id of ['coverage', 'library', '../x', '', 'A', 'x'.repeat(65)]) {
    expect(validateRule({ id, kind: 'owl', body }).errors, id).toContainEqual(expect.objectContaining({ path: 'id' }))
  }
  const others = [{ id: 'taken', kind: 'owl', body } as const]
  expect(validateRule({ id: 'taken', kind: 'owl', body }, { others })).toMatchObject({ ok: false, errors: [{ path: 'id' }] })
  expect(validateRule({ id: 'free', kind: 'owl', body }, { others })).toEqual(fine)
})
