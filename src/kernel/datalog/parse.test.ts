import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { iri, literal, XSD } from '../term.ts'
import { parseRules } from './parse.ts'
import type { DatalogRule } from './program.ts'

const open = (...names: string[]) => names.map((name) => ({ name, tier: 0 }))
const relations = [
  { name: 'Subscription', columns: open('id', 'customer', 'service', 'status') },
  { name: 'Alarm', columns: open('id', 'resource', 'state') },
]
const v = (variable: string) => ({ variable })
const t = (text: string) => ({ term: literal(text) })

function rulesOf(text: string, id?: string): readonly DatalogRule[] {
  const parsed = parseRules(text, id === undefined ? { relations } : { relations, id })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults))
  return parsed.rules
}

function faultsOf(text: string): string[] {
  const parsed = parseRules(text, { relations })
  return parsed.ok ? [] : parsed.faults.map(({ line, column, message }) => `${line}:${column} ${message}`)
}

describe('rules', () => {
  it('reads named arguments, negation, an aggregate and a comparison', () => {
    const [rule] = rulesOf(
      `% who is hit
       at_risk(?c, ?r) :- Subscription(customer: ?c, service: ?s, status: "active"), runs_on(?s, ?r), not redundant(?s, ?r),
         ?n = count { Alarm(resource: ?r, state: "open") }, ?n > 0.`,
      'at-risk',
    )
    expect(rule).toEqual({
      id: 'at-risk',
      at: { line: 2, column: 8 },
      head: { predicate: 'at_risk', args: [v('c'), v('r')] },
      body: [
        { kind: 'atom', atom: { predicate: 'Subscription', args: [null, v('c'), v('s'), t('active')] } },
        { kind: 'atom', atom: { predicate: 'runs_on', args: [v('s'), v('r')] } },
        { kind: 'not', atom: { predicate: 'redundant', args: [v('s'), v('r')] } },
        { kind: 'aggregate', into: 'n', fn: 'count', of: null, body: [{ predicate: 'Alarm', args: [null, v('r'), t('open')] }] },
        { kind: 'compare', op: '>', left: v('n'), right: { term: literal('0', `${XSD}integer`) } },
      ],
    })
  })

  it('takes the first argument of a class for the record itself', () => {
    const [rule] = rulesOf('p(?a) :- Alarm(?a, state: "open").')
    expect(rule?.body).toEqual([{ kind: 'atom', atom: { predicate: 'Alarm', args: [v('a'), null, t('open')] } }])
  })

  it('numbers the clauses of a text', () => {
    expect(rulesOf('p("a"). p("b"). p("c").').map(({ id }) => id)).toEqual(['rule-1', 'rule-2', 'rule-3'])
    expect(rulesOf('p("a"). p("b"). p("c").', 'x').map(({ id }) => id)).toEqual(['x', 'x-2', 'x-3'])
  })

  it.each([
    ['"a\\"b\\n\\u00e9"', literal('a"b\né')],
    ['-12', literal('-12', `${XSD}integer`)],
    ['1.50', literal('1.50', `${XSD}decimal`)],
    ['1e3', literal('1e3', `${XSD}double`)],
    ['true', literal('true', `${XSD}boolean`)],
    ['<https://e.example/x#y>', iri('https://e.example/x#y')],
    ['"2024-01-01"^^xsd:date', literal('2024-01-01', `${XSD}date`)],
    ['"x"^^<https://e.example/t>', literal('x', 'https://e.example/t')],
    ['"chat"@fr', { ...literal('chat', 'http://www.w3.org/1999/02/22-rdf-syntax-ns#langString'), language: 'fr' }],
  ])('reads the value %s', (text, term) => {
    expect(rulesOf(`p(${text}).`)[0]?.head.args).toEqual([{ term }])
  })

  it('reads a predicate that is an IRI, wildcards, and arguments that end a clause', () => {
    const [rule] = rulesOf('p(?x) :- <https://e.example/#q>(?x, _), ?x < 3.')
    expect(rule?.body[0]).toEqual({ kind: 'atom', atom: { predicate: 'https://e.example/#q', args: [v('x'), null] } })
    expect(rulesOf('storm() :- Alarm(_).')[0]?.head.args).toEqual([])
  })

  it('reads a calculation with the usual precedence, and one operand alone as a comparison', () => {
    const [rule] = rulesOf('p(?x, ?y) :- q(?a, ?b), ?x = ?a-?b * -(2 -?a), ?y = -?a, ?x = (?b), ?b = -3.')
    const number = (text: string) => ({ term: literal(text, `${XSD}integer`) })
    const inner = { op: '-', left: number('2'), right: v('a') }
    expect(rule?.body.slice(1)).toEqual([
      {
        kind: 'assign', into: 'x',
        expr: { op: '-', left: v('a'), right: { op: '*', left: v('b'), right: { minus: inner } } },
      },
      { kind: 'assign', into: 'y', expr: { minus: v('a') } },
      { kind: 'compare', op: '=', left: v('x'), right: v('b') },
      { kind: 'compare', op: '=', left: v('b'), right: number('-3') },
    ])
  })

  it('reads functions in calculations, comparisons and on their own', () => {
    const number = (text: string) => ({ term: literal(text, `${XSD}integer`) })
    const [rule] = rulesOf(`p(?d, ?l) :- q(?a, ?b, ?n), ?d = days_between(?a, ?b), contains(lcase(?n), "x"), not regex(?n, "^y"),
      ?l = if(strlen(?n) > 3, xsd:string(?d), "short"), ?d * 2 > year(?a) + 1, ?t = ?a + "PT5M"^^xsd:dayTimeDuration, ?t < ?b.`)
    expect(rule?.body.slice(1)).toEqual([
      { kind: 'assign', into: 'd', expr: { call: 'days_between', args: [v('a'), v('b')] } },
      { kind: 'test', expr: { call: 'contains', args: [{ call: 'lcase', args: [v('n')] }, t('x')] } },
      { kind: 'test', expr: { call: '!', args: [{ call: 'regex', args: [v('n'), t('^y')] }] } },
      {
        kind: 'assign', into: 'l',
        expr: {
          call: 'if',
          args: [
            { call: '>', args: [{ call: 'strlen', args: [v('n')] }, number('3')] },
            { call: `${XSD}string`, args: [v('d')] },
            t('short'),
          ],
        },
      },
      {
        kind: 'test',
        expr: {
          call: '>',
          args: [
            { op: '*', left: v('d'), right: number('2') },
            { op: '+', left: { call: 'year', args: [v('a')] }, right: number('1') },
          ],
        },
      },
      { kind: 'assign', into: 't', expr: { op: '+', left: v('a'), right: { term: literal('PT5M', `${XSD}dayTimeDuration`) } } },
      { kind: 'compare', op: '<', left: v('t'), right: v('b') },
    ])
  })

  it('reads the latest value, and conditions inside an aggregate', () => {
    const [rule] = rulesOf(`p(?s, ?v, ?n) :- subject(?s), ?v = latest(?value by ?time) { lab(?s, ?value, ?time) },
      ?n = count { lab(?s, ?w, ?at), ?w > 5, contains(?at, "2024"), ?w * 2 = ?w + ?w }.`)
    const five = { term: literal('5', `${XSD}integer`) }
    const two = { term: literal('2', `${XSD}integer`) }
    expect(rule?.body.slice(1)).toEqual([
      {
        kind: 'aggregate', into: 'v', fn: 'latest', of: 'value', by: 'time',
        body: [{ predicate: 'lab', args: [v('s'), v('value'), v('time')] }],
      },
      {
        kind: 'aggregate', into: 'n', fn: 'count', of: null,
        body: [{ predicate: 'lab', args: [v('s'), v('w'), v('at')] }],
        where: [
          { kind: 'compare', op: '>', left: v('w'), right: five },
          { kind: 'test', expr: { call: 'contains', args: [v('at'), t('2024')] } },
          {
            kind: 'test',
            expr: { call: '=', args: [{ op: '*', left: v('w'), right: two }, { op: '+', left: v('w'), right: v('w') }] },
          },
        ],
      },
    ])
  })

  it('takes a name for the class of the data or a predicate where no function takes that many arguments', () => {
    const withClass = [{ name: 'year', columns: open('id', 'number') }]
    const parsed = parseRules('p(?x) :- year(?x), month(?x, ?y), not year(?y), day(?x).', { relations: withClass })
    expect(parsed.ok && parsed.rules[0]?.body.map(({ kind }) => kind)).toEqual(['atom', 'atom', 'not', 'test'])
  })

  it('reads names with combining marks', () => {
    const [rule] = rulesOf('ग्राहक(?नाम) :- e\u0301tat(?नाम).')
    expect(rule?.head).toEqual({ predicate: 'ग्राहक', args: [v('नाम')] })
    expect(rule?.body).toEqual([{ kind: 'atom', atom: { predicate: 'e\u0301tat', args: [v('नाम')] } }])
  })

  it('leaves a variable open that stands only in one negated atom', () => {
    const [rule] = rulesOf('lonely(?x) :- node(?x), not edge(?x, ?anything).')
    expect(rule?.body[1]).toEqual({ kind: 'not', atom: { predicate: 'edge', args: [v('x'), null] } })
  })
})

describe('faults', () => {
  it.each([
    ['', ['1:1 there is no rule in this text']],
    ['p(?x) :- q(?x)', ["1:15 expected ',' or '.' after a part of the body, found the end of the text"]],
    ['p(?x) q(?x).', ["1:7 expected ':-' or '.' after the head, found 'q'"]],
    [
      'p("a) :- q(1).',
      ['1:3 this string does not end on its line', '1:15 expected a variable, a value or _, found the end of the text'],
    ],
    ['p(?x) :- q(?x), ?x ~ 3.', ['1:20 unexpected character "~"', "1:22 expected one of = != < <= > >=, found '3'"]],
    ['p("\\q").', ['1:4 unknown escape \\q; known: \\" \\\' \\\\ \\n \\t \\r \\uXXXX']],
    ['p(?) .', ['1:3 a variable is written ?name, starting with a letter']],
    ['p(?x) :-\n  q(?y).', ['1:3 ?x in the head is bound by no positive atom and no aggregate']],
    ['p(?x) :- q(?x), not r(?x, ?z, ?z).', ["1:27 ?z in 'not r' is bound by no positive atom and no aggregate"]],
    ['p(?x) :- q(?x), ?y = 3.', ['1:17 ?y in a comparison is bound by no positive atom and no aggregate']],
    ['p(?x) :- q(?y), ?x = ?y * ?z.', ['1:27 ?z in a calculation is bound by no positive atom and no aggregate']],
    [
      'p(?x) :- q(?x, ?y), ?x = ?y + 1.',
      ['1:3 ?x already has a value; give the result of the calculation another name and compare the two'],
    ],
    ['p(?x) :- q(?y), ?x = ?x + 1.', ['1:3 ?x = … needs ?x, which in turn needs ?x']],
    [
      'p(?x) :- q(?y), ?x = ?z + 1, ?z = ?x * 2.',
      ['1:3 ?x = … needs ?z, which in turn needs ?x', '1:22 ?z = … needs ?x, which in turn needs ?z'],
    ],
    ['p(?x) :- q(?x), ?x > ?z * 2.', ['1:22 ?z in a condition is bound by no positive atom and no aggregate']],
    ['p(?x) :- q(?x), ?x > strlenn(?x).', ['1:22 no function is called strlenn; did you mean strlen?']],
    ['p(?x) :- q(?x), ?x > STRLEN(?x).', ['1:22 no function is called STRLEN; did you mean strlen?']],
    ['p(?y) :- q(?x), ?y = strlen(?x, ?x).', ['1:22 strlen takes 1 argument, not 2']],
    ['p(?x) :- q(?x), strlen(?x, ?x) > 3.', ['1:17 strlen takes 1 argument, not 2']],
    ['p(?y) :- q(?x), ?y = substr(?x).', ['1:22 substr takes 2 or 3 arguments, not 1']],
    ['p(?y) :- q(?x), ?y = xsd:colour(?x).', ['1:22 there is no conversion to xsd:colour from 1 argument']],
    ['p(?y) :- q(?x), ?y = "3"^^xsd:integer-1.', ['1:31 there is no xsd:integer-1; a subtraction has spaces around its minus']],
    ['contains(?x, ?y) :- q(?x, ?y).', ['1:1 contains is a function; a predicate needs another name']],
    [
      'p(?x) :- q(lcase(?x)).',
      ['1:12 an argument is a variable or a value; give the result of lcase a variable first: ?x = lcase(…)'],
    ],
    ['p(?x) :- q(?x), not contains(?x, ?z).', ['1:34 ?z in a condition is bound by no positive atom and no aggregate']],
    [
      'p(?v) :- ?v = latest(?w) { q(?w) }.',
      ['1:15 latest needs a value and what to go by: latest(?value by ?time) { … }'],
    ],
    ['p(?v) :- ?v = max(?w by ?t) { q(?w, ?t) }.', ['1:22 only latest goes by another variable, max does not']],
    [
      'p(?n) :- ?n = count { not q(?x) }.',
      ['1:23 count ranges over facts that are there; derive a predicate for those without'],
    ],
    ['p(?n) :- ?n = count { 1 < 2 }.', ['1:15 count has no atom to range over']],
    [
      `p(?x) :- q(?y), ?x = ${'('.repeat(200)}?y${')'.repeat(200)}.`,
      ['1:86 a calculation has at most 64 operands, signs, parentheses and calls'],
    ],
    [
      `p(?x) :- q(?y), ?x = ${'abs('.repeat(200)}?y${')'.repeat(200)}.`,
      ['1:278 a calculation has at most 64 operands, signs, parentheses and calls'],
    ],
    ['p(?x) :- q(?y), ?x = ?y * .', ["1:27 expected a variable or a value, found '.'"]],
    ['p(?x) :- q(?y), ?x = (?y + 1.', ["1:29 expected an operator or ')', found '.'"]],
    ['p(?n) :- ?n = sum(?v) { q(?x) }.', ['1:19 ?v in sum(?v) is bound by none of its atoms']],
    ['p(?n) :- ?n = sum { q(?x) }.', ['1:3 sum needs the variable to fold: sum(?x) { … }']],
    ['p(?n) :- ?n = count(?x) { q(?x) }.', ['1:21 count counts the matches of its atoms and takes no variable: count { … }']],
    ['p(?n) :- ?n = total(?x) { q(?x) }.', ["1:15 expected one of count, sum, min, max, avg, latest, found 'total'"]],
    [
      'p(?x) :- q(?n, ?x), ?n = count { r() }.',
      ['1:12 ?n already has a value; give the result of count another name and compare the two'],
    ],
    ['p(?x, ?n) :- q(?x), ?n = count { r(?n) }.', ['1:7 ?n = count {…} needs ?n, which in turn needs ?n']],
    ['p(?x) :- q(?x), r(?n), ?n = count { }.', ["1:37 expected an atom that count ranges over, or a comparison, found '}'"]],
    ['p(?x) :- Alarm(resource: ?x, colour: "red").', ['1:30 Alarm has no column colour; known: id, resource, state']],
    [
      'p(?x) :- Alarm(?x, "open").',
      ['1:20 only the first argument of the class Alarm goes without a name; known: id, resource, state'],
    ],
    ['p(?x) :- Alarm(?x, id: ?x).', ['1:20 Alarm gets its column id twice']],
    ['p(?x) :- Alrm(resource: ?x).', ['1:10 no class is called Alrm; known: Subscription, Alarm']],
    ['Alarm(?x) :- q(?x).', ['1:1 Alarm is a class of the data; a rule derives a predicate of its own']],
    ['p(_) :- q(_).', ["1:1 the head p may not contain '_'"]],
    ['p("2024-13-01"^^xsd:date).', ['1:3 "2024-13-01" is no xsd:date']],
    ['p("x"^^date).', ["1:8 expected a datatype: xsd:name or <iri>, found 'date'"]],
    ['p("x"^^xsd).', ["1:8 expected a datatype: xsd:name or <iri>, found 'xsd'"]],
    ['p(?x) :- q(?x), q(?x, ?x).', ['1:1 rule-1: q has 2 arguments here and 1 argument elsewhere']],
    ['p(?x) :- q(?x), not p(?x).', ['1:1 rule-1: a negation inside a cycle: p -> not p']],
    ['q(?x) :- p(?x).\np(?x) :- r(?x), not q(?x).', ['2:1 rule-2: a negation inside a cycle: p -> not q -> p']],
    [
      'p(?x) :- q(?x), r(?y) s(?y).\np(?z) :- q(?x).',
      [
        "1:23 expected ',' or '.' after a part of the body, found 's'",
        '2:3 ?z in the head is bound by no positive atom and no aggregate',
      ],
    ],
    ['% only a comment\r\n  p(?x)\r\n', ["3:1 expected ':-' or '.' after the head, found the end of the text"]],
  ])('%j', (text, expected) => {
    expect(faultsOf(text)).toEqual(expected)
  })

  it('stops after twenty', () => {
    expect(faultsOf('p(?x) :- q(?y).\n'.repeat(100))).toHaveLength(20)
  })

  it('refuses a body that nobody could read', () => {
    expect(faultsOf(`p(?x) :- ${Array.from({ length: 300 }, () => 'q(?x)').join(', ')}.`)).toEqual([
      '1:1 rule-1: the body has 300 parts, at most 256 are allowed',
    ])
  })
})

it.each([
  ['braces', '{'.repeat(50_000)],
  ['parentheses', `p(${'('.repeat(50_000)}`],
  ['one long string', `p("${'x'.repeat(3_000_000)}").`],
  ['a huge body', `p(?x) :- ${'q(?x), '.repeat(20_000)} q(?x).`],
  ['many variables', `p(?x) :- not q(${Array.from({ length: 20_000 }, (_, i) => `?v${i}, ?v${i}`).join(', ')}).`],
  ['many clauses', 'p("a").\n'.repeat(5_000)],
])('%s do not overflow the stack', (_, text) => {
  expect(() => parseRules(text, { relations })).not.toThrow()
})

it('gives an answer for any text, with each fault inside it', () => {
  const pieces = fc.constantFrom(...'p ( ) ?x , . :- not "a" { } = count Alarm state : < 1 ^^ _ %'.split(' '), ' ', '\n')
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.array(pieces).map((list) => list.join(''))), (text) => {
      const parsed = parseRules(text, { relations })
      const lines = text.split('\n')
      const isInside = (line: number, column: number) => line >= 1 && column >= 1 && column <= (lines[line - 1] ?? '').length + 1
      return parsed.ok || (parsed.faults.length > 0 && parsed.faults.every(({ line, column }) => isInside(line, column)))
    }),
    { numRuns: 300 },
  )
})
