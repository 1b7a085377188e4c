/** The shortest way from one class to another along foreign keys, in either direction. */
import { compareText } from '../../kernel/term.ts'
import type { Ontology } from '../../ontology/index.ts'

interface Edge {
  readonly step: string
  readonly to: string
}

/** All shortest paths, as plan steps, in code-unit order; `avoid` is a step that they must not take. */
export function joinPaths(ontology: Ontology, from: string, to: string, options: { avoid?: string; maxSteps?: number } = {}): string[][] {
  const { avoid, maxSteps = 4 } = options
  if (from === to) return [[]]
  const edges = edgesOf(ontology)
  let frontier: { at: string; path: string[] }[] = [{ at: from, path: [] }]
  const seen = new Set([from])
  for (let length = 1; length <= maxSteps; length += 1) {
    const next: typeof frontier = []
    for (const { at, path } of frontier) {
      for (const { step, to: target } of edges.get(at) ?? []) {
        if (step !== avoid && !seen.has(target)) next.push({ at: target, path: [...path, step] })
      }
    }
    const arrived = next.filter(({ at }) => at === to).map(({ path }) => path)
    if (arrived.length > 0) return arrived.toSorted((a, b) => compareText(a.join(' '), b.join(' ')))
    for (const { at } of next) seen.add(at)
    frontier = next
  }
  return []
}

function edgesOf(ontology: Ontology): Map<string, Edge[]> {
  const edges = new Map<string, Edge[]>(ontology.classes.map((cls) => [cls.name, []]))
  for (const cls of ontology.classes) {
    for (const property of cls.properties) {
      if (property.kind !== 'object') continue
      edges.get(cls.name)?.push({ step: property.name, to: property.range })
      edges.get(property.range)?.push({ step: `^${cls.name}.${property.name}`, to: cls.name })
    }
  }
  return edges
}
