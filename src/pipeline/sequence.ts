/** Phase sequence: what is ordinary for each service is learned and kept; sequences that are not go into the review queue. */
import { learnSequences } from '../logs/index.ts'
import { withTurtle } from '../review/index.ts'
import { dropWork, reducedLogs } from './mine.ts'
import type { Phase } from './phase.ts'

export const sequence: Phase = async (context) => {
  const { reduced } = await reducedLogs(context)
  dropWork(context)
  const { candidates, models, sequences, tooFew } = learnSequences(reduced)
  const now = context.clock().toISOString()
  const seeded = context.workspace.transaction(() => {
    context.workspace.hmmModels.save(models, now)
    return context.workspace.proposals.upsert(withTurtle(candidates, { baseIri: context.config.base_iri }), now)
  })
  const left = tooFew.length === 0 ? [] : [`too few sequences to learn from: ${tooFew.join(', ')}`]
  return {
    lines: [
      `${sequences} sequences of ${models.length} services learned from`,
      ...left,
      `${candidates.length} anomalous sequences: ${seeded.inserted} new in the review queue, ${seeded.kept_decisions} decisions kept`,
    ],
    files: [],
    counts: {
      sequences, services: models.length, services_too_few: tooFew.length, anomalies: candidates.length, inserted: seeded.inserted,
      kept_decisions: seeded.kept_decisions,
    },
  }
}
