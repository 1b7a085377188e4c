import { expect, it } from 'vitest'
import { checkModel, evaluate } from '../datalog/index.ts'
import { factTriple, parseTurtle, reasonOver, tripleFact } from '../rdf/index.ts'
import { compileConstruct } from './construct.ts'

const P = 'PREFIX : <http://e/>\n'
const rulesOf = (id: string, text: string, windowSeconds?: number) => {
  const result = compileConstruct(P + text, { id, ...(windowSeconds === undefined ? {} : { windowSeconds }) })
  if (!result.ok) throw new Error(result.faults[0]?.message)
  return result.rules
}
const factsOf = (turtle: string) => {
  const parsed = parseTurtle(`@prefix : <http://e/> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n${turtle}`)
  if (!parsed.ok) throw new Error(parsed.fault.message)
  return parsed.quads.map((quad) => tripleFact(quad))
}
const cause = rulesOf('cause', 'CONSTRUCT { ?y :cause ?x } WHERE { ?x a :Down ; :at ?s . ?y a :Lost ; :at ?t FILTER(?t > ?s) }', 30)
const causesIn = (model: ReturnType<typeof evaluate>) =>
  model.find('http://e/cause').flatMap((fact) => {
    const quad = factTriple(fact)
    return quad === undefined ? [] : [`${quad.subject.value} ${quad.object.value}`.replaceAll('http://e/', '')]
  })

const times: [string, string, string][] = [
  ['a', 'Down', '"2024-05-01T10:12:29.250Z"^^xsd:dateTime'],
  ['b', 'Lost', '"2024-05-01T10:12:59.250Z"^^xsd:dateTime'],
  ['c', 'Lost', '"2024-05-01T10:12:59.2500001Z"^^xsd:dateTime'],
  ['d', 'Lost', '"2024-05-01T12:12:30+02:00"^^xsd:dateTime'],
  ['e', 'Lost', '"2024-05-01T10:12:30"^^xsd:dateTime'],
  ['f', 'Lost', '"soon"^^xsd:dateTime'],
  ['g', 'Down', '"2024-12-31T23:59:45"^^xsd:dateTime'],
  ['h', 'Lost', '"2025-01-01T00:00:15"^^xsd:dateTime'],
  ['i', 'Down', '"yesterday"'],
]
const stated = (property: string) => factsOf(times.map(([name, cls, at]) => `:${name} a :${cls} ; :${property} ${at} .`).join('\n'))
const expected = ['b a', 'd a', 'h g']

it('a window ends to the fraction where it should, in whatever zone a time is written', () => {
  expect(causesIn(reasonOver({ facts: stated('at'), rules: cause }).model).toSorted()).toEqual(expected)
})

it('times that a rule derives count as those that a source states', () => {
  const copied = rulesOf('copy', 'CONSTRUCT { ?x :at ?t } WHERE { ?x :logged ?t }')
  expect(causesIn(reasonOver({ facts: stated('logged'), rules: [...cause, ...copied] }).model).toSorted()).toEqual(expected)
  // no term of the data is this time
  const moved = rulesOf('move', 'CONSTRUCT { ?x :at ?t } WHERE { ?x :logged ?l BIND(?l + "PT1H"^^<http://www.w3.org/2001/XMLSchema#dayTimeDuration> AS ?t) }')
  expect(causesIn(reasonOver({ facts: stated('logged'), rules: [...cause, ...moved] }).model).toSorted()).toEqual(expected)
})

it('the checker works the end of a window out by itself', () => {
  const { model, program, base } = reasonOver({ facts: stated('at'), rules: cause })
  expect(checkModel({ rules: program, base, model })).toEqual({ valid: true })
})

it('the times within a window are looked up and not searched for', () => {
  const minute = (n: number) => `2024-05-01T${String(Math.floor(n / 60)).padStart(2, '0')}:${String(n % 60).padStart(2, '0')}`
  const facts = factsOf(
    Array.from({ length: 1400 }, (_, n) => `:x${n} a :Down ; :at "${minute(n)}:00Z"^^xsd:dateTime . :y${n} a :Lost ; :at "${minute(n)}:20Z"^^xsd:dateTime .`).join('\n'),
  )
  let asked = 0
  const shouldStop = () => {
    asked++
    return false
  }
  const model = evaluate({ relations: [], rules: cause }, facts, { shouldStop })
  expect(causesIn(model).length).toBe(1400)
  // asked once for about a thousand rows; a plain search would look at two million pairs
  expect(asked).toBeLessThan(100)
})

it('a cause that goes on has its window open until it ends', () => {
  const lasting = rulesOf('lasting', `CONSTRUCT { ?y :cause ?x } WHERE {
    ?x a :Down ; :startedAt ?s OPTIONAL { ?x :endedAt ?z } ?y a :Lost ; :startedAt ?t FILTER(?t > ?s) }`, 30)
  const at = (time: string) => `"2024-05-01T10:${time}Z"^^xsd:dateTime`
  const facts = factsOf(`:a a :Down ; :startedAt ${at('00:00')} ; :endedAt ${at('05:00')} . :b a :Down ; :startedAt ${at('00:00')} .
    :early a :Lost ; :startedAt ${at('00:00')} . :x a :Lost ; :startedAt ${at('00:20')} . :y a :Lost ; :startedAt ${at('05:30')} .
    :late a :Lost ; :startedAt ${at('05:31')} .`)
  const { model, program, base } = reasonOver({ facts, rules: lasting })
  expect(causesIn(model).toSorted()).toEqual(['x a', 'x b', 'y a'])
  expect(checkModel({ rules: program, base, model })).toEqual({ valid: true })
})
