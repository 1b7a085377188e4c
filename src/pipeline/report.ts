/** Phase report: one page with the counts of what the other phases left, and links to it. */
import { writeOutputs } from './files.ts'
import type { Phase } from './phase.ts'
import { figuresOf } from './report-figures.ts'
import { summaryPage } from './report-page.ts'

export const SUMMARY = 'reports/summary.html'

export const report: Phase = async ({ config, workspace, maxTier }) => {
  const figures = figuresOf(config.out, workspace, maxTier)
  const text = summaryPage(figures, { ceiling: maxTier, baseIri: config.base_iri })
  const files = writeOutputs(config.out, [{ path: SUMMARY, text }])
  return { lines: [`${figures.files.length} files summed up`], files, counts: { files: figures.files.length } }
}
