/** Phase drift-templates: today's log against the approved catalogue; what is new in it goes into the review queue. */
import { SEVERITY_TIER, type Severity, type Tier, within } from '../contracts/index.ts'
import { type Candidate, type DriftReport, type NewTemplate, type Reduced, findDrift, templateCandidates } from '../logs/index.ts'
import { approvedClusters, withTurtle } from '../review/index.ts'
import { pidOf } from '../store/index.ts'
import { demandLogs } from './demand.ts'
import { writeOutputs } from './files.ts'
import { dropWork, reducedLogs } from './mine.ts'
import type { Phase, PhaseReport } from './phase.ts'

export const DRIFT = 'reports/drift_templates.json'

const NOTHING_APPROVED = 'the catalogue is empty: no LOG_EVENT is approved yet, so nothing can be told apart from it'
const WHAT_TO_DO = 'mine a log of ordinary days (--phase mine) and approve its events, then run this phase again'

export const driftTemplates: Phase = async (context): Promise<PhaseReport> => {
  const logPath = demandLogs(context)
  const { workspace, maxTier } = context
  const approved = approvedClusters(workspace)
  const catalogue = workspace.logs.templates().filter(({ clusterId }) => approved.has(clusterId))
  if (catalogue.length === 0) {
    return { lines: [NOTHING_APPROVED, WHAT_TO_DO], files: [], counts: { catalogue: 0, new: 0, proposed: 0 } }
  }
  const { reduced } = await reducedLogs(context)
  dropWork(context)
  const before = workspace.logs.events(catalogue.map(({ clusterId }) => clusterId))
  const { driftSimilarity: similarity, minHits } = context
  const options = { ...(similarity === undefined ? {} : { similarity }), ...(minHits === undefined ? {} : { minHits }) }
  const report = findDrift(catalogue, before, { ...reduced, lines: reduced.counts.records }, options)
  const proposed = report.new.filter((each) => each.proposed)
  // one that waits in the queue, or that somebody has decided on, stays as it is
  const fresh = proposed.filter(({ cluster_id: id }) => workspace.proposals.get(pidOf(eventKey(id))) === undefined)
  const now = context.clock().toISOString()
  const seeded = workspace.transaction(() => {
    const templates = reduced.templates.filter(({ clusterId }) => fresh.some(({ cluster_id: id }) => id === clusterId))
    // without their lines: those come with mining, and would be there twice
    workspace.logs.save({ templates, events: [], edges: [] }, { run: `drift:${logPath}`, now })
    return workspace.proposals.upsert(withTurtle(candidatesOf(fresh, reduced, report), { baseIri: context.config.base_iri }), now)
  })
  const files = writeOutputs(context.config.out, [{ path: DRIFT, text: reportText(report, reduced, catalogue, maxTier) }])
  return {
    lines: [
      `${report.lines} lines, ${report.templates} templates against ${report.catalogue} approved ones, similarity ${report.similarity}`,
      `${report.known.templates} known, ${report.new.length} new, ${report.variant.length} variants, ${report.vanished.length} vanished, ${report.rate.length} at another rate`,
      `${proposed.length} new ones reach ${report.min_hits} hits: ${seeded.inserted} new in the review queue, ${proposed.length - fresh.length} there already`,
    ],
    files,
    counts: {
      catalogue: report.catalogue, templates: report.templates, known: report.known.templates, new: report.new.length,
      variant: report.variant.length, vanished: report.vanished.length, rate: report.rate.length, proposed: proposed.length,
      inserted: seeded.inserted,
    },
  }
}

/** The key that mining gives the same template: one template is one row in the queue, whoever found it. */
const eventKey = (clusterId: string): string => `event:${clusterId}`

function candidatesOf(fresh: readonly NewTemplate[], reduced: Reduced, { similarity, min_hits: minHits }: DriftReport): Candidate[] {
  const byKey = new Map(templateCandidates(reduced).map((each) => [each.key, each]))
  return fresh.flatMap((found) => {
    const candidate = byKey.get(eventKey(found.cluster_id))
    if (candidate === undefined) return []
    const drift = { nearest: found.nearest, similarity: found.nearest?.similarity ?? 0, threshold: similarity, hit_floor: minHits }
    return [{
      ...candidate, detectionStrategy: 'DRIFT_ON_NEW_TEMPLATE', title: `New ${candidate.title}`, evidence: { ...candidate.evidence, drift },
    }]
  })
}

/** Templates of lines above the ceiling are counted, not shown. */
function reportText(
  report: DriftReport, { templates }: Reduced, catalogue: readonly { readonly clusterId: string; readonly severity: Severity }[], maxTier: Tier,
): string {
  const severities = new Map([...catalogue, ...templates].map(({ clusterId, severity }) => [clusterId, severity]))
  const isShown = (id: string): boolean => within(SEVERITY_TIER[severities.get(id) ?? 'CRITICAL'], maxTier)
  let hidden = 0
  const shown = <T extends { readonly cluster_id: string }>(entries: readonly T[], other?: (entry: T) => string | undefined): T[] =>
    entries.filter((entry) => {
      const keep = isShown(entry.cluster_id) && isShown(other?.(entry) ?? entry.cluster_id)
      if (!keep) hidden += 1
      return keep
    })
  const cut = {
    new: shown(report.new, ({ nearest }) => nearest?.cluster_id),
    variant: shown(report.variant, ({ of }) => of.cluster_id),
    vanished: shown(report.vanished),
    rate: shown(report.rate),
  }
  return `${JSON.stringify({ ceiling: maxTier, ...report, ...cut, above_ceiling: hidden }, null, 2)}\n`
}
