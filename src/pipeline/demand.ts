/** Things that a phase cannot do without, with what to do when they are missing. */
import { ServiceError } from '../contracts/index.ts'
import type { Database, PhaseContext } from './phase.ts'

export async function demandDatabase(context: PhaseContext): Promise<Database> {
  const database = await context.database()
  if (database === null) throw new ServiceError('unknown_source', 'this phase needs a database', { hint: 'name one with --db, or make a project of it: wherefore init --db <file or address>' })
  return database
}

export function demandLogs(context: PhaseContext): string {
  if (context.logPath === null) throw new ServiceError('invalid_request', 'this phase needs a folder of logs', { hint: 'name it with --log-path' })
  return context.logPath
}
