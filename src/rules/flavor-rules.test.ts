import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { Flavor, Rule } from '../contracts/index.ts'
import { type Quad, factTriple, parseTurtle, reasonOver, tripleFact } from '../kernel/rdf/index.ts'
import { buildOntology, ontologyQuads, streamInstances, vocabularyOf } from '../ontology/index.ts'
import { openSource } from '../sources/index.ts'
import { compileDatalogRule } from './datalog-graph.ts'
import { flavorRules } from './flavor-rules.ts'
import { type RuleVocabulary, vocabularyOfGraph } from './rule-vocabulary.ts'

const BASES = { baseIri: 'https://example.org/o#', recordBase: 'https://example.org/r/' }
const flavorOf = (name: string): Flavor => Flavor.parse(JSON.parse(readFileSync(`templates/flavors/${name}.json`, 'utf8')))

async function graphOf(name: string) {
  const source = await openSource(`examples/${name}/${name}.sqlite`)
  try {
    const ontology = buildOntology(await source.introspect(), BASES)
    let text = ''
    for await (const part of streamInstances(source, ontology)) text += part
    const instances = parseTurtle(text)
    if (!instances.ok) throw new Error(instances.fault.message)
    return { ontology, quads: [...ontologyQuads(ontology), ...instances.quads] }
  } finally {
    await source.close()
  }
}

function derived(rules: readonly Rule[], vocabulary: RuleVocabulary, quads: readonly Quad[], property: string) {
  const compiled = rules.flatMap((rule) => {
    const result = compileDatalogRule(rule, vocabulary, BASES.baseIri, rules)
    if (!result.ok) throw new Error(`${rule.id}: ${JSON.stringify(result.faults)}`)
    return result.rules
  })
  const { model } = reasonOver({ facts: quads.map((quad) => tripleFact(quad)), rules: compiled })
  const triples = model.find(BASES.baseIri + property).flatMap((fact) => factTriple(fact) ?? [])
  return triples.map(({ subject, object }) => [subject.value, object.value] as const)
}

const nameIn = (quads: readonly Quad[], property: string) => {
  const about = quads.filter(({ predicate }) => predicate.value === BASES.baseIri + property)
  const names = new Map(about.map(({ subject, object }) => [subject.value, object.value]))
  return (iri: string): string => names.get(iri) ?? iri
}

const truth = (name: string, file: string): Record<string, unknown>[] => {
  const db = new DatabaseSync(`examples/${name}/${name}.sqlite`, { readOnly: true })
  try {
    return db.prepare(readFileSync(`examples/${name}/${file}`, 'utf8')).all() as Record<string, unknown>[]
  } finally {
    db.close()
  }
}

describe('the rules of a flavor', () => {
  it('are rules of a session', () => {
    const rules = flavorRules(flavorOf('network-ops'))
    expect(rules.map((rule) => Rule.parse(rule))).toEqual(rules)
    expect(rules[0]).toMatchObject({ id: 'runs-on', kind: 'datalog', enabled: true, source: 'flavor:network-ops' })
  })

  it('find over the graph of the network who is at risk, as a query written by hand does', async () => {
    const { ontology, quads } = await graphOf('network-ops')
    const customer = nameIn(quads, 'Customer.name')
    const resource = nameIn(quads, 'Resource.name')
    const expected = truth('network-ops', 'at-risk.sql').map((row) => `${row['customer']} / ${row['resource']}`).toSorted()
    expect(expected.length).toBeGreaterThan(5)
    // from the ontology, and from nothing but the graph
    for (const vocabulary of [vocabularyOf(ontology), vocabularyOfGraph(quads, BASES.baseIri)]) {
      const found = derived(flavorRules(flavorOf('network-ops')), vocabulary, quads, 'at_risk')
      expect(found.map(([c, r]) => `${customer(c)} / ${resource(r)}`).toSorted()).toEqual(expected)
    }
  })

  const inFull = it.skipIf(process.env['WHEREFORE_FULL'] === undefined)
  inFull('find over the graph of the trial who is no longer eligible, as a query written by hand does', async () => {
    const { quads } = await graphOf('clinical-trial')
    const subject = nameIn(quads, 'Subject.code')
    const analyte = nameIn(quads, 'EligibilityCriterion.analyte')
    const vocabulary = vocabularyOfGraph(quads, BASES.baseIri)
    const found = derived(flavorRules(flavorOf('clinical-trial')), vocabulary, quads, 'ineligible')
    const expected = truth('clinical-trial', 'ineligible.sql').map((row) => `${row['subject']} ${row['analyte']}`).toSorted()
    expect(found.map(([s, c]) => `${subject(s)} ${analyte(c)}`).toSorted()).toEqual(expected)
  })
})
