/** A row of the proposal table as the contract's proposal, and the conditions that every reading of the table shares. */
import type { SelectQueryBuilder } from 'kysely'
import { DETECTION_STRATEGIES, PROPOSAL_STATES, PROPOSAL_TYPES, Proposal, ServiceError, TIERS, type Tier, within } from '../contracts/index.ts'
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

const KINDS: ReadonlySet<unknown> = new Set(PROPOSAL_TYPES)
const STATES: ReadonlySet<unknown> = new Set(PROPOSAL_STATES)
const STRATEGIES: ReadonlySet<unknown> = new Set(DETECTION_STRATEGIES)
const KNOWN_TIERS: ReadonlySet<unknown> = new Set(TIERS)
const TEXTS = ['pid', 'title', 'name', 'candidate_turtle', 'source', 'evidence_sample', 'created_at', 'updated_at'] as const
const OPTIONAL_TEXTS = ['reviewer_id', 'review_note', 'reviewed_at', 'merged_into'] as const
const NUMBERS = ['confidence', 'consequence', 'version'] as const
const OPTIONAL_NUMBERS = ['lag_ms_p50', 'lag_ms_p95'] as const

const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value)

/** What the contract's schema would say of our own columns, at a tenth of its price: a page of the queue reads fifty rows. */
const fits = (row: Row): boolean =>
  KINDS.has(row.proposal_type) && STATES.has(row.status) && STRATEGIES.has(row.detection_strategy) && KNOWN_TIERS.has(row.tier) &&
  TEXTS.every((column) => typeof row[column] === 'string') &&
  OPTIONAL_TEXTS.every((column) => row[column] === null || typeof row[column] === 'string') &&
  NUMBERS.every((column) => isNumber(row[column])) && Number.isSafeInteger(row.version) &&
  OPTIONAL_NUMBERS.every((column) => row[column] === null || isNumber(row[column]))

/** In the order of the contract. */
export function proposalOf(row: Row): Proposal {
  const read = {
    pid: row.pid, proposal_type: row.proposal_type, title: row.title, name: row.name, candidate_turtle: row.candidate_turtle,
    detection_strategy: row.detection_strategy, confidence: row.confidence, consequence: row.consequence,
    score: Number(row.confidence) * Number(row.consequence), lag_ms_p50: row.lag_ms_p50, lag_ms_p95: row.lag_ms_p95, status: row.status,
    source: row.source, tier: row.tier, evidence: objectOf(row.evidence), evidence_sample: row.evidence_sample, edits: objectOf(row.edits),
    reviewer_id: row.reviewer_id, review_note: row.review_note, reviewed_at: row.reviewed_at, merged_into: row.merged_into,
    version: row.version, created_at: row.created_at, updated_at: row.updated_at,
  }
  if (fits(row)) return read as Proposal
  const told = Proposal.safeParse(read)
  throw new ServiceError('conflict', 'a stored proposal holds a value that this program does not know', {
    errors: (told.error?.issues ?? []).map(({ path, message }) => ({ path: path.join('.'), message })),
  })
}
