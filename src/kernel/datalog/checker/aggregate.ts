/** The checker's own aggregates: all matches over the claimed facts, folded again, whatever the proof says of them. */
import { compareText, literal, termKey, XSD } from '../../term.ts'
import type { Term } from '../../term.ts'
import { Unjudged } from './match.ts'
import type { Matcher, Values } from './match.ts'
import { conditionHolds, read, refold, toDouble } from './values.ts'
import { variablesIn } from './world.ts'
import type { Aggregate, Argument, Condition, Expr } from '../program.ts'

export interface Folded {
  readonly result: Term | null
  /** rows of each match, in the order of the aggregate's atoms, as one text; sorted */
  readonly matches: readonly string[]
  /** the folded values, match by match, in the order of `matches` */
  readonly terms: readonly Term[]
}

/** Stands for the value of a match that is only counted. */
const COUNTED: Term = { kind: 'bnode', value: '' }

/** What SPARQL makes of a group without matches; the others have no value then. */
const OF_NOTHING: Readonly<Partial<Record<Aggregate['fn'], Term>>> = {
  sum: literal('0', `${XSD}integer`), avg: literal('0', `${XSD}integer`), concat: literal(''),
}

/** Folds groups on demand and remembers them: many steps look at the same one. */
export class Folder {
  readonly #matcher: Matcher
  readonly #groups = new Map<Aggregate, { readonly names: readonly string[]; readonly known: Map<string, Folded> }>()

  constructor(matcher: Matcher) {
    this.#matcher = matcher
  }

  /** The aggregate where the variables of the rule have these values. */
  fold(item: Aggregate, values: Values): Folded {
    let group = this.#groups.get(item)
    if (group === undefined) {
      group = { names: variablesOf(item), known: new Map() }
      this.#groups.set(item, group)
    }
    const key = group.names.map((name) => values.get(name) ?? 0).join(' ')
    let folded = group.known.get(key)
    if (folded === undefined) {
      const own: Values = new Map()
      for (const name of group.names) {
        const code = values.get(name)
        if (code !== undefined) own.set(name, code)
      }
      group.known.set(key, (folded = this.#foldNow(item, own)))
    }
    return folded
  }

  #foldNow(item: Aggregate, values: Values): Folded {
    const { world } = this.#matcher
    const termOf = (name: string | null | undefined): Term => {
      const code = name === null || name === undefined ? undefined : values.get(name)
      return code === undefined ? COUNTED : world.term(code)
    }
    const found: { readonly key: string; readonly term: Term; readonly by: Term }[] = []
    this.#matcher.eachMatch(item.body, values, (rows) => {
      if (!(item.where ?? []).every((condition) => this.#matcher.holds(condition, values))) return
      found.push({ key: rows.join(' '), term: termOf(item.of), by: termOf(item.by) })
    })
    found.sort((x, y) => compareText(x.key, y.key))
    const terms = found.map(({ term }) => term)
    return { result: this.#result(item, terms, found.map(({ by }) => by)), matches: found.map(({ key }) => key), terms }
  }

  #result({ fn, sparql }: Aggregate, terms: readonly Term[], by: readonly Term[]): Term | null {
    if (fn === 'latest') return latest(terms, by)
    if (sparql === undefined) return refold(fn, terms)
    const { distinct, separator } = sparql
    if (fn === 'count') return literal(String(distinct ? distinctIn(terms).length : terms.length), `${XSD}integer`)
    // any value of the group would do, and the step says which one it took
    if (fn === 'sample') return null
    if (terms.length === 0) return OF_NOTHING[fn] ?? null
    if (this.#matcher.judge === undefined) throw new Unjudged('is an aggregate that cannot be judged here')
    const ordered = fn === 'concat' ? terms.toSorted(byKey) : ascending(terms)
    const result = this.#matcher.judge.aggregate(fn, distinct, separator, ordered)
    return result === null || (fn !== 'min' && fn !== 'max') ? result : (spelledIn(terms, result)[0] ?? null)
  }

  /** Whether the stated result is right, given the folded values in the order in which the step lists its matches. */
  isResult(item: Aggregate, folded: Folded, stated: Term, inOrder: readonly Term[]): boolean {
    const { judge } = this.#matcher
    const key = termKey(stated)
    if (item.sparql !== undefined && item.fn === 'sample') return folded.terms.some((term) => termKey(term) === key)
    if (folded.result !== null && termKey(folded.result) === key) return true
    if (item.sparql === undefined || folded.result === null || judge === undefined) return false
    // of a value that the group spells in several ways, any one will do
    const spellings = item.fn === 'min' || item.fn === 'max' ? spelledIn(folded.terms, folded.result) : []
    if (spellings.some((term) => termKey(term) === key)) return true
    // texts may be joined in any order, so also in that of the step's matches
    const joined = item.fn === 'concat' ? judge.aggregate('concat', item.sparql.distinct, item.sparql.separator, inOrder) : null
    return joined !== null && termKey(joined) === key
  }
}

/** The terms of the group that have this value, each once: a judge may spell it another way, 1 for 1.0. */
const spelledIn = (terms: readonly Term[], value: Term): Term[] => distinctIn(terms).filter((term) => isSameValue(term, value))

/** Each term once, in the order of their keys. */
export const distinctIn = (terms: readonly Term[]): Term[] =>
  [...new Map(terms.map((term) => [termKey(term), term])).values()].toSorted(byKey)

const byKey = (x: Term, y: Term): number => compareText(termKey(x), termKey(y))

/** Smallest number first: a sum of doubles hangs on the order of its parts. */
function ascending(terms: readonly Term[]): Term[] {
  const numberOf = (term: Term) => {
    const reading = read(term)
    return reading.of === 'number' ? toDouble(reading.text) : 0
  }
  return terms.toSorted((x, y) => numberOf(x) - numberOf(y) || byKey(x, y))
}

const isSameValue = (x: Term, y: Term): boolean => termKey(x) === termKey(y) || conditionHolds('=', x, y)

/** The value beside the greatest of the others; none where those cannot all be put in order, or where values tie for it. */
function latest(terms: readonly Term[], by: readonly Term[]): Term | null {
  let top = by[0]
  for (const moment of by) if (top !== undefined && conditionHolds('>', moment, top)) top = moment
  const greatest = top
  if (greatest === undefined) return null
  if (by.some((moment) => read(moment).of === 'name' || !conditionHolds('<=', moment, greatest))) return null
  const best = new Map(terms.flatMap((term, n) => (isAt(by[n], greatest) ? [[termKey(term), term] as const] : [])))
  return best.size === 1 ? ([...best.values()][0] ?? null) : null
}

const isAt = (moment: Term | undefined, greatest: Term): boolean => moment !== undefined && conditionHolds('=', moment, greatest)

function variablesOf(item: Aggregate): string[] {
  const inConditions = (item.where ?? []).flatMap(conditionVariables)
  return [...new Set([...item.body.flatMap(variablesIn), ...inConditions])]
}

export const conditionVariables = (condition: Condition): string[] =>
  condition.kind === 'test' ? expressionVariables(condition.expr) : [condition.left, condition.right].flatMap(nameOf)

export function expressionVariables(expr: Expr): string[] {
  if ('op' in expr) return [...expressionVariables(expr.left), ...expressionVariables(expr.right)]
  if ('minus' in expr) return expressionVariables(expr.minus)
  return 'call' in expr ? expr.args.flatMap(expressionVariables) : nameOf(expr)
}

const nameOf = (arg: Argument): string[] => ('variable' in arg ? [arg.variable] : [])
