/** What mining finds in the logs that a phase was given: the one way in which phases after mine read them. */
import { type Mined, mineReduced } from '../logs/index.ts'
import { dropWork, reducedLogs } from './mine.ts'
import type { PhaseContext } from './phase.ts'

export async function minedLogs(context: PhaseContext): Promise<Mined> {
  const { reduced } = await reducedLogs(context)
  const mined = mineReduced(reduced, { windowSeconds: context.windowSeconds })
  dropWork(context)
  return mined
}
