/** Triple patterns of a query as atoms: prefixes resolved, blank nodes as variables, `p+` as a recursive relation of its own. */
import type { Argument, Atom, DatalogRule } from '../datalog/index.ts'
import { iri, literal } from '../term.ts'
import type { Term } from '../term.ts'
import { RDF, RDF_TYPE } from './quad.ts'
import { pathPredicate, tripleAtom } from './partition.ts'
import type { Bgp, Collection, Construct, GraphNode, Placed, TreeTerm, Triple } from './sparql.ts'

/** What reading a pattern needs to know, and where it complains. */
export interface Reading {
  readonly prefixes: ReadonlyMap<string, string>
  refuse(node: Placed, message: string): void
}

export interface ReadBgp {
  readonly atoms: readonly Atom[]
  /** rules of the path relations that the atoms use */
  readonly rules: readonly DatalogRule[]
}

export function prefixesOf(query: Construct, refuse: Reading['refuse']): ReadonlyMap<string, string> {
  const prefixes = new Map<string, string>()
  for (const entry of query.context) {
    if (entry.subType === 'prefix') prefixes.set(entry.key, entry.value.value)
    else refuse(entry, `${entry.subType.toUpperCase()} is not supported: write absolute IRIs`)
  }
  return prefixes
}

export function readBgp(bgp: Bgp, reading: Reading): ReadBgp {
  const rules: DatalogRule[] = []
  const atoms = flatten(bgp.triples, reading).flatMap((triple) => {
    const subject = argumentOf(triple.subject, reading)
    const object = argumentOf(triple.object, reading)
    const property = propertyOf(triple, reading)
    if (subject === undefined || object === undefined || property === undefined) return []
    if (!property.closure) return [tripleAtom(subject, property.iri, object)]
    rules.push(...pathRules(property.iri))
    return [{ predicate: pathPredicate(property.iri), args: [subject, object] }]
  })
  return { atoms, rules }
}

/** `p+`: a step, or a step after a path. The ids depend on the property alone, so rules that share a path share its relation. */
function pathRules(property: string): DatalogRule[] {
  const predicate = pathPredicate(property)
  const [x, y, z] = ['x', 'y', 'z'].map((variable) => ({ variable })) as [Argument, Argument, Argument]
  const step = (from: Argument, to: Argument) => ({ kind: 'atom' as const, atom: tripleAtom(from, property, to) })
  return [
    { id: `${predicate} step`, head: { predicate, args: [x, y] }, body: [step(x, y)] },
    {
      id: `${predicate} path`,
      head: { predicate, args: [x, z] },
      body: [{ kind: 'atom', atom: { predicate, args: [x, y] } }, step(y, z)],
    },
  ]
}

function flatten(nodes: Bgp['triples'], reading: Reading): Triple[] {
  const triples: Triple[] = []
  const pending: (Triple | Collection)[] = nodes.toReversed()
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.type === 'triple') {
      if (node.annotations !== undefined && node.annotations.length > 0)
        reading.refuse(node, 'an annotation on a triple is not supported')
      triples.push(node)
      for (const end of [node.object, node.subject]) if (end.type === 'tripleCollection') pending.push(...insides(end, reading))
    } else pending.push(...insides(node, reading))
  }
  return triples
}

function insides(node: Collection, reading: Reading): (Triple | Collection)[] {
  if (node.subType === 'list' || node.subType === 'blankNodeProperties') return node.triples.toReversed()
  reading.refuse(node, 'a reified triple is not supported')
  return []
}

function propertyOf(triple: Triple, reading: Reading): { iri: string; closure: boolean } | undefined {
  const { predicate } = triple
  if (predicate.type === 'path') {
    const [inner] = predicate.items
    if (predicate.subType !== '+' || inner === undefined || inner.type !== 'term') {
      reading.refuse(predicate, `this property path is not supported: of paths only p+ over one property is`)
      return undefined
    }
    const property = iriOf(inner, reading)
    if (property === RDF_TYPE) reading.refuse(predicate, 'a path over rdf:type is not supported')
    return property === undefined ? undefined : { iri: property, closure: true }
  }
  if (predicate.subType === 'variable') {
    reading.refuse(predicate, `?${predicate.value} as a predicate is not supported: name the property`)
    return undefined
  }
  const property = iriOf(predicate, reading)
  return property === undefined ? undefined : { iri: property, closure: false }
}

/** A subject or an object. Blank nodes of a pattern are variables under a name that no query can write. */
export function argumentOf(node: GraphNode, reading: Reading): Argument | undefined {
  if (node.type === 'tripleCollection')
    return node.identifier.subType === 'blankNode' ? { variable: `_:${node.identifier.label}` } : undefined
  if (node.subType === 'variable') return { variable: node.value }
  if (node.subType === 'blankNode') return { variable: `_:${node.label}` }
  const term = termOfTree(node, reading)
  return term === undefined ? undefined : { term }
}

/** A constant of the query. */
export function termOfTree(node: TreeTerm, reading: Reading): Term | undefined {
  if (node.subType === 'namedNode') {
    const value = iriOf(node, reading)
    return value === undefined ? undefined : iri(value)
  }
  if (node.subType !== 'literal') {
    reading.refuse(node, 'a triple term is not supported')
    return undefined
  }
  const { value, langOrIri } = node
  if (langOrIri === undefined) return literal(value)
  if (typeof langOrIri !== 'string') {
    const datatype = iriOf(langOrIri, reading)
    return datatype === undefined ? undefined : literal(value, datatype)
  }
  if (langOrIri.includes('--')) {
    reading.refuse(node, 'text direction is not supported')
    return undefined
  }
  return { kind: 'literal', value, datatype: `${RDF}langString`, language: langOrIri.toLowerCase() }
}

function iriOf(node: Extract<TreeTerm, { subType: 'namedNode' }>, reading: Reading): string | undefined {
  if ('prefix' in node) {
    const namespace = reading.prefixes.get(node.prefix)
    if (namespace === undefined) reading.refuse(node, `the prefix ${node.prefix}: is not declared`)
    return namespace === undefined ? undefined : namespace + unescaped(node.value)
  }
  if (/^[A-Za-z][A-Za-z0-9+.-]*:/.test(node.value)) return node.value
  reading.refuse(node, `<${node.value}> is not an absolute IRI`)
  return undefined
}

/** PN_LOCAL_ESC: a backslash before a character that a local name could not hold otherwise. */
const unescaped = (local: string): string => local.replaceAll(/\\([_~.\-!$&'()*+,;=/?#@%])/g, '$1')
