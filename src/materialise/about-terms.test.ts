import { expect, it } from 'vitest'
import { labelsIn, strangersIn } from './about-terms.ts'
import { explainTriple } from './explain.ts'
import { BASE, RECORD, incident } from './graph.test-support.ts'
import { projectPrefixes } from './terms.ts'

const prefixes = projectPrefixes(BASE, RECORD)
const LABELS = 'r:e1 rdfs:label "uplink", "link" . r:e2 rdfs:label "" . r:e3 rdfs:label r:e1 . r:e4 rdfs:label "secret" .'
const whole = incident({ events: LABELS })
const below = incident({ ceiling: 'Internal', events: LABELS })
const triple = (subject: string, object: string) => ({ subject, predicate: ':hasCause', object })

it.each([
  ['record:e1', 'record:e4', []],
  ['record:e1', 'record:nosuch', ['record:nosuch']],
  ['record:nosuch', 'record:nosuch', ['record:nosuch']],
  ['record:no', 'record:such', ['record:no', 'record:such']],
  [':hasCause', ':LinkDown', []],
  ['record:e1', '17', []],
  ['record:e1', '"18"', ['"18"']],
  ['record:e1', '2024-05-01T10:12:29.000Z', []],
  [':rootCause', 'inferred', []],
])('of %s and %s the graph does not know %j', (subject, object, unknown) => {
  expect(strangersIn(whole, triple(subject, object), prefixes)).toEqual(unknown)
})

it('a thing above the ceiling is as unknown as one that never was', () => {
  expect(strangersIn(below, triple('record:e4', 'record:e1'), prefixes)).toEqual(['record:e4'])
})

it('things of a tree have the first of their labels, if they have any', () => {
  const of = (subject: string, object: string) =>
    labelsIn(whole, explainTriple(whole, triple(subject, object), 4, 'Restricted', prefixes), RECORD)
  expect(of('record:e2', 'record:e1')).toEqual({ [`${RECORD}e1`]: 'link' })
  expect(of('record:e4', 'record:e3')).toEqual({ [`${RECORD}e4`]: 'secret' })
})
