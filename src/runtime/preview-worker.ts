/** The work of a preview, in a worker thread: makes or reads the data, runs the rule, and hands back what it gave. */
import { parentPort, workerData } from 'node:worker_threads'
import { LIMITS, ServiceError } from '../contracts/index.ts'
import { type Quad, parseTurtle, writeTurtle } from '../kernel/rdf/index.ts'
import { type TieredQuad, inputFrom, previewRule, projectPrefixes } from '../materialise/index.ts'
import { readTexts } from '../pipeline/index.ts'
import { companionsOf, readRule, sampleFor } from '../rules/index.ts'
import type { PreviewOutcome, PreviewTask } from './previewing.ts'

const task = workerData as PreviewTask
const send = (outcome: PreviewOutcome) => parentPort?.postMessage(outcome)
const deadline = performance.now() + task.softMs

interface Data {
  readonly asserted: readonly TieredQuad[]
  readonly warnings: readonly string[]
  readonly sample?: string
}

const open = (quads: readonly Quad[]): TieredQuad[] => quads.map((quad) => ({ quad, tier: 'Public' }))

function synthetic(): Data {
  const { rule, others, vocabulary, schema, baseIri, recordBase } = task
  const reading = readRule(rule, { vocabulary, baseIri, others })
  const beside = companionsOf(rule, others).flatMap((other) => readRule(other, { vocabulary, baseIri, others: [rule, ...others] }).rules)
  const { quads, firing, nearMisses } = sampleFor(reading, { vocabulary, baseIri, recordBase, beside })
  const warnings = firing === 0 ? ['no sample could be made on which the rule fires: preview it on the graph, or on data of your own'] : []
  const header = [`made for this rule: it fires on ${firing} of ${firing + nearMisses} sets of records`]
  return { asserted: open([...schema, ...quads]), warnings, sample: writeTurtle(quads, { prefixes: projectPrefixes(baseIri, recordBase), header }) }
}

function given(text: string): Data {
  const parsed = parseTurtle(text)
  if (parsed.ok) return { asserted: open([...task.schema, ...parsed.quads]), warnings: [] }
  const { line, column, message } = parsed.fault
  const errors = [{ path: 'data', message, line, ...(column === undefined ? {} : { column }) }]
  throw new ServiceError('invalid_request', 'the data is not Turtle', { errors, hint: "data is 'synthetic', 'graph' or Turtle text" })
}

const ofGraph = (): Data => {
  const { asserted } = inputFrom(readTexts(task.out), { baseIri: task.baseIri, rules: [] })
  return { asserted, warnings: [] }
}

try {
  const { rule, others, baseIri, ceiling, data } = task
  const { asserted, warnings, sample } = data === 'synthetic' ? synthetic() : data === 'graph' ? ofGraph() : given(data)
  const found = await previewRule({
    rule, asserted, baseIri, ceiling,
    // on the graph the rule runs as it would run in the project, on a sample it runs by itself
    others: data === 'graph' ? others : companionsOf(rule, others),
    budget: { maxFacts: LIMITS.preview_facts + asserted.length, maxRounds: LIMITS.reason_rounds, shouldStop: () => performance.now() > deadline },
  })
  send({ ok: true, value: { ...found, warnings: [...warnings, ...found.warnings], ...(sample === undefined ? {} : { sample }) } })
} catch (error) {
  if (!(error instanceof ServiceError)) throw error
  const { code, message, about: { hint, errors } } = error
  send({ ok: false, error: { code, message, ...(hint === undefined ? {} : { hint }), ...(errors === undefined ? {} : { errors }) } })
}
