/** Gives every term a number, so that the engine joins integers. 0 is no term: it stands for an unknown value in a fact. */
import type { Term } from '../term.ts'
import { valueOf } from '../values/index.ts'
import type { Value } from '../values/index.ts'

export class Dictionary {
  readonly #terms: (Term | undefined)[] = [undefined]
  readonly #values: (Value | undefined)[] = []
  /** kind or datatype, then value: nested maps spare the cost of building one key string per cell */
  readonly #codes = new Map<string, Map<string, number>>()

  /** The number of a term, which is new if the term is. */
  code(term: Term): number {
    const space = spaceOf(term)
    let codes = this.#codes.get(space)
    if (codes === undefined) this.#codes.set(space, (codes = new Map()))
    let code = codes.get(term.value)
    if (code === undefined) {
      code = this.#terms.push(term) - 1
      codes.set(term.value, code)
    }
    return code
  }

  /** The number of a term, or -1 if no fact and no rule mentions it. */
  find(term: Term): number {
    return this.#codes.get(spaceOf(term))?.get(term.value) ?? -1
  }

  term(code: number): Term {
    const term = this.#terms[code]
    if (term === undefined) throw new Error(`no term has the number ${code}`)
    return term
  }

  value(code: number): Value {
    return (this.#values[code] ??= valueOf(this.term(code)))
  }
}

// datatypes are IRIs, so none of them looks like the spaces of the other kinds
const spaceOf = (term: Term): string => {
  if (term.kind !== 'literal') return term.kind === 'iri' ? '<' : '_'
  return term.language === undefined ? term.datatype : `@${term.language}`
}
