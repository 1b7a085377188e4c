/** The work of phase reason, in a worker thread. Time is part of its budget, as are triples and rounds. */
import { parentPort, workerData } from 'node:worker_threads'
import { LIMITS, ServiceError } from '../contracts/index.ts'
import { type Materialisation, materialisationFiles, materialisationFrom, materialisationLines } from '../materialise/index.ts'
import { writeDrafts } from './files.ts'
import { readTexts } from './reason-input.ts'
import type { ReasonOutcome, ReasonTask } from './reason-thread.ts'
import { isTooLarge, tooLarge } from './reason-thread.ts'

const { out, options, rdf12, run } = workerData as ReasonTask
const send = (outcome: ReasonOutcome) => parentPort?.postMessage(outcome)
const deadline = performance.now() + LIMITS.reason_seconds * 1000

/** Half a result would stand in the files as if it were whole. */
function overBudget({ model, counts }: Materialisation): ServiceError {
  const [most] = counts.toSorted((x, y) => y.triples - x.triples)
  const what = { facts: 'triples', rounds: 'rounds', asked: 'time' }[model.stopped ?? 'facts']
  return new ServiceError('conflict', `the rules need more ${what} than the budget of the phase allows; the old files are whole`, {
    hint: most === undefined ? 'reason over fewer instances' : `${most.rule} (${most.engine}) derives most: ${most.triples} triples; narrow or disable it`,
  })
}

try {
  const m = await materialisationFrom(readTexts(out), {
    ...options,
    budget: {
      maxFacts: LIMITS.reason_facts,
      maxRounds: LIMITS.reason_rounds,
      shouldStop: () => performance.now() > deadline,
    },
  })
  if (m.model.stopped !== null) throw overBudget(m)
  const counts = { asserted: m.asserted.length, derived: m.derived.length, inconsistencies: m.inconsistencies.length }
  const files = materialisationFiles(m, { rdf12, ...(run === undefined ? {} : { run }) })
  // written here: the files of a large graph are larger than what one thread can hand to another
  writeDrafts(out, files)
  send({ ok: true, value: { files: files.map(({ path }) => path), lines: materialisationLines(m), counts } })
} catch (cause) {
  const error = isTooLarge(cause) ? tooLarge(cause) : cause
  if (!(error instanceof ServiceError)) throw error
  const { code, message, about } = error
  send({ ok: false, error: { code, message, ...(about.hint === undefined ? {} : { hint: about.hint }), ...(about.errors === undefined ? {} : { errors: about.errors }) } })
}
