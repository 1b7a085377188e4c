/** Phases mine and sequence: logs become candidates in the review queue. The logs room computes, this saves. */
import { type Mined, collectLogs, learnSequences, mine as mineRecords } from '../logs/index.ts'
import { withTurtle } from '../review/index.ts'
import { demandLogs } from './demand.ts'
import type { Phase, PhaseContext } from './phase.ts'

export const mine: Phase = async (context) => {
  const { records, skipped, logPath } = await read(context)
  const mined = mineRecords(records, { windowSeconds: context.windowSeconds, gate: context.gate ?? 'sound' })
  const now = context.clock().toISOString()
  const baseIri = context.config.base_iri
  const seeded = context.workspace.transaction(() => {
    context.workspace.logs.save(mined, { run: logPath, now })
    return context.workspace.proposals.upsert(withTurtle(mined.candidates, { baseIri }), now)
  })
  const causal = mined.edges.filter(({ verdict }) => verdict === 'LOG_CAUSAL_EDGE').length
  const stated = mined.edges.filter(({ statedVerdict }) => statedVerdict === 'LOG_CAUSAL_EDGE').length
  return {
    lines: [
      `${records.length} lines read, ${skippedText(skipped)}`,
      `${mined.templates.length} templates, ${mined.edges.length} edges: ${causal} causal, ${mined.edges.length - causal} demoted to relationships`,
      `by the stated conditions alone: ${stated} causal, ${mined.edges.length - stated} demoted`,
      searchedText(mined.searched),
      `${mined.candidates.length} candidates: ${seeded.inserted} new, ${seeded.kept_decisions} decisions kept`,
    ],
    files: [],
    counts: {
      lines: records.length, templates: mined.templates.length, causal, demoted: mined.edges.length - causal,
      stated_causal: stated, stated_demoted: mined.edges.length - stated,
      inserted: seeded.inserted, kept_decisions: seeded.kept_decisions,
      ...Object.fromEntries(Object.entries(seeded.by_kind).map(([kind, count]) => [kind, count])),
    },
  }
}

export const sequence: Phase = async (context) => {
  const { records } = await read(context)
  const candidates = learnSequences(mineRecords(records, { windowSeconds: context.windowSeconds }))
  const seeded = context.workspace.proposals.upsert(withTurtle(candidates, { baseIri: context.config.base_iri }), context.clock().toISOString())
  return {
    lines: [`${candidates.length} anomalous sequences: ${seeded.inserted} new in the review queue`],
    files: [],
    counts: { anomalies: candidates.length, inserted: seeded.inserted },
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

/** Every event is accounted for: looked at, too rare, too frequent, or beyond what the budget allows. */
const searchedText = ({ eligible, pairs, tooRare, tooFrequent, capped }: Mined['searched']): string =>
  `${eligible} events in ${pairs} pairs looked at; ${tooRare} too rare, ${tooFrequent} too frequent` +
  (capped === 0 ? '' : `, ${capped} left out because the log holds more pairs than can be looked at`)
