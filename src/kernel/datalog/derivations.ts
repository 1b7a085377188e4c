/** The ways to facts: which rule with which premises, in flat lists. A fact may have several, chained in the order of their coming. */

export interface Origin {
  /** by number in the program */
  readonly rule: number
  /** numbers of the facts that the rule's positive atoms matched, in the order of its body */
  readonly premises: readonly number[]
}

const NONE = -1

export class Derivations {
  /** by derivation: its rule, where its premises start, and the next derivation of the same fact */
  readonly #rules: number[] = []
  readonly #starts: number[] = []
  readonly #next: number[] = []
  readonly #premises: number[] = []
  /** by rule: how many premises each of its instances has */
  readonly #counts: number[] = []
  /** by fact: its first derivation */
  readonly #first: number[] = []
  /** by fact: its last derivation, where it has more than one */
  readonly #last = new Map<number, number>()

  add(fact: number, rule: number, premises: readonly number[]): void {
    const number = this.#rules.push(rule) - 1
    this.#starts.push(this.#premises.length)
    this.#next.push(NONE)
    for (const premise of premises) this.#premises.push(premise)
    this.#counts[rule] = premises.length
    const first = this.#first[fact] ?? NONE
    if (first === NONE) {
      // facts that have no derivation leave no hole: a list with holes would be a slow one
      while (this.#first.length < fact) this.#first.push(NONE)
      this.#first[fact] = number
      return
    }
    this.#next[this.#last.get(fact) ?? first] = number
    this.#last.set(fact, number)
  }

  rulesOf(fact: number): number[] {
    return this.#chain(fact).map((number) => this.#rules[number] ?? NONE)
  }

  of(fact: number): Origin[] {
    return this.#chain(fact).map((number) => {
      const rule = this.#rules[number] ?? NONE
      const start = this.#starts[number] ?? 0
      return { rule, premises: this.#premises.slice(start, start + (this.#counts[rule] ?? 0)) }
    })
  }

  #chain(fact: number): number[] {
    const chain: number[] = []
    for (let number = this.#first[fact] ?? NONE; number !== NONE; number = this.#next[number] ?? NONE) chain.push(number)
    return chain
  }
}
