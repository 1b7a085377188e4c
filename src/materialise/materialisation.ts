/** What reasoning over a graph gives: the derived triples, each with the rules, the premises and the tier it stands on. */
import type { Engine, Tier } from '../contracts/index.ts'
import type { DatalogRule, Fact, Model } from '../kernel/datalog/index.ts'
import type { Quad } from '../kernel/rdf/index.ts'
import type { Term } from '../kernel/term.ts'

export interface TieredQuad {
  readonly quad: Quad
  readonly tier: Tier
}

/** What a derivation rests on: a triple, a pattern that nothing matches, or a comparison that holds. */
export type Premise =
  | { readonly kind: 'triple'; readonly fact: number; readonly quad: Quad; readonly tier: Tier }
  | { readonly kind: 'absent' | 'condition'; readonly text: string }

/** Which rule of which engine a derivation belongs to. */
export interface Origin {
  readonly engine: Engine
  /** the id that its author gave the rule, or the W3C name of an OWL 2 RL rule */
  readonly rule: string
  /** of a SHACL rule */
  readonly shape?: Term
}

/** A triple that follows, with the first derivation that each engine has of it; the first of them all comes first. */
export interface Derived {
  readonly fact: number
  readonly quad: Quad
  readonly tier: Tier
  readonly origins: readonly Origin[]
}

/** One derivation of a triple. */
export interface Way extends Origin {
  readonly bindings: Readonly<Record<string, Term>>
  readonly premises: readonly Premise[]
  /** the rule ran through the SPARQL store: it may rest on more than its premises say */
  readonly partial: boolean
}

export interface Refused extends Origin {
  readonly reason: string
}

/** A rule that no compiler reads, and that the SPARQL store ran instead. */
export interface Delegated extends Origin {
  readonly reason: string
  readonly solutions: number
}

/** A query whose solutions a rule goes on from, in the order of these variables. */
export interface StoreQuery {
  readonly rule: string
  readonly select: string
  readonly variables: readonly string[]
}

/** A contradiction in words, with what it follows from. It is reported and stops nothing. */
export interface Inconsistency {
  readonly rule: string
  readonly text: string
  readonly fact: number
  readonly tier: Tier
}

export interface Materialisation {
  readonly baseIri: string
  /** nothing above this tier took part */
  readonly ceiling: Tier
  readonly asserted: readonly TieredQuad[]
  /** in the order of the triples' canonical spelling */
  readonly derived: readonly Derived[]
  readonly model: Model
  /** what the model was made from: the facts handed in, and the compiled rules by id */
  readonly base: readonly Fact[]
  readonly rules: ReadonlyMap<string, DatalogRule>
  readonly origins: ReadonlyMap<string, Origin>
  readonly counts: readonly (Origin & { readonly triples: number })[]
  readonly rulesWithoutFirings: readonly Origin[]
  readonly refused: readonly Refused[]
  readonly delegated: readonly Delegated[]
  /** what those ask the store */
  readonly queries: readonly StoreQuery[]
  readonly inconsistencies: readonly Inconsistency[]
  /** what the reader of the report should know about how far reasoning went */
  readonly notices: readonly string[]
}
