/** A judged link as it is stored: an edge between two templates with every figure its verdict rests on. */
import { MINING } from '../../contracts/index.ts'
import { quantile } from '../../kernel/stats/index.ts'
import type { LogEdge } from '../candidate.ts'
import type { EventColumns } from '../columns.ts'
import { TRACE_SLOT } from '../graph/timeline.ts'
import type { SharedEntity } from '../graph/shared-entity.ts'
import { rounded } from '../tally.ts'
import type { JudgedLink } from './judge.ts'

export function edgeOf(columns: EventColumns, { link, sightings, verdict }: JudgedLink): LogEdge {
  const lags = sightings.map((pair) => Math.max(0, pair.lagMs))
  const { before, after, tied } = link.lead
  return {
    src: columns.templates[link.src] ?? '',
    dst: columns.templates[link.dst] ?? '',
    srcKind: 'event',
    dstKind: 'event',
    pmi: rounded(Math.max(link.pmi, -1000)),
    cooccurrenceCount: before + after + tied,
    temporalLeadRatio: rounded(link.leadRatio),
    directed: link.leadRatio > MINING.gate_temporal_lead_ratio,
    lagMsP50: figure(quantile(lags, 0.5)),
    lagMsP95: figure(quantile(lags, 0.95)),
    grangerP: figure(verdict.grangerP),
    teZ: figure(verdict.teZ),
    n: link.follower?.n ?? 0,
    p: rounded(verdict.p),
    q: rounded(verdict.q),
    leadLower: rounded(verdict.leadLower),
    statedVerdict: verdict.statedVerdict,
    verdict: verdict.verdict,
    failedConditions: verdict.failed,
    sharedEntity: sharedName(columns, link.shared),
    explainedBy: verdict.explained?.by == null ? null : (columns.templates[verdict.explained.by] ?? null),
  }
}

/** The slot in which both name the thing, `job/host` where the cause calls it job and the effect host, or `trace`. */
function sharedName({ slots }: EventColumns, shared: SharedEntity | null): string | null {
  if (shared === null) return null
  const [cause, effect] = [shared.slotA, shared.slotB].map((slot) => (slot === TRACE_SLOT ? 'trace' : (slots[slot] ?? '')))
  if (cause === undefined || cause === '' || effect === undefined || effect === '') return null
  return cause === effect ? cause : `${cause}/${effect}`
}

const figure = (value: number | null): number | null => (value === null ? null : rounded(value))
