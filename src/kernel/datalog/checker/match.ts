/** How the checker looks for facts: atoms over a table of values, matched one after the other, and the conditions on them. */
import type { Term } from '../../term.ts'
import { comesTrue } from './expression.ts'
import type { Judge } from './judge.ts'
import { Order } from './order.ts'
import { type Reading, read, readingsHold } from './values.ts'
import { NOTHING } from './world.ts'
import type { Shelf, World } from './world.ts'
import type { Argument, Atom, Comparison, Condition, Expr } from '../program.ts'

/** The codes of variables that have a value. */
export type Values = Map<string, number>

/** Thrown where whoever asked for the check wants no more of it. */
export class Stopped extends Error {}

/** Rows looked at between two questions whether to go on. */
const ROWS_BETWEEN = 4096

/** Thrown where only a judge could have decided; whoever catches it refuses the proof. */
export class Unjudged extends Error {}

export class Matcher {
  readonly world: World
  readonly judge: Judge | undefined
  /** by code: rows of a large relation may be compared with each other, and each value is read only once */
  readonly #readings: Reading[] = []
  readonly #orders = new Map<string, Order>()

  readonly #shouldStop: (() => boolean) | undefined
  #left = ROWS_BETWEEN

  constructor(world: World, judge: Judge | undefined, shouldStop?: () => boolean) {
    this.world = world
    this.judge = judge
    this.#shouldStop = shouldStop
  }

  /** To be called for every row and every step. */
  tick(): void {
    if (--this.#left > 0) return
    this.#left = ROWS_BETWEEN
    if (this.#shouldStop?.() === true) throw new Stopped()
  }

  codeIn(arg: Argument, values: Values): number {
    return 'term' in arg ? this.world.code(arg.term) : (values.get(arg.variable) ?? NOTHING)
  }

  /** Calls back with the row of each fact that fits, the atom's variables having its values meanwhile; false ends the search. */
  eachFact(atom: Atom, values: Values, see: (row: number, shelf: Shelf) => boolean, among?: Iterable<number>): boolean {
    const shelf = this.world.shelf(atom.predicate, atom.args.length)
    let mask = 0
    const codes: number[] = []
    const free: { readonly column: number; readonly variable: string }[] = []
    for (const [column, arg] of atom.args.entries()) {
      if (arg === null) continue
      const code = this.codeIn(arg, values)
      if (code !== NOTHING) {
        mask |= 1 << column
        codes.push(code)
      } else if ('variable' in arg) free.push({ column, variable: arg.variable })
    }
    const rows = among ?? (mask === 0 ? shelf.rows.keys() : shelf.matches(mask, codes))
    const given = among === undefined ? [] : atom.args.entries().filter(([column]) => (mask & (1 << column)) !== 0).map(([column]) => column).toArray()
    for (const number of rows) {
      this.tick()
      const row = shelf.rows[number]
      const fits = row !== undefined && given.every((column, n) => row[column] === codes[n]) && free.every(({ column, variable }) => {
        const code = row[column] ?? NOTHING
        const known = values.get(variable)
        if (code === NOTHING || (known !== undefined && known !== code)) return false
        values.set(variable, code)
        return true
      })
      const goesOn = !fits || see(number, shelf)
      for (const { variable } of free) values.delete(variable)
      if (!goesOn) return false
    }
    return true
  }

  isAbsent(atom: Atom, values: Values): boolean {
    return this.eachFact(atom, values, () => false)
  }

  /** Each way to match all the atoms, with the rows in their order. */
  eachMatch(atoms: readonly Atom[], values: Values, see: (rows: readonly number[]) => void): void {
    const order = cheapestFirst(atoms, values, this.world)
    const rows: number[] = atoms.map(() => -1)
    const from = (n: number): void => {
      const position = order[n]
      const atom = position === undefined ? undefined : atoms[position]
      if (position === undefined || atom === undefined) return see(rows)
      this.eachFact(atom, values, (row) => {
        rows[position] = row
        from(n + 1)
        return true
      })
    }
    from(0)
  }

  compare(op: Comparison, left: number, right: number): boolean {
    return left !== NOTHING && right !== NOTHING && readingsHold(op, this.#reading(left), this.#reading(right))
  }

  /** The rows of an atom's relation between two values of a column; undefined where their order does not tell. */
  between(atom: Atom, column: number, low: Argument, high: Argument, values: Values): Iterable<number> | undefined {
    const [from, to] = [this.codeIn(low, values), this.codeIn(high, values)]
    if (from === NOTHING || to === NOTHING || !Order.canTell(this.#reading(from), this.#reading(to))) return undefined
    const shelf = this.world.shelf(atom.predicate, atom.args.length)
    const key = `${column} ${atom.args.length} ${atom.predicate}`
    let order = this.#orders.get(key)
    if (order === undefined) {
      const readings = shelf.rows.entries().filter(([, row]) => row[column] !== NOTHING)
      order = new Order(readings.map(([number, row]) => [number, this.#reading(row[column] ?? NOTHING)] as const))
      this.#orders.set(key, order)
    }
    return order.between(this.#reading(from), this.#reading(to))
  }

  #reading(code: number): Reading {
    return (this.#readings[code] ??= read(this.world.term(code)))
  }

  holds(condition: Condition, values: Values): boolean {
    if (condition.kind === 'compare') {
      return this.compare(condition.op, this.codeIn(condition.left, values), this.codeIn(condition.right, values))
    }
    const truth = comesTrue(this.ground(condition.expr, values), this.judge)
    if (truth === 'unjudged') throw new Unjudged('is a test that cannot be judged here')
    return truth
  }

  /** The expression with the values of its variables put in. */
  ground(expr: Expr, values: Values): Expr {
    if ('term' in expr) return expr
    if ('variable' in expr) {
      const code = values.get(expr.variable)
      return code === undefined ? expr : { term: this.world.term(code) }
    }
    if ('minus' in expr) return { minus: this.ground(expr.minus, values) }
    if ('call' in expr) return { call: expr.call, args: expr.args.map((arg) => this.ground(arg, values)) }
    return { op: expr.op, left: this.ground(expr.left, values), right: this.ground(expr.right, values) }
  }

  codeOf(term: Term): number {
    return this.world.code(term)
  }
}

/** Atoms whose values are known before others, then those with fewer facts. */
function cheapestFirst(atoms: readonly Atom[], values: Values, world: World): number[] {
  const known = new Set(values.keys())
  const left = new Set(atoms.keys())
  const order: number[] = []
  while (left.size > 0) {
    const ranked = [...left].map((position) => ({ position, ...rankOf(atoms[position], known, world) }))
    const best = ranked.toSorted((x, y) => y.bound - x.bound || x.size - y.size || x.position - y.position)[0]
    if (best === undefined) break
    left.delete(best.position)
    order.push(best.position)
    for (const arg of atoms[best.position]?.args ?? []) if (arg !== null && 'variable' in arg) known.add(arg.variable)
  }
  return order
}

function rankOf(atom: Atom | undefined, known: ReadonlySet<string>, world: World): { bound: number; size: number } {
  const args = atom?.args ?? []
  const bound = args.filter((arg) => arg !== null && ('term' in arg || known.has(arg.variable))).length
  return { bound, size: atom === undefined ? 0 : world.shelf(atom.predicate, args.length).rows.length }
}
