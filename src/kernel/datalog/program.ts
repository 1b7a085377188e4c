/** What goes into the engine and what comes out of it. Tiers are plain ranks here: 0 is open to all, higher is more sensitive. */
import type { Term } from '../term.ts'
import type { Comparison } from '../values/index.ts'

export type { Comparison } from '../values/index.ts'

/** A relation with named columns. Column 0 of a class relation is the record itself. */
export interface Relation {
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly tier: number }[]
}

export type Argument = { readonly variable: string } | { readonly term: Term }

/** null stands for a column that the atom does not look at; it matches anything and adds no tier. */
export interface Atom {
  readonly predicate: string
  readonly args: readonly (Argument | null)[]
}

export type ArithmeticOperator = '+' | '-' | '*' | '/'

/** What a calculation is made of: variables and values, put together by operators, a sign in front at will. */
export type Expr =
  | Argument
  | { readonly op: ArithmeticOperator; readonly left: Expr; readonly right: Expr }
  | { readonly minus: Expr }
  /** a function of kernel/values; an operand without a value reaches it as an error, which most functions hand on */
  | { readonly call: string; readonly args: readonly Expr[] }

/** `latest` is the folded value beside the greatest value of another variable; `sample` and `concat` come from SPARQL alone. */
export type AggregateFunction = 'count' | 'sum' | 'min' | 'max' | 'avg' | 'latest' | 'sample' | 'concat'

export type BodyItem =
  | { readonly kind: 'atom'; readonly atom: Atom }
  | { readonly kind: 'not'; readonly atom: Atom }
  | { readonly kind: 'compare'; readonly op: Comparison; readonly left: Argument; readonly right: Argument }
  /** holds where the effective boolean value of the expression is true; an error is not true */
  | { readonly kind: 'test'; readonly expr: Expr }
  | Aggregate
  /** `?x = ?v * ?f`: holds where the calculation has a result, and gives it to a variable that has no other value */
  | { readonly kind: 'assign'; readonly into: string; readonly expr: Expr }

/** `?n = count { Alarm(resource: ?r) }`, or with a value to fold: `?n = sum(?x) { ... }` */
export interface Aggregate {
  readonly kind: 'aggregate'
  readonly into: string
  readonly fn: AggregateFunction
  readonly of: string | null
  /** what `latest` is the latest by */
  readonly by?: string
  readonly body: readonly Atom[]
  /** conditions on the matches: `count { Lab(value: ?v), ?v > 5 }` */
  readonly where?: readonly Condition[]
  /** fold as SPARQL does (its errors, its promotions), over distinct values at will; absent: as the rule text does */
  readonly sparql?: { readonly distinct: boolean; readonly separator?: string }
}

/** The parts of a body that only look at values. */
export type Condition = Extract<BodyItem, { readonly kind: 'compare' | 'test' }>

export interface DatalogRule {
  readonly id: string
  readonly head: Atom
  readonly body: readonly BodyItem[]
  /** where the clause starts in its text; a rule that was built by a program has none */
  readonly at?: { readonly line: number; readonly column: number }
}

export interface Program {
  readonly relations: readonly Relation[]
  readonly rules: readonly DatalogRule[]
  /** lets a rule feed itself with values that it makes: it ends where it finds no new ones, or at the budget */
  readonly mayGrow?: boolean
}

/** A fact handed in. null is an unknown value: it equals nothing, not even itself. `source` is what a citation names. */
export interface Fact {
  readonly predicate: string
  readonly args: readonly (Term | null)[]
  readonly tier?: number
  readonly source?: string
}

export interface StoredFact extends Fact {
  /** premise ids are always smaller than the id of their conclusion */
  readonly id: number
  readonly tier: number
  readonly asserted: boolean
}

export type Premise =
  | { readonly kind: 'fact'; readonly fact: number }
  /** no fact matches this atom, whose arguments are bound terms or null */
  | { readonly kind: 'absent'; readonly atom: Atom }
  | { readonly kind: 'condition'; readonly op: Comparison; readonly left: Term; readonly right: Term }
  | {
      readonly kind: 'aggregate'
      readonly fn: AggregateFunction
      readonly result: Term
      readonly body: readonly Atom[]
      /** with the values of the instance put in; variables of the matches stay */
      readonly where?: readonly Condition[]
      /** the facts folded in, one list per match of the body */
      readonly matches: readonly (readonly number[])[]
    }
  /** an expression with the values of its operands put in, whose effective boolean value is true */
  | { readonly kind: 'tested'; readonly expr: Expr }
  /** the calculation with the values of its operands put in, and what came out of it */
  | { readonly kind: 'computed'; readonly into: string; readonly expr: Expr; readonly result: Term }

export interface Derivation {
  readonly rule: string
  readonly bindings: Readonly<Record<string, Term>>
  /** in the order of the rule's body */
  readonly premises: readonly Premise[]
}

export type Provenance = 'none' | 'one' | 'all'

export interface Budget {
  /** of the whole model, asserted facts included */
  readonly maxFacts?: number
  readonly maxRounds?: number
  /** how many derivations of a fact are kept: the first (`one`, the default), each (`all`), or `none` */
  readonly provenance?: Provenance
  /** with `one`: rules of different groups (engines, say) each keep their first derivation of a fact */
  readonly groupOf?: (rule: string) => string
  /** asked now and then; true stops the evaluation with a flagged result (time and cancellation come in from outside) */
  readonly shouldStop?: () => boolean
}

/** The least model, with one derivation (of minimal round) for each derived fact. */
export interface Model {
  readonly facts: readonly StoredFact[]
  readonly rounds: number
  /** null when the fixpoint was reached, otherwise the budget that ended the run; the model is then partial */
  readonly stopped: null | 'facts' | 'rounds' | 'asked'
  /** facts of a predicate whose arguments equal the given terms; undefined matches anything */
  find(predicate: string, pattern?: readonly (Term | undefined)[]): StoredFact[]
  readonly size: number
  /** of asserted and derived facts, and of rules that found nothing */
  readonly predicates: readonly string[]
  fact(id: number): StoredFact
  /** the first derivation: its premises have smaller numbers than the fact */
  derivation(fact: number): Derivation | undefined
  /** every derivation that was kept, the first one first; a premise of a later one may itself rest on the fact */
  derivations(fact: number): readonly Derivation[]
  /** the rules of those derivations, in the same order */
  rulesOf(fact: number): readonly string[]
}

/** Something wrong with a program, at a place in its text (counted from 1; 0 where a rule has no text). */
export interface RuleFault {
  readonly message: string
  readonly line: number
  readonly column: number
}

export type Parsed = { readonly ok: true; readonly rules: readonly DatalogRule[] } | { readonly ok: false; readonly faults: readonly RuleFault[] }
