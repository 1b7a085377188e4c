import { expect, it } from 'vitest'
import type { Rule } from '../contracts/index.ts'
import { BASE, PREFIXES, sparql } from './graph.test-support.ts'
import { inputFrom } from './load.ts'
import { materialise } from './run.ts'

/** Asserts a property of every Alarm, where it has no value of another property. */
const shape = (id: string, order: number, property: string, unless?: string): Rule => ({
  ...sparql(id, ''),
  kind: 'shacl',
  body: `${PREFIXES} :S-${id} a sh:NodeShape ; sh:targetClass :Alarm ; sh:rule [ a sh:TripleRule ; sh:order ${order} ;
    ${unless === undefined ? '' : `sh:condition [ sh:property [ sh:path :${unless} ; sh:maxCount 0 ] ] ;`}
    sh:subject sh:this ; sh:predicate :${property} ; sh:object 1 ] .`,
})
const run = (...rules: readonly Rule[]) => {
  const m = materialise(inputFrom({ enterprise: PREFIXES, instances: `${PREFIXES} :x a :Alarm .` }, { baseIri: BASE, rules }))
  return {
    derived: m.derived.map(({ quad }) => quad.predicate.value.replace(BASE, ':')).toSorted(),
    refused: m.refused.map(({ rule, reason }) => `${rule}: ${reason}`),
  }
}
const REFUSED = 'early: it denies or counts what late derives by a later sh:order; rules run together here'

it('a rule that denies what a later one derives is refused, for in its own time it would have fired', () => {
  expect(run(shape('early', 1, 'a', 'b'), shape('late', 2, 'b'))).toEqual({ derived: [':b'], refused: [REFUSED] })
})

it('so it is where others stand between the two', () => {
  const between = sparql('between', 'CONSTRUCT { ?x :b ?y } WHERE { ?x :c ?y }')
  expect(run(shape('early', 1, 'a', 'b'), shape('late', 2, 'c'), between)).toEqual({ derived: [':b', ':c'], refused: [REFUSED] })
})

it('the other way round both orders agree, and the rule runs', () => {
  expect(run(shape('early', 1, 'b'), shape('late', 2, 'a', 'b'))).toEqual({ derived: [':b'], refused: [] })
  expect(run(shape('early', 1, 'b'), shape('late', 2, 'a', 'c'))).toEqual({ derived: [':a', ':b'], refused: [] })
})

it('rules of one order are nobody’s elders', () => {
  expect(run(shape('one', 1, 'a', 'b'), shape('two', 1, 'b')).refused).toEqual([])
})
