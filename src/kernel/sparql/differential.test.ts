/** Random queries over random small graphs: the compiled rules against an independent SPARQL engine, solution by solution. */
import fc from 'fast-check'
import oxigraph from 'oxigraph'
import { expect, it } from 'vitest'
import { oxigraphJudge } from '../../graph-store/judge.ts'
import type { Atom, DatalogRule, Fact, Judge, Model } from '../datalog/index.ts'
import { checkModel } from '../datalog/index.ts'
import type { Quad } from '../rdf/index.ts'
import { factTriple, isMade, meaningOf, parseTurtle, quadKey, reasonOver, tripleFact } from '../rdf/index.ts'
import type { Term } from '../term.ts'
import { XSD, literal, termKey } from '../term.ts'
import { compileConstruct } from './construct.ts'
import { compileSelect } from './query.ts'
import { readSolutions } from './solutions.ts'

const PREFIX = 'PREFIX : <http://e/>\n'
const node = fc.constantFrom(':a', ':b', ':c')
// the one blank node of a graph, under whichever label an engine has it
const BLANK = '_:n'
const thing = fc.oneof({ weight: 4, arbitrary: node }, fc.constant(BLANK))
const MOMENT = '"2024-05-01T10:00:00Z"^^<http://www.w3.org/2001/XMLSchema#dateTime>'
const value = fc.constantFrom('1', '2', '2.5', '"x"', '"y"@en', 'true', '3.5e0', MOMENT)
const someTriple = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(thing, fc.constantFrom(':p', ':q'), thing) },
  { weight: 2, arbitrary: fc.tuple(thing, fc.constantFrom(':v', ':w'), fc.oneof(value, thing)) },
  fc.tuple(node, fc.constant('a'), fc.constantFrom(':C', ':D')),
)
const someGraph = fc
  .tuple(fc.array(someTriple, { minLength: 6, maxLength: 18, size: 'max' }), fc.boolean())
  .map(([triples, withBlank]) => [
    // every constant of the queries is a term of the graph: on paths of no steps from other terms the engines differ
    ':a :all :a, :b, :c, :C, 1, "x"',
    ...triples.map((one) => one.map((part) => (part === BLANK && !withBlank ? ':b' : part)).join(' ')),
  ])

const variable = fc.constantFrom('?x', '?y', '?z')
const end = fc.oneof({ weight: 9, arbitrary: variable }, node)
const STEPS = ':p :q :v :w a ?k :p+ :p* :q? ^:p :p/:q !:p (:p/:q)* (:p|^:q)+ :v/:p* :p?/:v :p*/:q? a/:p*/:q*'.split(' ')
const step = fc.constantFrom(...STEPS)
const target = fc.oneof({ weight: 9, arbitrary: end }, fc.constantFrom('1', '"x"', ':C'))
const pattern = fc.tuple(end, step, target).map((parts) => parts.join(' '))
const bgp = fc.array(pattern, { minLength: 1, maxLength: 2 }).map((all) => all.join(' . '))

const operand = fc.oneof(
  { weight: 4, arbitrary: variable },
  fc.constantFrom('?b', '?n', '1', '2.5', '"x"', ':a', 'true', '?none'),
)
const valueExpression = fc.oneof(
  operand,
  fc.tuple(operand, fc.constantFrom('+', '-', '*', '/'), operand).map((parts) => `(${parts.join(' ')})`),
  fc.tuple(fc.constantFrom('STR', 'DATATYPE', 'STRLEN', 'ABS', 'UCASE', 'LANG'), operand).map(([name, arg]) => `${name}(${arg})`),
  fc.tuple(operand, operand, operand).map(([x, y, z]) => `IF(${x} = ${y}, ${z}, ${x})`),
  fc.tuple(operand, operand).map(([x, y]) => `COALESCE(${x}, ${y} + 1, "none")`),
)
const simpleCondition = fc.oneof(
  fc.tuple(valueExpression, fc.constantFrom('=', '!=', '<', '<=', '>', '>='), operand).map((parts) => parts.join(' ')),
  fc.tuple(fc.constantFrom('BOUND(?x)', '!BOUND(?y)', 'BOUND(?z)', '!BOUND(?b)')).map(([bound]) => bound),
  fc.tuple(fc.constantFrom('isIRI', 'isLiteral', 'isNumeric'), variable).map(([name, arg]) => `${name}(${arg})`),
  fc.tuple(operand, operand, operand).map(([x, y, z]) => `${x} IN (${y}, ${z})`),
)
const condition = fc.oneof(
  { weight: 3, arbitrary: simpleCondition },
  fc.tuple(simpleCondition, fc.constantFrom('&&', '||'), simpleCondition).map(([x, op, y]) => `(${x}) ${op} (${y})`),
  simpleCondition.map((x) => `!(${x})`),
)

const fold = fc.constantFrom('COUNT(*)', 'COUNT(?y)', 'SUM(?y)', 'MIN(?z)', 'MAX(?y)', 'AVG(?y)', 'COUNT(DISTINCT ?z)')

const start = fc.oneof(bgp, fc.constantFrom('?x :p ?y', '?x :v ?y', '?y :q ?x', '?x ?k ?z'))
const { group } = fc.letrec<{ group: string; element: string }>((tie) => ({
  group: fc
    .tuple(start, fc.array(tie('element'), { maxLength: 3 }))
    .map(([first, rest]) => [first, ...rest].join(' ')),
  element: fc.oneof(
    { depthSize: 'small', maxDepth: 2 },
    condition.map((x) => `FILTER(${x})`),
    bgp.map((x) => `. ${x}`),
    valueExpression.map((x) => `BIND(${x} AS ?b)`),
    fc.constantFrom('VALUES ?x { :a :b :b }', 'VALUES (?x ?y) { (:a UNDEF) (UNDEF :b) (:c 1) }', 'VALUES ?b { 1 "x" }'),
    tie('group').map((x) => `OPTIONAL { ${x} }`),
    fc.tuple(tie('group'), condition).map(([x, y]) => `OPTIONAL { ${x} FILTER(${y}) }`),
    tie('group').map((x) => `MINUS { ${x} }`),
    fc.tuple(tie('group'), tie('group')).map(([x, y]) => `{ ${x} } UNION { ${y} }`),
    tie('group').map((x) => `{ ${x} }`),
    fc.tuple(fc.constantFrom('', 'NOT '), bgp, fc.option(condition, { nil: '' })).map(
      ([not, x, y]) => `FILTER ${not}EXISTS { ${x} ${y === '' ? '' : `FILTER(${y})`} }`,
    ),
    fc.tuple(bgp, condition).map(([x, y]) => `FILTER(EXISTS { ${x} } || ${y})`),
    fc
      .tuple(fc.constantFrom('?x', 'DISTINCT ?x', '?x ?y', '(?y AS ?b)', '*'), tie('group'))
      .map(([x, y]) => `{ SELECT ${x} { ${y} } }`),
    fc.tuple(fold, tie('group')).map(([x, y]) => `{ SELECT ?x (${x} AS ?n) { ${y} } GROUP BY ?x }`),
    fc
      .tuple(fold, tie('group'))
      .map(([x, y]) => `{ SELECT ?x (${x} AS ?n) { ${y} } GROUP BY ?x (STR(?y) AS ?b) HAVING (COUNT(*) > 1) }`),
    // of a pattern that cannot match the other engine makes no group where there should be an empty one
    fc.tuple(fold, bgp.filter((x) => !/\^:p (?:1|"x")/.test(x))).map(([x, y]) => `{ SELECT (${x} AS ?n) { ${y} } }`),
  ),
}))
const query = fc
  .tuple(fc.constantFrom('*', 'DISTINCT ?x ?y', '?x', '?z (?x AS ?m)'), group)
  .map(([what, x]) => `SELECT ${what} { ${x} }`)
  .filter((text) => !(text.includes('!:p') && /COUNT|SUM|AVG/.test(text)))

const template = fc.constantFrom('?x :out ?y', '?y :out ?x . ?x :out2 ?z', '?x a ?y', '?x ?k ?z', ':a :out ?x . ?z :out2 ?y')
// a rule whose expressions or template name what nothing binds is refused, so most of it is bound beforehand
const construct = fc
  .tuple(
    template,
    fc.constantFrom('?x ?k ?z OPTIONAL { ?x :p ?y }', '?x :v ?y . ?x ?k ?z', '?z ?k ?x MINUS { ?x :q ?y }'),
    fc.constantFrom('', 'OPTIONAL '),
    group.map((x) => x.replaceAll(/\?(?:none|n)\b(?! *\))/g, '?z')),
  )
  .map(([what, first, how, rest]) => `CONSTRUCT { ${what} } WHERE { ${first} ${how}{ ${rest} } }`)

const rowsOf = (solutions: readonly ReadonlyMap<string, Term>[]): string[] =>
  solutions
    .map((row) => [...row].map(([name, term]) => `${name}=${oneBlank(termKey(term))}`))
    .map((pairs) => pairs.toSorted().join(' '))
    .toSorted()

const oneBlank = (key: string): string => key.replaceAll(/_:\w+/g, BLANK)

interface JsonTerm {
  readonly type: string
  readonly value: string
  readonly datatype?: string
  readonly 'xml:lang'?: string
}

interface Json {
  readonly results: { readonly bindings: readonly Record<string, JsonTerm>[] }
}

function oracle(graph: readonly string[], text: string): string[] | null {
  const store = new oxigraph.Store()
  store.load(`@prefix : <http://e/> .\n${graph.join(' .\n')} .`, { format: 'text/turtle' })
  let answer: Json
  try {
    answer = JSON.parse(store.query(text, { results_format: 'application/sparql-results+json' }) as string) as Json
  } catch {
    return null
  }
  return rowsOf(
    answer.results.bindings.map((row) => {
      const terms = Object.entries(row).map(([name, { type, value, datatype, 'xml:lang': language }]): [string, Term] => {
        if (type === 'uri') return [name, { kind: 'iri', value }]
        if (type === 'bnode') return [name, { kind: 'bnode', value }]
        if (language !== undefined)
          return [name, { kind: 'literal', value, datatype: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#langString', language }]
        return [name, { kind: 'literal', value, datatype: datatype ?? 'http://www.w3.org/2001/XMLSchema#string' }]
      })
      return new Map(terms)
    }),
  )
}

const second = oxigraphJudge()
const judge: Judge = {
  ...second,
  // the other engine leaves out the group of an empty VALUES
  aggregate: (fn, distinct, separator, terms) => {
    if (terms.length > 0) return second.aggregate(fn, distinct, separator, terms)
    return ['count', 'sum', 'avg'].includes(fn) ? literal('0', `${XSD}integer`) : null
  },
}

/** The store spells numbers its own way, and both sides are to read the same terms. */
function factsOf(graph: readonly string[]): Fact[] {
  const store = new oxigraph.Store()
  store.load(`@prefix : <http://e/> .\n${graph.join(' .\n')} .`, { format: 'text/turtle' })
  const parsed = parseTurtle(store.dump({ format: 'application/n-triples', from_graph_name: oxigraph.defaultGraph() }))
  if (!parsed.ok) throw new Error(parsed.fault.message)
  return parsed.quads.map((quad) => tripleFact(quad))
}

function proven(facts: readonly Fact[], rules: readonly DatalogRule[]): { model: Model; why: string } {
  const { model, program, base } = reasonOver({ facts, rules })
  const verdict = checkModel({ rules: program, base, model, judge })
  return { model, why: verdict.valid ? '' : `${verdict.at}: ${verdict.why}` }
}

function ours(graph: readonly string[], text: string): { rows: string[]; why: string } | null {
  const compiled = compileSelect(text, { id: 'q' })
  if (!compiled.ok) return null
  const { model, why } = proven(factsOf(graph), compiled.rules)
  return { rows: rowsOf(readSolutions(model, compiled)), why }
}

/** What the rules derive in one go: under another name, what they derive does not feed them. */
function constructed(graph: readonly string[], text: string): { rows: string[]; why: string } | null {
  const compiled = compileConstruct(text, { id: 'q' })
  if (!compiled.ok) return null
  const isOut = ({ predicate }: Atom) => meaningOf(predicate).kind === 'property' || isMade(predicate)
  const apart = compiled.rules.map(({ head, ...rule }) => ({
    ...rule,
    head: isOut(head) ? { ...head, predicate: `out ${head.predicate}` } : head,
  }))
  const { model, why } = proven(factsOf(graph), apart)
  const quads = model.facts.flatMap(({ predicate, args }): Quad[] => {
    if (!predicate.startsWith('out ')) return []
    const own = predicate.slice('out '.length)
    const [subject, property, object] = args
    const made = subject && property && object ? { subject, predicate: property, object } : undefined
    const quad = isMade(own) ? made : factTriple({ predicate: own, args })
    return quad === undefined ? [] : [quad]
  })
  return { rows: [...new Set(quads.map(quadKey).map(oneBlank))].toSorted(), why }
}

function constructedElsewhere(graph: readonly string[], text: string): string[] | null {
  const store = new oxigraph.Store()
  store.load(`@prefix : <http://e/> .\n${graph.join(' .\n')} .`, { format: 'text/turtle' })
  try {
    const answer = parseTurtle(store.query(text, { results_format: 'application/n-triples' }) as string)
    return answer.ok ? [...new Set(answer.quads.map(quadKey).map(oneBlank))].toSorted() : null
  } catch {
    return null
  }
}

const runs = process.env['WHEREFORE_FULL'] === undefined ? 120 : Number(process.env['WHEREFORE_RUNS'] ?? 5000)

type Answers = (graph: readonly string[], text: string) => { rows: string[]; why: string } | null

type Expected = (graph: readonly string[], text: string) => string[] | null

function agree(queries: fc.Arbitrary<string>, mine: Answers, theirs: Expected): void {
  const counts = { compared: 0, answered: 0 }
  fc.assert(
    fc.property(someGraph, queries, (graph, body) => {
      const text = PREFIX + body
      const expected = theirs(graph, text)
      const result = expected === null ? null : mine(graph, text)
      if (expected === null || result === null) return
      counts.compared += 1
      counts.answered += Number(expected.length > 0)
      // how often a solution of a negated set counts, the other engine lets depend on the order of its joins
      if (body.includes('!:p')) expect(new Set(result.rows)).toEqual(new Set(expected))
      else expect(result.rows).toEqual(expected)
      // the judge of the proofs cannot write a blank node into its questions
      if (!graph.some((triple) => triple.includes(BLANK))) expect(result.why).toBe('')
    }),
    { numRuns: runs, seed: Number(process.env['WHEREFORE_SEED'] ?? 11) },
  )
  if (runs > 1000) console.log(`${counts.compared} queries of ${runs} compared, ${counts.answered} with solutions`)
  expect(counts.compared).toBeGreaterThan(runs / 2)
  expect(counts.answered).toBeGreaterThan(runs / 5)
}

it('every compiled query has exactly the solutions that another engine finds, each as often, and proves them', () => {
  agree(query, ours, oracle)
}, 3_600_000)

it('every compiled CONSTRUCT derives exactly what another engine constructs, and proves it', () => {
  agree(construct, constructed, constructedElsewhere)
}, 3_600_000)
