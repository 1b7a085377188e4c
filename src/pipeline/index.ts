/** Named phases; `all` is a list of names. */
import { join } from 'node:path'
import { ServiceError } from '../contracts/index.ts'
import { abox } from './abox.ts'
import { driftTemplates } from './drift-templates.ts'
import { generate } from './generate.ts'
import { introspect } from './introspect.ts'
import { mine } from './mine.ts'
import type { Phase, PhaseContext, PhaseOutcome } from './phase.ts'
import { reason } from './reason.ts'
import { report } from './report.ts'
import { sequence } from './sequence.ts'
import { shacl } from './shacl.ts'
import { asOnlyWriter } from './writer-lock.ts'

export { PREVIOUS, writeAtomically } from './files.ts'
export { HEADER_BYTES, ceilingOf, mediaTypeOf, outputPaths } from './outputs.ts'
export { materialiseOutputs } from './reason.ts'
export { readTexts } from './reason-input.ts'
export { REASON_RUN, lastReasonRun, rulesMark } from './reason-run.ts'
export { asOnlyWriter } from './writer-lock.ts'
export type { PhaseContext, PhaseOutcome, PhaseReport } from './phase.ts'

const PHASES: Readonly<Record<string, Phase>> = {
  1: introspect, 2: generate, shacl, abox, reason, report, mine, sequence, 'drift-templates': driftTemplates,
}
const ALL = ['1', '2', 'shacl', 'abox', 'reason', 'report']
/** what `all` is where logs are all there is */
const WITHOUT_DATABASE = ['2', 'reason', 'report']

export const PHASE_NAMES = [...Object.keys(PHASES), 'all']

/** Runs a phase, or all of them, as the project's only writer. */
export async function runPhases(name: string, context: PhaseContext, now: () => number): Promise<PhaseOutcome[]> {
  const names = name === 'all' ? ALL : [name]
  // own names only: `constructor` is no phase
  const unknown = names.find((each) => !Object.hasOwn(PHASES, each))
  if (unknown !== undefined) {
    throw new ServiceError('invalid_request', 'no phase of that name', { hint: `known: ${PHASE_NAMES.join(', ')}` })
  }
  return asOnlyWriter(join(context.config.out, '.lock'), name, async () => {
    const outcomes: PhaseOutcome[] = []
    context.onBegin?.()
    for (const each of name === 'all' && !context.hasDatabase ? WITHOUT_DATABASE : names) {
      await new Promise((resolve) => void setImmediate(resolve)) // a phase may compute for long; whoever cancels is heard first
      if (context.signal?.aborted === true) throw new ServiceError('cancelled', `cancelled before phase ${each}`)
      const since = now()
      const report = await PHASES[each]!(context)
      const outcome = { phase: each, ms: Math.round(now() - since), ...report }
      context.progress(`phase ${each} (${outcome.ms} ms)`)
      context.onPhase?.(outcome)
      outcomes.push(outcome)
    }
    return outcomes
  })
}
