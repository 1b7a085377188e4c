/** A drafted database behind the real service and its HTTP surface, and everything it sends as text that two runs share. */
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { LightMyRequestResponse } from 'fastify'
import type { Tier } from '../../src/contracts/index.ts'
import { createLog } from '../../src/surfaces/http/index.ts'
import { type HttpWorld, httpWorld } from '../support-http.ts'
import type { Draft } from './twin-draft.ts'
import { type Rows, writeDatabase } from './twin-rows.ts'

export interface TwinWorld extends HttpWorld {
  /** lines of the server's log so far */
  readonly lines: string[]
}

export async function twinWorld(draft: Draft, rows: Rows): Promise<TwinWorld> {
  const lines: string[] = []
  const world = await httpWorld({
    keepRuns: true,
    sourcesDir: false,
    suggestValuesMs: 60_000,
    log: createLog({ write: (line) => void lines.push(line) }),
    project: (folder) => {
      const database = join(folder, 'twin.sqlite')
      writeDatabase(database, draft, rows)
      mkdirSync(join(folder, 'flavors'))
      writeFileSync(join(folder, 'flavors', 'twin.json'), JSON.stringify(draft.flavor))
      return { database, config: { sources: { twin: { path: 'twin.sqlite', flavor: 'twin' } }, log_roots: ['logs'] } }
    },
  })
  return { ...world, lines }
}

const RANDOM = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?:\.[\w-]{22})?/g
const TIMES = /"(ms|time|request_id|duration_ms)":(?:"[^"]*"|[\d.e-]+)/g
const STAGE_TIMES = /"timings_ms":\{[^}]*\}/g

/** Text without what differs between any two runs: ids by the order they come in, times blank. */
export function canonical(text: string, ids: Map<string, string> = new Map()): string {
  return text
    .replaceAll(RANDOM, (id) => {
      const known = ids.get(id) ?? `id-${ids.size + 1}`
      ids.set(id, known)
      return known
    })
    .replaceAll(TIMES, '"$1":null')
    .replaceAll(STAGE_TIMES, '"timings_ms":null')
}

/** Of the counters everything but times and the process itself. */
export const steadyMetrics = (text: string): string =>
  text
    .split('\n')
    .map((line) => (/^(process_|nodejs_|\w+_seconds_(bucket|sum))/.test(line) ? line.replace(/ \S+$/, ' -') : line))
    .join('\n')

/** What one channel got to see of one world, in order. */
export class Seen {
  readonly parts: string[] = []
  /** how many answers held something: a harness that is only ever refused proves nothing */
  answered = 0
  /** asks that ended in a fault of ours */
  readonly bugs: string[] = []
  private readonly ids = new Map<string, string>()
  readonly world: TwinWorld

  constructor(world: TwinWorld) {
    this.world = world
  }

  add(label: string, text: string): void {
    this.parts.push(`${label}\n${canonical(text, this.ids)}`)
  }

  reply(label: string, { statusCode, headers, body }: LightMyRequestResponse): void {
    if (body.includes('"status":"ok"')) this.answered += 1
    if (body.includes('"code":"internal"')) this.bugs.push(label)
    // a length counts the digits of times, and the date is the clock's
    const { 'content-length': _length, date: _date, 'x-request-id': _id, ...rest } = headers
    // an ETag tells only that the body differs, so it comes after it
    this.add(label, `${statusCode}\n${body}\n${JSON.stringify(rest)}`)
  }

  async get(url: string, who: string, headers: Record<string, string> = {}): Promise<LightMyRequestResponse> {
    const reply = await this.world.call('GET', url, who, undefined, headers)
    this.reply(`GET ${canonical(url, this.ids)} as ${who}`, reply)
    return reply
  }

  async post(url: string, who: string, payload: unknown, headers: Record<string, string> = {}): Promise<LightMyRequestResponse> {
    const reply = await this.world.call('POST', url, who, payload, headers)
    this.reply(`POST ${canonical(`${url} ${JSON.stringify(payload)}`, this.ids)} as ${who}`, reply)
    return reply
  }
}

/** All files below a folder, by path. */
export function filesBelow(folder: string): [string, string][] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
    .map((file) => [relative(folder, file), readFileSync(file, 'utf8')])
}

export interface Asker {
  readonly who: string
  readonly max_tier: Tier
}

/** Those who may see no more than the ceiling, whatever they ask for. */
export const grantedOnly = (ceiling: Tier): Asker[] => [
  { who: ceiling, max_tier: ceiling }, { who: ceiling, max_tier: 'Restricted' }, { who: ceiling, max_tier: ceiling },
]

/** Beside them one who may see everything but asks for less. */
export const askersAt = (ceiling: Tier): Asker[] => [...grantedOnly(ceiling).slice(0, 2), { who: 'Restricted', max_tier: ceiling }]
