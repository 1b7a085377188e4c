/**
 * RDF and RDFS entailment as rules, by the names of the RDF 1.1 semantics, with the datatypes that are to be recognised.
 * The product reasons with the OWL profile; this is for those who ask what follows from the vocabulary of RDFS alone.
 */
import type { DatalogRule } from '../datalog/index.ts'
import type { GraphView, Quad } from '../rdf/index.ts'
import { RDF, RDFS, RDF_TYPE, XSD, quad, quadKey } from '../rdf/index.ts'
import type { Term } from '../term.ts'
import { compareText, iri, termKey } from '../term.ts'
import type { Closure } from './closure.ts'
import { closureBy } from './closure.ts'
import { inconsistent } from './inconsistency.ts'
import { DOMAIN, RANGE, SUB_CLASS, SUB_PROPERTY, X, Y, Z, ground, holds, is, member, rdfs, rule, triple, typed } from './rule.ts'
import { tboxOf } from './tbox.ts'
import type { Literal } from './value-space.ts'
import { contains, dataValue } from './value-space.ts'

export interface RdfOptions {
  readonly regime: 'simple' | 'RDF' | 'RDFS'
  /** the datatypes whose values count; literals of others are names without a meaning */
  readonly datatypes: ReadonlySet<string>
  /** terms that the question mentions: the vocabulary has no end, so its axioms are given for these only */
  readonly mentioned?: readonly Term[]
}

/** The axiomatic triples stand beside the given ones: nothing derives them. */
export function rdfClosure(quads: readonly Quad[], given: RdfOptions): Closure {
  // these two belong to every interpretation of RDF
  const options = { ...given, datatypes: new Set([...given.datatypes, `${XSD}string`, `${RDF}langString`]) }
  if (options.regime === 'simple') return closureBy(quads, () => [])
  const all = new Map([...quads, ...axiomatic(quads, options)].map((one) => [quadKey(one), one]))
  return closureBy([...all.values()], (graph) => rdfRules(graph, options))
}

function rdfRules(graph: GraphView, options: RdfOptions): DatalogRule[] {
  const properties = [...graph.properties].toSorted(compareText)
  const isProperty = (name: string) => rule('rdfD2', [name], member(is(iri(name)), iri(`${RDF}Property`)), triple(X, name, Y))
  return [
    ...properties.filter((name) => name !== RDF_TYPE).map(isProperty),
    ...literalRules(graph, properties, options),
    ...(options.regime === 'RDFS' ? rdfsRules(graph) : []),
  ]
}

function rdfsRules(graph: GraphView): DatalogRule[] {
  const property = iri(`${RDF}Property`)
  const pairs = (name: string) => tboxOf(graph.triples(name)).triples(name).filter(({ object }) => object.kind !== 'literal')
  const named = (name: string) => pairs(name).filter(({ subject }) => subject.kind === 'iri')
  return [
    ...named(DOMAIN).map(
      ({ subject: p, object: c }) => rule('rdfs2', [p, c], member(X, c), ground(p, DOMAIN, c), triple(X, p.value, Y))
    ),
    ...named(RANGE).map(
      ({ subject: p, object: c }) => rule('rdfs3', [p, c], member(Y, c), ground(p, RANGE, c), triple(X, p.value, Y))
    ),
    ...[...graph.properties].flatMap((name) => [
      rule('rdfs4a', [name], member(X, iri(rdfs('Resource'))), triple(X, name, Y)),
      rule('rdfs4b', [name], member(Y, iri(rdfs('Resource'))), triple(X, name, Y)),
    ]),
    rule('rdfs5', [], holds(X, SUB_PROPERTY, Z), triple(X, SUB_PROPERTY, Y), triple(Y, SUB_PROPERTY, Z)),
    rule('rdfs6', [], holds(X, SUB_PROPERTY, X), typed(X, property)),
    ...named(SUB_PROPERTY)
      .filter(({ object }) => object.kind === 'iri')
      .map(
        ({ subject: p, object: q }) =>
          rule('rdfs7', [p, q], holds(X, q.value, Y), ground(p, SUB_PROPERTY, q), triple(X, p.value, Y))
      ),
    rule('rdfs8', [], holds(X, SUB_CLASS, is(iri(rdfs('Resource')))), typed(X, iri(rdfs('Class')))),
    ...pairs(SUB_CLASS).map(
      ({ subject: c, object: d }) => rule('rdfs9', [c, d], member(X, d), ground(c, SUB_CLASS, d), typed(X, c))
    ),
    rule('rdfs10', [], holds(X, SUB_CLASS, X), typed(X, iri(rdfs('Class')))),
    rule('rdfs11', [], holds(X, SUB_CLASS, Z), triple(X, SUB_CLASS, Y), triple(Y, SUB_CLASS, Z)),
    rule('rdfs12', [], holds(X, SUB_PROPERTY, is(iri(rdfs('member')))), typed(X, iri(rdfs('ContainerMembershipProperty')))),
    rule('rdfs13', [], holds(X, SUB_CLASS, is(iri(rdfs('Literal')))), typed(X, iri(rdfs('Datatype')))),
  ]
}

/** A literal of a recognised datatype is something of that type (rdfD1), unless its text or its property's range forbids it. */
function literalRules(graph: GraphView, properties: readonly string[], { datatypes, regime }: RdfOptions): DatalogRule[] {
  const ranges = Map.groupBy(graph.triples(RANGE), ({ subject }) => subject.value)
  const tbox = tboxOf([])
  return properties.flatMap((name) => {
    const literals = new Map<string, Literal>()
    if (name !== RDF_TYPE) for (
      const { object } of graph.triples(name)
    ) if (object.kind === 'literal') literals.set(termKey(object), object)
    return [...literals.values()].flatMap((one) => {
      const here = triple(X, name, is(one))
      const clash = (range: Term) => inconsistent('dt-not-type', X, is(iri(name)), is(one), is(range))
      const ill = datatypes.has(one.datatype) && dataValue(one) === 'ill'
      const outside = (regime === 'RDFS' ? (ranges.get(name) ?? []) : []).filter(
        ({ object }) =>
          datatypes.has(object.value) && (
            datatypes.has(one.datatype) || one.language !== undefined
          ) && contains(object, one, tbox) === false,
      )
      const wrong = [
        ...(ill ? [rule('dt-not-type', [name, one], clash(iri(one.datatype)), here)] : []),
        ...outside.map(
          ({ subject, object }) =>
            rule('dt-not-type', [subject, object, one], clash(object), ground(subject, RANGE, object), here)
        ),
      ]
      if (ill || !datatypes.has(one.datatype)) return wrong
      const stand: Term = { kind: 'bnode', value: `literal-${termKey(one)}` }
      return [
        ...wrong,
        rule('rdfD1', [name, one, 'stands'], holds(X, name, is(stand)), here),
        rule('rdfD1', [name, one, 'type'], member(is(stand), iri(one.datatype)), here),
      ]
    })
  })
}

/** The axiomatic triples, with the membership properties that the question or the graph speaks of. */
function axiomatic(quads: readonly Quad[], { regime, datatypes, mentioned = [] }: RdfOptions): Quad[] {
  const ordinals = [...mentioned, ...quads.map(({ predicate }) => predicate)].filter(
    ({ kind, value }) => kind === 'iri' && /#_[1-9]\d*$/.test(value) && value.startsWith(`${RDF}_`)
  )
  const say = (lines: string): Quad[] =>
    lines.trim().split('\n').map((line) => {
      const [s, p, o] = line.trim().split(' ').map(expand)
      if (s === undefined || p === undefined || o === undefined) throw new Error(`not a triple: ${line}`)
      return quad(s, p, o)
    })
  const a = iri(RDF_TYPE)
  const rdf = [...say(RDF_AXIOMS), ...ordinals.map((one) => quad(one, a, iri(`${RDF}Property`)))]
  if (regime === 'RDF') return rdf
  return [
    ...rdf,
    ...say(RDFS_AXIOMS),
    ...[...datatypes].map((name) => quad(iri(name), a, iri(rdfs('Datatype')))),
    ...ordinals.flatMap((one) => [
      quad(one, a, iri(rdfs('ContainerMembershipProperty'))),
      quad(one, iri(DOMAIN), iri(rdfs('Resource'))),
      quad(one, iri(RANGE), iri(rdfs('Resource'))),
    ]),
  ]
}

const expand = (name: string): Term =>
  iri(name === 'a' ? RDF_TYPE : name.startsWith('s:') ? RDFS + name.slice(2) : RDF + name.slice(2))

const RDF_AXIOMS = ['type', 'subject', 'predicate', 'object', 'first', 'rest', 'value']
  .map((name) => `r:${name} a r:Property`)
  .concat('r:nil a r:List')
  .join('\n')

/** `r:` is the vocabulary of RDF, `s:` that of RDFS. */
const RDFS_AXIOMS = `
  r:type s:domain s:Resource
  s:domain s:domain r:Property
  s:range s:domain r:Property
  s:subPropertyOf s:domain r:Property
  s:subClassOf s:domain s:Class
  r:subject s:domain r:Statement
  r:predicate s:domain r:Statement
  r:object s:domain r:Statement
  s:member s:domain s:Resource
  r:first s:domain r:List
  r:rest s:domain r:List
  s:seeAlso s:domain s:Resource
  s:isDefinedBy s:domain s:Resource
  s:comment s:domain s:Resource
  s:label s:domain s:Resource
  r:value s:domain s:Resource
  r:type s:range s:Class
  s:domain s:range s:Class
  s:range s:range s:Class
  s:subPropertyOf s:range r:Property
  s:subClassOf s:range s:Class
  r:subject s:range s:Resource
  r:predicate s:range s:Resource
  r:object s:range s:Resource
  s:member s:range s:Resource
  r:first s:range s:Resource
  r:rest s:range r:List
  s:seeAlso s:range s:Resource
  s:isDefinedBy s:range s:Resource
  s:comment s:range s:Literal
  s:label s:range s:Literal
  r:value s:range s:Resource
  r:Alt s:subClassOf s:Container
  r:Bag s:subClassOf s:Container
  r:Seq s:subClassOf s:Container
  s:ContainerMembershipProperty s:subClassOf r:Property
  s:isDefinedBy s:subPropertyOf s:seeAlso
  s:Datatype s:subClassOf s:Class`
