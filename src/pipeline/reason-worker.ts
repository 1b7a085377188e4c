/** The work of phase reason, in a worker thread. Time is part of its budget: what it has by then is a flagged result. */
import { parentPort, workerData } from 'node:worker_threads'
import { LIMITS, ServiceError } from '../contracts/index.ts'
import { materialisationFiles, materialisationFrom, materialisationLines } from '../materialise/index.ts'
import type { ReasonOutcome, ReasonTask } from './reason.ts'

const { texts, options, rdf12 } = workerData as ReasonTask
const send = (outcome: ReasonOutcome) => parentPort?.postMessage(outcome)
const deadline = performance.now() + LIMITS.reason_seconds * 1000

try {
  const m = await materialisationFrom(texts, {
    ...options,
    budget: {
      maxFacts: LIMITS.reason_facts,
      maxRounds: LIMITS.reason_rounds,
      shouldStop: () => performance.now() > deadline,
    },
  })
  const counts = { asserted: m.asserted.length, derived: m.derived.length, inconsistencies: m.inconsistencies.length }
  send({ ok: true, value: { files: materialisationFiles(m, { rdf12 }), lines: materialisationLines(m), counts } })
} catch (error) {
  if (!(error instanceof ServiceError)) throw error
  const { code, message, about } = error
  send({ ok: false, error: { code, message, ...(about.hint === undefined ? {} : { hint: about.hint }), ...(about.errors === undefined ? {} : { errors: about.errors }) } })
}
