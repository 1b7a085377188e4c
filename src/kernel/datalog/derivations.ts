/** The ways to facts: which rule with which premises, in flat lists. A fact may have several, chained in the order of their coming. */

export interface Origin {
  /** by number in the program */
  readonly rule: number
  /** numbers of the facts that the rule's positive atoms matched, in the order of its body */
  readonly premises: readonly number[]
}

const NONE = -1
/** so that 0 is a place where nothing was written */
const SHIFT = 1

export class Derivations {
  /** by derivation: its rule and where its premises start */
  #rules = new Uint32Array(1024)
  #starts = new Uint32Array(1024)
  #count = 0
  #premises = new Uint32Array(4096)
  #used = 0
  /** by rule: how many premises each of its instances has */
  readonly #counts: number[] = []
  /** by fact: its first derivation, counted from 1 */
  #first = new Uint32Array(1024)
  /** by derivation: the next one of the same fact; by fact: its last one. Few facts have more than one. */
  readonly #next = new Map<number, number>()
  readonly #last = new Map<number, number>()

  add(fact: number, rule: number, premises: readonly number[]): void {
    const number = this.#count++
    if (number >= this.#rules.length) {
      this.#rules = grown(this.#rules, number)
      this.#starts = grown(this.#starts, number)
    }
    if (this.#used + premises.length > this.#premises.length) this.#premises = grown(this.#premises, this.#used + premises.length)
    if (fact >= this.#first.length) this.#first = grown(this.#first, fact)
    this.#rules[number] = rule
    this.#starts[number] = this.#used
    for (let n = 0; n < premises.length; n++) this.#premises[this.#used++] = premises[n] ?? 0
    this.#counts[rule] = premises.length
    const first = (this.#first[fact] ?? 0) - SHIFT
    if (first === NONE) {
      this.#first[fact] = number + SHIFT
      return
    }
    this.#next.set(this.#last.get(fact) ?? first, number)
    this.#last.set(fact, number)
  }

  rulesOf(fact: number): number[] {
    return this.#chain(fact).map((number) => this.#rules[number] ?? NONE)
  }

  of(fact: number): Origin[] {
    return this.#chain(fact).map((number) => {
      const rule = this.#rules[number] ?? NONE
      const start = this.#starts[number] ?? 0
      return { rule, premises: Array.from(this.#premises.subarray(start, start + (this.#counts[rule] ?? 0))) }
    })
  }

  #chain(fact: number): number[] {
    const chain: number[] = []
    for (let number = (this.#first[fact] ?? 0) - SHIFT; number !== NONE; number = this.#next.get(number) ?? NONE) chain.push(number)
    return chain
  }
}

/** A copy with room for this place and as much again. */
function grown(list: Uint32Array, place: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * (place + 1))
  larger.set(list)
  return larger
}
