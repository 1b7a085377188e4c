/** What each operator of a filled-in rule means, seen by what the rule fires on. */
import { expect, it } from 'vitest'
import { parseTurtle, reasonOver, tripleFact } from '../kernel/rdf/index.ts'
import { compileShaclRules } from '../kernel/shacl/index.ts'
import { XSD } from '../kernel/term.ts'
import type { SlotCondition } from '../contracts/index.ts'
import { writeSlotFill } from './slot-fill.ts'
import { parseFragment } from './turtle-fragment.ts'

const BASE = 'https://enterprise.example/ontology#'
const data = parseTurtle(`@prefix : <${BASE}> . @prefix xsd: <${XSD}> .
:five a :T ; :p 5 . :fiveDecimal a :T ; :p 5.0 . :six a :T ; :p 6.5e0 . :text a :T ; :p "five" . :none a :T .
:two a :T ; :p 4, 6 . :thing a :T ; :p :X . :blank a :T ; :p [] . :day a :T ; :p "2024-02-01"^^xsd:date . :yes a :T ; :p true .
:other a :U ; :p 5 . :far a :T ; :q :five . :X a :Kind .`)
if (!data.ok) throw new Error(data.fault.message)

const fired = (condition: SlotCondition): string[] => {
  const body = writeSlotFill({ target_class: 'T', conditions: [condition], assertion: { path: 'hit', value: true } }, BASE)
  const shapes = parseFragment(body)
  const { rules, faults, specialise } = compileShaclRules(shapes.ok ? shapes.quads : [], { id: 'r' })
  expect(faults).toEqual([])
  const facts = data.quads.map((quad) => tripleFact(quad))
  const { model } = reasonOver({ facts, rules: rules.flatMap((rule) => rule.rules), specialise })
  return model.find(`${BASE}hit`).map(({ args }) => (args[0]?.value ?? '').replace(BASE, '')).toSorted()
}

it.each<[string, SlotCondition['op'], SlotCondition['value'], readonly string[]]>([
  ['a number equals by value', '=', 5, ['five', 'fiveDecimal']],
  ['text equals text', '=', 'five', ['text']],
  ['a thing equals itself', '=', { iri: 'X' }, ['thing']],
  ['a truth equals a truth', '=', true, ['yes']],
  ['a day equals a day', '=', { value: '2024-02-01', datatype: `${XSD}date` }, ['day']],
  ['another value is needed for another', '!=', 5, ['blank', 'day', 'six', 'text', 'thing', 'two', 'yes']],
  ['at least', '>=', 5, ['five', 'fiveDecimal', 'six', 'two']],
  ['more than', '>', 5, ['six', 'two']],
  ['less than', '<', 5, ['two']],
  ['at most', '<=', 5, ['five', 'fiveDecimal', 'two']],
  ['before a day', '<', { value: '2024-02-02', datatype: `${XSD}date` }, ['day']],
  ['a pattern', 'regex', '^fi', ['text']],
  ['one of several terms', 'in', ['five', { iri: 'X' }], ['text', 'thing']],
  ['one of several values', 'in', [5, 6, 'five'], ['five', 'fiveDecimal', 'text', 'two']],
  ['any value at all', 'exists', undefined, ['blank', 'day', 'five', 'fiveDecimal', 'six', 'text', 'thing', 'two', 'yes']],
  ['no value at all', 'exists', false, ['far', 'none']],
  ['a value that is known', 'not_null', undefined, ['day', 'five', 'fiveDecimal', 'six', 'text', 'thing', 'two', 'yes']],
])('%s: %s %j', (_, op, value, expected) => {
  expect(fired({ path: 'p', op, ...(value === undefined ? {} : { value }) })).toEqual(expected)
})

it('a path leads over several steps, backwards too', () => {
  expect(fired({ path: 'q/p', op: '=', value: 5 })).toEqual(['far'])
  expect(fired({ path: '^q', op: 'exists' })).toEqual(['five'])
  expect(fired({ path: 'p/a', op: '=', value: { iri: 'Kind' } })).toEqual(['thing'])
})
