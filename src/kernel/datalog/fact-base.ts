/** All facts of a run by number: asserted ones first, then derived ones in the order in which they were found. */
import { aritiesOf } from './check-program.ts'
import { Derivations } from './derivations.ts'
import type { Origin } from './derivations.ts'
import { Dictionary } from './dictionary.ts'
import type { Budget, Fact, Program, Provenance } from './program.ts'
import { FactTable } from './table.ts'

/** How much of the way to a fact is remembered. */
type Keeping = Pick<Budget, 'provenance' | 'groupOf'>

export class FactBase {
  readonly dictionary = new Dictionary()
  readonly tables = new Map<string, FactTable>()
  /** by fact number: where its cells are */
  readonly tableOf: FactTable[] = []
  readonly rowOf: number[] = []
  readonly sources: (string | undefined)[] = []
  readonly asserted: number
  readonly #late = new Set<number>()
  readonly #provenance: Provenance
  /** by rule number */
  readonly #groups: readonly string[]
  readonly #keepsMore: boolean
  readonly #derivations = new Derivations()

  constructor(program: Program, facts: readonly Fact[], { provenance = 'one', groupOf }: Keeping = {}) {
    this.#provenance = provenance
    this.#groups = groupOf === undefined ? [] : program.rules.map(({ id }) => groupOf(id))
    this.#keepsMore = provenance === 'all' || (provenance === 'one' && new Set(this.#groups).size > 1)
    const arities = aritiesOf(program)
    for (const [predicate, arity] of arities) this.tables.set(predicate, new FactTable(predicate, arity))
    for (const fact of facts) this.#assert(fact)
    this.asserted = this.size
  }

  /** Facts given after facts were derived. One that was derived before is asserted from now on. */
  assertMore(facts: readonly Fact[]): void {
    for (const fact of facts) this.#late.add(this.#assert(fact))
  }

  isAsserted(fact: number): boolean {
    return fact < this.asserted || this.#late.has(fact)
  }

  get size(): number {
    return this.tableOf.length
  }

  table(predicate: string): FactTable {
    const table = this.tables.get(predicate)
    if (table === undefined) throw new Error(`no table for ${predicate}`)
    return table
  }

  /** Adds a derived fact with its rule and premises; false if it is known already, in which case the derivation may be kept. */
  derive(table: FactTable, row: ArrayLike<number>, tier: number, rule: number, premises: readonly number[]): boolean {
    const id = this.size
    const number = table.add(row, id, tier)
    if (number >= 0) {
      this.tableOf.push(table)
      this.rowOf.push(number)
      if (this.#provenance !== 'none') this.#derivations.add(id, rule, premises)
      return true
    }
    if (this.#keepsMore) this.#also(table.ids[table.rowOf(row)] ?? -1, rule, premises)
    return false
  }

  /** How a fact was found, the first way first; nothing for an asserted one, unless all derivations are kept. */
  origins(fact: number): Origin[] {
    return this.#derivations.of(fact)
  }

  /** The rules of those ways alone, by number. */
  rulesOf(fact: number): number[] {
    return this.#derivations.rulesOf(fact)
  }

  #also(fact: number, rule: number, premises: readonly number[]): void {
    if (this.#provenance === 'all') this.#derivations.add(fact, rule, premises)
    else if (fact >= this.asserted) {
      const group = this.#groups[rule]
      if (!this.#derivations.rulesOf(fact).some((known) => this.#groups[known] === group)) this.#derivations.add(fact, rule, premises)
    }
  }

  /** The same fact given twice is one fact, with the lower tier: who may see either may see it. */
  #assert({ predicate, args, tier = 0, source }: Fact): number {
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
      this.sources[this.size - 1] = source
      return this.size - 1
    }
    const known = table.rowOf(row)
    if (tier < (table.tiers[known] ?? 0)) {
      table.lower(known, tier)
      this.sources[table.ids[known] ?? 0] = source
    }
    return table.ids[known] ?? 0
  }
}
