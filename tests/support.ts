/** What tests that cross rooms share: a fresh example database, a service over it, and a drained search. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { generateNetworkOps } from '../examples/network-ops/generate.ts'
import type { Problem, SearchAnswer, SearchEvent, SearchOptions, Tier } from '../src/contracts/index.ts'
import { type Caller, type Project, type Service, createService, openProject, parseRequest } from '../src/runtime/index.ts'

export const QUESTION = 'Which customers are at risk from the degraded core router crt-07, and why?'

export const caller = (grant: Tier = 'Restricted', name = 'tester'): Caller => ({ name, grant, roles: ['reader', 'reviewer', 'author', 'admin'] })

export interface World {
  readonly folder: string
  readonly database: string
  readonly project: Project
  readonly service: Service
  /** runs SQL on the example database, as its owner would */
  change(sql: string): void
  query(sql: string): Record<string, unknown>[]
  ask(question: string, options?: SearchOptions, who?: Caller): Promise<SearchAnswer>
  events(question: string, options?: SearchOptions, who?: Caller): Promise<SearchEvent[]>
  close(): Promise<void>
}

/** A project of its own in a temporary folder. */
export function newWorld({ env = { SERVICE_SEARCH: '1' }, providers }: { env?: Record<string, string | undefined>; providers?: object } = {}): World {
  const folder = mkdtempSync(join(tmpdir(), 'wherefore-world-'))
  const database = join(folder, 'network-ops.sqlite')
  generateNetworkOps(database)
  if (providers !== undefined) writeFileSync(join(folder, 'wherefore.json'), JSON.stringify({ providers: { catalogue: providers } }))
  const base = openProject({ cwd: folder, env })
  const project: Project = {
    ...base,
    config: {
      ...base.config,
      sources: { 'network-ops': { path: database, flavor: 'network-ops', max_tier: 'Restricted' } },
      out: join(folder, 'output'),
      store: join(folder, 'store.db'),
    },
  }
  const service = createService(project, { onBug: (error) => console.error(error) })
  const events = async (question: string, options: SearchOptions = {}, who: Caller = caller()) => {
    const seen: SearchEvent[] = []
    const request = parseRequest({ flavor: 'network-ops', ...options, question })
    for await (const event of service.search(request, who, { requestId: 'test' })) seen.push(event)
    return seen
  }
  const withDatabase = <T>(work: (db: DatabaseSync) => T): T => {
    const db = new DatabaseSync(database)
    try {
      return work(db)
    } finally {
      db.close()
    }
  }
  return {
    folder,
    database,
    project,
    service,
    events,
    change: (sql) => withDatabase((db) => db.exec(sql)),
    query: (sql) => withDatabase((db) => db.prepare(sql).all() as Record<string, unknown>[]),
    ask: async (question, options, who) => {
      const last = (await events(question, options, who)).at(-1)
      if (last?.event !== 'answer') throw new Error(`no answer but ${JSON.stringify(last)}`)
      return last.data
    },
    close: async () => {
      await service.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export function problemOf(events: readonly SearchEvent[]): Problem {
  const last = events.at(-1)
  if (last?.event !== 'error') throw new Error(`no error but ${last?.event}`)
  return last.data
}
