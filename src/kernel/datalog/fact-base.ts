/** All facts of a run by number: asserted ones first, then derived ones in the order in which they were found. */
import type { Fact, Program } from './program.ts'
import { aritiesOf } from './check-program.ts'
import { Dictionary } from './dictionary.ts'
import { FactTable } from './table.ts'

export class FactBase {
  readonly dictionary = new Dictionary()
  readonly tables = new Map<string, FactTable>()
  /** by fact number: where its cells are */
  readonly tableOf: FactTable[] = []
  readonly rowOf: number[] = []
  readonly sources: (string | undefined)[] = []
  readonly asserted: number
  /** by fact number, counted from the first derived one: its rule, and where its premises start in the list below */
  readonly #rules: number[] = []
  readonly #starts: number[] = []
  readonly #premises: number[] = []

  constructor(program: Program, facts: readonly Fact[]) {
    const arities = aritiesOf(program)
    for (const [predicate, arity] of arities) this.tables.set(predicate, new FactTable(predicate, arity))
    for (const fact of facts) this.#assert(fact)
    this.asserted = this.size
  }

  get size(): number {
    return this.tableOf.length
  }

  table(predicate: string): FactTable {
    const table = this.tables.get(predicate)
    if (table === undefined) throw new Error(`no table for ${predicate}`)
    return table
  }

  /** Adds a derived fact with its rule and premises; false if it is known already. */
  derive(table: FactTable, row: ArrayLike<number>, tier: number, rule: number, premises: readonly number[]): boolean {
    const number = table.add(row, this.size, tier)
    if (number < 0) return false
    this.tableOf.push(table)
    this.rowOf.push(number)
    this.#rules.push(rule)
    this.#starts.push(this.#premises.length)
    for (const premise of premises) this.#premises.push(premise)
    return true
  }

  /** How a derived fact was found; undefined for an asserted one. */
  origin(fact: number): { readonly rule: number; readonly premises: readonly number[] } | undefined {
    const number = fact - this.asserted
    const rule = this.#rules[number]
    if (rule === undefined) return undefined
    return { rule, premises: this.#premises.slice(this.#starts[number], this.#starts[number + 1]) }
  }

  /** The same fact given twice is one fact, with the lower tier: who may see either may see it. */
  #assert({ predicate, args, tier = 0, source }: Fact): void {
    let table = this.tables.get(predicate)
    if (table === undefined) this.tables.set(predicate, (table = new FactTable(predicate, args.length)))
    if (table.arity !== args.length) {
      throw new Error(`a fact of ${predicate} has ${args.length} arguments, others have ${table.arity}`)
    }
    const row = args.map((term) => (term === null ? 0 : this.dictionary.code(term)))
    const number = table.add(row, this.size, tier)
    if (number >= 0) {
      this.tableOf.push(table)
      this.rowOf.push(number)
      this.sources.push(source)
      return
    }
    const known = table.rowOf(row)
    if (tier < (table.tiers[known] ?? 0)) {
      table.lower(known, tier)
      this.sources[table.ids[known] ?? 0] = source
    }
  }
}
