/** Why is this triple there? Its derivations, and those of its premises as deep as asked, within what the caller may see. */
import type { Explanation, PremiseNode, Tier, TripleText } from '../contracts/index.ts'
import { LIMITS, ServiceError, tierAt, within } from '../contracts/index.ts'
import type { StoredFact } from '../kernel/datalog/index.ts'
import { factTriple } from '../kernel/rdf/index.ts'
import type { Materialisation } from './materialisation.ts'
import { waysOf } from './premises.ts'
import type { Prefixes } from './terms.ts'
import { findTriple, projectPrefixes, termText, tripleText } from './terms.ts'

/** A triple that is not there and one above the ceiling are the same to the caller: not_found. */
export function explainTriple(
  m: Materialisation,
  triple: TripleText,
  depth: number,
  ceiling: Tier,
  prefixes: Prefixes = projectPrefixes(m.baseIri),
): Explanation {
  if (!Number.isInteger(depth) || depth < 1 || depth > LIMITS.premise_tree_depth) {
    throw new ServiceError('invalid_request', `depth is a whole number from 1 to ${LIMITS.premise_tree_depth}`)
  }
  const fact = findTriple(m, triple, prefixes)
  if (fact === undefined || !within(tierAt(fact.tier), ceiling)) {
    const hint = 'why-not says what it would need'
    throw new ServiceError('not_found', 'no such triple is in the materialised graph', { hint })
  }
  const tree = treeOf(m, fact, depth, ceiling)
  if (tree !== undefined) return tree.explanation
  const hint = 'ask with a smaller depth'
  throw new ServiceError('invalid_request', `the premises are more than ${MOST_NODES} at this depth`, { hint })
}

/** The same, for a fact of the model that the caller has found and may see: as deep as asked, or as can be shown. */
export function explainFact(m: Materialisation, fact: StoredFact, depth: number, ceiling: Tier): Explanation {
  for (let level = depth; ; level--) {
    const tree = treeOf(m, fact, level, ceiling)
    if (tree !== undefined) return tree.explanation
  }
}

/** A tree of more nodes than this is no explanation any more. */
const MOST_NODES = 5_000
/** Trees kept per graph, of every depth: the oldest go first. */
const MOST_KEPT = 5_000

interface Tree {
  readonly explanation: Explanation
  /** nodes when it is written out, shared ones counted each time */
  readonly nodes: number
}

const kept = new WeakMap<Materialisation, Map<string, Tree>>()

/** The tree of a fact; a triple that many trees rest on is explained once and shared. undefined: it has too many nodes. */
function treeOf(m: Materialisation, fact: StoredFact, depth: number, ceiling: Tier): Tree | undefined {
  const trees = kept.get(m) ?? new Map<string, Tree>()
  kept.set(m, trees)
  // a wide graph has far more facts within four steps than an answer can show: work ends where the answer would
  const budget = { left: MOST_NODES }
  const grow = (of: StoredFact, levels: number): Tree | undefined => {
    const key = `${of.id} ${levels} ${ceiling}`
    const found = trees.get(key) ?? build(m, of, levels, ceiling, budget, grow)
    if (found === undefined) return undefined
    // asked for again is young again
    trees.delete(key)
    trees.set(key, found)
    for (const oldest of trees.keys()) {
      if (trees.size <= MOST_KEPT) break
      trees.delete(oldest)
    }
    return found
  }
  return grow(fact, depth)
}

function build(
  m: Materialisation,
  fact: StoredFact,
  depth: number,
  ceiling: Tier,
  budget: { left: number },
  grow: (fact: StoredFact, depth: number) => Tree | undefined,
): Tree | undefined {
  const quad = factTriple(fact)
  if (quad === undefined) throw new Error(`${fact.predicate} is not a triple`)
  // the premises of a fact are always shown, however many: only what lies below them may be too much
  if ((budget.left -= 1) < 0 && depth > 0) return undefined
  const ways = depth < 1 ? [] : waysOf(m, fact.id)
  let nodes = 1
  const derivations: Explanation['derivations'][number][] = []
  for (const { engine, rule, bindings, premises, partial, shape } of ways) {
    // half a proof would still tell of the half that is left out
    if (premises.some((premise) => premise.kind === 'triple' && !within(premise.tier, ceiling))) continue
    const shown: PremiseNode[] = []
    for (const premise of premises) {
      if (premise.kind !== 'triple') {
        nodes += 1
        shown.push(premise)
        continue
      }
      const inner = grow(m.model.fact(premise.fact), depth - 1)
      if (inner === undefined) return undefined
      nodes += inner.nodes
      shown.push({ kind: 'triple', ...inner.explanation })
    }
    const values = Object.entries(bindings).map(([name, term]) => [name, termText(term)])
    derivations.push({
      rule,
      engine,
      bindings: Object.fromEntries(values),
      premises: shown,
      ...(partial ? { partial } : {}),
      ...(shape === undefined ? {} : { shape: termText(shape) }),
    })
  }
  if (nodes > MOST_NODES && depth > 1) return undefined
  return { explanation: { triple: tripleText(quad), asserted: fact.asserted, derivations }, nodes }
}
