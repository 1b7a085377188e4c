import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Term } from '../term.ts'
import { XSD, compareText, iri, literal } from '../term.ts'
import { orderTriples } from './order.ts'
import { quad, quadKey } from './quad.ts'

const bnode = (value: string): Term => ({ kind: 'bnode', value })
const subject = fc.oneof(fc.constantFrom('urn:a', 'urn:a.b', 'urn:ab', 'urn:é', 'urn:\u{1F600}').map(iri), fc.constantFrom('b', 'b-1', 'b.1').map(bnode))
const object = fc.oneof(
  subject,
  fc.constantFrom('', 'a', 'a b', '"', '\n').chain((value) =>
    fc.constantFrom<Term>(literal(value), literal(value, `${XSD}integer`), { kind: 'literal', value, datatype: 'urn:lang', language: 'en' }),
  ),
)
const triples = fc.array(fc.tuple(subject, fc.constantFrom('urn:p', 'urn:p1', 'urn:q').map(iri), object).map(([s, p, o]) => quad(s, p, o)), { maxLength: 40 })

it('is the code-unit order of the spelling of the triples', () => {
  fc.assert(
    fc.property(triples, (quads) => {
      const { order } = orderTriples(quads, (each) => each)
      expect(Array.from(order, (n) => quadKey(quads[n]!))).toEqual(quads.map(quadKey).toSorted(compareText))
    }),
  )
})

it('keeps equal triples in the order of their coming, and tells them', () => {
  fc.assert(
    fc.property(triples, (quads) => {
      const { order, isRepeated } = orderTriples(quads, (each) => each)
      for (const [place, n] of order.entries()) {
        const before = place === 0 ? undefined : order[place - 1]!
        expect(isRepeated(place)).toBe(before !== undefined && quadKey(quads[before]!) === quadKey(quads[n]!))
        if (isRepeated(place)) expect(before!).toBeLessThan(n)
      }
    }),
  )
})

it('has an order for no triples at all', () => {
  expect([...orderTriples([], (each) => each).order]).toEqual([])
})
