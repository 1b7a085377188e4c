/** Counts of traits by segment: how often a context came, and how often it had an outcome. */
export interface Trait {
  readonly service: string
  readonly context: string
  readonly outcome: string
  readonly counts: Int32Array
}

interface Context {
  readonly service: string
  readonly seen: Int32Array
  readonly outcomes: Map<string, Trait>
}

export class Tally {
  readonly #contexts = new Map<string, Context>()
  readonly #segments: number

  constructor(segments: number) {
    this.#segments = segments
  }

  /** A context came once, with these outcomes. */
  add(service: string, context: string, outcomes: Iterable<string>, segment: number): void {
    const known = this.#context(service, context)
    known.seen[segment] = (known.seen[segment] ?? 0) + 1
    for (const outcome of outcomes) {
      let trait = known.outcomes.get(outcome)
      if (trait === undefined) {
        trait = { service, context, outcome, counts: new Int32Array(this.#segments) }
        known.outcomes.set(outcome, trait)
      }
      trait.counts[segment] = (trait.counts[segment] ?? 0) + 1
    }
  }

  *traits(): Generator<{ readonly trait: Trait; readonly seen: Int32Array }> {
    for (const { seen, outcomes } of this.#contexts.values()) for (const trait of outcomes.values()) yield { trait, seen }
  }

  #context(service: string, context: string): Context {
    const key = `${service}\u0000${context}`
    let known = this.#contexts.get(key)
    if (known === undefined) {
      known = { service, seen: new Int32Array(this.#segments), outcomes: new Map() }
      this.#contexts.set(key, known)
    }
    return known
  }
}
