/** The approved catalogue: which templates stand behind events that somebody has approved. */
import { z } from 'zod'
import type { Workspace } from '../store/index.ts'

const Clusters = z.object({ clusters: z.array(z.string()) })
const PAGE = 500

/** Cluster ids of approved events, and of those that were merged into one. */
export function approvedClusters({ proposals }: Pick<Workspace, 'proposals'>): Set<string> {
  const clusters = new Set<string>()
  for (const status of ['APPROVED', 'MERGED'] as const) {
    let after: { score: number; pid: string } | undefined
    for (;;) {
      const page = proposals.list({ kind: 'LOG_EVENT', status, limit: PAGE, ...(after === undefined ? {} : { after }) }).proposals
      for (const { evidence, detection_strategy: strategy } of page) {
        const read = Clusters.safeParse(evidence)
        // an unusual sequence is approved as a finding: its templates are not thereby ordinary
        if (read.success && strategy !== 'HMM_SEQUENCE_ANOMALY') for (const id of read.data.clusters) clusters.add(id)
      }
      const last = page.at(-1)
      if (page.length < PAGE || last === undefined) break
      after = { score: last.confidence * last.consequence, pid: last.pid }
    }
  }
  return clusters
}
