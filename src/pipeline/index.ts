/** Named phases; `all` is a list of names. */
import { join } from 'node:path'
import { ServiceError } from '../contracts/index.ts'
import { asOnlyWriter } from './files.ts'
import { generate } from './generate.ts'
import { introspect } from './introspect.ts'
import { mine, sequence } from './mine.ts'
import type { Phase, PhaseContext, PhaseReport } from './phase.ts'
import { reason } from './reason.ts'

export { materialiseOutputs } from './reason.ts'
export type { PhaseContext, PhaseReport } from './phase.ts'

const PHASES: Readonly<Record<string, Phase>> = { 1: introspect, 2: generate, mine, sequence, reason }
const ALL = ['1', '2', 'reason']

/** Names of the contract that this version does not carry out; they are refused, never passed over in silence. */
const LATER = ['shacl', 'abox', 'report', 'drift-templates']

export const PHASE_NAMES = [...Object.keys(PHASES), 'all']

export interface PhaseOutcome extends PhaseReport {
  readonly phase: string
  readonly ms: number
}

/** Runs a phase, or all of them, as the project's only writer. */
export async function runPhases(name: string, context: PhaseContext, now: () => number): Promise<PhaseOutcome[]> {
  const names = name === 'all' ? ALL : [name]
  const unknown = names.find((each) => PHASES[each] === undefined)
  if (unknown !== undefined) {
    const detail = LATER.includes(unknown) ? `the phase ${unknown} is not part of this version` : 'no phase of that name'
    throw new ServiceError('invalid_request', detail, { hint: `known: ${PHASE_NAMES.join(', ')}` })
  }
  return asOnlyWriter(join(context.config.out, '.lock'), async () => {
    const outcomes: PhaseOutcome[] = []
    for (const each of names) {
      const since = now()
      const report = await PHASES[each]!(context)
      const outcome = { phase: each, ms: Math.round(now() - since), ...report }
      context.progress(`phase ${each} (${outcome.ms} ms)`)
      outcomes.push(outcome)
    }
    return outcomes
  })
}
