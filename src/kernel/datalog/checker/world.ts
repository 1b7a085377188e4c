/**
 * The facts that a proof or a run claims, as the checker reads them: terms become numbers once, and facts are found by hash.
 * Plain on purpose; it shares nothing with the engine's tables.
 */
import { termKey } from '../../term.ts'
import type { Term } from '../../term.ts'
import type { Atom, Fact } from '../program.ts'

export interface ClaimedFact {
  readonly predicate: string
  readonly args: readonly (Term | null)[]
}

/** What is unknown, and a register without a value. */
export const NOTHING = 0

export type Key = number | string

/** Codes up to 2^26 share one safe integer by two; more of them become a text. */
const HALF = 2 ** 26
export function keyOf(codes: readonly number[]): Key {
  const [x = 0, y = 0] = codes
  if (codes.length === 1) return x
  return codes.length === 2 && x < HALF && y < HALF ? x * HALF + y : codes.join(' ')
}

/** The distinct facts of one predicate with one number of arguments. */
export class Shelf {
  readonly rows: (readonly number[])[] = []
  readonly #all = new Map<Key, number>()
  readonly #indexes = new Map<number, Map<Key, number[]>>()

  /** The row's number, whether it is new or not. */
  add(row: readonly number[]): number {
    const key = keyOf(row)
    const known = this.#all.get(key)
    if (known !== undefined) return known
    this.#all.set(key, this.rows.length)
    this.#indexes.clear()
    return this.rows.push(row) - 1
  }

  /** -1 for a row that is not here. */
  find(row: readonly number[]): number {
    return this.#all.get(keyOf(row)) ?? -1
  }

  /** Numbers of the rows with these codes in the columns of the mask. An unknown value equals nothing, so it is never found. */
  matches(mask: number, codes: readonly number[]): readonly number[] {
    let index = this.#indexes.get(mask)
    if (index === undefined) this.#indexes.set(mask, (index = this.#indexBy(mask)))
    return index.get(keyOf(codes)) ?? NONE
  }

  #indexBy(mask: number): Map<Key, number[]> {
    const index = new Map<Key, number[]>()
    for (const [number, row] of this.rows.entries()) {
      const codes = row.filter((_, column) => (mask & (1 << column)) !== 0)
      if (codes.includes(NOTHING)) continue
      const key = keyOf(codes)
      const found = index.get(key)
      if (found === undefined) index.set(key, [number])
      else found.push(number)
    }
    return index
  }
}

const NONE: readonly number[] = []

export class World {
  readonly #iris = new Map<string, number>()
  readonly #blanks = new Map<string, number>()
  /** by datatype or language first */
  readonly #typed = new Map<string, Map<string, number>>()
  readonly #tagged = new Map<string, Map<string, number>>()
  readonly #terms: Term[] = [{ kind: 'bnode', value: '' }]
  readonly #shelves = new Map<string, Map<number, Shelf>>()
  readonly #load: (predicate: string) => readonly ClaimedFact[]

  /** Facts are asked for by predicate, once, when first needed. */
  constructor(load: (predicate: string) => readonly ClaimedFact[]) {
    this.#load = load
  }

  /** Two terms share a code exactly when they are the same term. */
  code(term: Term): number {
    const codes = this.#codesLike(term)
    let code = codes.get(term.value)
    if (code === undefined) {
      code = this.#terms.push(term) - 1
      codes.set(term.value, code)
    }
    return code
  }

  #codesLike(term: Term): Map<string, number> {
    if (term.kind !== 'literal') return term.kind === 'iri' ? this.#iris : this.#blanks
    const [kind, name] = term.language === undefined ? [this.#typed, term.datatype] : [this.#tagged, term.language]
    let codes = kind.get(name)
    if (codes === undefined) kind.set(name, (codes = new Map()))
    return codes
  }

  term(code: number): Term {
    const term = this.#terms[code]
    if (term === undefined || code === NOTHING) throw new Error(`no term has the code ${code}`)
    return term
  }

  row(fact: ClaimedFact): number[] {
    return fact.args.map((term) => (term === null ? NOTHING : this.code(term)))
  }

  shelf(predicate: string, arity: number): Shelf {
    let byArity = this.#shelves.get(predicate)
    if (byArity === undefined) {
      this.#shelves.set(predicate, (byArity = new Map<number, Shelf>()))
      for (const fact of this.#load(predicate)) shelfIn(byArity, fact.args.length).add(this.row(fact))
    }
    return shelfIn(byArity, arity)
  }

  has(fact: ClaimedFact): boolean {
    return this.shelf(fact.predicate, fact.args.length).find(this.row(fact)) >= 0
  }
}

function shelfIn(shelves: Map<number, Shelf>, arity: number): Shelf {
  let shelf = shelves.get(arity)
  if (shelf === undefined) shelves.set(arity, (shelf = new Shelf()))
  return shelf
}

/** More columns than a mask has bits cannot be looked up; no relation of ours comes near. */
export const MAX_COLUMNS = 30

/** A fact as a reader sees it. */
export const written = ({ predicate, args }: ClaimedFact): string =>
  `${predicate}(${args.map((term) => (term === null ? '_' : termKey(term))).join(', ')})`

/** Facts handed in as a list, by predicate. */
export function byPredicate(facts: readonly Fact[]): (predicate: string) => readonly Fact[] {
  const grouped = Map.groupBy(facts, ({ predicate }) => predicate)
  return (predicate) => grouped.get(predicate) ?? []
}

export const variablesIn = (atom: Atom): string[] =>
  atom.args.flatMap((arg) => (arg !== null && 'variable' in arg ? [arg.variable] : []))
