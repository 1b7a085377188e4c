/**
 * Orders predicates so that what a rule negates or counts is complete before the rule runs, or names the cycle in the way. A
 * cycle that calculates would be another trap: `n(?y) :- n(?x), ?y = ?x + 1.` never ends, so it is refused as well.
 */
import type { DatalogRule, RuleFault } from './program.ts'

export type Strata =
  /** groups of mutually recursive predicates, each after all it depends on */
  | { readonly ok: true; readonly strata: readonly (readonly string[])[] }
  | { readonly ok: false; readonly faults: readonly RuleFault[] }

interface Edge {
  readonly to: string
  /** how the cycle prints the step; absent for a plain atom */
  readonly through?: string
  readonly what?: 'a negation' | 'an aggregate' | 'a calculation'
  readonly rule: DatalogRule
}

/** Who has mended so many cycles may ask again: each is told with the whole way around. */
const MAX_FAULTS = 20

/** With `mayGrow`, a cycle may calculate: whoever runs it sets a budget. */
export function stratify(rules: readonly DatalogRule[], mayGrow = false): Strata {
  const graph = dependencies(rules, mayGrow)
  const strata = components(graph)
  const home = new Map(strata.flatMap((members, number) => members.map((predicate) => [predicate, number] as const)))
  const faults: RuleFault[] = []
  for (const [from, edges] of graph) {
    for (const edge of edges) {
      if (edge.through === undefined || home.get(edge.to) !== home.get(from)) continue
      if (faults.length >= MAX_FAULTS) return { ok: false, faults }
      const way = wayBack(graph, edge.to, from).map((step) => ` -> ${step.through ?? step.to}`)
      const message = `${edge.rule.id}: ${edge.what} inside a cycle: ${from} -> ${edge.through}${way.join('')}`
      faults.push({ message, line: edge.rule.at?.line ?? 0, column: edge.rule.at?.column ?? 0 })
    }
  }
  return faults.length > 0 ? { ok: false, faults } : { ok: true, strata }
}

function dependencies(rules: readonly DatalogRule[], mayGrow: boolean): Map<string, Edge[]> {
  const graph = new Map<string, Edge[]>()
  const edgesOf = (predicate: string) => {
    const edges = graph.get(predicate) ?? []
    graph.set(predicate, edges)
    return edges
  }
  for (const rule of rules) {
    const edges = edgesOf(rule.head.predicate)
    const depend = (edge: Edge) => {
      edges.push(edge)
      edgesOf(edge.to)
    }
    const made = mayGrow ? undefined : calculatedInHead(rule)
    for (const item of rule.body) {
      if (item.kind === 'atom') {
        const { predicate } = item.atom
        if (made === undefined) depend({ to: predicate, rule })
        else depend({ to: predicate, through: `${predicate} with a new ?${made}`, what: 'a calculation', rule })
      }
      if (item.kind === 'not') {
        depend({ to: item.atom.predicate, through: `not ${item.atom.predicate}`, what: 'a negation', rule })
      }
      if (item.kind === 'aggregate') {
        const through = (predicate: string) => `${item.fn} { ${predicate} }`
        for (const { predicate } of item.body) depend({ to: predicate, through: through(predicate), what: 'an aggregate', rule })
      }
    }
  }
  return graph
}

/** A variable of the head whose value no fact holds but a calculation makes; a rule that only tests such a value is harmless. */
function calculatedInHead({ head, body }: DatalogRule): string | undefined {
  const made = new Set(body.flatMap((item) => (item.kind === 'assign' ? [item.into] : [])))
  const found = head.args.find((arg) => arg !== null && 'variable' in arg && made.has(arg.variable))
  return found && 'variable' in found ? found.variable : undefined
}

/** Tarjan's strongly connected components, with the call stack as a list: a chain of predicates may be long. */
function components(graph: ReadonlyMap<string, readonly Edge[]>): string[][] {
  const found: string[][] = []
  const numbers = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const isOpen = new Set<string>()
  for (const root of graph.keys()) {
    if (numbers.has(root)) continue
    const calls = [{ predicate: root, next: 0 }]
    for (let call = calls.at(-1); call !== undefined; call = calls.at(-1)) {
      const { predicate } = call
      if (call.next === 0) {
        numbers.set(predicate, numbers.size)
        lowest.set(predicate, numbers.size - 1)
        open.push(predicate)
        isOpen.add(predicate)
      }
      const edge = graph.get(predicate)?.[call.next++]
      if (edge !== undefined) {
        if (!numbers.has(edge.to)) calls.push({ predicate: edge.to, next: 0 })
        else if (isOpen.has(edge.to)) lower(lowest, predicate, numbers.get(edge.to))
        continue
      }
      calls.pop()
      const caller = calls.at(-1)
      if (caller !== undefined) lower(lowest, caller.predicate, lowest.get(predicate))
      if (lowest.get(predicate) !== numbers.get(predicate)) continue
      const members = open.splice(open.lastIndexOf(predicate))
      for (const member of members) isOpen.delete(member)
      found.push(members)
    }
  }
  return found
}

function lower(lowest: Map<string, number>, predicate: string, to: number | undefined): void {
  const now = lowest.get(predicate)
  if (now === undefined || to === undefined) throw new Error(`no number for ${predicate}`)
  if (to < now) lowest.set(predicate, to)
}

/** The shortest way along the edges from one predicate to another. */
function wayBack(graph: ReadonlyMap<string, readonly Edge[]>, from: string, to: string): Edge[] {
  if (from === to) return []
  const reached = new Map<string, { readonly edge: Edge; readonly before: string }>()
  const queue = [from]
  for (const predicate of queue) {
    for (const edge of graph.get(predicate) ?? []) {
      if (edge.to === from || reached.has(edge.to)) continue
      reached.set(edge.to, { edge, before: predicate })
      queue.push(edge.to)
    }
  }
  const way: Edge[] = []
  for (let step = reached.get(to); step !== undefined; step = reached.get(step.before)) way.unshift(step.edge)
  return way
}
