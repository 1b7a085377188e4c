/** Review candidates at rest. A status never changes without its line in the audit, and a re-seed never undoes a decision. */
import { type SelectQueryBuilder, sql } from 'kysely'
import {
  type DetectionStrategy, LOG_DISCOVERY, PROPOSAL_TYPES, Proposal, type ProposalState, type ProposalType, ServiceError, TIERS,
  type Tier,
  within,
} from '../contracts/index.ts'
import { objectOf } from './json.ts'
import { pidOf } from './pid.ts'
import { COLUMNS, PROPOSALS, PROPOSAL_WORDS, type Tables } from './schema.ts'
import { type Connection, query } from './sqlite-dialect.ts'

/** A candidate as mining hands it over. */
export interface NewCandidate {
  readonly key: string
  readonly proposalType: ProposalType
  readonly detectionStrategy: DetectionStrategy
  readonly title: string
  readonly name: string
  readonly confidence: number
  readonly consequence: number
  readonly lagMsP50: number | null
  readonly lagMsP95: number | null
  readonly tier: Tier
  readonly evidence: Readonly<Record<string, unknown>>
  readonly evidenceSample: string
  /** what approval would add to the ontology, as Turtle */
  readonly candidateTurtle?: string
}

export interface Seeded {
  readonly inserted: number
  /** rows that were there before */
  readonly kept: number
  /** those of them that a reviewer had decided, deferred or edited; that stands */
  readonly kept_decisions: number
  readonly by_kind: Readonly<Partial<Record<ProposalType, number>>>
}

export interface ProposalQuery {
  readonly kinds?: readonly ProposalType[]
  readonly kind?: ProposalType
  readonly name?: string
  readonly status?: ProposalState
  readonly maxTier?: Tier
  readonly limit?: number
  /** the last proposal of the page before */
  readonly after?: { readonly score: number; readonly pid: string }
}

export interface ProposalCounts {
  /** kind -> status -> how many; words of an older program that this one does not know are counted under their own name */
  readonly by_kind: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly by_strategy: Readonly<Record<string, number>>
}

/** One step of a proposal's life, as the audit keeps it. */
export interface ProposalEvent {
  readonly id: number
  readonly pid: string
  readonly action: string
  readonly from_status: string
  readonly to_status: string
  readonly reviewer_id: string
  readonly note: string | null
  readonly edits: Readonly<Record<string, unknown>>
  /** the proposal whose decision brought this step about, when it was not decided on its own */
  readonly via: string | null
  readonly at: string
}

export interface ProposalStep {
  readonly action: string
  readonly to: ProposalState
  readonly reviewer: string
  readonly note?: string | null
  readonly via?: string | null
  readonly at: string
  /** who stands on the row afterwards; an undo restores the reviewer before, by default it is this step's */
  readonly signed?: { readonly reviewer: string | null; readonly note: string | null; readonly at: string | null }
}

export interface Proposals {
  upsert(candidates: readonly NewCandidate[], now: string): Seeded
  get(pid: string): Proposal | undefined
  /** queue order: confidence times consequence, descending, then pid */
  list(ask?: ProposalQuery): { readonly proposals: Proposal[]; readonly total: number }
  counts(maxTier?: Tier): ProposalCounts
  /** moves a proposal and writes its audit line; refused as stale when the row is no longer at that version */
  update(pid: string, version: number, step: ProposalStep): Proposal
  audit(pid: string): ProposalEvent[]
}

type Column = Exclude<keyof Tables[typeof PROPOSALS], 'proposal_id'>
type Row = { [C in Column]: unknown }
type Selected<O> = SelectQueryBuilder<Tables, typeof PROPOSALS, O>

// by name, not `*`: an older store has columns of its own, whose values may not even fit a JavaScript number
const columns = Object.keys(COLUMNS[PROPOSALS]).filter((name): name is Column => name !== 'proposal_id')
const score = sql<number>`confidence * consequence`

export function proposalsOf(store: Connection): Proposals {
  const get = (pid: string): Proposal | undefined => {
    const row = store.first(query.selectFrom(PROPOSALS).select(columns).where('pid', '=', pid))
    return row === undefined ? undefined : proposalOf(row)
  }
  return {
    get,
    upsert: (candidates, now) => store.transaction(() => upsert(store, candidates, now)),
    list({ limit = 200, after, ...filters } = {}) {
      const counted = query.selectFrom(PROPOSALS).select(({ fn }) => fn.countAll<number>().as('n'))
      const total = store.first(filtered(counted, filters))?.n ?? 0
      let page = filtered(query.selectFrom(PROPOSALS).select(columns), filters)
      if (after !== undefined) {
        const { score: last, pid } = after
        page = page.where((is) => is.or([is(score, '<', last), is.and([is(score, '=', last), is('pid', '>', pid)])]))
      }
      return { proposals: store.rows(page.orderBy(score, 'desc').orderBy('pid').limit(limit)).map(proposalOf), total }
    },
    counts: (maxTier = 'Restricted') => counts(store, maxTier),
    update: (pid, version, step) => store.transaction(() => update(store, get(pid), version, step) && get(pid)!),
    audit: (pid) =>
      store
        .rows(query.selectFrom('proposal_events').selectAll().where('pid', '=', pid).orderBy('id'))
        .map((row) => ({ ...row, edits: objectOf(row.edits) })),
  }
}

/** Rows with a word outside the contract (an older program's) stay in the table and are not offered. */
function filtered<O>(from: Selected<O>, { kind, kinds, name, status, maxTier }: ProposalQuery): Selected<O> {
  let ask = from
    .where('proposal_type', 'in', kind === undefined ? (kinds ?? PROPOSAL_TYPES) : [kind])
    .where('status', 'in', status === undefined ? PROPOSAL_WORDS.status : [status])
    .where('detection_strategy', 'in', PROPOSAL_WORDS.detection_strategy)
  if (name !== undefined) ask = ask.where('name', '=', name)
  return ask.where('tier', 'in', tiersWithin(maxTier ?? 'Restricted'))
}

const tiersWithin = (ceiling: Tier): Tier[] => TIERS.filter((tier) => within(tier, ceiling))

function upsert(store: Connection, candidates: readonly NewCandidate[], now: string): Seeded {
  const byKind: Partial<Record<ProposalType, number>> = {}
  const seen = new Set<string>()
  let inserted = 0
  let decided = 0
  for (const candidate of candidates) {
    const pid = pidOf(candidate.key)
    seen.add(pid)
    byKind[candidate.proposalType] = (byKind[candidate.proposalType] ?? 0) + 1
    const found = store.first(query.selectFrom(PROPOSALS).select(columns).where('pid', '=', pid))
    if (found === undefined) {
      store.change(
        query.insertInto(PROPOSALS).values({
          pid, ...columnsOf(candidate), status: 'PENDING', source: LOG_DISCOVERY, edits: '{}', version: 1,
          created_at: now, updated_at: now,
        }),
      )
      inserted += 1
      continue
    }
    if (found.status !== 'PENDING' || found.edits !== '{}') decided += 1
    // what was decided or edited keeps the evidence it was decided on; who defers waits for more of it
    if (['PENDING', 'DEFERRED'].includes(found.status) && found.edits === '{}') {
      const fresh = columnsOf(candidate)
      const same = (Object.keys(fresh) as (keyof typeof fresh)[]).every((column) => found[column] === fresh[column])
      if (!same) {
        const changed = { ...fresh, version: found.version + 1, updated_at: now }
        store.change(query.updateTable(PROPOSALS).set(changed).where('pid', '=', pid))
      }
    }
  }
  return { inserted, kept: seen.size - inserted, kept_decisions: decided, by_kind: byKind }
}

function columnsOf(candidate: NewCandidate) {
  return {
    proposal_type: candidate.proposalType,
    detection_strategy: candidate.detectionStrategy,
    title: candidate.title,
    name: candidate.name,
    candidate_turtle: candidate.candidateTurtle ?? '',
    confidence: candidate.confidence,
    consequence: candidate.consequence,
    lag_ms_p50: candidate.lagMsP50,
    lag_ms_p95: candidate.lagMsP95,
    tier: candidate.tier,
    evidence: JSON.stringify(candidate.evidence),
    evidence_sample: candidate.evidenceSample,
  }
}

function counts(store: Connection, maxTier: Tier): ProposalCounts {
  const rows = store.rows(
    query
      .selectFrom(PROPOSALS)
      .select(['proposal_type', 'status', 'detection_strategy', ({ fn }) => fn.countAll<number>().as('n')])
      .where('tier', 'in', tiersWithin(maxTier))
      .groupBy(['proposal_type', 'status', 'detection_strategy'])
      .orderBy('proposal_type')
      .orderBy('status'),
  )
  const byKind: Record<string, Record<string, number>> = {}
  const byStrategy: Record<string, number> = {}
  for (const { proposal_type: kind, status, detection_strategy: strategy, n } of rows) {
    const states = (byKind[kind] ??= {})
    states[status] = (states[status] ?? 0) + n
    if (strategy !== null) byStrategy[strategy] = (byStrategy[strategy] ?? 0) + n
  }
  return { by_kind: byKind, by_strategy: byStrategy }
}

function update(store: Connection, proposal: Proposal | undefined, version: number, step: ProposalStep): true {
  if (proposal === undefined) throw new ServiceError('not_found', 'no proposal by that id')
  if (proposal.version !== version) {
    throw new ServiceError('stale', 'the proposal has changed meanwhile', { hint: 'read it again' })
  }
  const note = step.note ?? null
  const signed = step.signed ?? { reviewer: step.reviewer, note, at: step.at }
  store.change(
    query
      .updateTable(PROPOSALS)
      .set({
        status: step.to, reviewer_id: signed.reviewer, review_note: signed.note, reviewed_at: signed.at, version: version + 1,
        updated_at: step.at,
      })
      .where('pid', '=', proposal.pid),
  )
  store.change(
    query.insertInto('proposal_events').values({
      pid: proposal.pid, action: step.action, from_status: proposal.status, to_status: step.to, reviewer_id: step.reviewer, note,
      edits: '{}', via: step.via ?? null, at: step.at,
    }),
  )
  return true
}

function proposalOf(row: Row): Proposal {
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
