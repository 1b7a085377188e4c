/**
 * The premises of a derived fact as triples, absences and conditions. Steps through relations of the engine's own (paths,
 * the union of types) are unfolded to the triples below them; guards that hold by construction are left out.
 */
import { tierAt } from '../contracts/index.ts'
import { type DatalogRule, type Derivation, type Model, sayExpr } from '../kernel/datalog/index.ts'
import { RDF_TYPE, factTriple, meaningOf } from '../kernel/rdf/index.ts'
import type { Premise } from './materialisation.ts'
import type { Words } from './words.ts'

/** A premise, or a fact that is yet to become one. */
type Unread = Premise | { readonly kind: 'fact'; readonly fact: number }

export function premisesOf(model: Model, derivation: Derivation, rules: ReadonlyMap<string, DatalogRule>, say: Words): Premise[] {
  const premises: Premise[] = []
  // a path of many steps is a proof as deep as it is long, hence a list of what is still to read and no recursion
  const pending: Unread[] = read(derivation, rules, say, model).toReversed()
  for (let premise = pending.pop(); premise !== undefined; premise = pending.pop()) {
    if (premise.kind !== 'fact') {
      premises.push(premise)
      continue
    }
    const fact = model.facts[premise.fact]
    const inner = isUnfolded(fact?.predicate ?? '') ? model.derivation(premise.fact) : undefined
    const quad = fact === undefined ? undefined : factTriple(fact)
    // relations of the engine's own that are not unfolded hold by construction and are no triples
    if (inner !== undefined) pending.push(...read(inner, rules, say, model).toReversed())
    else if (fact !== undefined && quad !== undefined)
      premises.push({ kind: 'triple', fact: fact.id, quad, tier: tierAt(fact.tier) })
  }
  return premises
}

const isUnfolded = (predicate: string): boolean => predicate === RDF_TYPE || meaningOf(predicate).kind === 'path'

function read(derivation: Derivation, rules: ReadonlyMap<string, DatalogRule>, say: Words, model: Model): Unread[] {
  const body = rules.get(derivation.rule)?.body ?? []
  // `later N(?earlier, ?limit)` and the comparison with its ?limit are one condition to a reader
  const limits = new Map<string, { from: string; seconds: number }>()
  return derivation.premises.flatMap((premise, n): Unread[] => {
    const item = body[n]
    if (premise.kind === 'fact') {
      const fact = model.facts[premise.fact]
      const meaning = meaningOf(fact?.predicate ?? '')
      if (meaning.kind === 'later' && fact?.args[0] && fact.args[1]) {
        limits.set(say.term(fact.args[1]), { from: say.term(fact.args[0]), seconds: meaning.seconds })
      }
      return [premise]
    }
    if (premise.kind === 'absent') return [{ kind: 'absent', text: say.absence(premise.atom) }]
    if (premise.kind === 'aggregate') return [{ kind: 'condition', text: `${premise.fn} is ${say.term(premise.result)}` }]
    if (premise.kind === 'computed') {
      const text = sayExpr(premise.expr, (arg) => ('term' in arg ? say.term(arg.term) : `?${arg.variable}`))
      return [{ kind: 'condition', text: `${text} is ${say.term(premise.result)}` }]
    }
    const limit = limits.get(say.term(premise.right))
    const isWindow =
      limit !== undefined && item?.kind === 'compare' && 'variable' in item.right && item.right.variable.startsWith('_:')
    const text = isWindow
      ? `${say.term(premise.left)} is within ${limit.seconds} s of ${limit.from}`
      : say.condition(premise.op, premise.left, premise.right)
    return [{ kind: 'condition', text }]
  })
}
