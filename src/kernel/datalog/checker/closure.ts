/**
 * Whether the claimed facts are complete: one plain round over all instances of the rules must yield nothing that is not
 * there. What a proof calls absent, or says it has counted all of, rests on this.
 */
import { conditionVariables, distinctIn, expressionVariables } from './aggregate.ts'
import { workedOut } from './expression.ts'
import { Unjudged } from './match.ts'
import type { Values } from './match.ts'
import type { StepChecker } from './step.ts'
import { NOTHING, variablesIn, written } from './world.ts'
import type { World } from './world.ts'
import type { Argument, Atom, BodyItem, DatalogRule } from '../program.ts'

export interface Gap {
  readonly at: string
  readonly why: string
}

/** The predicates that must be complete for the facts of these predicates to be: those themselves and all below them. */
export function coneOf(predicates: Iterable<string>, rules: readonly DatalogRule[]): Set<string> {
  const byHead = Map.groupBy(rules, ({ head }) => head.predicate)
  const cone = new Set(predicates)
  // the set grows while it is walked
  for (const predicate of cone) for (const rule of byHead.get(predicate) ?? []) for (const below of readBy(rule)) cone.add(below)
  return cone
}

export const readBy = (rule: DatalogRule): string[] =>
  rule.body.flatMap((item) => {
    if (item.kind === 'aggregate') return item.body.map(({ predicate }) => predicate)
    return item.kind === 'atom' || item.kind === 'not' ? [item.atom.predicate] : []
  })

/** The first fact that the rule yields over the claimed facts and that is not among them. */
export function gapOf(rule: DatalogRule, steps: StepChecker): Gap | undefined {
  const order = orderOf(rule, steps)
  if (order === undefined) return { at: rule.id, why: 'the rule has a variable that nothing gives a value' }
  const { matcher, folder } = steps
  const { world } = matcher
  const heads = world.shelf(rule.head.predicate, rule.head.args.length)
  const values: Values = new Map()
  let gap: Gap | undefined

  const withValue = (variable: string, code: number, n: number): void => {
    values.set(variable, code)
    from(n)
    values.delete(variable)
  }
  // where two comparisons close in a value from both sides, only the rows between them are looked at
  const spans = order.map((_, n) => spanOf(order, n))
  const rowsIn = (atom: Atom, n: number): Iterable<number> | undefined => {
    const span = spans[n]
    return span === undefined ? undefined : matcher.between(atom, span.column, span.low, span.high, values)
  }
  const from = (n: number): void => {
    const item = order[n]
    if (gap !== undefined) return
    if (item === undefined) {
      const row = rule.head.args.map((arg) => (arg === null ? NOTHING : matcher.codeIn(arg, values)))
      if (heads.find(row) >= 0) return
      const fact = { predicate: rule.head.predicate, args: row.map((code) => (code === NOTHING ? null : world.term(code))) }
      gap = { at: written(fact), why: `${rule.id} yields this fact, but it is missing` }
      return
    }
    switch (item.kind) {
      case 'atom':
        matcher.eachFact(
          item.atom,
          values,
          () => {
            from(n + 1)
            return gap === undefined
          },
          rowsIn(item.atom, n),
        )
        return
      case 'not':
        if (matcher.isAbsent(item.atom, values)) from(n + 1)
        return
      case 'compare':
      case 'test':
        if (matcher.holds(item, values)) from(n + 1)
        return
      case 'assign': {
        const result = workedOut(matcher.ground(item.expr, values), matcher.judge)
        if (result === 'unjudged') throw new Unjudged('has a calculation that cannot be judged here')
        if (result !== null) withValue(item.into, world.code(result), n + 1)
        return
      }
      case 'aggregate': {
        const { result, terms } = folder.fold(item, values)
        if (item.fn !== 'sample') {
          if (result !== null) withValue(item.into, world.code(result), n + 1)
          return
        }
        // any value of the group is a right sample: a fact is missing where none of them leads to one that is there
        const samples = distinctIn(terms).map((term) => world.code(term))
        for (const [i, code] of samples.entries()) {
          withValue(item.into, code, n + 1)
          if (gap === undefined) return
          if (i + 1 < samples.length) gap = undefined
        }
      }
    }
  }
  try {
    from(0)
  } catch (error) {
    if (!(error instanceof Unjudged)) throw error
    return { at: rule.id, why: `the rule ${error.message}, so nobody can say whether its facts are all there` }
  }
  return gap
}

interface Span {
  readonly column: number
  readonly low: Argument
  readonly high: Argument
}

/** What the comparisons behind an atom say about a value that it gives first. */
function spanOf(order: readonly BodyItem[], n: number): Span | undefined {
  const item = order[n]
  if (item?.kind !== 'atom') return undefined
  const known = new Set(order.slice(0, n).flatMap((part) => (part.kind === 'atom' ? variablesIn(part.atom) : 'into' in part ? [part.into] : [])))
  return spanIn(item.atom, known, order)
}

function spanIn({ args }: Atom, known: ReadonlySet<string>, body: readonly BodyItem[]): Span | undefined {
  const isKnown = (arg: Argument) => 'term' in arg || known.has(arg.variable)
  // only a value that every other look at the atom leaves open is worth an order
  if (args.some((arg) => arg !== null && isKnown(arg))) return undefined
  for (const [column, arg] of args.entries()) {
    if (arg === null || 'term' in arg) continue
    const sides = body.flatMap((part) => {
      if (part.kind !== 'compare' || part.op === '=' || part.op === '!=') return []
      const [smaller, greater] = part.op === '<' || part.op === '<=' ? [part.left, part.right] : [part.right, part.left]
      return [{ smaller, greater }]
    })
    const is = (other: Argument) => 'variable' in other && other.variable === arg.variable
    const low = sides.find(({ smaller, greater }) => is(greater) && isKnown(smaller))?.smaller
    const high = sides.find(({ smaller, greater }) => is(smaller) && isKnown(greater))?.greater
    if (low !== undefined && high !== undefined) return { column, low, high }
  }
  return undefined
}

/** The body in an order in which each part has its values: what only looks as early as it can, folds behind all atoms. */
function orderOf(rule: DatalogRule, steps: StepChecker): BodyItem[] | undefined {
  const bound = new Set(steps.boundBy(rule))
  const known = new Set<string>()
  const waiting = new Set(rule.body)
  const isReady = (item: BodyItem) => needs(item).every((name) => known.has(name) || !bound.has(name))
  const order: BodyItem[] = []
  while (waiting.size > 0) {
    const left = [...waiting]
    const next =
      left.find((item) => item.kind !== 'atom' && item.kind !== 'aggregate' && isReady(item)) ??
      nextAtom(left.filter((item) => item.kind === 'atom'), known, rule.body, steps) ??
      left.find((item) => item.kind === 'aggregate' && isReady(item))
    if (next === undefined) return undefined
    waiting.delete(next)
    order.push(next)
    if (next.kind === 'atom') for (const name of variablesIn(next.atom)) known.add(name)
    if ('into' in next) known.add(next.into)
  }
  const isOpen = (arg: Argument | null) => arg !== null && 'variable' in arg && !known.has(arg.variable)
  return rule.head.args.some(isOpen) ? undefined : order
}

type AtomItem = Extract<BodyItem, { readonly kind: 'atom' }>

/** The atom with the fewest rows for what is known; one that comparisons close in counts with the rows of a window. */
function nextAtom(atoms: readonly AtomItem[], known: ReadonlySet<string>, body: readonly BodyItem[], steps: StepChecker): AtomItem | undefined {
  const { world } = steps.matcher
  const counted = atoms.map((item) => {
    const rows = rowsFor(item.atom, known, world)
    const isClosed = rows > FEW_ROWS && spanIn(item.atom, known, body) !== undefined
    return { item, rows: isClosed ? Math.max(FEW_ROWS, rows / ROWS_PER_SPAN) : rows }
  })
  return counted.toSorted((x, y) => x.rows - y.rows)[0]?.item
}

/** A window holds about one row in so many. */
const ROWS_PER_SPAN = 1000
const FEW_ROWS = 8
const SAMPLES = 8

/** How many facts an atom has for one set of known values, judged by some of its facts. */
function rowsFor(atom: Atom, known: ReadonlySet<string>, world: World): number {
  const { rows, ...shelf } = shelfOf(atom, world)
  const columns = [...atom.args.entries()].flatMap(([column, arg]) => (arg !== null && ('term' in arg || known.has(arg.variable)) ? [column] : []))
  if (columns.length === 0 || rows.length === 0) return rows.length
  const mask = columns.reduce((bits, column) => bits | (1 << column), 0)
  const samples = Array.from({ length: Math.min(SAMPLES, rows.length) }, (_, n) => rows[Math.floor((n * rows.length) / SAMPLES)] ?? [])
  const counts = samples.map((row) => shelf.matches(mask, columns.map((column) => row[column] ?? NOTHING)).length)
  return counts.reduce((sum, count) => sum + count, 0) / counts.length
}

function shelfOf({ predicate, args }: Atom, world: World) {
  const shelf = world.shelf(predicate, args.length)
  return { rows: shelf.rows, matches: shelf.matches.bind(shelf) }
}

function needs(item: BodyItem): string[] {
  if (item.kind === 'compare' || item.kind === 'test') return conditionVariables(item)
  if (item.kind === 'assign') return expressionVariables(item.expr)
  if (item.kind === 'not') return variablesIn(item.atom)
  return item.kind === 'aggregate' ? [...item.body.flatMap(variablesIn), ...(item.where ?? []).flatMap(conditionVariables)] : []
}
