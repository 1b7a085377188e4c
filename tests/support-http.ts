/** The HTTP surface over a real service in a project of its own, with a token for each kind of caller. */
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { generateNetworkOps } from '../examples/network-ops/generate.ts'
import type { Tier } from '../src/contracts/index.ts'
import { type Service, createService, openProject } from '../src/runtime/index.ts'
import { type App, type Log, type Token, buildApp } from '../src/surfaces/http/index.ts'

export interface HttpWorld {
  readonly folder: string
  readonly database: string
  readonly service: Service
  readonly app: App
  /** `who` is `<Tier>` for a caller with every role, or `<Tier>:<role>` */
  call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, who?: string, payload?: unknown, headers?: Record<string, string>): Promise<LightMyRequestResponse>
  close(): Promise<void>
}

const ROLES = ['reader', 'reviewer', 'author', 'admin'] as const
const TIERS: readonly Tier[] = ['Public', 'Internal', 'Confidential', 'Restricted']

const tokens: Token[] = TIERS.flatMap((max_tier) =>
  [...ROLES.map((role) => ({ word: `${max_tier}:${role}`, roles: [role] })), { word: max_tier as string, roles: [...ROLES] }].map(({ word, roles }) => ({
    name: word, sha256: createHash('sha256').update(word).digest('hex'), max_tier, roles,
  })),
)

export interface HttpOptions {
  readonly env?: Record<string, string>
  readonly sourcesDir?: boolean
  readonly keepRuns?: boolean
  /** writes a project of its own into the folder and says its configuration; else the network example */
  readonly project?: (folder: string) => { readonly database: string; readonly config: object }
  readonly log?: Log
  readonly suggestValuesMs?: number
}

function networkOps(folder: string) {
  const database = join(folder, 'network-ops.sqlite')
  generateNetworkOps(database)
  return { database, config: { sources: { 'network-ops': { path: 'network-ops.sqlite', flavor: 'network-ops' } }, log_roots: ['logs'] } }
}

export async function httpWorld(options: HttpOptions = {}): Promise<HttpWorld> {
  const { env = {}, sourcesDir = true, keepRuns = false, project: write = networkOps, log, suggestValuesMs } = options
  const folder = mkdtempSync(join(tmpdir(), 'wherefore-http-'))
  for (const name of ['logs', 'drop']) mkdirSync(join(folder, name))
  const { database, config } = write(folder)
  writeFileSync(join(folder, 'wherefore.json'), JSON.stringify(config))
  const project = openProject({ cwd: folder, env: { SERVICE_SEARCH: '1', ...env } })
  let jobs = 0
  const service = createService(project, {
    onBug: (error) => console.error(error),
    ids: () => `job-${(jobs += 1)}`,
    keepRuns,
    date: () => new Date('2026-01-01T00:00:00Z'),
    ...(suggestValuesMs === undefined ? {} : { suggestValuesMs }),
    ...(sourcesDir ? { sourcesDir: join(folder, 'drop') } : {}),
  })
  let requests = 0
  const app = buildApp({
    service, config: project.config, tokens, enabled: () => true, clock: { now: () => performance.now() }, ids: () => `r${(requests += 1)}`,
    ...(log === undefined ? {} : { log }),
  })
  await app.ready()
  return {
    folder,
    database,
    service,
    app,
    call: (method, url, who = 'Restricted', payload, headers = {}) =>
      app.inject({
        method, url, headers: { host: '127.0.0.1', authorization: `Bearer ${who}`, ...headers },
        ...(payload === undefined ? {} : { payload: payload as InjectOptions['payload'] }),
      }),
    close: async () => {
      await app.close()
      await service.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Runs a phase to its end, and hands over its events. */
export async function runJob(world: HttpWorld, phase: string, payload?: object, who = 'Restricted') {
  const reply = await world.call('POST', `/api/pipeline/${phase}`, who, payload)
  if (reply.statusCode !== 202) throw new Error(reply.body)
  const { body } = await world.call('GET', `/api/pipeline/${reply.json().job_id}/events`, who)
  const frames = framesOf(body)
  if (frames.at(-1)?.event !== 'done') throw new Error(`the job did not end well: ${body}`)
  return frames
}

export const framesOf = (text: string) =>
  text
    .split('\n\n')
    .filter((frame) => frame.includes('event: '))
    .map((frame) => ({ event: /^event: (.*)$/m.exec(frame)?.[1], id: Number(/^id: (\d+)$/m.exec(frame)?.[1]), data: JSON.parse(/^data: (.*)$/m.exec(frame)?.[1] ?? 'null') }))

/** A body without what differs between any two requests. */
export const steady = (body: string): string => body.replaceAll(/"(request_id|ms)":("[^"]*"|[\d.]+)/g, '"$1":null')
