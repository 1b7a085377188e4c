import { expect, it } from 'vitest'
import { parseTurtle } from '../kernel/rdf/index.ts'
import { tiered } from './tiers.ts'

const BASE = 'urn:t:'
const P = `@prefix : <${BASE}> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .\n`
const read = (text: string) => {
  const parsed = parseTurtle(P + text)
  if (!parsed.ok) throw new Error(parsed.fault.message)
  return parsed.quads
}
const SCHEMA = read(`:Open :sensitivityTier "Public" . :Close :sensitivityTier "Confidential" . :Bare a owl:Class .
:secret :sensitivityTier "Restricted" . :plain :sensitivityTier "Public" . :odd :sensitivityTier "Sublime" . :Kind :sensitivityTier "Confidential" ; rdfs:subClassOf :Open .`)

it.each([
  ['the class', ':x a :Close ; :any 1 .', ['Confidential', 'Confidential']],
  ['the property, where it is higher', ':x a :Open ; :secret 1 .', ['Public', 'Restricted']],
  ['the class, where that is higher', ':x a :Close ; :plain 1 .', ['Confidential', 'Confidential']],
  ['the highest class', ':x a :Open, :Close ; :any 1 .', ['Confidential', 'Confidential', 'Confidential']],
  ['the class above, where a hidden kind of it is named too', ':x a :Open, :Kind ; :any 1 .', ['Public', 'Confidential', 'Public']],
  ['the kind, where nothing else is named', ':x a :Kind ; :any 1 .', ['Confidential', 'Confidential']],
  ['the property alone, for a thing without a class', ':x :plain 1 .', ['Public']],
  ['Restricted, when nobody labelled anything', ':x :any 1 .', ['Restricted']],
  ['Restricted, when nobody labelled the class', ':x a :Bare ; :plain 1 .', ['Restricted', 'Restricted']],
  ['Restricted, when the label is no tier', ':x :odd 1 .', ['Restricted']],
])('a data triple has the tier of %s', (_, data, tiers) => {
  expect(
    tiered(SCHEMA, read(data), BASE)
      .slice(SCHEMA.length)
      .map(({ tier }) => tier),
  ).toEqual(tiers)
})

it('a schema triple is Public unless its subject is labelled', () => {
  const tiers = tiered(SCHEMA, [], BASE).map(({ quad, tier }) => `${quad.subject.value.slice(BASE.length)} ${tier}`)
  expect(tiers).toEqual(['Open Public', 'Close Confidential', 'Bare Public', 'secret Restricted', 'plain Public', 'odd Public', 'Kind Confidential', 'Kind Confidential'])
})

it('a blank node in a circle, or behind a long list, is as sensitive as what it leads to', () => {
  const prefix = '@prefix : <urn:t:> . @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .\n'
  const members = Array.from({ length: 4000 }, (_, n) => `:c${n}`).join(' ')
  const parsed = parseTurtle(`${prefix}:Secret :sensitivityTier "Restricted" . _:a :x _:b ; :q :Secret . _:b :x _:a ; :note "n" . :Z :uses _:b . :L :list ( ${members} :Secret ) .`)
  const tiers = tiered(parsed.ok ? parsed.quads : [], [], 'urn:t:')
  const of = (property: string) => tiers.filter(({ quad }) => quad.predicate.value === `urn:t:${property}`).map(({ tier }) => tier)
  expect([of('note'), of('uses'), of('list')]).toEqual([['Restricted'], ['Restricted'], ['Restricted']])
})
