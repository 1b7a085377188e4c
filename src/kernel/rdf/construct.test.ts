import { expect, it } from 'vitest'
import { baseRule, compileConstruct } from './construct.ts'

const P = 'PREFIX : <http://e/>\n'
const compiled = (text: string, options = {}) => {
  const result = compileConstruct(P + text, { id: 'r', ...options })
  if (!result.ok) throw new Error(JSON.stringify(result.faults))
  return result.rules
}

/** A rule in one line, for reading. */
const show = (rule: ReturnType<typeof compiled>[number]): string => {
  type Shown = { variable: string } | { term: { value: string } } | null
  const arg = (a: Shown) => (a === null ? '_' : 'variable' in a ? `?${a.variable}` : a.term.value.replace('http://e/', ':'))
  const atom = ({ predicate, args }: { predicate: string; args: readonly Shown[] }) =>
    `${predicate.replaceAll('http://e/', ':').replace(/^.*#type/, 'rdf:type')}(${args.map(arg).join(', ')})`
  const body = rule.body.map((item) => {
    if (item.kind === 'atom') return atom(item.atom)
    if (item.kind === 'not') return `not ${atom(item.atom)}`
    return item.kind === 'compare' ? `${arg(item.left)} ${item.op} ${arg(item.right)}` : item.kind
  })
  return `${rule.id.replace('http://e/', ':')}: ${atom(rule.head)} :- ${body.join(', ')}`
}

it('compiles the causal rule: two heads, a direction, a window', () => {
  const text = `CONSTRUCT { ?effect :hasCause ?cause . ?cause :triggers ?effect } WHERE {
    ?cause a :LinkDown ; :startedAt ?ct . ?effect a :BgpPeerLost ; :startedAt ?et .
    ?cause :onEntity ?entity . ?effect :onEntity ?entity . FILTER(?et > ?ct) }`
  const body =
    'rdf:type :LinkDown(?cause, _), :startedAt(?cause, ?ct), rdf:type :BgpPeerLost(?effect, _), :startedAt(?effect, ?et), ' +
    ':onEntity(?cause, ?entity), :onEntity(?effect, ?entity), ?et > ?ct, later 30(?ct, ?_:limit), ?et <= ?_:limit'
  expect(compiled(text, { windowSeconds: 30 }).map(show)).toEqual([
    `r: :hasCause(?effect, ?cause) :- ${body}`,
    `r~2: :triggers(?cause, ?effect) :- ${body}`,
  ])
})

it.each([
  [
    'a comparison with a constant',
    'CONSTRUCT { ?x :q ?y } WHERE { ?x :p ?y FILTER(?y >= 3 && ?y != 5) }',
    ['r: :q(?x, ?y) :- :p(?x, ?y), ?y >= 3, ?y != 5'],
  ],
  ['the short form', 'CONSTRUCT WHERE { ?x :p "a" }', ['r: :p(?x, a) :- :p(?x, a)']],
  ['a type', 'CONSTRUCT { ?x a :B } WHERE { ?x a :A }', ['r: rdf:type :B(?x, :B) :- rdf:type :A(?x, _)']],
  ['any type', 'CONSTRUCT { ?x :q ?c } WHERE { ?x a ?c }', ['r: :q(?x, ?c) :- rdf:type(?x, ?c)']],
  [
    'a denied atom',
    'CONSTRUCT { ?x :q ?y } WHERE { ?x :p ?y FILTER NOT EXISTS { ?y :p ?z } }',
    ['r: :q(?x, ?y) :- :p(?x, ?y), not :p(?y, _)'],
  ],
  [
    'a denied pattern',
    'CONSTRUCT { ?x :q ?y } WHERE { FILTER NOT EXISTS { ?y :p ?z . ?z :p ?x } ?x :p ?y }',
    ['r: :q(?x, ?y) :- :p(?x, ?y), not none r 1(?y, ?x)', 'r~none-1: none r 1(?y, ?x) :- :p(?y, ?z), :p(?z, ?x)'],
  ],
  [
    'a denied loop',
    'CONSTRUCT { ?x :q ?y } WHERE { ?x :p ?y FILTER NOT EXISTS { ?z :p ?z } }',
    ['r: :q(?x, ?y) :- :p(?x, ?y), not none r 1(any)', 'r~none-1: none r 1(any) :- :p(?z, ?z)'],
  ],
  [
    'a path',
    'CONSTRUCT { ?x :q ?y } WHERE { ?x :p+ ?y }',
    [
      'r: :q(?x, ?y) :- path+ :p(?x, ?y)',
      'path+ :p step: path+ :p(?x, ?y) :- :p(?x, ?y)',
      'path+ :p path: path+ :p(?x, ?z) :- path+ :p(?x, ?y), :p(?y, ?z)',
    ],
  ],
  ['a blank node', 'CONSTRUCT { ?x :q 1 } WHERE { ?x :p [ :p ?x ] }', ['r: :q(?x, 1) :- :p(?x, ?_:g_0), :p(?_:g_0, ?x)']],
  [
    'a subject that may be a literal',
    'CONSTRUCT { ?y :q ?x } WHERE { ?x :p ?y }',
    ['r: :q(?y, ?x) :- :p(?x, ?y), resource term(?y)'],
  ],
])('compiles %s', (_, text, rules) => {
  expect(compiled(text).map(show)).toEqual(rules)
})

it.each([
  ['OPTIONAL', 'CONSTRUCT { ?x :q ?y } WHERE { ?x :p ?y OPTIONAL { ?x :r ?z } }', 'OPTIONAL is not supported', 2, 41],
  ['UNION', 'CONSTRUCT { ?x :q ?y } WHERE { ?x :p ?y . { ?x :r ?z } UNION { ?x :s ?z } }', 'UNION is not supported', 2, 43],
  ['MINUS', 'CONSTRUCT { ?x :q ?y } WHERE { ?x :p ?y MINUS { ?x :r ?z } }', 'MINUS is not supported', 2, 41],
  ['BIND', 'CONSTRUCT { ?x :q ?z } WHERE { ?x :p ?y BIND(?y AS ?z) }', 'BIND is not supported', 2, 41],
  ['VALUES', 'CONSTRUCT { ?x :q 1 } WHERE { VALUES ?x { :a } ?x :p 1 }', 'VALUES is not supported', 2, 31],
  ['a sub-select', 'CONSTRUCT { ?x :q 1 } WHERE { ?x :p 1 { SELECT * { ?x :p 1 } } }', 'a nested group is not supported', 2, 39],
  ['SERVICE', 'CONSTRUCT { ?x :q 1 } WHERE { ?x :p 1 SERVICE :s { ?x :p 1 } }', 'SERVICE is not supported', 2, 39],
  ['GRAPH', 'CONSTRUCT { ?x :q 1 } WHERE { ?x :p 1 GRAPH :s { ?x :p 1 } }', 'GRAPH is not supported', 2, 39],
  ['FROM', 'CONSTRUCT { ?x :q 1 } FROM :g WHERE { ?x :p 1 }', 'FROM is not supported: a rule reads the whole graph', 2, 23],
  ['LIMIT', 'CONSTRUCT { ?x :q 1 } WHERE { ?x :p 1 } LIMIT 3', 'LIMIT and OFFSET is not supported in a rule', 2, 41],
  ['a disjunction', 'CONSTRUCT { ?x :q 1 } WHERE { ?x :p ?y FILTER(?y = 1 || ?y = 2) }', '|| in FILTER is not supported', 2, 46],
  [
    'a function',
    'CONSTRUCT { ?x :q 1 } WHERE { ?x :p ?y FILTER(STRLEN(?y) > 2) }',
    'STRLEN inside a comparison is not supported: compare variables and constants',
    2,
    47,
  ],
  ['a regex', 'CONSTRUCT { ?x :q 1 } WHERE { ?x :p ?y FILTER regex(?y, "a") }', 'REGEX in FILTER is not supported', 2, 47],
  [
    'EXISTS',
    'CONSTRUCT { ?x :q 1 } WHERE { ?x :p ?y FILTER EXISTS { ?x :r 1 } }',
    'EXISTS is not supported: write its pattern into WHERE',
    2,
    47,
  ],
  [
    'a filter in a denial',
    'CONSTRUCT { ?x :q 1 } WHERE { ?x :p ?y FILTER NOT EXISTS { ?x :r ?z FILTER(?z > 1) } }',
    'FILTER inside NOT EXISTS is not supported',
    2,
    69,
  ],
  [
    'another path',
    'CONSTRUCT { ?x :q ?y } WHERE { ?x :p/:r ?y }',
    'this property path is not supported: of paths only p+ over one property is',
    2,
    35,
  ],
  [
    'a variable predicate',
    'CONSTRUCT { ?x :q ?y } WHERE { ?x ?p ?y }',
    '?p as a predicate is not supported: name the property',
    2,
    35,
  ],
  [
    'a blank node in the template',
    'CONSTRUCT { ?x :q [] } WHERE { ?x :p ?y }',
    'a blank node in the template is not supported',
    2,
    13,
  ],
  [
    'a class variable in the template',
    'CONSTRUCT { ?x a ?y } WHERE { ?x :p ?y }',
    'a variable as a class in the template is not supported: name the class',
    2,
    18,
  ],
  [
    'an unbound template variable',
    'CONSTRUCT { ?x :q ?z } WHERE { ?x :p ?y }',
    '?z in the template is bound by no triple pattern',
    2,
    19,
  ],
  [
    'an unbound filter variable',
    'CONSTRUCT { ?x :q 1 } WHERE { ?x :p ?y FILTER(?z > 1) }',
    '?z in FILTER is bound by no triple pattern',
    2,
    46,
  ],
  ['an empty WHERE', 'CONSTRUCT { :a :q 1 } WHERE { }', 'WHERE holds no triple pattern', 2, 29],
  ['a SELECT', 'SELECT * WHERE { ?x :p ?y }', 'SELECT is not supported here: write a CONSTRUCT query', 1, 1],
  ['an update', 'DELETE WHERE { ?x :p ?y }', 'an update is not supported here: write a CONSTRUCT query', 1, 1],
  ['broken syntax', 'CONSTRUCT { ?x :q } WHERE { ?x :p ?y }', 'unexpected }', 2, 19],
  ['a stray character', 'CONSTRUCT { ?x :q 1 } WHERE { ?x :p § }', 'unexpected character §', 2, 37],
  ['an early end', 'CONSTRUCT { ?x :q 1 } WHERE {', 'unexpected end of the query', 2, 30],
  ['an undeclared prefix', 'CONSTRUCT { ?x :q 1 } WHERE { ?x no:p 1 }', 'the prefix no: is not declared', 2, 34],
  ['a relative IRI', 'CONSTRUCT { ?x :q 1 } WHERE { ?x <p> 1 }', '<p> is not an absolute IRI', 2, 34],
])('refuses %s and says where', (_, text, message, line, column) => {
  expect(compileConstruct(P + text, { id: 'r' })).toEqual({ ok: false, faults: [{ message, line, column }] })
})

it('reports several faults at once', () => {
  const result = compileConstruct(`${P}CONSTRUCT { ?x :q ?z } WHERE { ?x :p ?y OPTIONAL { ?x :r ?z } MINUS { ?x :p 1 } }`, {
    id: 'r',
  })
  expect(!result.ok && result.faults.map(({ message }) => message)).toEqual([
    'OPTIONAL is not supported',
    'MINUS is not supported',
  ])
})

it.each([
  ['no direction', 'CONSTRUCT { ?x :q ?y } WHERE { ?x :p ?y }', 30, 'exactly one FILTER'],
  ['two directions', 'CONSTRUCT { ?x :q ?y } WHERE { ?x :p ?y ; :r ?z FILTER(?y > ?z && ?y < ?x) }', 30, 'exactly one FILTER'],
  ['half a second', 'CONSTRUCT { ?x :q ?y } WHERE { ?x :p ?y ; :r ?z FILTER(?y > ?z) }', 0.5, 'a whole number of seconds'],
])('refuses a window over %s', (_, text, windowSeconds, message) => {
  const result = compileConstruct(P + text, { id: 'r', windowSeconds })
  expect(!result.ok && result.faults[0]!.message).toContain(message)
})

it('refuses deep nesting before the parser sees it, and does not count brackets in strings, comments and IRIs', () => {
  const nested = (depth: number) =>
    `${P}CONSTRUCT { ?x :q 1 } WHERE { ?x :p ?y FILTER${'('.repeat(depth)}?y > 1${')'.repeat(depth)} }`
  expect(compileConstruct(nested(63), { id: 'r' }).ok).toBe(true)
  expect(compileConstruct(nested(64), { id: 'r' })).toMatchObject({
    ok: false,
    faults: [{ message: 'braces and parentheses may nest 64 deep' }],
  })
  expect(compileConstruct(nested(100_000), { id: 'r' }).ok).toBe(false)
  const deep = '('.repeat(99)
  const quiet = `# ${deep}\n${P}CONSTRUCT { ?x :q "${deep}\\"((" } WHERE { ?x <http://e/#((> ?y FILTER(?y < 3) }`
  expect(compileConstruct(quiet, { id: 'r' }).ok).toBe(true)
})

it('survives a very long conjunction and a tower of negations', () => {
  const tests = Array.from({ length: 3000 }, (_, n) => `?y != ${n}`)
  const long = `${P}CONSTRUCT { ?x :q 1 } WHERE { ?x :p ?y FILTER(${tests.join(' && ')}) }`
  const rules = compileConstruct(long, { id: 'r' })
  expect(rules.ok && rules.rules[0]!.body.length).toBe(3001)
  expect(compileConstruct(`${P}CONSTRUCT { ?x :q 1 } WHERE { ?x :p ?y FILTER(${'!'.repeat(20_000)}?y) }`, { id: 'r' }).ok).toBe(
    false,
  )
})

it('leads from a compiled rule back to the rule that a person wrote', () => {
  expect(['r', 'r~2', 'r~none-1', 'cax-sco~a~b'].map(baseRule)).toEqual(['r', 'r', 'r', 'cax-sco'])
})
