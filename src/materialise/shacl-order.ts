/**
 * sh:order, where all rules run together until nothing new follows. Without negation that gives all that ordered groups give.
 * A rule that denies or counts what a rule of a later order derives would come out otherwise, so it is not run at all.
 */
import type { DatalogRule } from '../kernel/datalog/index.ts'
import { isMade } from '../kernel/rdf/index.ts'
import type { CompiledRule } from './compile.ts'

export interface OutOfOrder {
  readonly rule: CompiledRule
  readonly reason: string
}

export function outOfOrder(rules: readonly CompiledRule[]): OutOfOrder[] {
  const ordered = rules.filter(({ order }) => order !== undefined)
  if (new Set(ordered.map(({ order }) => order)).size < 2) return []
  const byHead = Map.groupBy(rules.flatMap(({ compiled }) => compiled), ({ head }) => head.predicate)
  return ordered.flatMap((rule) => {
    const closed = below(rule.compiled.flatMap(closedBy), byHead)
    const makes = ({ head }: DatalogRule) => closed.has(head.predicate) || (closed.size > 0 && isMade(head.predicate))
    const later = ordered.find((other) => (other.order ?? 0) > (rule.order ?? 0) && other.compiled.some(makes))
    if (later === undefined) return []
    const whom = later.rule === rule.rule ? 'another of its rules' : later.rule
    return [{ rule, reason: `it denies or counts what ${whom} derives by a later sh:order; rules run together here` }]
  })
}

const closedBy = ({ body }: DatalogRule): string[] =>
  body.flatMap((item) => {
    if (item.kind === 'not') return [item.atom.predicate]
    return item.kind === 'aggregate' ? item.body.map(({ predicate }) => predicate) : []
  })

/** The predicates given, and all that they are derived from. */
function below(predicates: readonly string[], byHead: ReadonlyMap<string, readonly DatalogRule[]>): ReadonlySet<string> {
  const found = new Set(predicates)
  // the set grows while it is walked
  for (const predicate of found) {
    for (const { body } of byHead.get(predicate) ?? []) {
      for (const item of body) {
        if (item.kind === 'atom' || item.kind === 'not') found.add(item.atom.predicate)
        if (item.kind === 'aggregate') for (const atom of item.body) found.add(atom.predicate)
      }
    }
  }
  return found
}
