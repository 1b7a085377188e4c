import { expect, it } from 'vitest'
import { materialiseWithStore } from './delegate-run.ts'
import { BASE, PREFIXES, incident, sparql } from './graph.test-support.ts'
import { inputFrom } from './load.ts'
import type { Materialisation } from './materialisation.ts'
import { materialisationLines, materialisationReport } from './report.ts'

const section = (m: Materialisation, title: string): string =>
  materialisationReport(m).split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? ''
const make = (id: string, pattern: string) => sparql(id, `CONSTRUCT { ?x :out true } WHERE { ${pattern} }`)

it('gives the totals of each engine, and says which triples stand in two of them', () => {
  const m = incident()
  const text = section(m, 'By engine and rule')
  const total = (engine: string) => Number(new RegExp(`^\\| ${engine} \\| (\\d+) \\|$`, 'm').exec(text)?.[1])
  const of = (engine: string) => m.derived.filter(({ origins }) => origins.some((origin) => origin.engine === engine)).length
  expect([total('owl'), total('sparql')]).toEqual([of('owl'), of('sparql')])
  const twice = total('owl') + total('sparql') - m.derived.length
  expect(twice).toBeGreaterThan(1)
  expect(text).toContain(`\n${twice} triples were derived by two engines and are counted under both.\n`)
})

it('is silent about two engines where there is one', () => {
  const input = inputFrom({ enterprise: PREFIXES, instances: `${PREFIXES}:a :p :b .` }, { baseIri: BASE, rules: [make('only', '?x :p ?y')] })
  return materialiseWithStore(input).then((m) => {
    expect(m.derived.length).toBe(1)
    expect(section(m, 'By engine and rule')).not.toContain('counted under')
  })
})

it('says of a rule that derived nothing what it names in vain, and whether that is why', () => {
  const rules = [
    make('a-first', '?x :line ?y'),
    make('b-second', '?x :line ?y'),
    make('c-class', '?x a :LinkUp ; :line ?y'),
    make('d-both', '?x :lines ?y ; a :LinkUp'),
    make('e-either', '{ ?x :line ?y } UNION { ?x :lines ?y }'),
    make('f-denied', '?x :line ?y FILTER NOT EXISTS { ?x :lines ?y }'),
  ]
  const lines = section(incident({ rules }), 'Rules that derived nothing new').split('\n').filter((line) => /^- [a-f]-/.test(line))
  expect(lines).toEqual([
    '- b-second (sparql)',
    '- c-class (sparql): matched nothing, :LinkUp occurs nowhere in the graph',
    '- d-both (sparql): matched nothing, :LinkUp, :lines occur nowhere in the graph',
    '- e-either (sparql): :lines occurs nowhere in the graph',
    '- f-denied (sparql)',
  ])
})

it('lists what is more sensitive than its label by short names, with whose label it is', () => {
  const lines = section(incident(), 'Sensitivity audit').split('\n')
  const rows = lines.slice(lines.indexOf('| property | label | label of | tier | triples |') + 2).filter((line) => line !== '')
  expect(rows).toContain('| :triggers | Internal | :NfHeartbeatLost | Restricted | 1 |')
  expect(rows.filter((row) => row.includes('https://'))).toEqual([])
  const heads = rows.map((row) => row.split(' | ').slice(0, 4).join(' | '))
  expect(new Set(heads).size).toBe(heads.length)
})

it('does not call checked what the SPARQL store answered', async () => {
  const first = sparql('first', 'CONSTRUCT { ?e :first true } WHERE { ?e a :Down { SELECT ?e { ?e :at ?t } ORDER BY ?t LIMIT 1 } }')
  const texts = { enterprise: PREFIXES, instances: `${PREFIXES}:a a :Down ; :at 1 . :b a :Down ; :at 2 .` }
  const m = await materialiseWithStore(inputFrom(texts, { baseIri: BASE, rules: [first] }))
  const words = 'every derivation checked, but for 1 of first, which the SPARQL store answered'
  expect(materialisationLines(m)[0]).toContain(words)
  expect(materialisationReport(m)).toContain(`Proofs: ${words}.`)
  expect(materialisationLines(incident())[0]).toMatch(/every derivation checked$/)
})
