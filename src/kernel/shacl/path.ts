/** Property paths of SHACL, read from their blank nodes. Inverses are pushed down to single properties on the way. */
import { SH } from '../rdf/index.ts'
import type { Term } from '../term.ts'
import { termKey } from '../term.ts'
import type { Refuse, ShapesGraph } from './shapes-graph.ts'
import { shortIri } from './shapes-graph.ts'

export type Path =
  | { readonly kind: 'property'; readonly iri: string; readonly inverse: boolean }
  | { readonly kind: 'sequence' | 'alternative'; readonly parts: readonly Path[] }
  | { readonly kind: 'optional' | 'some' | 'any'; readonly inner: Path }

/** Deeper paths are no longer read by anyone, and a loop of blank nodes is deeper than every limit. */
const MAX_DEPTH = 32

const REPEATS = { zeroOrOnePath: 'optional', oneOrMorePath: 'some', zeroOrMorePath: 'any' } as const

/** Undefined after a refusal. */
export function readPath(graph: ShapesGraph, node: Term, refuse: Refuse): Path | undefined {
  return read(node, false, [])

  function read(node: Term, inverse: boolean, above: readonly string[]): Path | undefined {
    const fail = (message: string) => {
      refuse(`${graph.name(node)}: ${message}`)
      return undefined
    }
    if (node.kind === 'iri') return { kind: 'property', iri: node.value, inverse }
    if (node.kind === 'literal') return fail(`${termKey(node)} is a literal, expected a property path`)
    if (above.includes(termKey(node))) return fail('the property path runs in a circle')
    if (above.length >= MAX_DEPTH) return fail(`the property path is nested more than ${MAX_DEPTH} deep`)
    const inside = [...above, termKey(node)]
    const several = (kind: 'sequence' | 'alternative', list: Term): Path | undefined => {
      const cells = graph.list(list)
      if (!cells.ok) return fail(cells.message)
      if (cells.members.length < 2) return fail(`a ${kind} path needs at least two members`)
      const parts = cells.members.map((member) => read(member, inverse, inside))
      if (parts.includes(undefined)) return undefined
      const known = parts.filter((part) => part !== undefined)
      return { kind, parts: kind === 'sequence' && inverse ? known.toReversed() : known }
    }
    const keys = graph.properties(node)
    if (keys.some((key) => key.endsWith('#first') || key.endsWith('#rest'))) return several('sequence', node)
    const [key, ...more] = keys.filter((key) => key.startsWith(SH))
    if (key === undefined) return fail('a blank node that is no property path')
    const [value, second] = graph.values(node, key)
    if (more.length > 0 || second !== undefined || value === undefined) return fail('the property path says more than one thing')
    const name = key.slice(SH.length)
    if (name === 'inversePath') return read(value, !inverse, inside)
    if (name === 'alternativePath') return several('alternative', value)
    if (!Object.hasOwn(REPEATS, name)) return fail(`${shortIri(key)} is no property path`)
    const inner = read(value, inverse, inside)
    return inner === undefined ? undefined : repeated(REPEATS[name as keyof typeof REPEATS], inner)
  }
}

/** `(p?)+` is `p*`: repeating what may be empty may be empty. */
function repeated(kind: 'optional' | 'some' | 'any', inner: Path): Path {
  return { kind: kind === 'some' && mayBeEmpty(inner) ? 'any' : kind, inner }
}

export function mayBeEmpty(path: Path): boolean {
  if (path.kind === 'property' || path.kind === 'some') return false
  if (path.kind === 'sequence') return path.parts.every(mayBeEmpty)
  return path.kind === 'alternative' ? path.parts.some(mayBeEmpty) : true
}

/** The path as SPARQL writes it. Two paths with the same text are the same path. */
export function pathText(path: Path): string {
  switch (path.kind) {
    case 'property':
      return `${path.inverse ? '^' : ''}<${path.iri}>`
    case 'sequence':
      return path.parts.map(grouped).join('/')
    case 'alternative':
      return path.parts.map(grouped).join('|')
    default:
      return `${grouped(path.inner)}${{ optional: '?', some: '+', any: '*' }[path.kind]}`
  }
}

const grouped = (path: Path): string => (path.kind === 'property' ? pathText(path) : `(${pathText(path)})`)

/** The path as a message shows it. */
export const sayPath = (path: Path): string => pathText(path).replaceAll(/<([^>]*)>/g, (_, iri: string) => shortIri(iri))
