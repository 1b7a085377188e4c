/** What mining finds in the logs that a phase was given: the one way in which phases after mine read them. */
import { type Mined, collectLogs, mine as mineRecords } from '../logs/index.ts'
import { demandLogs } from './demand.ts'
import type { PhaseContext } from './phase.ts'

export async function minedLogs(context: PhaseContext): Promise<Mined> {
  const { records, skipped } = await collectLogs(demandLogs(context))
  return mineRecords(records, { windowSeconds: context.windowSeconds, skipped })
}
