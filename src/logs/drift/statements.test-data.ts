/** Test data: a program of 46 log statements with values of many kinds, drawn by chance. */
import { type Rng, integerIn } from '../../kernel/stats/index.ts'
import type { LogRecord } from '../candidate.ts'

const pick = <T>(random: Rng, items: readonly T[]): T => items[integerIn(random, 0, items.length)]!
const hex = (random: Rng, length: number): string => Array.from({ length }, () => integerIn(random, 0, 16).toString(16)).join('')
const VALUES: Readonly<Record<string, (random: Rng) => string>> = {
  num: (random) => String(integerIn(random, 1, 100_000)),
  ms: (random) => `${integerIn(random, 1, 900)}ms`,
  ip: (random) => `10.${integerIn(random, 0, 255)}.${integerIn(random, 0, 255)}.${integerIn(random, 1, 255)}`,
  port: (random) => String(integerIn(random, 1024, 65_535)),
  uuid: (random) => [8, 4, 4, 4, 12].map((length) => hex(random, length)).join('-'),
  hex: (random) => `0x${hex(random, 8)}`,
  path: (random) => `/var/data/${hex(random, 4)}/part-${integerIn(random, 0, 999)}`,
  node: (random) => `node-${integerIn(random, 1, 400)}`,
  user: (random) => `user${integerIn(random, 1, 9000)}`,
  list: (random) => Array.from({ length: integerIn(random, 1, 6) }, () => `blk_${integerIn(random, 1, 1e9)}`).join(' '),
}

const SUBJECTS = ['session', 'volume', 'replica', 'lease', 'channel', 'snapshot', 'shard', 'route', 'tunnel', 'ledger']
const ENDINGS = [
  'opened for {user} from {ip}:{port}', 'closed after {ms} with {num} bytes', 'moved to {node} at {path}', 'lookup of {uuid} took {ms}',
]
const MORE = [
  'deleting blocks {list}', 'checksum {hex} does not match {hex}', 'heartbeat of {node} came {ms} late', 'queue depth is {num}',
  'cache evicted {num} of {num} entries', 'retry {num} of request {uuid}',
]
const STATEMENTS: readonly string[] = [...SUBJECTS.flatMap((subject) => ENDINGS.map((ending) => `${subject} ${ending}`)), ...MORE]

export const STATEMENT_COUNT = STATEMENTS.length

/** `each` lines of every statement in turn, a second apart. */
export function statementLines(random: Rng, each: number, statements: readonly string[] = STATEMENTS): LogRecord[] {
  return Array.from({ length: each * statements.length }, (_, i) => ({
    file: 'app.log', offset: i * 200, tsMs: Date.UTC(2026, 0, 1) + i * 1000, severity: 'INFO', service: pick(random, ['store']), trace: '',
    message: statements[i % statements.length]!.replace(/\{(\w+)\}/g, (_, kind: string) => VALUES[kind]!(random)),
  }))
}
