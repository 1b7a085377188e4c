/** A row of the proposal table as the contract's proposal, and the conditions that every reading of the table shares. */
import type { SelectQueryBuilder } from 'kysely'
import { PROPOSAL_TYPES, Proposal, ServiceError, TIERS, type Tier, within } from '../contracts/index.ts'
import { objectOf } from './json.ts'
import { COLUMNS, PROPOSALS, PROPOSAL_WORDS, type Tables } from './schema.ts'

export type Column = Exclude<keyof Tables[typeof PROPOSALS], 'proposal_id'>
export type Row = { [C in Column]: unknown }
export type Selected<O> = SelectQueryBuilder<Tables, typeof PROPOSALS, O>

// by name, not `*`: an older store has columns of its own, whose values may not even fit a JavaScript number
export const columns = Object.keys(COLUMNS[PROPOSALS]).filter((name): name is Column => name !== 'proposal_id')

export const tiersWithin = (ceiling: Tier): Tier[] => TIERS.filter((tier) => within(tier, ceiling))

/** Rows with a word outside the contract (an older program's) stay in the table and are not offered. */
export const offered = <O>(from: Selected<O>): Selected<O> =>
  from
    .where('proposal_type', 'in', PROPOSAL_TYPES)
    .where('status', 'in', PROPOSAL_WORDS.status)
    .where('detection_strategy', 'in', PROPOSAL_WORDS.detection_strategy)

export function proposalOf(row: Row): Proposal {
  const read = Proposal.safeParse({
    ...row,
    score: Number(row.confidence) * Number(row.consequence),
    evidence: objectOf(row.evidence),
    edits: objectOf(row.edits),
  })
  if (read.success) return read.data
  throw new ServiceError('conflict', 'a stored proposal holds a value that this program does not know', {
    errors: read.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })),
  })
}
