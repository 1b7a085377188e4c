/** Names for the triples that a lineage speaks of: a hash of the content each, kept as bytes, in the order of their spelling. */
import { hash } from 'node:crypto'
import type { Quad } from '../kernel/rdf/index.ts'
import { quadKey } from '../kernel/rdf/index.ts'
import type { Term } from '../kernel/term.ts'
import { iri } from '../kernel/term.ts'

export const STATEMENT = 'urn:wherefore:statement:'

const BYTES = 16

export class Statements {
  /** by fact: its number among the statements, and 1; 0 for a fact that nobody speaks of */
  readonly #numbers: Uint32Array
  /** by number */
  readonly #facts: number[] = []
  #names = Buffer.alloc(1024 * BYTES)

  constructor(facts: number) {
    this.#numbers = new Uint32Array(facts)
  }

  get size(): number {
    return this.#facts.length
  }

  /** Whether the fact is new here. */
  add(fact: number, quad: Quad): boolean {
    if (this.#numbers[fact] !== 0) return false
    const number = this.#facts.push(fact) - 1
    this.#numbers[fact] = number + 1
    if ((number + 1) * BYTES > this.#names.length) {
      const grown = Buffer.alloc(2 * this.#names.length)
      this.#names.copy(grown)
      this.#names = grown
    }
    hash('sha256', quadKey(quad), 'buffer').copy(this.#names, number * BYTES, 0, BYTES)
    return true
  }

  name(fact: number): Term {
    const number = (this.#numbers[fact] ?? 0) - 1
    if (number < 0) throw new Error(`nothing is said about the fact ${fact}`)
    return iri(STATEMENT + this.#names.toString('hex', number * BYTES, (number + 1) * BYTES))
  }

  /** The facts in the code-unit order of their names. */
  inOrder(): Uint32Array {
    const names = this.#names
    // six bytes are a whole number, and nearly always tell two names apart
    const starts = Float64Array.from(this.#facts, (_, number) => names.readUIntBE(number * BYTES, 6))
    const rest = (x: number, y: number) =>
      names.compare(names, y * BYTES, (y + 1) * BYTES, x * BYTES, (x + 1) * BYTES)
    return Uint32Array.from(this.#facts.keys())
      .toSorted((x, y) => (starts[x] ?? 0) - (starts[y] ?? 0) || rest(x, y))
      .map((number) => this.#facts[number] ?? 0)
  }
}
