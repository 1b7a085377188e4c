/** Two logs to measure mining on, made from a seed: many different statements of many services, and few of one storage system. */
import { closeSync, openSync, writeSync } from 'node:fs'
import { rng } from '../src/kernel/stats/index.ts'

type Draw = () => number

const WORDS = `accept apply arrive assign balance batch begin bind block buffer build cache cancel channel check claim client close
  cluster collect commit compact config confirm connect consumer context copy create cursor deliver detach device dispatch drain
  drop election emit encode engine enqueue entry evict execute expire export fetch filter flush follower forward frame gateway
  grant group handle handshake header health heartbeat host index ingest insert invoice journal kernel keepalive lease ledger
  limit link listener load lock lookup manager mark match member merge message metric migrate mirror module monitor mount move
  node notify offset open order packet page parse partition peer pending plan policy pool port probe process producer promote
  proxy publish pull purge push query queue quorum quota range read rebalance receive record recover refresh region register
  release reload remove render replica reply report request reserve resolve resource restore retry role rollback route rule
  schedule schema scope scrub segment send server session shard shutdown signal snapshot socket split stage start state status
  storage stream submit subscribe sweep switch sync table task tenant thread throttle ticket timer token topic trace track
  transfer trigger tunnel update upload upstream user validate value verify version view volume vote wait wake watch window
  worker write zone`.split(/\s+/)

const pick = <T>(draw: Draw, list: readonly T[]): T => list[Math.floor(draw() * list.length)] as T
const below = (draw: Draw, n: number): number => Math.floor(draw() * n)
const hex = (draw: Draw, length: number): string => Array.from({ length }, () => below(draw, 16).toString(16)).join('')

const words = (draw: Draw, count: number): string[] => Array.from({ length: count }, () => pick(draw, WORDS))

const VALUES: readonly ((draw: Draw) => string)[] = [
  (draw) => String(below(draw, 100_000)),
  (draw) => `${below(draw, 900)}ms`,
  (draw) => `10.${below(draw, 8)}.${below(draw, 250)}.${below(draw, 250)}`,
  (draw) => `10.${below(draw, 8)}.${below(draw, 250)}.${below(draw, 250)}:${1024 + below(draw, 60_000)}`,
  (draw) => `${hex(draw, 8)}-${hex(draw, 4)}-4${hex(draw, 3)}-a${hex(draw, 3)}-${hex(draw, 12)}`,
  (draw) => `0x${hex(draw, 8)}`,
  (draw) => `/var/lib/${pick(draw, WORDS)}/${pick(draw, WORDS)}-${below(draw, 500)}.dat`,
  (draw) => `${pick(draw, WORDS)}-${below(draw, 40)}`,
  (draw) => `${(draw() * 100).toFixed(2)}`,
  (draw) => `https://${pick(draw, WORDS)}.example.org/v1/${pick(draw, WORDS)}/${below(draw, 9999)}`,
  (draw) => `${below(draw, 64)}KB`,
  (draw) => `[${words(draw, 2 + below(draw, 5)).join(', ')}]`,
]

/** Values without a digit stand behind a key: a single line does not tell them from words otherwise. */
const NAMED: readonly ((draw: Draw) => string)[] = [
  ...VALUES,
  (draw) => `${pick(draw, WORDS)}.${pick(draw, WORDS)}`,
  (draw) => `${pick(draw, WORDS)}${pick(draw, WORDS)}`,
  (draw) => `"${words(draw, 1 + below(draw, 6)).join(' ')}"`,
]

interface Statement {
  readonly level: string
  readonly service: string
  readonly parts: readonly (string | ((draw: Draw) => string))[]
}

function statement(draw: Draw, services: readonly string[]): Statement {
  const length = 4 + below(draw, 9)
  const parts = Array.from({ length }, (_, i) => {
    const roll = draw()
    if (i < 2 || roll < 0.6) return pick(draw, WORDS)
    if (roll < 0.8) return pick(draw, VALUES)
    const key = pick(draw, WORDS)
    const value = pick(draw, NAMED)
    return (own: Draw) => `${key}=${value(own)}`
  })
  return { level: pick(draw, ['DEBUG', 'INFO', 'INFO', 'INFO', 'WARN', 'ERROR']), service: pick(draw, services), parts }
}

const time = (ms: number): string => new Date(ms).toISOString().replace('T', ' ').replace('Z', '')

/** Statements of 24 services, their frequencies as uneven as those of real ones. */
export function* mixedLog(lines: number, seed = 1, statements = 400): Generator<string> {
  const draw = rng(seed)
  const services = Array.from({ length: 24 }, () => `${pick(draw, WORDS)}-${pick(draw, WORDS)}`)
  const all = Array.from({ length: statements }, () => statement(draw, services))
  let now = Date.UTC(2026, 0, 5)
  for (let i = 0; i < lines; i += 1) {
    now += below(draw, 40)
    const { level, service, parts } = all[Math.floor(statements * draw() ** 2)] as Statement
    yield `${time(now)} ${level} ${service}: ${parts.map((part) => (typeof part === 'string' ? part : part(draw))).join(' ')}`
  }
}

const chunk = (draw: Draw): string => `chk_${below(draw, 2 ** 31)}${below(draw, 2 ** 20)}`
const node = (draw: Draw): string => `10.250.${below(draw, 20)}.${below(draw, 250)}`

const STORAGE: readonly (readonly [string, (draw: Draw) => string])[] = [
  ['store.Writer$Receiver', (draw) => `Taking in chunk ${chunk(draw)} source: /${node(draw)}:${30_000 + below(draw, 30_000)} target: /${node(draw)}:50010`],
  ['store.Writer$Acknowledger', (draw) => `Acknowledger ${below(draw, 3)} of chunk ${chunk(draw)} ends`],
  ['store.Writer$Acknowledger', (draw) => `Took in chunk ${chunk(draw)} with size ${below(draw, 67_108_864)} from /${node(draw)}`],
  ['name.Catalogue', (draw) => `CHUNK* Catalogue.noteStored: chunkMap updated: ${node(draw)}:50010 now holds ${chunk(draw)} size ${below(draw, 67_108_864)}`],
  ['name.Catalogue', (draw) => `CHUNK* Catalogue.allot: /user/job/_temporary/_task_${below(draw, 9e8)}/part-${below(draw, 2000)}. ${chunk(draw)}`],
  ['store.Shipper', (draw) => `${node(draw)}:50010 Shipped chunk ${chunk(draw)} to /${node(draw)}`],
  ['name.Catalogue', (draw) => `CHUNK* ask ${node(draw)}:50010 to drop ${Array.from({ length: 1 + below(draw, 9) }, () => chunk(draw)).join(' ')}`],
  ['store.Scanner', (draw) => `Check passed for ${chunk(draw)}`],
]

/** Ten statements at most, nearly every word a value: what clustering by word positions is quickest at. */
export function* storageLog(lines: number, seed = 1): Generator<string> {
  const draw = rng(seed)
  let now = Date.UTC(2026, 0, 5)
  for (let i = 0; i < lines; i += 1) {
    now += below(draw, 200)
    const stamp = new Date(now).toISOString()
    const [speaker, text] = STORAGE[Math.floor(STORAGE.length * draw() ** 1.5)] as (typeof STORAGE)[number]
    const when = stamp.slice(2, 19).replaceAll('-', '').replaceAll(':', '').replace('T', ' ')
    yield `${when} ${below(draw, 4000)} INFO ${speaker}: ${text(draw)}`
  }
}

/** Writes a log to a file and says how many bytes that were. */
export function writeLog(path: string, lines: Iterable<string>): number {
  const handle = openSync(path, 'w')
  let held: string[] = []
  let bytes = 0
  const flush = () => {
    bytes += writeSync(handle, held.join(''))
    held = []
  }
  for (const line of lines) if (held.push(`${line}\n`) >= 20_000) flush()
  flush()
  closeSync(handle)
  return bytes
}
