/**
 * The derivations of a triple, with premises as triples, absences and conditions. Steps through relations of the engine's own
 * (paths, unions, sub-queries) are unfolded to the triples below them; guards that hold by construction are left out.
 */
import { tierAt } from '../contracts/index.ts'
import { type BodyItem, type Derivation, type Expr, sayExpr } from '../kernel/datalog/index.ts'
import { MADE, RDF_TYPE, factTriple, isGuard, meaningOf } from '../kernel/rdf/index.ts'
import type { Materialisation, Premise, Way } from './materialisation.ts'
import { isAnswer } from './delegate.ts'
import { type Words, words } from './words.ts'

/** The first derivation of each engine, in the order in which they were found. */
export function waysOf(m: Materialisation, fact: number): Way[] {
  return derivationsOf(m, fact).flatMap((derivation): Way[] => {
    const origin = m.origins.get(derivation.rule)
    if (origin === undefined) return []
    const bindings = Object.fromEntries(Object.entries(derivation.bindings).filter(([name]) => !name.includes(':')))
    return [{ ...origin, bindings, ...premisesOf(m, derivation) }]
  })
}

/**
 * The derivations that were kept of a triple, without those that rest on the triple itself. One that was made and then handed
 * on to its partition is derived by whatever made it.
 */
export function derivationsOf(m: Materialisation, fact: number): Derivation[] {
  const all = m.model.derivations(fact).flatMap((derivation) => {
    const [premise] = derivation.premises
    const made = premise?.kind === 'fact' && m.model.fact(premise.fact).predicate === MADE
    return made ? m.model.derivations(premise.fact) : [derivation]
  })
  return all.filter((derivation, n) => n === 0 || !restsOn(m, derivation, fact))
}

/** Facts looked at; a proof that needs more to be told from a circle is not shown beside a plain one. */
const MOST_LOOKED_AT = 2000

/** Whether the way to a fact leads through the fact: premises go back to facts before them, so later ones alone can. */
function restsOn({ model }: Materialisation, derivation: Derivation, fact: number): boolean {
  const pending = factsIn(derivation)
  const seen = new Set<number>()
  for (let premise = pending.pop(); premise !== undefined; premise = pending.pop()) {
    if (premise === fact) return true
    if (premise < fact || seen.has(premise)) continue
    seen.add(premise)
    if (seen.size > MOST_LOOKED_AT) return true
    const first = model.derivation(premise)
    if (first !== undefined) pending.push(...factsIn(first))
  }
  return false
}

const factsIn = ({ premises }: Derivation): number[] =>
  premises.flatMap((premise) => {
    if (premise.kind === 'fact') return [premise.fact]
    return premise.kind === 'aggregate' ? premise.matches.flat() : []
  })

/** A premise, or a fact that is yet to become one. */
type Unread = Premise | { readonly kind: 'fact'; readonly fact: number }

export function premisesOf(m: Materialisation, derivation: Derivation): { premises: Premise[]; partial: boolean } {
  const say = wordsOf(m)
  const premises: Premise[] = []
  let partial = false
  // a path of many steps is a proof as deep as it is long, hence a list of what is still to read and no recursion
  const pending: Unread[] = read(m, derivation, say).toReversed()
  const seen = new Set<number>()
  for (let premise = pending.pop(); premise !== undefined; premise = pending.pop()) {
    if (premise.kind !== 'fact') {
      premises.push(premise)
      continue
    }
    // two ways through the same step need showing once
    if (seen.has(premise.fact)) continue
    seen.add(premise.fact)
    const fact = m.model.fact(premise.fact)
    const isUnion = fact.predicate === RDF_TYPE && !fact.asserted
    const quad = isUnion ? undefined : factTriple(fact)
    if (quad !== undefined) premises.push({ kind: 'triple', fact: fact.id, quad, tier: tierAt(fact.tier) })
    else if (isAnswer(fact.predicate)) partial = true
    else {
      // relations that are given (clocks) hold by construction
      const inner = m.model.derivation(premise.fact)
      if (inner !== undefined) pending.push(...read(m, inner, say).toReversed())
    }
  }
  return { premises, partial }
}

const known = new WeakMap<Materialisation, Words>()

function wordsOf(m: Materialisation): Words {
  let found = known.get(m)
  if (found === undefined) {
    const byHead = Map.groupBy(m.rules.values(), (rule) => rule.head.predicate)
    known.set(m, (found = words(m.baseIri, (predicate) => byHead.get(predicate) ?? [])))
  }
  return found
}

function read(m: Materialisation, derivation: Derivation, say: Words): Unread[] {
  const body = m.rules.get(derivation.rule)?.body ?? []
  // `later N(?earlier, ?limit)` and the comparison with its ?limit are one condition to a reader
  const limits = new Map<string, { from: string; seconds: number }>()
  return derivation.premises.flatMap((premise, n): Unread[] => {
    const item = body[n]
    switch (premise.kind) {
      case 'fact': {
        const { predicate, args } = m.model.fact(premise.fact)
        const meaning = meaningOf(predicate)
        if (meaning.kind === 'later' && args[0] && args[1]) {
          limits.set(say.term(args[1]), { from: say.term(args[0]), seconds: meaning.seconds })
        }
        return [premise]
      }
      case 'absent':
        return [{ kind: 'absent', text: say.absence(premise.atom) }]
      case 'aggregate': {
        const about = premise.matches.flat().map((fact): Unread => ({ kind: 'fact', fact }))
        const text = `${premise.fn} of ${premise.matches.length} is ${say.term(premise.result)}`
        return [...about.slice(0, MOST_MATCHES), { kind: 'condition', text }]
      }
      case 'computed':
        return [{ kind: 'condition', text: `${sayWith(premise.expr, say)} is ${say.term(premise.result)}` }]
      case 'tested':
        return item !== undefined && isGuard(item) ? [] : [{ kind: 'condition', text: sayWith(premise.expr, say) }]
      case 'condition': {
        const limit = isLimit(item) ? limits.get(say.term(premise.right)) : undefined
        const text =
          limit === undefined
            ? say.condition(premise.op, premise.left, premise.right)
            : `${say.term(premise.left)} is within ${limit.seconds} s of ${limit.from}`
        return [{ kind: 'condition', text }]
      }
    }
  })
}

/** Triples shown of an aggregate; the condition beside them says how many there are. */
const MOST_MATCHES = 50

const isLimit = (item: BodyItem | undefined): boolean =>
  item?.kind === 'compare' && 'variable' in item.right && item.right.variable.startsWith('_:')

const sayWith = (expr: Expr, say: Words): string =>
  sayExpr(expr, (arg) => ('term' in arg ? say.term(arg.term) : `?${arg.variable}`))
