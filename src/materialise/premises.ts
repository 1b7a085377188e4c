/**
 * The derivations of a triple, with premises as triples, absences and conditions. Steps through relations of the engine's own
 * (paths, unions, sub-queries) are unfolded to the triples below them; guards that hold by construction are left out.
 */
import { tierAt } from '../contracts/index.ts'
import { type Atom, type Derivation, type Expr, type StoredFact, sayExpr } from '../kernel/datalog/index.ts'
import { RDF_TYPE, type Window, factTriple, isGuard, isMade, windowIn } from '../kernel/rdf/index.ts'
import { type Term, termKey } from '../kernel/term.ts'
import type { Materialisation, Premise, Way } from './materialisation.ts'
import { isAnswer } from './delegate.ts'
import { type Words, words } from './words.ts'

/** The first derivation of each engine, in the order in which they were found. */
export function waysOf(m: Materialisation, fact: number): Way[] {
  return derivationsOf(m, fact).flatMap((derivation): Way[] => {
    const origin = m.origins.get(derivation.rule)
    if (origin === undefined) return []
    const made = Object.keys(derivation.bindings).some((name) => name.includes(':'))
    const bindings = made
      ? Object.fromEntries(Object.entries(derivation.bindings).filter(([name]) => !name.includes(':')))
      : derivation.bindings
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
    const made = premise?.kind === 'fact' && isMade(m.model.fact(premise.fact).predicate)
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

/** A premise, or what is yet to become one: a fact, or an absence whose words hang on what is shown above it. */
type Unread = Premise | { readonly kind: 'fact'; readonly fact: number } | { readonly kind: 'no'; readonly atom: Atom }

export function premisesOf(m: Materialisation, derivation: Derivation): { premises: Premise[]; partial: boolean } {
  const say = wordsOf(m)
  const premises: Premise[] = []
  let partial = false
  // a path of many steps is a proof as deep as it is long, hence a list of what is still to read and no recursion
  const pending: Unread[] = read(m, derivation, say).toReversed()
  const seen = new Set<number>()
  const above: StoredFact[] = []
  for (let premise = pending.pop(); premise !== undefined; premise = pending.pop()) {
    if (premise.kind === 'no') {
      premises.push({ kind: 'absent', text: say.absence(premise.atom, (atom) => above.some((fact) => isInstance(atom, fact))) })
      continue
    }
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
    if (quad !== undefined) {
      premises.push({ kind: 'triple', fact: fact.id, quad, tier: tierAt(fact.tier) })
      above.push(fact)
    } else if (isAnswer(fact.predicate)) partial = true
    else {
      // relations that are given (which terms are resources) hold by construction
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

/** Whether an atom without open variables is this fact. */
export const isInstance = ({ predicate, args }: Atom, fact: StoredFact): boolean =>
  predicate === fact.predicate &&
  args.every((arg, n) => {
    const term = fact.args[n]
    return arg === null || ('term' in arg && term !== undefined && term !== null && termKey(arg.term) === termKey(term))
  })

function read(m: Materialisation, derivation: Derivation, say: Words): Unread[] {
  const body = m.rules.get(derivation.rule)?.body ?? []
  const isOwl = m.origins.get(derivation.rule)?.engine === 'owl'
  const windows = windowsOf(derivation.premises)
  return derivation.premises.flatMap((premise, n): Unread[] => {
    const item = body[n]
    switch (premise.kind) {
      case 'fact':
        return [premise]
      case 'absent':
        return [{ kind: 'no', atom: premise.atom }]
      case 'aggregate': {
        const about = premise.matches.flat().map((fact): Unread => ({ kind: 'fact', fact }))
        return [...about.slice(0, MOST_MATCHES), { kind: 'condition', text: sayAggregate(premise, say) }]
      }
      case 'computed': {
        const isWindow = windowIn(premise) !== undefined
        return isWindow || isChosen(premise.expr, premise.result)
          ? []
          : [{ kind: 'condition', text: `${sayWith(premise.expr, say)} is ${say.term(premise.result)}` }]
      }
      case 'tested':
        return (item !== undefined && isGuard(item)) || (isOwl && isAboutNames(premise.expr))
          ? []
          : [{ kind: 'condition', text: sayWith(premise.expr, say) }]
      case 'condition': {
        // the order of two places in a list
        if (isOwl && premise.op === '<') return []
        const window = windowFor(windows, premise.op, premise.right)
        const text =
          window === undefined
            ? say.condition(premise.op, premise.left, premise.right)
            : `${say.term(premise.left)} is within ${window.seconds} s of ${sayWith(window.from, say)}`
        return [{ kind: 'condition', text }]
      }
    }
  })
}

/** The windows whose ends were worked out, by their ends. */
type Windows = ReadonlyMap<string, Window>

/** The calculation of a window's end and the comparison with it are one condition to a reader. */
export const windowsOf = (premises: Derivation['premises']): Windows =>
  new Map(
    premises.flatMap((premise) => {
      const window = premise.kind === 'computed' ? windowIn(premise) : undefined
      return premise.kind === 'computed' && window !== undefined ? [[termKey(premise.result), window] as const] : []
    }),
  )

export const windowFor = (windows: Windows, op: string, right: Term) => (op === '<=' ? windows.get(termKey(right)) : undefined)

/** Triples shown of an aggregate; the condition beside them says how many there are. */
const MOST_MATCHES = 50

type Aggregated = Extract<Derivation['premises'][number], { kind: 'aggregate' }>

function sayAggregate({ fn, result, body, where = [], matches }: Aggregated, say: Words): string {
  const pattern = say.pattern([...body.map((atom) => ({ kind: 'atom' as const, atom })), ...where])
  const found = `${matches.length} ${matches.length === 1 ? 'match' : 'matches'} of { ${pattern} }`
  // a count of distinct values is less than its matches
  return fn === 'count' && result.value === String(matches.length) ? found : `${fn} over ${found} is ${say.term(result)}`
}

/** A value that was only handed on: `x is x` says nothing. */
function isChosen(expr: Expr, result: Term): boolean {
  if ('term' in expr) return termKey(expr.term) === termKey(result)
  const [first] = 'call' in expr && expr.call === 'coalesce' ? expr.args : []
  return first !== undefined && isChosen(first, result)
}

/** Which of two names comes first, and which things have one: how rules of OWL are told apart, and nothing about the data. */
function isAboutNames(expr: Expr): boolean {
  if (!('call' in expr)) return false
  if (['isiri', 'isblank', 'isliteral'].includes(expr.call)) return true
  if (expr.call === '<' || expr.call === '<=') return expr.args.every((arg) => 'call' in arg && arg.call === 'str')
  return ['!', '&&', '||'].includes(expr.call) && expr.args.every(isAboutNames)
}

const sayWith = (expr: Expr, say: Words): string =>
  sayExpr(expr, (arg) => ('term' in arg ? say.term(arg.term) : `?${arg.variable}`))
