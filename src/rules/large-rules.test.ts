import { describe, expect, it } from 'vitest'
import { LIMITS, Rule } from '../contracts/index.ts'
import { MAX_PARTS } from '../kernel/sparql/index.ts'
import { losersOf } from './lost-terms.ts'
import { validateRule } from './validate.ts'
import { faultsTogether } from './validate-together.ts'

const BASE = 'https://enterprise.example/ontology#'
const P = `PREFIX : <${BASE}>\n`
const times = (n: number, part: (at: number) => string): string => Array.from({ length: n }, (_, at) => part(at)).join(' ')
const where = (pattern: string, template = '?a :q 1'): string => `${P}CONSTRUCT { ${template} } WHERE { ?a a :Alarm . ${pattern} }`
const vocabulary = {
  classes: [{ iri: `${BASE}Alarm`, qname: ':Alarm', parents: [] }],
  properties: [{ iri: `${BASE}p`, qname: ':p', kind: 'object' as const, domain: '', range: '' }],
}
const context = { baseIri: BASE, vocabulary }
const rule = (id: string, body: string, kind: Rule['kind'] = 'sparql'): Rule => Rule.parse({ id, kind, body })

/** As much as the longest text holds: [what, text of so many]. */
const SHAPES: readonly (readonly [string, Rule['kind'], (n: number) => string])[] = [
  ['OPTIONALs that need one another', 'sparql', (n) => where(times(n, (i) => `OPTIONAL{?a ?b${i} ?c}`))],
  ['OPTIONALs that nothing needs', 'sparql', (n) => where(times(n, (i) => `OPTIONAL{?a ?p${i} ?o${i}}`))],
  ['OPTIONALs, each for a triple', 'sparql', (n) => where(times(n, (i) => `OPTIONAL{?a :p ?b${i}}`), times(n, (i) => `?a :q ?b${i} .`))],
  ['branches of a UNION', 'sparql', (n) => where(Array.from({ length: n }, () => '{?a :p 1}').join('UNION'))],
  ['MINUS', 'sparql', (n) => where(times(n, (i) => `MINUS{?a :p ?b${i}. ?b${i} :p ?e}`))],
  ['triples', 'sparql', (n) => where(times(n, (i) => `?v${i} :p ?v${i + 1}.`))],
  ['entries of a list', 'sparql', (n) => where(`?a :p (${'1 '.repeat(n)})`)],
  ['steps of a path', 'sparql', (n) => where(`?a ${Array.from({ length: n }, () => ':p').join('/')} ?b`)],
  ['clauses', 'datalog', (n) => times(n, (i) => `p${i}(?x) :- p${i + 1}(?x), not q${i}(?x).`)],
]

function longest(text: (n: number) => string): string {
  let n = Math.floor((1000 * LIMITS.rule_body_chars) / text(1000).length)
  while (text(n).length > LIMITS.rule_body_chars) n -= 1
  return text(n)
}

describe('a rule of the longest text', () => {
  it.each(SHAPES)('full of %s is judged at once', (_, kind, text) => {
    const since = performance.now()
    expect(validateRule({ id: 'r', kind, body: longest(text) }, context).errors[0]?.message).toMatch(/more than 256|at most 256/)
    // generous: it takes some hundredths of a second, and took up to a minute
    expect(performance.now() - since).toBeLessThan(3000)
  })

  it.each([
    ['alternatives with many conditions', where(`${times(7, (i) => `{?a :p ?b${i}}UNION{?b${i} :p ?a}`)} ${times(90, (i) => `?a :p ?y${i} .`)}`)],
    ['OPTIONAL in OPTIONAL', where(`${times(40, (i) => `OPTIONAL{?a :p ?b${i}.`)}${'}'.repeat(40)}`, '?a :q []')],
  ])('is left to the store where it has %s', (_, body) => {
    const since = performance.now()
    expect(validateRule({ id: 'r', kind: 'sparql', body }, context).warnings[0]?.message).toMatch(/more than 2048 conditions.*SPARQL store/)
    expect(performance.now() - since).toBeLessThan(3000)
  })

  it('has the same number of parts in every language', () => expect(MAX_PARTS).toBe(LIMITS.rule_parts))
})

describe('many rules that are saved at once', () => {
  const many = Array.from({ length: 600 }, (_, i) => rule(`r${i}`, where('', `?a :q${i} 1`)))

  it('are checked in a time that grows with their number', () => {
    const since = performance.now()
    expect(faultsTogether(many, BASE).flat()).toEqual([])
    expect(performance.now() - since).toBeLessThan(5000)
  })

  it('are refused for what they say together, each at its place', () => {
    const one = rule('one', where('FILTER NOT EXISTS { ?a :y ?z }', '?a :x 1'))
    const two = rule('two', where('FILTER NOT EXISTS { ?a :x ?z }', '?a :y 1'))
    expect(faultsTogether([one, many[0]!], BASE).flat()).toEqual([])
    const faults = faultsTogether([one, many[0]!, two], BASE)
    expect(faults.map((own) => own.map(({ message }) => message))).toEqual([
      [expect.stringMatching(/^a negation inside a cycle/)], [], [expect.stringMatching(/^a negation inside a cycle/)],
    ])
    expect(faultsTogether([one, one], BASE).flat()).toHaveLength(2)
  })

  it('leave those alone that stand already', () => {
    const broken = rule('broken', 'CONSTRUCT')
    expect(faultsTogether([broken], BASE).flat()).not.toEqual([])
    expect(faultsTogether([broken], BASE, (each) => each === broken).flat()).toEqual([])
  })
})

describe('a rule that goes', () => {
  const gives = rule('gives', where('', '?a :given 1'))
  const reads = rule('reads', where('?a :given ?x', '?a :more 1'))
  const head = rule('head', 'at_risk(?a) :- Alarm(?a).', 'datalog')
  const body = rule('body', 'worse(?a) :- at_risk(?a).', 'datalog')
  const query = rule('query', `${P}CONSTRUCT { ?a :bad 1 } WHERE { ?a a :AtRisk }`)

  it.each([
    ['leaves those without it that read it', gives, [reads, head], [reads]],
    ['takes nothing that another one gives too', gives, [reads, { ...gives, id: 'again' }], []],
    ['takes its predicate from rules of every kind', head, [body, query, reads], [body, query]],
    ['takes no predicate that another text derives', head, [body, query, { ...head, id: 'again' }], []],
    ['takes nothing that nobody reads', reads, [gives, head, body], []],
  ])('%s', (_, removed, left, expected) => expect(losersOf(removed, left, context)).toEqual(expected))

  it('is looked for once in each of the others', () => {
    const many = Array.from({ length: 600 }, (_, i) => rule(`r${i}`, `p${i}(?a) :- at_risk(?a).`, 'datalog'))
    const since = performance.now()
    expect(losersOf(head, many, context)).toHaveLength(600)
    expect(performance.now() - since).toBeLessThan(2000)
  })
})
