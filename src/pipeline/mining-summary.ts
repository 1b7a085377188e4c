/** reports/log_mining_summary.json: what was read, what was found, and where every byte of the input went. No times of the run. */
import { SEVERITY_TIER, type Tier, within } from '../contracts/index.ts'
import type { Mined, Reduced } from '../logs/index.ts'

export const MINING_SUMMARY = 'reports/log_mining_summary.json'

export function miningSummary(reduced: Reduced, mined: Mined, maxTier: Tier): Record<string, unknown> {
  const { counts } = reduced
  const visible = mined.templates.filter(({ severity }) => within(SEVERITY_TIER[severity], maxTier))
  const causal = mined.edges.filter(({ verdict }) => verdict === 'LOG_CAUSAL_EDGE')
  const names = new Map(visible.map(({ clusterId, eventName }) => [clusterId, eventName]))
  return {
    ceiling: maxTier,
    input: {
      files: counts.files, bytes: counts.bytes, lines: counts.lines, records: counts.records, first_lines: counts.heads,
      folded_lines: counts.folded, partial_lines: counts.partial, record_bytes: counts.recordBytes,
      skipped: counts.skipped, notes: counts.notes, formats: counts.formats,
    },
    shapes: reduced.shapes,
    overflow_records: reduced.overflow,
    templates: mined.templates.length,
    events: { stored: mined.events.length, not_stored: counts.records - mined.events.length, templates_left_out_of_causality: reduced.leftOut.length },
    edges: { candidates: mined.edges.length, causal: causal.length, demoted: mined.edges.length - causal.length, between_entities: mined.entityEdges.length },
    proposals: Object.fromEntries([...Map.groupBy(mined.candidates, (each) => each.proposalType)].map(([kind, own]) => [kind, own.length]).toSorted()),
    top_templates: visible.slice(0, 50).map(({ clusterId, template, hits, severity, service, firstSeen, lastSeen }) => ({
      cluster_id: clusterId, template, hits, severity, service, first_seen: firstSeen, last_seen: lastSeen,
    })),
    causal_edges: causal.filter(({ src, dst }) => names.has(src) && names.has(dst)).map(({ src, dst, lagMsP50, lagMsP95, q }) => ({
      cause: names.get(src), effect: names.get(dst), lag_ms_p50: lagMsP50, lag_ms_p95: lagMsP95, q,
    })),
    hidden_templates: mined.templates.length - visible.length,
  }
}

export const summaryText = (summary: Record<string, unknown>): string => `${JSON.stringify(summary, null, 2)}\n`
