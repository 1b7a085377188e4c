/**
 * The OWL 2 working group's test cases (https://www.w3.org/TR/owl2-test/), as far as they are in the RL profile. Not part of
 * this repository.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import oxigraph from 'oxigraph'
import { OWL } from '../../src/kernel/rdf/index.ts'
import type { Quad } from '../../src/kernel/rdf/index.ts'
import type { Term } from '../../src/kernel/term.ts'
import { readFunctional } from './functional-syntax.ts'

const file = join(
  process.env['SHARED_DATA'] ?? '../shared/data',
  'suites/owl2-all/src/test/resources/org/semanticweb/HermiT/owl_wg_tests/ontologies/all.rdf',
)
const TEST = 'http://www.w3.org/2007/OWL/testOntology#'
const BASE = 'http://owl.semanticweb.org/id/'

export type Kind = 'PositiveEntailmentTest' | 'NegativeEntailmentTest' | 'InconsistencyTest' | 'ConsistencyTest'

export interface OwlCase {
  readonly name: string
  readonly premise: readonly Quad[]
  /** what follows, or what must not; empty for a question of consistency */
  readonly conclusion: readonly Quad[]
  /** the premise as RDF/XML, where the suite gives it so */
  readonly isXml: boolean
}

export const hasSuite = existsSync(file)

const loaded = (): oxigraph.Store => {
  // the parser takes entities in double quotes only
  const text = readFileSync(file, 'utf8').replaceAll(/<!ENTITY (\S+) '([^']*)'>/g, '<!ENTITY $1 "$2">')
  const store = new oxigraph.Store()
  store.load(text, { format: 'application/rdf+xml', base_iri: BASE })
  return store
}
let store: oxigraph.Store | undefined

/** The cases of the RL profile under the RDF-based semantics. */
export function casesOf(kind: Kind): OwlCase[] {
  if (!hasSuite) return []
  store ??= loaded()
  const text = (property: string) => `OPTIONAL { ?case t:${property} ?${property} }`
  const query = `PREFIX t: <${TEST}> SELECT * { ?case a t:${kind} ; t:identifier ?id ; t:profile t:RL ; t:semantics t:RDF-BASED .
    ${
      [
        'rdfXmlPremiseOntology',
        'fsPremiseOntology',
        'rdfXmlConclusionOntology',
        'fsConclusionOntology',
        'rdfXmlNonConclusionOntology',
        'fsNonConclusionOntology',
      ].map(text).join('\n')
    } } ORDER BY ?id`
  const rows = store.query(query) as Map<string, oxigraph.Literal>[]
  const cases = rows.map((row): OwlCase => {
    const get = (name: string) => row.get(name)?.value
    const read = (xml: string | undefined, functional: string | undefined, mark: string) =>
      xml !== undefined ? readXml(xml, mark) : functional !== undefined ? readFunctional(functional, mark) : []
    const imported = importsOf(row.get('case')?.value ?? '')
    return {
      name: get('id') ?? '',
      isXml: get('rdfXmlPremiseOntology') !== undefined,
      premise: [...read(get('rdfXmlPremiseOntology'), get('fsPremiseOntology'), 'p'), ...imported],
      conclusion: [
        ...read(get('rdfXmlConclusionOntology'), get('fsConclusionOntology'), 'c'),
        ...read(get('rdfXmlNonConclusionOntology'), get('fsNonConclusionOntology'), 'n'),
        // the heading of a document is no claim
      ].filter(({ object }) => object.value !== `${OWL}Ontology`),
    }
  })
  return [...new Map(cases.map((one) => [one.name, one])).values()]
}

function importsOf(test: string): Quad[] {
  const query = `PREFIX t: <${TEST}> SELECT ?text { <${test}> t:importedOntology/t:rdfXmlInputOntology ?text }`
  const rows = store?.query(query) as Map<string, oxigraph.Literal>[]
  return rows.flatMap((row, i) => readXml(row.get('text')?.value ?? '', `i${i}`))
}

export function readXml(text: string, mark: string): Quad[] {
  const own = new oxigraph.Store()
  own.load(
    text.replaceAll(/<!ENTITY\s+(\S+)\s+'([^']*)'\s*>/g, '<!ENTITY $1 "$2">'), { format: 'application/rdf+xml', base_iri: BASE }
  )
  const labels = new Map<string, string>()
  const term = (node: oxigraph.Term): Term => {
    if (node.termType === 'NamedNode') return { kind: 'iri', value: node.value }
    if (node.termType === 'BlankNode') {
      const label = labels.get(node.value) ?? `${mark}${labels.size}`
      labels.set(node.value, label)
      return { kind: 'bnode', value: label }
    }
    if (node.termType !== 'Literal') throw new Error(`a ${node.termType} is no term here`)
    const { value, datatype, language } = node
    return language === ''
      ? { kind: 'literal', value, datatype: datatype.value }
      : { kind: 'literal', value, datatype: datatype.value, language: language.toLowerCase() }
  }
  return own.match().map(
    ({ subject, predicate, object }) => ({ subject: term(subject), predicate: term(predicate), object: term(object) })
  )
}
