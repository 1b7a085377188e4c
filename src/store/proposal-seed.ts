/** Mining's candidates on their way into the table: never a second row, never a lost decision. */
import { type DetectionStrategy, LOG_DISCOVERY, type ProposalType, type Tier } from '../contracts/index.ts'
import { pidOf } from './pid.ts'
import { saveClusters } from './proposal-clusters.ts'
import { columns } from './proposal-row.ts'
import { PROPOSALS } from './schema.ts'
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

/** `touched` is told of every row that is new or changed. */
export function upsert(store: Connection, candidates: readonly NewCandidate[], now: string, touched: (pid: string) => void): Seeded {
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
      saveClusters(store, pid, candidate.evidence)
      touched(pid)
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
        saveClusters(store, pid, candidate.evidence)
        touched(pid)
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
