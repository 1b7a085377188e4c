/** Terms of a query as terms of the kernel: prefixes and the base resolved, blank nodes of patterns as hidden variables. */
import type { Argument } from '../datalog/index.ts'
import { RDF } from '../rdf/index.ts'
import { iri, literal } from '../term.ts'
import type { Term } from '../term.ts'
import { callFunction } from '../values/index.ts'
import type { GraphNode, Placed, Query, TreeTerm } from './syntax.ts'

/** What reading a term needs to know, and where it complains. */
export interface Reading {
  readonly prefixes: ReadonlyMap<string, string>
  readonly base: string | undefined
  refuse(node: Placed, message: string, unsupported?: string): void
  /** the hidden variable behind a blank node of a pattern */
  blank(label: string): string
}

/** A name that no query can write: it never meets a variable of a person. */
export const isHidden = (variable: string): boolean => variable.startsWith('_:')

export function contextOf(
  query: Query,
  given: Readonly<Record<string, string>>,
  base: string | undefined,
  refuse: Reading['refuse'],
): Pick<Reading, 'prefixes' | 'base'> {
  const prefixes = new Map(Object.entries(given))
  for (const entry of query.context) {
    if (entry.subType === 'prefix') prefixes.set(entry.key, absolute(entry.value.value, base))
    else if (entry.subType === 'base') base = absolute(entry.value.value, base)
    else refuse(entry, `${entry.subType.toUpperCase()} is not supported`, entry.subType.toUpperCase())
  }
  return { prefixes, base }
}

const isAbsolute = (reference: string): boolean => /^[A-Za-z][A-Za-z0-9+.-]*:/.test(reference)

function absolute(reference: string, base: string | undefined): string {
  if (base === undefined || isAbsolute(reference)) return reference
  return callFunction('iri', [literal(reference), iri(base)])?.value ?? reference
}

/** A subject or an object of a pattern. */
export function argumentOf(node: GraphNode, reading: Reading): Argument | undefined {
  if (node.type === 'tripleCollection')
    return node.identifier.subType === 'blankNode' ? { variable: reading.blank(node.identifier.label) } : undefined
  if (node.subType === 'variable') return { variable: node.value }
  if (node.subType === 'blankNode') return { variable: reading.blank(node.label) }
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
    reading.refuse(node, 'a triple term is not supported', 'triple terms')
    return undefined
  }
  const { value, langOrIri } = node
  if (langOrIri === undefined) return literal(value)
  if (typeof langOrIri !== 'string') {
    const datatype = iriOf(langOrIri, reading)
    return datatype === undefined ? undefined : literal(value, datatype)
  }
  if (langOrIri.includes('--')) {
    reading.refuse(node, 'text direction is not supported', 'text direction')
    return undefined
  }
  return { kind: 'literal', value, datatype: `${RDF}langString`, language: langOrIri.toLowerCase() }
}

export function iriOf(node: Extract<TreeTerm, { subType: 'namedNode' }>, reading: Reading): string | undefined {
  if ('prefix' in node && node.prefix !== undefined) {
    const namespace = reading.prefixes.get(node.prefix)
    if (namespace === undefined) reading.refuse(node, `the prefix ${node.prefix}: is not declared`)
    return namespace === undefined ? undefined : namespace + unescaped(node.value)
  }
  const value = absolute(node.value, reading.base)
  if (isAbsolute(value)) return value
  reading.refuse(node, `<${value}> is not an absolute IRI`)
  return undefined
}

/** PN_LOCAL_ESC: a backslash before a character that a local name could not hold otherwise. */
const unescaped = (local: string): string => local.replaceAll(/\\([_~.\-!$&'()*+,;=/?#@%])/g, '$1')
