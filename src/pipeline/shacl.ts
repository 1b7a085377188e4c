/** Phase shacl: shapes of the ontology, and the live data held against them by compiled SQL, cross-checked on a sample. */
import { crossCheck, cutOntology, reportMarkdown, reportTurtle, runValidation, shapesTurtle } from '../ontology/index.ts'
import { demandDatabase } from './demand.ts'
import { writeOutputs } from './files.ts'
import type { Phase } from './phase.ts'

export const shacl: Phase = async (context) => {
  const { source, ontology: whole, catalogue } = await demandDatabase(context)
  const ontology = cutOntology(whole, context.maxTier)
  const header = [`ceiling: ${context.maxTier}`]
  const signal = context.signal === undefined ? {} : { signal: context.signal }
  const report = await runValidation(source, ontology, {
    catalogue,
    ...signal,
    onProgress: (done, of) => {
      if (done % 100 === 0 || done === of) context.progress(`validation: ${done} of ${of} checks`)
    },
  })
  const sample = await crossCheck(source, ontology, { catalogue, ...signal })
  const violated = report.checks.filter((check) => (check.violations ?? 0) > 0)
  const failed = report.checks.filter((check) => check.violations === null)
  const files = writeOutputs(context.config.out, [
    { path: 'shapes/enterprise-shapes.ttl', text: shapesTurtle(ontology, { catalogue, header }) },
    { path: 'shapes/validation-report.ttl', text: reportTurtle(ontology, report, { header }) },
    { path: 'shapes/validation-report.md', text: `<!-- ceiling: ${context.maxTier} -->\n${reportMarkdown(report, sample)}` },
  ])
  return {
    lines: [
      `${report.checks.length} checks: ${report.conforms ? 'the data conforms' : `${violated.length} constraints are broken, ${failed.length} checks could not run`}`,
      `cross-check of ${sample.records} records against ${sample.compared} constraints: ${sample.disagreements.length} disagreements`,
    ],
    files,
    counts: { checks: report.checks.length, violated: violated.length, failed: failed.length, disagreements: sample.disagreements.length },
  }
}
