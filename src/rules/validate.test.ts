import { describe, expect, it } from 'vitest'
import type { RuleKind } from '../contracts/index.ts'
import { validateRule } from './validate.ts'

const check = (kind: RuleKind, body: string) => validateRule({ id: 'r', kind, body })

describe('a SPARQL rule', () => {
  it('may be a CONSTRUCT', () => {
    expect(check('sparql', 'CONSTRUCT { ?a <x:b> ?c } WHERE { ?a <x:d> ?c }')).toEqual([])
  })

  it.each([
    ['a SELECT', 'SELECT * WHERE { ?s ?p ?o }', 1, 1],
    ['an update', 'INSERT DATA { <x:a> <x:b> <x:c> }', 1, 1],
    ['nothing', '', 1, 1],
    ['an unknown prefix', 'CONSTRUCT { ?a <x:b> ?c }\nWHERE { ?a no:such ?c }', 2, 12],
    ['a stray character', 'CONSTRUCT { ?a <x:b> ?c }\n WHERE { ?a @@ ?c }', 2, 13],
    ['65 braces', `CONSTRUCT { ?a <x:b> ?c } WHERE ${'{'.repeat(65)} ?a <x:b> ?c ${'}'.repeat(65)}`, 1, 97],
  ])('may not be %s', (_, body, line, column) => {
    expect(check('sparql', body)).toMatchObject([{ line, column }])
  })
})

describe('a Turtle rule', () => {
  it.each(['shacl', 'owl'] as const)('of kind %s may leave out the standard prefixes', (kind) => {
    expect(check(kind, '@prefix : <https://x#> .\n:A rdfs:subClassOf :B .')).toEqual([])
  })

  it.each([
    ['does not parse', '@prefix : <https://x#> .\n\n:A :b', 3],
    ['uses an unknown prefix', '@prefix : <https://x#> .\n:A no:b :C .', 2],
    ['states nothing', '# only a comment\n', 1],
  ])('is refused with its line when it %s', (_, body, line) => {
    expect(check('owl', body)).toMatchObject([{ line }])
  })
})

describe('a Datalog rule', () => {
  const relations = [{ name: 'Alarm', columns: [{ name: 'id', tier: 0 }, { name: 'state', tier: 1 }] }]

  it('is checked against the classes of an ontology', () => {
    const valid = { id: 'r', kind: 'datalog', body: 'open(?a) :- Alarm(?a, state: "open").' } as const
    expect(validateRule(valid, { relations })).toEqual([])
    expect(validateRule({ ...valid, body: 'open(?a) :- Alarm(?a, colour: "red").' }, { relations })).toMatchObject([{ line: 1 }])
    expect(validateRule(valid)).toHaveLength(1)
  })
})

it('an id that would be a route or a path is refused', () => {
  for (const id of ['coverage', 'library', '../x', '', 'A', 'x'.repeat(65)]) {
    expect(validateRule({ id, kind: 'owl', body: '<x:a> <x:b> <x:c> .' }),
      id).toContainEqual(expect.objectContaining({ path: 'id' }))
  }
})
