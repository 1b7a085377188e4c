import { describe, expect, it } from 'vitest'
import type { Rule } from '../contracts/index.ts'
import { compileRules } from './compile.ts'
import { BASE, PREFIXES, sparql } from './graph.test-support.ts'

describe('sh:order', () => {
  const shape = (id: string, order: string, more = ''): Rule => ({
    ...sparql(id, ''),
    kind: 'shacl',
    body: `${PREFIXES} :S-${id} a sh:NodeShape ; sh:targetClass :Alarm ; sh:rule [ a sh:TripleRule ; ${order} ${more}
      sh:subject sh:this ; sh:predicate :y ; sh:object 1 ] .`,
  })
  const noticesOf = (...rules: readonly Rule[]) =>
    compileRules(rules, [], { ignoreWindows: false, entityJoin: true, baseIri: BASE, graph: [] }).notices
  const NOTICE = 'sh:order does not order the rules: all run until nothing new follows'

  it.each([
    ['two orders in two rules', [shape('a', 'sh:order 1 ;'), shape('b', 'sh:order 2 ;')], [NOTICE]],
    ['one rule with an order, one without', [shape('a', 'sh:order 1 ;'), shape('b', '')], [NOTICE]],
    ['three orders', ['1', '2', '3'].map((order) => shape(`r${order}`, `sh:order ${order} ;`)), [NOTICE]],
    ['the same order', [shape('a', 'sh:order 1 ;'), shape('b', 'sh:order 1.0 ;')], []],
    ['no order', [shape('a', ''), shape('b', '')], []],
    ['a rule that is switched off', [shape('a', ''), shape('b', 'sh:order 2 ;', 'sh:deactivated true ;')], []],
  ])('%s', (_, rules, notices) => expect(noticesOf(...rules)).toEqual(notices))
})
