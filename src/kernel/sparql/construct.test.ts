import { expect, it } from 'vitest'
import type { Expr } from '../datalog/index.ts'
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
  const expression = (expr: Expr): string => {
    if ('call' in expr) return `${expr.call}(${expr.args.map(expression).join(', ')})`
    return 'op' in expr || 'minus' in expr ? 'arithmetic' : arg(expr)
  }
  const atom = ({ predicate, args }: { predicate: string; args: readonly Shown[] }) =>
    `${predicate.replaceAll('http://e/', ':').replace(/^.*#type/, 'rdf:type')}(${args.map(arg).join(', ')})`
  const body = rule.body.map((item) => {
    if (item.kind === 'atom') return atom(item.atom)
    if (item.kind === 'not') return `not ${atom(item.atom)}`
    if (item.kind === 'compare') return `${arg(item.left)} ${item.op} ${arg(item.right)}`
    if (item.kind === 'test') return expression(item.expr)
    if (item.kind === 'assign') return `?${item.into} = ${expression(item.expr)}`
    return `?${item.into} = ${item.fn}${item.of === null ? '' : `(?${item.of})`} { ${item.body.map(atom).join(', ')} }`
  })
  return `${rule.id.replaceAll('http://e/', ':')}: ${atom(rule.head)} :- ${body.join(', ')}`
}

it('compiles the causal rule: two heads, a direction, a window', () => {
  const text = `CONSTRUCT { ?effect :hasCause ?cause . ?cause :triggers ?effect } WHERE {
    ?cause a :LinkDown ; :startedAt ?ct . ?effect a :BgpPeerLost ; :startedAt ?et .
    ?cause :onEntity ?entity . ?effect :onEntity ?entity . FILTER(?et > ?ct) }`
  const body =
    'rdf:type :LinkDown(?cause, _), :startedAt(?cause, ?ct), rdf:type :BgpPeerLost(?effect, _), :startedAt(?effect, ?et), ' +
    ':onEntity(?cause, ?entity), :onEntity(?effect, ?entity), ?et > ?ct, ?_:limit = +(?ct, PT30S), ?et <= ?_:limit'
  expect(compiled(text, { windowSeconds: 30 }).map(show)).toEqual([
    `r: :hasCause(?effect, ?cause) :- ${body}`,
    `r~2: :triggers(?cause, ?effect) :- ${body}`,
  ])
})

it.each([
  [
    'a comparison with a constant',
    'CONSTRUCT { ?x :q ?y } WHERE { ?x :p ?y FILTER(?y >= 3 && ?y != 5) }',
    ['r: :q(?x, ?y) :- :p(?x, ?y), >=(?y, 3), !=(?y, 5)'],
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
  ['a blank node', 'CONSTRUCT { ?x :q 1 } WHERE { ?x :p [ :p ?x ] }', ['r: :q(?x, 1) :- :p(?x, ?_:b1), :p(?_:b1, ?x)']],
  [
    'a subject that may be a literal',
    'CONSTRUCT { ?y :q ?x } WHERE { ?x :p ?y }',
    ['r: :q(?y, ?x) :- :p(?x, ?y), !(isliteral(?y))'],
  ],
  [
    'an OPTIONAL that a triple needs, and leaves it away for one that does not',
    'CONSTRUCT { ?x :q ?y . ?x :r ?z } WHERE { ?x :p ?y OPTIONAL { ?y :p ?z FILTER(?z > 3) } }',
    ['r: :q(?x, ?y) :- :p(?x, ?y)', 'r~2: :r(?x, ?z) :- :p(?x, ?y), :p(?y, ?z), >(?z, 3)'],
  ],
  [
    'an OPTIONAL whose condition looks at both sides',
    'CONSTRUCT { ?x :q ?n } WHERE { ?x :p ?y OPTIONAL { ?y :p ?z FILTER(?x != ?z) } BIND(BOUND(?z) AS ?n) }',
    [
      'r: :q(?x, ?n) :- :p(?x, ?y), :p(?y, ?z), !=(?x, ?z), ?n = true',
      'r~2: :q(?x, ?n) :- :p(?x, ?y), not none r 1(?y, ?x), ?n = false',
      'r~none-1: none r 1(?y, ?x) :- :p(?x, ?y), :p(?y, ?z), !=(?x, ?z)',
    ],
  ],
  [
    'a UNION',
    'CONSTRUCT { ?x :q 1 } WHERE { { ?x :p 1 } UNION { ?x :r 1 } }',
    ['r: :q(?x, 1) :- :p(?x, 1)', 'r~2: :q(?x, 1) :- :r(?x, 1)'],
  ],
  [
    'a MINUS, and one that shares no variable',
    'CONSTRUCT { ?x :q 1 } WHERE { ?x :p ?y MINUS { ?x :r ?z } MINUS { ?a :r ?b } }',
    ['r: :q(?x, 1) :- :p(?x, ?y), not :r(?x, _)'],
  ],
  [
    'EXISTS amid a condition',
    'CONSTRUCT { ?x :q 1 } WHERE { ?x :p ?y FILTER(?y = 1 || EXISTS { ?y :p ?z }) }',
    [
      'r: :q(?x, 1) :- :p(?x, ?y), some r 1(?y)',
      'r~2: :q(?x, 1) :- :p(?x, ?y), not :p(?y, _), =(?y, 1)',
      'r~some-1: some r 1(?y) :- :p(?y, ?z)',
    ],
  ],
  [
    'EXISTS that sees the solution outside',
    'CONSTRUCT { ?x :q 1 } WHERE { ?x :p ?y FILTER EXISTS { ?x :r ?z FILTER(?z = ?y) } }',
    ['r: :q(?x, 1) :- :p(?x, ?y), some r 1(?x, ?y)', 'r~some-1: some r 1(?x, ?y) :- :p(?x, ?y), :r(?x, ?z), =(?z, ?y)'],
  ],
  [
    'a BIND',
    'CONSTRUCT { ?x :q ?n } WHERE { ?x :p ?y BIND(STRLEN(?y) AS ?n) }',
    ['r: :q(?x, ?n) :- :p(?x, ?y), ?n = strlen(?y)'],
  ],
  [
    'a BIND that may fail',
    'CONSTRUCT { ?x :q ?y } WHERE { ?x :p ?y BIND(?y + 1 AS ?n) FILTER(!BOUND(?n)) }',
    ['r: :q(?x, ?y) :- :p(?x, ?y), coalesce(!(sameterm(+(?y, 1), +(?y, 1))), true)'],
  ],
  [
    'VALUES with UNDEF',
    'CONSTRUCT { ?x :q ?y } WHERE { VALUES (?x ?y) { (:a 1) (:b UNDEF) } ?x :p ?y }',
    [
      'r: :q(?x, ?y) :- values r 1(?x, ?y), :p(?x, ?y)',
      'r~2: :q(?x, ?y) :- values r 2(?x), :p(?x, ?y)',
      'r~values-1-1: values r 1(:a, 1) :- ',
      'r~values-2-1: values r 2(:b) :- ',
    ],
  ],
  [
    'a sub-SELECT that counts',
    'CONSTRUCT { ?x :q ?n } WHERE { ?x a :C { SELECT ?x (COUNT(?y) AS ?n) { ?x :p ?y } GROUP BY ?x } FILTER(?n > 1) }',
    [
      'r: :q(?x, ?n) :- rdf:type :C(?x, _), groups r 1(?x), fold r 1(?x, ?n), >(?n, 1)',
      'r~groups-1-1: groups r 1(?x) :- :p(?x, ?y)',
      'r~rows-1-1: rows r 1(1, ?x, ?y) :- :p(?x, ?y)',
      'r~fold-1: fold r 1(?x, ?n) :- groups r 1(?x), ?n = count(?_:value) { rows r 1(_, ?x, ?_:value) }',
    ],
  ],
  [
    'a sub-SELECT whose other variables are its own',
    'CONSTRUCT { ?x :q ?y } WHERE { ?x :p ?y { SELECT ?x { ?x :r ?y } } }',
    ['r: :q(?x, ?y) :- :p(?x, ?y), :r(?x, ?_:1)'],
  ],
  [
    'DISTINCT',
    'CONSTRUCT { ?x :q 1 } WHERE { { SELECT DISTINCT ?x { ?x :r ?y } } ?x :p 1 }',
    ['r: :q(?x, 1) :- distinct r 1(?x), :p(?x, 1)', 'r~distinct-1-1: distinct r 1(?x) :- :r(?x, ?_:1)'],
  ],
  [
    'a path of steps, some of them optional',
    'CONSTRUCT { ?x :q 1 } WHERE { ?x a/:sub* :C }',
    [
      'r: :q(?x, 1) :- rdf:type :C(?x, _)',
      'r~2: :q(?x, 1) :- rdf:type(?x, ?_:1), path+ :sub(?_:1, :C), !(sameterm(?_:1, :C))',
      'path+ :sub step: path+ :sub(?x, ?y) :- :sub(?x, ?y)',
      'path+ :sub path: path+ :sub(?x, ?z) :- path+ :sub(?x, ?y), :sub(?y, ?z)',
    ],
  ],
  [
    'a path of no steps between terms that nothing else names',
    'CONSTRUCT { ?x :q ?y } WHERE { ?x :p? ?y }',
    [
      'r: :q(?x, ?y) :- path? :p(?x, ?y), !(isliteral(?x))',
      'graph term 1: graph term(?x) :- triple any(?x, _, _)',
      'graph term 2: graph term(?y) :- triple any(_, _, ?y)',
      'path? :p stay: path? :p(?x, ?x) :- graph term(?x)',
      'path? :p step 1: path? :p(?x, ?y) :- :p(?x, ?y)',
    ],
  ],
  [
    'a negated set both ways',
    'CONSTRUCT { ?x :q ?y } WHERE { ?x !(:p|^:r) ?y }',
    [
      'r: :q(?x, ?y) :- triple any(?x, ?_:1, ?y), !(sameterm(?_:1, :p))',
      'r~2: :q(?x, ?y) :- triple any(?y, ?_:2, ?x), !(sameterm(?_:2, :r)), !(isliteral(?x))',
    ],
  ],
  [
    'variables as properties, and a new node for each solution',
    'CONSTRUCT { ?x ?k [ :r ?y ] } WHERE { ?x ?k ?y }',
    [
      'r: triple made(?x, ?k, ?_:new 1) :- triple any(?x, ?k, ?y), ?_:new 1 = skolem(r, 1, 1, ?x, ?k, ?y)',
      'r~2: :r(?_:new 1, ?y) :- triple any(?x, ?k, ?y), ?_:new 1 = skolem(r, 1, 1, ?x, ?k, ?y)',
    ],
  ],
])('compiles %s', (_, text, rules) => {
  expect(compiled(text).map(show)).toEqual(rules)
})

it.each([
  ['SERVICE', 'CONSTRUCT { ?x :q 1 } WHERE { ?x :p 1 SERVICE :s { ?x :p 1 } }', 'SERVICE is not supported', 'SERVICE', 39],
  ['GRAPH', 'CONSTRUCT { ?x :q 1 } WHERE { ?x :p 1 GRAPH :s { ?x :p 1 } }', 'GRAPH is not supported', 'GRAPH', 39],
  ['FROM', 'CONSTRUCT { ?x :q 1 } FROM :g WHERE { ?x :p 1 }', 'FROM is not supported: a rule reads the whole graph', 'FROM', 23],
  [
    'LIMIT',
    'CONSTRUCT { ?x :q 1 } WHERE { ?x :p 1 } LIMIT 3',
    'LIMIT and OFFSET is not supported in a rule',
    'LIMIT and OFFSET',
    41,
  ],
  [
    'LIMIT in a sub-SELECT',
    'CONSTRUCT { ?x :q 1 } WHERE { { SELECT ?x { ?x :p 1 } LIMIT 3 } }',
    'LIMIT and OFFSET in a sub-SELECT are not supported',
    'LIMIT in a sub-SELECT',
    55,
  ],
  [
    'chance',
    'CONSTRUCT { ?x :q ?n } WHERE { ?x :p 1 BIND(RAND() AS ?n) }',
    'RAND() gives another value each time: a rule cannot use it',
    'RAND()',
    45,
  ],
  [
    'a function of somebody else',
    'CONSTRUCT { ?x :q 1 } WHERE { ?x :p ?y FILTER(:even(?y)) }',
    'no function <http://e/even> takes 1 arguments',
    'the function <http://e/even>',
    46,
  ],
  [
    'too many alternatives',
    `CONSTRUCT { ?x :q [] } WHERE { ?x :p ?y ${Array.from({ length: 8 }, (_, n) => `OPTIONAL { ?x :p${n} ?v${n} }`).join(' ')} }`,
    'the pattern has more than 128 alternatives',
    'alternatives',
    209,
  ],
])('says that %s is not supported, and where it stands', (_, text, message, unsupported, column) => {
  expect(compileConstruct(P + text, { id: 'r' })).toEqual({ ok: false, faults: [{ message, unsupported, line: 2, column }] })
})

it.each([
  [
    'an unbound template variable',
    'CONSTRUCT { ?x :q ?z } WHERE { ?x :p ?y }',
    '?z in the template is bound by no pattern',
    2,
    19,
  ],
  [
    'an unbound filter variable',
    'CONSTRUCT { ?x :q 1 } WHERE { ?x :p ?y FILTER(?z > 1) }',
    '?z in an expression is bound by no pattern',
    2,
    47,
  ],
  ['an empty WHERE', 'CONSTRUCT { :a :q 1 } WHERE { }', 'WHERE holds no triple pattern', 2, 29],
  ['a SELECT', 'SELECT * WHERE { ?x :p ?y }', 'SELECT is not supported here: write a CONSTRUCT query', 1, 1],
  ['an update', 'DELETE WHERE { ?x :p ?y }', 'an update is not supported here: write a query', 1, 1],
  ['broken syntax', 'CONSTRUCT { ?x :q } WHERE { ?x :p ?y }', 'unexpected }', 2, 19],
  ['a stray character', 'CONSTRUCT { ?x :q 1 } WHERE { ?x :p § }', 'unexpected character §', 2, 37],
  ['an early end', 'CONSTRUCT { ?x :q 1 } WHERE {', 'unexpected end of the query', 2, 30],
  ['an undeclared prefix', 'CONSTRUCT { ?x :q 1 } WHERE { ?x no:p 1 }', 'the prefix no: is not declared', 2, 34],
  ['a relative IRI', 'CONSTRUCT { ?x :q 1 } WHERE { ?x <p> 1 }', '<p> is not an absolute IRI', 2, 34],
])('refuses %s and says where', (_, text, message, line, column) => {
  expect(compileConstruct(P + text, { id: 'r' })).toEqual({ ok: false, faults: [{ message, line, column }] })
})

it('reports several faults at once', () => {
  const result = compileConstruct(`${P}CONSTRUCT { ?x :q ?z } WHERE { ?x :p ?y GRAPH :g { ?x :r ?z } SERVICE :s { ?x :p 1 } }`, {
    id: 'r',
  })
  expect(!result.ok && result.faults.map(({ message }) => message)).toEqual([
    'GRAPH is not supported',
    'SERVICE is not supported',
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
  const tests = Array.from({ length: 120 }, (_, n) => `?y != ${n}`)
  const long = `${P}CONSTRUCT { ?x :q 1 } WHERE { ?x :p ?y FILTER(${tests.join(' && ')}) }`
  const rules = compileConstruct(long, { id: 'r' })
  expect(rules.ok && rules.rules[0]!.body.length).toBe(121)
  expect(compileConstruct(`${P}CONSTRUCT { ?x :q 1 } WHERE { ?x :p ?y FILTER(${'!'.repeat(20_000)}?y) }`, { id: 'r' }).ok).toBe(
    false,
  )
  const longer = compileConstruct(long.replace('?y != 1 &&', `${tests.join(' && ')} &&`), { id: 'r' })
  expect(longer.ok ? [] : longer.faults.map(({ message }) => message)).toEqual([expect.stringContaining('more than 256 patterns')])
})

it('leads from a compiled rule back to the rule that a person wrote', () => {
  expect(['r', 'r~2', 'r~none-1', 'cax-sco~a~b'].map(baseRule)).toEqual(['r', 'r', 'r', 'cax-sco'])
})

it('joins what is given into every solution, and shows it to every part of the query', () => {
  const given = [{ kind: 'atom' as const, atom: { predicate: 'shacl target', args: [{ variable: 'this' }] } }]
  const text = `CONSTRUCT { $this :q ?y } WHERE {
    { ?x :p ?y FILTER(?x = $this) } FILTER NOT EXISTS { $this :r ?z FILTER(?z > ?y) } }`
  expect(compiled(text, { given }).map(show)).toEqual([
    'r: :q(?this, ?y) :- shacl target(?this), :p(?x, ?y), =(?x, ?this), not none r 1(?this, ?y), !(isliteral(?this))',
    'r~none-1: none r 1(?this, ?y) :- shacl target(?this), :p(?x, ?y), =(?x, ?this), :r(?this, ?z), >(?z, ?y)',
  ])
})

it('takes prefixes and a base from outside', () => {
  const result = compileConstruct('CONSTRUCT { ?x e:q <a> } WHERE { ?x e:p <b#c> }', {
    id: 'r',
    prefixes: { e: 'http://e/' },
    base: 'http://e/x/',
  })
  expect(result.ok && result.rules.map(show)).toEqual(['r: :q(?x, :x/a) :- :p(?x, :x/b#c)'])
})

it('gives the same rules whatever was compiled before', () => {
  const text = 'CONSTRUCT { ?x :q [] } WHERE { ?x :p [ :p ?x ] }'
  expect(compiled(text)).toEqual(compiled(text))
})

const nestedExists = (depth: number): string =>
  depth === 0 ? '?x :p 1' : `?x :p ?y${depth} OPTIONAL { ?x :q ?z${depth} FILTER EXISTS { ${nestedExists(depth - 1)} } }`
const manyUnions = Array.from({ length: 9 }, (_, n) => `{ ?x :p ?v${n} } UNION { ?x :q ?v${n} }`).join(' ')
const manyExists = Array.from({ length: 30 }, () => 'EXISTS { ?x :p 1 }').join(' || ')

it.each([
  ['EXISTS inside OPTIONAL, again and again', nestedExists(25), 'alternatives'],
  ['many EXISTS in one expression', `?x :p ?y FILTER(${manyExists})`, 'alternatives'],
  ['a product of unions', manyUnions, 'alternatives'],
  ['VALUES without end', `VALUES ?x { ${Array.from({ length: 1001 }, (_, n) => n).join(' ')} }`, 'VALUES of this size'],
])('refuses %s in time', (_, where, unsupported) => {
  const result = compileConstruct(`${P}CONSTRUCT { ?x :r [] } WHERE { ${where} }`, { id: 'r' })
  expect(result.ok ? [] : result.faults.map((fault) => fault.unsupported)).toContain(unsupported)
})

it.each([
  ['closures of closures', `?x ${'('.repeat(50)}:p${')+'.repeat(50)} ?y`],
  ['optional steps in a row', `?x ${Array.from({ length: 30 }, (_, n) => `:p${n}*`).join('/')}/:q ?y`],
])('compiles %s in time', (_, where) => {
  expect(compileConstruct(`${P}CONSTRUCT { ?x :r ?y } WHERE { ${where} }`, { id: 'r' }).ok).toBe(true)
})
