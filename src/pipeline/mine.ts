/** Phase mine: logs become candidates in the review queue. The logs room computes, this saves. */
import { collectLogs, mine as mineRecords } from '../logs/index.ts'
import { withTurtle } from '../review/index.ts'
import { demandLogs } from './demand.ts'
import type { Phase, PhaseContext } from './phase.ts'

export const mine: Phase = async (context) => {
  const { records, skipped, logPath } = await read(context)
  const mined = mineRecords(records, { windowSeconds: context.windowSeconds })
  const now = context.clock().toISOString()
  const baseIri = context.config.base_iri
  const seeded = context.workspace.transaction(() => {
    context.workspace.logs.save(mined, { run: logPath, now })
    return context.workspace.proposals.upsert(withTurtle(mined.candidates, { baseIri }), now)
  })
  const causal = mined.edges.filter(({ verdict }) => verdict === 'LOG_CAUSAL_EDGE').length
  return {
    lines: [
      `${records.length} lines read, ${skippedText(skipped)}`,
      `${mined.templates.length} templates, ${mined.edges.length} edges: ${causal} causal, ${mined.edges.length - causal} demoted to relationships`,
      `${mined.candidates.length} candidates: ${seeded.inserted} new, ${seeded.kept_decisions} decisions kept`,
    ],
    files: [],
    counts: {
      lines: records.length, templates: mined.templates.length, causal, demoted: mined.edges.length - causal,
      inserted: seeded.inserted, kept_decisions: seeded.kept_decisions,
      ...Object.fromEntries(Object.entries(seeded.by_kind).map(([kind, count]) => [kind, count])),
    },
  }
}

async function read(context: PhaseContext) {
  const logPath = demandLogs(context)
  return { ...(await collectLogs(logPath)), logPath }
}

const skippedText = (skipped: Record<string, number>): string => {
  const parts = Object.entries(skipped).toSorted().map(([reason, count]) => `${count} ${reason}`)
  return parts.length === 0 ? 'none skipped' : `skipped: ${parts.join(', ')}`
}
