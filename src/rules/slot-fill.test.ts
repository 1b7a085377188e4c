import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ServiceError } from '../contracts/index.ts'
import { XSD } from '../kernel/term.ts'
import { SLOT_OPERATORS, type RuleMeta, type SlotCondition, type SlotValue } from '../contracts/index.ts'
import { writeSlotFill } from './slot-fill.ts'
import { metaOf } from './slot-read.ts'
import { parseFragment } from './turtle-fragment.ts'

const BASE = 'https://enterprise.example/ontology#'
const meta = (...conditions: SlotCondition[]): RuleMeta => ({
  target_class: 'Alarm', conditions, assertion: { path: 'Alarm.escalated', value: true },
})

describe('slots become a SHACL rule', () => {
  it('with the conditions inside the rule', () => {
    const slots = meta({ path: 'Alarm.severity', op: '=', value: 'critical' }, { path: 'Alarm.age', op: '>=', value: 5 })
    expect(writeSlotFill(slots, BASE, 'escalate-alarm')).toBe(`@prefix : <https://enterprise.example/ontology#> .
@prefix sh: <http://www.w3.org/ns/shacl#> .

:rule_escalate_alarm a sh:NodeShape ;
  sh:targetClass :Alarm ;
  sh:rule [
    a sh:TripleRule ;
    sh:condition [ sh:property [ sh:path :Alarm.severity ; sh:hasValue "critical" ] ] ;
    sh:condition [ sh:property [ sh:path :Alarm.age ; sh:qualifiedValueShape [ sh:minInclusive 5 ] ; sh:qualifiedMinCount 1 ] ] ;
    sh:subject sh:this ;
    sh:predicate :Alarm.escalated ;
    sh:object true
  ] .
`)
  })

  it.each<[SlotCondition['op'], SlotCondition['value'], string]>([
    ['=', 'x', ':p ; sh:hasValue "x"'],
    ['=', 5, ':p ; sh:qualifiedValueShape [ sh:minInclusive 5 ; sh:maxInclusive 5 ] ; sh:qualifiedMinCount 1'],
    ['!=', 'x', ':p ; sh:qualifiedValueShape [ sh:not [ sh:hasValue "x" ] ] ; sh:qualifiedMinCount 1'],
    ['>', 1.5, ':p ; sh:qualifiedValueShape [ sh:minExclusive 1.5 ] ; sh:qualifiedMinCount 1'],
    ['<=', { value: '2024-01-01', datatype: `${XSD}date` },
      `:p ; sh:qualifiedValueShape [ sh:maxInclusive "2024-01-01"^^<${XSD}date> ] ; sh:qualifiedMinCount 1`],
    ['in', ['a', { iri: 'B' }], ':p ; sh:qualifiedValueShape [ sh:in ( "a" :B ) ] ; sh:qualifiedMinCount 1'],
    ['in', ['a', 1],
      ':p ; sh:qualifiedValueShape [ sh:or ( [ sh:hasValue "a" ] [ sh:minInclusive 1 ; sh:maxInclusive 1 ] ) ] ; ' +
        'sh:qualifiedMinCount 1'],
    ['exists', undefined, ':p ; sh:minCount 1'],
    ['exists', false, ':p ; sh:maxCount 0'],
    ['not_null', undefined, ':p ; sh:qualifiedValueShape [ sh:nodeKind sh:IRIOrLiteral ] ; sh:qualifiedMinCount 1'],
    ['regex', '^a"b', ':p ; sh:qualifiedValueShape [ sh:pattern "^a\\"b" ] ; sh:qualifiedMinCount 1'],
  ])('%s %j reads %s', (op, value, text) => {
    const slots = meta({ path: 'p', op, ...(value === undefined ? {} : { value }) })
    expect(writeSlotFill(slots, BASE)).toContain(`sh:path ${text} ] ]`)
  })

  it('a path may take several steps, forwards and backwards', () => {
    const slots = meta({ path: '^Alarm.resource/<https://other.example/x>', op: 'exists' })
    const body = writeSlotFill(slots, BASE)
    expect(body).toContain('sh:path ( [ sh:inversePath :Alarm.resource ] <https://other.example/x> ) ; sh:minCount 1')
    expect(metaOf(body, BASE)).toEqual(slots)
  })
})

describe('slots that make no rule are refused with their place', () => {
  it.each<[string, unknown, string]>([
    ['no class', { ...meta(), target_class: '' }, 'meta.target_class'],
    ['an unknown operator', meta({ path: 'p', op: 'like' as 'in', value: 'x' }), 'meta.conditions.0.op'],
    ['no value', meta({ path: 'p', op: '=' }), 'meta.conditions.0.value'],
    ['a list for one value', meta({ path: 'p', op: '<', value: [1] }), 'meta.conditions.0.value'],
    ['one value for a list', meta({ path: 'p', op: 'in', value: 1 }), 'meta.conditions.0.value'],
    ['an order of things', meta({ path: 'p', op: '<', value: { iri: 'X' } }), 'meta.conditions.0.value'],
    ['a broken pattern', meta({ path: 'p', op: 'regex', value: '(' }), 'meta.conditions.0.value'],
    ['a broken path', meta({ path: 'p//q', op: 'exists' }), 'meta.conditions.0.path'],
    ['a path that breaks out', meta({ path: '<x:y> ] } <z', op: 'exists' }), 'meta.conditions.0.path'],
    ['text as a class', { ...meta(), assertion: { path: 'a', value: 'Urgent' } }, 'meta.assertion.value'],
    ['a datatype that breaks out', { ...meta(), assertion: { path: 'p', value: { value: '1', datatype: 'x:y> ] . <z' } } },
      'meta.assertion.value'],
  ])('%s', (_, slots, path) => {
    try {
      writeSlotFill(slots, BASE)
    } catch (error) {
      expect(error).toBeInstanceOf(ServiceError)
      expect((error as ServiceError).about.errors).toContainEqual(expect.objectContaining({ path }))
      return
    }
    throw new Error('it was accepted')
  })
})

describe('a body that slots cannot say has no slots', () => {
  const body = writeSlotFill(meta({ path: 'p', op: '=', value: 'x' }), BASE)
  it.each([
    ['a second rule', body.replace('sh:rule [', 'sh:rule [ a sh:TripleRule ] , [')],
    ['an order', body.replace('a sh:TripleRule ;', 'a sh:TripleRule ; sh:order 1 ;')],
    ['a condition on the shape', body.replace('sh:targetClass', 'sh:property [ sh:path :q ; sh:minCount 1 ] ; sh:targetClass')],
    ['another subject', body.replace('sh:this', ':me')],
    ['another triple', `${body}\n:a :b :c .`],
    ['two constraints', body.replace('sh:hasValue "x"', 'sh:hasValue "x" ; sh:minCount 1')],
    ['nothing', ''],
    ['broken Turtle', ':a'],
  ])('%s', (_, text) => {
    expect(metaOf(text, BASE)).toBeNull()
  })

  it('while the same said in another order has', () => {
    expect(metaOf(body, BASE)).toEqual(meta({ path: 'p', op: '=', value: 'x' }))
    const turned = body.replace(/( {4}sh:subject sh:this ;\n)([^]*?)( {2}\] \.)/, '$2 ;\n    sh:subject sh:this\n$3')
    expect(turned).not.toBe(body)
    expect(metaOf(turned, BASE)).toEqual(metaOf(body, BASE))
  })
})

const text = fc.string({ unit: 'binary' }).filter((one) => one.isWellFormed())
const name = fc.oneof(
  fc.constantFrom('Alarm', 'Alarm.severity', 'https://other.example/p', 'urn:x:y'),
  // `a` is the word for rdf:type: as a path it is refused, a class of that name comes back by its IRI
  text.filter((one) => one.trim() === one && one !== '' && one !== 'a' && !/[/^<>\s:]/.test(one)),
)
const scalar: fc.Arbitrary<SlotValue> = fc.oneof(
  text, fc.boolean(), fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (n === 0 ? 0 : n)),
  name.map((iri) => ({ iri })),
  fc.constantFrom({ value: '2024-02-30', datatype: `${XSD}date` }, { value: '007', datatype: `${XSD}integer` }),
  fc.constant({ value: 'x', language: 'en-gb' }),
)
const few = { minLength: 1, maxLength: 3 }
const literalValue = scalar.filter((value) => typeof value !== 'object' || !('iri' in value))
const condition: fc.Arbitrary<SlotCondition> = fc
  .record({
    steps: fc.array(fc.record({ name: name.filter((one) => !one.includes(':')), back: fc.boolean() }), few),
    op: fc.constantFrom(...SLOT_OPERATORS), one: scalar, bound: literalValue, many: fc.array(scalar, few), none: fc.boolean(),
  })
  .map(({ steps, op, one, bound, many, none }): SlotCondition => {
    const path = steps.map(({ name: step, back }) => (back ? `^${step}` : step)).join('/')
    if (op === 'exists') return none ? { path, op, value: false } : { path, op }
    if (op === 'not_null') return { path, op }
    if (op === 'regex') return { path, op, value: 'x+' }
    if (op === 'in') return { path, op, value: many }
    return { path, op, value: op === '=' || op === '!=' ? one : bound }
  })

it('slots survive the way to a body and back, whatever words they hold', () => {
  fc.assert(
    fc.property(name, fc.array(condition, { maxLength: 4 }), name, scalar, (target_class, conditions, path, value) => {
      const slots: RuleMeta = { target_class, conditions, assertion: { path, value } }
      const body = writeSlotFill(slots, BASE)
      expect(parseFragment(body).ok).toBe(true)
      expect(metaOf(body, BASE)).toEqual(slots)
    }),
    { numRuns: process.env['WHEREFORE_FULL'] === undefined ? 200 : 5000 },
  )
})
