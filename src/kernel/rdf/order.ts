/**
 * Triples in the code-unit order of their terms. A graph of a million triples has far fewer terms: those are spelt and ordered
 * once, and the triples are then put in order by three numbers each, without a string of their own.
 */
import type { Term } from '../term.ts'
import { compareText, termKey } from '../term.ts'
import type { Quad } from './quad.ts'

export interface OrderedTriples {
  /** in order; a term's number is its place here */
  readonly terms: readonly Term[]
  /** by place in the order: where the triple stands in the input. Equal triples keep the order in which they came */
  readonly order: Uint32Array
  /** by place in the input: the numbers of the triple's terms */
  readonly subjects: Uint32Array
  readonly predicates: Uint32Array
  readonly objects: Uint32Array
  /** whether the triple at this place is the one before it again */
  isRepeated(place: number): boolean
}

/** Subject first, then predicate, then object. */
export function orderTriples<T>(items: readonly T[], quadOf: (item: T) => Quad): OrderedTriples {
  const numbers = new TermNumbers()
  const subjects = new Uint32Array(items.length)
  const predicates = new Uint32Array(items.length)
  const objects = new Uint32Array(items.length)
  for (const [n, item] of items.entries()) {
    const { subject, predicate, object } = quadOf(item)
    subjects[n] = numbers.of(subject)
    predicates[n] = numbers.of(predicate)
    objects[n] = numbers.of(object)
  }
  const { terms, ranks } = ranked(numbers.terms)
  for (const column of [subjects, predicates, objects]) {
    for (let n = 0; n < column.length; n++) column[n] = ranks[column[n] ?? 0] ?? 0
  }
  let order = Uint32Array.from({ length: items.length }, (_, n) => n)
  // each pass keeps what the one before it has ordered
  for (const column of [objects, predicates, subjects]) order = orderedBy(column, order, terms.length)
  return {
    terms,
    order,
    subjects,
    predicates,
    objects,
    isRepeated: (place) => {
      const [one, before] = [order[place] ?? 0, order[place - 1] ?? 0]
      return place > 0 && objects[one] === objects[before] && subjects[one] === subjects[before] && predicates[one] === predicates[before]
    },
  }
}

/** Numbers for terms in the order of their coming. */
class TermNumbers {
  readonly terms: Term[] = []
  readonly #spaces = new Map<string, Map<string, number>>()

  of(term: Term): number {
    const name = spaceOf(term)
    let space = this.#spaces.get(name)
    if (space === undefined) this.#spaces.set(name, (space = new Map()))
    let number = space.get(term.value)
    if (number === undefined) {
      number = this.terms.push(term) - 1
      space.set(term.value, number)
    }
    return number
  }
}

/** Where terms of the same value are the same term. Datatypes are IRIs, so none looks like the other kinds. */
export function spaceOf(term: Term): string {
  if (term.kind !== 'literal') return term.kind === 'iri' ? '<' : '_'
  return term.language === undefined ? term.datatype : `@${term.language}`
}

function ranked(found: readonly Term[]): { terms: Term[]; ranks: Uint32Array } {
  const keys = found.map(termKey)
  const sorted = Array.from(found.keys()).toSorted((x, y) => compareText(keys[x] ?? '', keys[y] ?? ''))
  const ranks = new Uint32Array(found.length)
  for (const [rank, number] of sorted.entries()) ranks[number] = rank
  return { terms: sorted.flatMap((number) => found[number] ?? []), ranks }
}

/** Counts how many rows each number has, and puts each row behind the last one of its number: nothing is compared. */
function orderedBy(column: Uint32Array, order: Uint32Array, numbers: number): Uint32Array<ArrayBuffer> {
  const next = new Uint32Array(numbers + 1)
  for (const number of column) next[number + 1] = (next[number + 1] ?? 0) + 1
  for (let number = 0; number < numbers; number++) next[number + 1] = (next[number + 1] ?? 0) + (next[number] ?? 0)
  const ordered = new Uint32Array(order.length)
  for (const row of order) {
    const number = column[row] ?? 0
    const place = next[number] ?? 0
    next[number] = place + 1
    ordered[place] = row
  }
  return ordered
}
