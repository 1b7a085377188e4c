import { expect, it } from 'vitest'
import type { Rule } from '../contracts/index.ts'
import { BASE, PREFIXES, incident, short, sparql } from './graph.test-support.ts'
import { waysOf } from './premises.ts'
import { materialisationReport } from './report.ts'

/** What the first derivation of the first triple with this property rests on, beside triples. */
const said = (property: string, rules: readonly Rule[], events: string): string[] => {
  const m = incident({ rules, events: PREFIXES + events })
  expect(m.refused).toEqual([])
  const found = m.derived.find(({ quad }) => quad.predicate.value === BASE + property)
  const [way] = waysOf(m, found?.fact ?? -1)
  return (way?.premises ?? []).flatMap((premise) => (premise.kind === 'triple' ? [] : [`${premise.kind}: ${short(premise.text)}`]))
}
const where = (pattern: string) => sparql('r', `CONSTRUCT { ?x :out ?v } WHERE { ${pattern} }`)
const grouped = (select: string, pattern: string) => where(`{ SELECT ?x (${select} AS ?v) WHERE { ${pattern} } GROUP BY ?x }`)
const PARTS = 'r:a :part r:b, r:c, r:d ; :size 1, 2 . r:b :kind 7 . r:c :kind 7 .'

it.each([
  ['a count is that of the matches of its pattern', grouped('COUNT(?y)', '?x :part ?y'), PARTS, ['condition: 3 matches of { <r:a> :part [] }']],
  ['one match is one', grouped('COUNT(?y)', '?x :lone ?y'), 'r:a :lone 1 .', ['condition: 1 match of { <r:a> :lone [] }']],
  [
    'a count of distinct values tells the matches from what they come to',
    grouped('COUNT(DISTINCT ?k)', '?x :part ?y . ?y :kind ?k'),
    PARTS,
    ['condition: count over 2 matches of { <r:a> :part ?y . ?y :kind [] } is 1'],
  ],
  ['a sum names what it is over', grouped('SUM(?y)', '?x :size ?y'), PARTS, ['condition: sum over 2 matches of { <r:a> :size [] } is 3']],
  ['a value that is handed on is not said', where('?x :size 1 . BIND(?x AS ?v)'), PARTS, []],
  ['nor is the first choice of several', where('?x :size ?y OPTIONAL { ?x :weight ?w } BIND(COALESCE(?w, ?y) AS ?v)'), PARTS, ['absent: <r:a> has no :weight']],
  ['in the text of a rule either', { ...where(''), kind: 'datalog' as const, body: 'out(?x, ?v) :- size(?x, ?y), ?v = coalesce(?y, 0).' }, PARTS, []],
  ['a calculation is', where('?x :size ?y . FILTER(?y = 2) BIND(?y + 1 AS ?v)'), PARTS, ['condition: 2 + 1 is 3', 'condition: 2 = 2']],
  ['a value that is absent altogether', where('?x :size ?v FILTER NOT EXISTS { ?x :kind ?k }'), PARTS, ['absent: <r:a> has no :kind']],
  ['an absent triple', where('?x :size ?v FILTER NOT EXISTS { ?x :kind 7 }'), PARTS, ['absent: no match of { <r:a> :kind 7 }']],
  ['an absent class', where('?x :size ?v FILTER NOT EXISTS { ?x a :Gone }'), PARTS, ['absent: no match of { <r:a> a :Gone }']],
  [
    'an absence does not say again what stands above it',
    where('?x :size ?v ; :part ?y . FILTER NOT EXISTS { ?x :part ?y . ?y :broken ?b . ?b :since ?t }'),
    PARTS,
    ['absent: no match of { <r:b> :broken ?b . ?b :since ?t }'],
  ],
  [
    'and a single pattern that is left of it is one that lacks',
    where('?x :size ?v ; :part ?y . FILTER NOT EXISTS { ?x :part ?y . ?y :broken ?b }'),
    PARTS,
    ['absent: <r:b> has no :broken'],
  ],
])('%s', (_, rule, events, expected) => {
  expect(said('out', [rule], events)).toEqual(expected)
})

it('how rules of OWL tell names apart is not shown', () => {
  const events = `${PREFIXES}:p a owl:InverseFunctionalProperty . r:m :p r:o . r:n :p r:o .
    [] a owl:AllDisjointClasses ; owl:members ( :L :M ) . r:q a :L, :M .`
  const text = materialisationReport(incident({ events }))
  const lines = text.slice(text.indexOf('## Inconsistencies')).split('\n')
  expect(lines.filter((line) => line.startsWith('- ')).length).toBe(2)
  expect(lines.filter((line) => /isblank|str\(|condition: \d/.test(line))).toEqual([])
  expect(lines.some((line) => line.includes('condition: ') && line.includes(' != '))).toBe(true)
})
