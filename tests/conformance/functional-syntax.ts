/** A few axioms of the functional syntax as triples: what the RL cases without RDF/XML are written in, and no more. */
import { OWL, RDF, RDFS, RDF_TYPE, XSD, quad } from '../../src/kernel/rdf/index.ts'
import type { Quad } from '../../src/kernel/rdf/index.ts'
import type { Term } from '../../src/kernel/term.ts'
import { iri } from '../../src/kernel/term.ts'

type Node = { readonly name: string; readonly args: readonly Node[] } | { readonly term: Term }

/** Throws on anything it does not know. */
export function readFunctional(text: string, mark: string): Quad[] {
  const tokens: readonly string[] = text.match(/"(?:[^"\\]|\\.)*"|\^\^|<[^>]*>|[()=]|[^\s()=<>"^]+/g) ?? []
  const prefixes = new Map([['rdf:', RDF], ['rdfs:', RDFS], ['owl:', OWL], ['xsd:', XSD]])
  let at = 0
  const named = (token: string): Term => {
    if (token.startsWith('<')) return iri(token.slice(1, -1))
    const colon = token.indexOf(':') + 1
    const namespace = prefixes.get(token.slice(0, colon))
    if (colon === 0 || namespace === undefined) throw new Error(`no prefix for ${token}`)
    return iri(namespace + token.slice(colon))
  }
  const node = (): Node => {
    const token = tokens[at++]
    if (token === undefined) throw new Error('the text ends too early')
    if (token.startsWith('"')) {
      if (tokens[at] !== '^^') return { term: { kind: 'literal', value: token.slice(1, -1), datatype: `${XSD}string` } }
      at += 2
      return { term: { kind: 'literal', value: token.slice(1, -1), datatype: named(tokens[at - 1] ?? '').value } }
    }
    if (tokens[at] !== '(') return { term: named(token) }
    at++
    if (token === 'Prefix') {
      prefixes.set(tokens[at] ?? '', (tokens[at + 2] ?? '').slice(1, -1))
      at += 4
      return { name: token, args: [] }
    }
    const args: Node[] = []
    while (tokens[at] !== ')') args.push(node())
    at++
    return { name: token, args }
  }
  const quads: Quad[] = []
  let blanks = 0
  const blank = (): Term => ({ kind: 'bnode', value: `${mark}${blanks++}` })
  const add = (subject: Term, property: string, object: Term) => void quads.push(quad(subject, iri(property), object))
  const list = (members: readonly Term[]): Term =>
    members.reduceRight<Term>((rest, one) => {
      const cell = blank()
      add(cell, `${RDF}first`, one)
      add(cell, `${RDF}rest`, rest)
      return cell
    }, iri(`${RDF}nil`))
  /** A class, a property or a value; an expression gets a node of its own. */
  const termOf = (one: Node): Term => {
    if ('term' in one) return one.term
    const cls = blank()
    if (one.name === 'ObjectOneOf') {
      add(cls, `${OWL}oneOf`, list(one.args.map(termOf)))
      return cls
    }
    if (one.name === 'DataHasValue' || one.name === 'ObjectHasValue') {
      const [property, value] = one.args.map(termOf) as [Term, Term]
      add(cls, `${OWL}onProperty`, property)
      add(cls, `${OWL}hasValue`, value)
      return cls
    }
    throw new Error(`${one.name} is not read here`)
  }
  const pair = (property: string) => (x: Term, y: Term) => add(x, property, y)
  const AXIOMS: Readonly<Record<string, (...terms: Term[]) => void>> = {
    DisjointClasses: (x, y) => pair(`${OWL}disjointWith`)(x!, y!),
    DisjointObjectProperties: (x, y) => pair(`${OWL}propertyDisjointWith`)(x!, y!),
    ObjectPropertyDomain: (x, y) => pair(`${RDFS}domain`)(x!, y!),
    ObjectPropertyRange: (x, y) => pair(`${RDFS}range`)(x!, y!),
    DataPropertyRange: (x, y) => pair(`${RDFS}range`)(x!, y!),
    SubClassOf: (x, y) => pair(`${RDFS}subClassOf`)(x!, y!),
    ClassAssertion: (cls, x) => add(x!, RDF_TYPE, cls!),
    DataPropertyAssertion: (p, x, y) => add(x!, p!.value, y!),
    ObjectPropertyAssertion: (p, x, y) => add(x!, p!.value, y!),
    TransitiveObjectProperty: (p) => add(p!, RDF_TYPE, iri(`${OWL}TransitiveProperty`)),
    FunctionalDataProperty: (p) => add(p!, RDF_TYPE, iri(`${OWL}FunctionalProperty`)),
  }
  const DECLARED: Readonly<Record<string, string>> = { DataProperty: 'DatatypeProperty' }
  const axiom = (one: Node): void => {
    if (!('name' in one)) return
    if (one.name === 'Prefix') return
    if (one.name === 'Ontology') return one.args.forEach(axiom)
    const [first, second] = one.args
    if (one.name === 'Declaration' && first !== undefined && 'name' in first) {
      return add(termOf(first.args[0]!), RDF_TYPE, iri(OWL + (DECLARED[first.name] ?? first.name)))
    }
    if (one.name === 'SubObjectPropertyOf' && first !== undefined && 'name' in first && first.name === 'ObjectPropertyChain') {
      return add(termOf(second!), `${OWL}propertyChainAxiom`, list(first.args.map(termOf)))
    }
    const known = AXIOMS[one.name]
    if (known === undefined) throw new Error(`${one.name} is not read here`)
    known(...one.args.map(termOf))
  }
  while (at < tokens.length) axiom(node())
  return quads
}
