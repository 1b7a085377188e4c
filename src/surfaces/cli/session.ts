/** What the commands share: the service of the project in this folder, and the person at the keyboard. */
import { existsSync } from 'node:fs'
import { ServiceError, Tier } from '../../contracts/index.ts'
import { type Caller, type Project, type Service, createService, openProject } from '../../runtime/index.ts'
import { plain, problemText } from './print.ts'

export interface Local {
  readonly service: Service
  readonly project: Project
  readonly caller: Caller
}

/** Runs `work` with a service that is closed afterwards, whatever happened. */
export async function withService<T>(work: (local: Local) => Promise<T>, options: { out?: string; store?: string; keepRuns?: boolean } = {}): Promise<T> {
  const overrides = { ...(options.out === undefined ? {} : { out: options.out }), ...(options.store === undefined ? {} : { store: options.store }) }
  const project = openProject({ overrides })
  const service = createService(project, {
    progress: (line) => console.error(line),
    keepRuns: options.keepRuns ?? false,
    onBug: (error) => console.error(problemText(error)),
  })
  try {
    return await work({ service, project, caller: { name: 'local', grant: project.grant, roles: ['reader', 'reviewer', 'author', 'admin'] } })
  } finally {
    await service.close()
  }
}

export function readTier(text: string): Tier {
  const parsed = Tier.safeParse(text)
  if (parsed.success) return parsed.data
  throw new ServiceError('invalid_request', 'unknown tier', { hint: `one of ${Tier.options.join(', ')}` })
}

/** The path that was typed, if something is there. Only here: over the network a path is never said back. A pattern is left to the reader. */
export function demandThere(path: string, option: string): string {
  if (existsSync(path) || path.trim() === '' || /[*?[{]/.test(path)) return path
  throw new ServiceError('not_found', `${option}: there is nothing at ${plain(path)}`, { hint: 'is it relative to another folder?' })
}

export function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port <= 65_535) return port
  throw new ServiceError('invalid_request', 'a port is a number up to 65535')
}

export const printJson = (value: unknown): void => console.log(JSON.stringify(value, null, 2))
