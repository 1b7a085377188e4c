/** A claim before verification: its text in pieces, what it rests on, and how it can be checked. */
import type { Claim } from '../contracts/index.ts'
import type { Proof } from '../kernel/datalog/index.ts'

export interface Piece {
  readonly text: string
  /** records cited after this piece, with the columns read of each; of those that are not needed, k are kept */
  readonly cites: readonly { readonly iri: string; readonly columns: readonly string[]; readonly needed: boolean }[]
  /** what joins this piece to the next */
  readonly joint: string
}

export interface ClaimDraft {
  readonly kind: Claim['kind']
  readonly pieces: readonly Piece[]
  readonly sqlSpans: Claim['sql_spans']
  readonly ruleIds: readonly string[]
  readonly factIds: readonly string[]
  readonly supportCount: number
  /** what verify re-checks: proofs of derived facts, or the rows of the executed plan */
  readonly check: { readonly by: 'proof'; readonly proofs: readonly Proof[] } | { readonly by: 'rows' } | { readonly by: 'absence' }
}
