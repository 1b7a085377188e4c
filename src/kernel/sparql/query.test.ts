import { expect, it } from 'vitest'
import { parseTurtle, reasonOver, tripleFact } from '../rdf/index.ts'
import { compileSelect } from './query.ts'
import { readAnswer, readSolutions } from './solutions.ts'

const GRAPH = ':a :p 1, 2 ; :q :b . :b :p 2 ; :q :c . :c :p 10 ; :r "x" .'

function ask(text: string, graph = GRAPH): string[] | boolean {
  const parsed = parseTurtle(`@prefix : <http://e/> .\n${graph}`)
  const compiled = compileSelect(`PREFIX : <http://e/>\n${text}`, { id: 'q' })
  if (!parsed.ok || !compiled.ok) throw new Error(JSON.stringify([parsed, compiled]))
  const { model } = reasonOver({ facts: parsed.quads.map((quad) => tripleFact(quad)), rules: compiled.rules })
  if (compiled.form === 'ask') return readAnswer(model, compiled)
  return readSolutions(model, compiled).map((row) =>
    [...row].map(([name, { value }]) => `${name}=${value.replace('http://e/', ':')}`).join(' '),
  )
}

it.each([
  [
    'orders numbers as numbers',
    'SELECT ?x ?y { ?x :p ?y } ORDER BY DESC(?y) ?x',
    ['x=:c y=10', 'x=:a y=2', 'x=:b y=2', 'x=:a y=1'],
  ],
  ['cuts after it has ordered', 'SELECT ?y { ?x :p ?y } ORDER BY ?y LIMIT 2 OFFSET 1', ['y=2', 'y=2']],
  ['counts a solution as often as it is found', 'SELECT ?y { ?x :p ?y FILTER(?y < 5) } ORDER BY ?y', ['y=1', 'y=2', 'y=2']],
  ['unless the query says DISTINCT', 'SELECT DISTINCT ?y { ?x :p ?y FILTER(?y < 5) } ORDER BY ?y', ['y=1', 'y=2']],
  ['keeps both branches of a UNION apart', 'SELECT ?x { { ?x :q :b } UNION { ?x :q ?z } } ORDER BY ?x', ['x=:a', 'x=:a', 'x=:b']],
  ['orders by an expression', 'SELECT ?x { ?x :q ?z } ORDER BY STR(?z)', ['x=:a', 'x=:b']],
  [
    'puts solutions without a value first',
    'SELECT ?x ?z { ?x :p 2 OPTIONAL { ?x :q ?y . ?y :r ?z } } ORDER BY ?z',
    ['x=:a', 'x=:b z=x'],
  ],
  ['folds a group', 'SELECT ?x (SUM(?y) AS ?n) { ?x :p ?y } GROUP BY ?x ORDER BY ?n', ['x=:b n=2', 'x=:a n=3', 'x=:c n=10']],
  [
    'finds one empty group without GROUP BY',
    'SELECT (COUNT(*) AS ?n) (SUM(?y) AS ?s) (MIN(?y) AS ?m) { ?x :none ?y }',
    ['n=0 s=0'],
  ],
  ['finds no group with it', 'SELECT (COUNT(*) AS ?n) { ?x :none ?y } GROUP BY ?x', []],
  [
    'leaves a sum over an error without a value',
    'SELECT (SUM(?z) AS ?n) (COUNT(?z) AS ?m) { ?x :p ?y OPTIONAL { ?x :r ?z } }',
    ['m=1'],
  ],
  [
    'groups by what has no value too',
    'SELECT ?z (COUNT(*) AS ?n) { ?x :p ?y OPTIONAL { ?x :q ?z } } GROUP BY ?z ORDER BY ?n ?z',
    ['n=1', 'z=:c n=1', 'z=:b n=2'],
  ],
  ['walks a path with no steps', 'SELECT ?y { :a :q* ?y } ORDER BY ?y', ['y=:a', 'y=:b', 'y=:c']],
  ['walks from a term that the graph does not hold', 'SELECT ?y { :z :q* ?y }', ['y=:z']],
  [
    'joins a calculated value with a known one',
    'SELECT ?x ?n { ?x :p ?y BIND(?y * 2 AS ?n) ?z :p ?n }',
    ['x=:a n=2', 'x=:a n=2'],
  ],
])('%s', (_, text, rows) => {
  expect(ask(text)).toEqual(rows)
})

it('answers ASK', () => {
  expect([ask('ASK { ?x :p 10 }'), ask('ASK { ?x :p 11 }'), ask('ASK {}')]).toEqual([true, false, true])
})

it.each([
  ['DESCRIBE', 'DESCRIBE ?x { ?x :p ?y }', 'DESCRIBE is not supported here: write a SELECT or ASK query', 'DESCRIBE'],
  ['a named graph', 'SELECT * { GRAPH ?g { ?x :p ?y } }', 'GRAPH is not supported', 'GRAPH'],
  [
    'a name that is taken',
    'SELECT (COUNT(?x) AS ?y) { ?x :p ?y }',
    '?y has a value already, and cannot be the name of another',
    undefined,
  ],
])('refuses %s', (_, text, message, unsupported) => {
  const result = compileSelect(`PREFIX : <http://e/>\n${text}`, { id: 'q' })
  expect(result.ok ? [] : result.faults).toMatchObject([{ message, ...(unsupported === undefined ? {} : { unsupported }) }])
})
