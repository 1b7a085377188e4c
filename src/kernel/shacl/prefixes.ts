/** The prefixes of a query: what sh:prefixes names declares, and what that imports. */
import { OWL, SH } from '../rdf/index.ts'
import type { Term } from '../term.ts'
import { termKey } from '../term.ts'
import type { Refuse, ShapesGraph } from './shapes-graph.ts'

/** What a query may write without escapes; anything else could end the declaration early. */
const PREFIX = /^(?:\p{L}(?:[\p{L}\p{N}_.-]*[\p{L}\p{N}_-])?)?$/u
const NAMESPACE = /^[A-Za-z][A-Za-z0-9+.-]*:[^<>"{}|^`\\\s]*$/

export function prefixesAt(graph: ShapesGraph, node: Term, refuse: Refuse): Record<string, string> {
  const prefixes: Record<string, string> = {}
  const pending = [...graph.values(node, `${SH}prefixes`)]
  const seen = new Set<string>()
  for (let from = pending.pop(); from !== undefined; from = pending.pop()) {
    if (seen.has(termKey(from))) continue
    seen.add(termKey(from))
    pending.push(...graph.values(from, `${OWL}imports`))
    for (const declaration of graph.values(from, `${SH}declare`)) {
      const [prefix] = graph.values(declaration, `${SH}prefix`)
      const [namespace] = graph.values(declaration, `${SH}namespace`)
      if (prefix?.kind !== 'literal' || namespace === undefined || namespace.kind === 'bnode') {
        refuse(`${graph.name(declaration)} needs a sh:prefix and a sh:namespace`)
      } else if (Object.hasOwn(prefixes, prefix.value) && prefixes[prefix.value] !== namespace.value) {
        refuse(`the prefix ${prefix.value}: of ${graph.name(node)} stands for two namespaces`)
      } else if (!PREFIX.test(prefix.value) || !NAMESPACE.test(namespace.value)) {
        refuse(`${graph.name(declaration)}: ${termKey(prefix)} for ${termKey(namespace)} is no prefix that a query can declare`)
      } else prefixes[prefix.value] = namespace.value
    }
  }
  return prefixes
}

export interface Prefixed {
  readonly text: string
  /** the place in the original text */
  original<P extends { readonly line: number; readonly column: number }>(place: P): P
}

/** The query with its prefixes declared in front of its first line, so that every other line keeps its number. */
export function withPrefixes(text: string, prefixes: Readonly<Record<string, string>>): Prefixed {
  const declared = Object.entries(prefixes).map(([prefix, namespace]) => `PREFIX ${prefix}: <${namespace}> `).join('')
  return {
    text: declared + text,
    original: (place) => (place.line === 1 ? { ...place, column: Math.max(1, place.column - declared.length) } : place),
  }
}
