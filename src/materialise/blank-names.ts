/**
 * Blank nodes named by what the graph says about them. A parser numbers them in the order of the file, so that a number would
 * tell how many nodes stand before it, also of those that a caller may not see: after the cut they are named anew.
 */
import { createHash } from 'node:crypto'
import type { Term } from '../kernel/term.ts'
import { compareText, termKey } from '../kernel/term.ts'
import type { TieredQuad } from './materialisation.ts'

/** Two graphs that are the same but for their labels get the same labels. */
export function nameBlanks(quads: readonly TieredQuad[]): TieredQuad[] {
  const edges = edgesOf(quads)
  if (edges.size === 0) return [...quads]
  const names = namesFrom(coloursOf(edges))
  const renamed = (term: Term): Term =>
    term.kind === 'bnode' ? { kind: 'bnode', value: names.get(term.value) ?? term.value } : term
  return quads.map((one) => {
    const { subject, predicate, object } = one.quad
    if (subject.kind !== 'bnode' && object.kind !== 'bnode') return one
    return { quad: { subject: renamed(subject), predicate, object: renamed(object) }, tier: one.tier }
  })
}

/** One end of a triple as the blank node at its other end sees it. */
interface Edge {
  readonly way: string
  readonly other: Term
}

function edgesOf(quads: readonly TieredQuad[]): Map<string, Edge[]> {
  const edges = new Map<string, Edge[]>()
  const add = (node: Term, way: string, other: Term) => {
    const known = edges.get(node.value)
    if (known === undefined) edges.set(node.value, [{ way, other }])
    else known.push({ way, other })
  }
  for (const { quad, tier } of quads) {
    if (quad.subject.kind === 'bnode') add(quad.subject, `${tier} > ${termKey(quad.predicate)}`, quad.object)
    if (quad.object.kind === 'bnode') add(quad.object, `${tier} < ${termKey(quad.predicate)}`, quad.subject)
  }
  return edges
}

/** Nodes hashed at most: on a long list of equal cells each round tells only the next cell from either end apart. */
const MOST_WORK = 200_000

/** Nodes with equal surroundings have equal colours; each round looks one step further, until that tells no more apart. */
function coloursOf(edges: ReadonlyMap<string, readonly Edge[]>): Map<string, string> {
  let colours = new Map([...edges.keys()].map((node) => [node, '']))
  for (let kinds = 0, work = 0; ; ) {
    const known = colours
    const seen = (other: Term) => (other.kind === 'bnode' ? `_:${known.get(other.value)}` : termKey(other))
    colours = new Map(
      [...edges].map(([node, around]) => {
        const lines = around.map(({ way, other }) => `${way} ${seen(other)}`).toSorted(compareText)
        return [node, createHash('sha256').update(`${known.get(node)}\n${lines.join('\n')}`).digest('hex').slice(0, 16)]
      }),
    )
    const found = new Set(colours.values()).size
    // nodes that still look alike are counted in the order of the visible triples, which tells nothing of the others
    if (found === kinds || (work += edges.size) > MOST_WORK) return colours
    kinds = found
  }
}

/** Nodes of one colour say the same and are counted: which of them is which makes no difference to a reader. */
function namesFrom(colours: ReadonlyMap<string, string>): Map<string, string> {
  const names = new Map<string, string>()
  for (const [colour, nodes] of Map.groupBy(colours.keys(), (node) => colours.get(node) ?? '')) {
    for (const [n, node] of nodes.entries()) names.set(node, nodes.length === 1 ? `n${colour}` : `n${colour}-${n + 1}`)
  }
  return names
}
