/** What reasoning over a graph gives: the derived triples, each with the rule, the premises and the tier it stands on. */
import type { Engine, Tier } from '../contracts/index.ts'
import type { DatalogRule, Model } from '../kernel/datalog/index.ts'
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

export interface Derived {
  readonly fact: number
  readonly quad: Quad
  readonly engine: Engine
  /** the id that its author gave the rule, or the W3C name of an OWL 2 RL rule */
  readonly rule: string
  readonly premises: readonly Premise[]
  readonly bindings: Readonly<Record<string, Term>>
  readonly tier: Tier
}

/** Which rule of which engine a compiled rule belongs to. */
export interface Origin {
  readonly engine: Engine
  readonly rule: string
}

export interface Refused extends Origin {
  readonly reason: string
}

export interface Materialisation {
  readonly baseIri: string
  /** nothing above this tier took part */
  readonly ceiling: Tier
  readonly asserted: readonly TieredQuad[]
  /** in the order of the triples' canonical spelling */
  readonly derived: readonly Derived[]
  readonly model: Model
  readonly rules: ReadonlyMap<string, DatalogRule>
  readonly origins: ReadonlyMap<string, Origin>
  readonly counts: readonly (Origin & { readonly triples: number })[]
  readonly rulesWithoutFirings: readonly Origin[]
  readonly refused: readonly Refused[]
  /** contradictions in words; they are reported and stop nothing */
  readonly inconsistencies: readonly { readonly rule: string; readonly text: string }[]
  /** what the reader of the report should know about how far reasoning went */
  readonly notices: readonly string[]
}
