/** Ways along foreign keys: between two classes, and from one root to several so that each row of it is one of the answer. */
import { compareText } from '../../kernel/term.ts'
import type { Ontology } from '../../ontology/index.ts'
import { isMarked } from './roles.ts'

interface Edge {
  readonly step: string
  readonly to: string
  readonly cost: number
  /** it refers to a part of a key, so that many records may be meant */
  readonly partial: boolean
}

/**
 * What a step costs: more along a guessed foreign key or to a part of a key, more to many than to one, less through a table that
 * only connects. A plain name before one that says more: the drivers of a depot are its drivers, not its manager.
 */
const COST = { declared: 1, inferred: 1.3, back: 0.05, link: -0.15, partial: 0.4, marked: 0.06 } as const

/** Up to one record and down to others that have it too: things that merely share something, which few questions mean. */
export const SHARES = 1.2

export interface Way {
  readonly path: readonly string[]
  readonly cost: number
  /** another way is as short */
  readonly ambiguous: boolean
}

export class Ways {
  private readonly ontology: Ontology
  private readonly edges: Map<string, Edge[]>
  private readonly known = new Map<string, ReadonlyMap<string, Way>>()
  private readonly others = new Map<string, Ways>()

  constructor(ontology: Ontology) {
    this.ontology = ontology
    this.edges = edgesOf(ontology)
  }

  /** The ways that do not touch a class. */
  without(name: string): Ways {
    const known = this.others.get(name)
    if (known !== undefined) return known
    const others = new Ways({ ...this.ontology, classes: this.ontology.classes.filter((cls) => cls.name !== name) })
    this.others.set(name, others)
    return others
  }

  /** The cheapest way; `forward` takes only steps to one record. */
  between(from: string, to: string, forward = false): Way | null {
    const key = `${from} ${forward}`
    let ways = this.known.get(key)
    if (ways === undefined) {
      ways = this.cheapest(from, forward)
      this.known.set(key, ways)
    }
    return ways.get(to) ?? null
  }

  /** The ways that differ from one only in a foreign key between the same two classes: home and away, either end of a link. */
  twins(root: string, path: readonly string[]): string[][] {
    const found: string[][] = []
    let at = root
    for (const [i, step] of path.entries()) {
      const edge = this.edges.get(at)?.find((candidate) => candidate.step === step)
      if (edge === undefined) return []
      for (const other of this.edges.get(at) ?? []) {
        const same = other.to === edge.to && other.step !== step && other.step.startsWith('^') === step.startsWith('^')
        // several parts of one key are no roles
        if (same && !edge.partial && !other.partial) found.push([...path.slice(0, i), other.step, ...path.slice(i + 1)])
      }
      at = edge.to
    }
    return found
  }

  get classes(): string[] {
    return [...this.edges.keys()]
  }

  private cheapest(from: string, forward: boolean): ReadonlyMap<string, Way> {
    const start = { path: [] as string[], cost: 0, ambiguous: false }
    const found = new Map([[from, start]])
    const open = new Set([from])
    while (open.size > 0) {
      const at = [...open].reduce((a, b) => (found.get(b)!.cost < found.get(a)!.cost ? b : a))
      open.delete(at)
      const { path, cost, ambiguous } = found.get(at)!
      if (path.length >= MAX_STEPS) continue
      for (const edge of this.edges.get(at) ?? []) {
        if (forward && edge.step.startsWith('^')) continue
        const shares = edge.step.startsWith('^') && path.length > 0 && !path.at(-1)!.startsWith('^')
        const next = { path: [...path, edge.step], cost: cost + edge.cost + (shares ? SHARES : 0), ambiguous }
        const known = found.get(edge.to)
        if (known === undefined || next.cost < known.cost - 0.01) {
          found.set(edge.to, next)
          open.add(edge.to)
        } else if (Math.abs(known.cost - next.cost) < 0.02 && known.path.join(' ') !== next.path.join(' ')) {
          known.ambiguous = true
        }
      }
    }
    return found
  }
}

const MAX_STEPS = 6

function edgesOf(ontology: Ontology): Map<string, Edge[]> {
  const edges = new Map<string, Edge[]>(ontology.classes.map((cls) => [cls.name, []]))
  const links = new Set((ontology.relationships ?? []).map(({ junction }) => junction))
  for (const cls of ontology.classes) {
    for (const property of cls.properties) {
      if (property.kind !== 'object') continue
      const key = ontology.classes.find(({ name }) => name === property.range)?.key ?? []
      const partial = key.length > property.refColumns.length && property.refColumns.every((column) => key.includes(column))
      const own = property.inferred === null ? COST.declared : COST.inferred
      const marked = isMarked(ontology, cls.name, property.name) ? COST.marked : 0
      const cost = own + marked + (links.has(cls.name) ? COST.link : 0) + (partial ? COST.partial : 0)
      edges.get(cls.name)?.push({ step: property.name, to: property.range, cost, partial })
      edges.get(property.range)?.push({ step: `^${cls.name}.${property.name}`, to: cls.name, cost: cost + COST.back, partial })
    }
  }
  for (const list of edges.values()) list.sort((a, b) => a.cost - b.cost || compareText(a.step, b.step))
  return edges
}

export interface Root {
  readonly root: string
  readonly cost: number
  /** each of its rows is one row of the answer */
  readonly plain: boolean
}

/**
 * The class whose rows the answer is made of: every class that is shown, grouped or ordered by lies on a way to one from it, so
 * nothing is shown twice. Of several the nearest; `wanted` when it does.
 */
export function rootFor(ways: Ways, wanted: string, terminals: readonly string[]): Root | null {
  let best: Root | null = null
  for (const root of [wanted, ...terminals, ...ways.classes]) {
    let cost = root === wanted ? 0 : terminals.includes(root) ? 0.2 : 0.6
    let reached = true
    for (const terminal of new Set(terminals)) {
      const way = ways.between(root, terminal, true)
      if (way === null) reached = false
      else cost += way.cost + (way.ambiguous ? 0.3 : 0)
    }
    if (reached && (best === null || cost < best.cost - 1e-9)) best = { root, cost, plain: true }
  }
  if (best !== null && best.cost < 6) return best
  // else rows may stand for several records each, which costs something of its own
  const each = terminals.map((terminal) => ways.between(wanted, terminal))
  if (each.includes(null)) return best
  return { root: wanted, cost: each.reduce((sum, way) => sum + (way?.cost ?? 0), 1), plain: false }
}
