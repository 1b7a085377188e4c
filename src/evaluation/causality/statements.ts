/** Statements of an invented system: each has words of its own, a service, a level, and values that change from line to line. */
import { integerIn } from '../../kernel/stats/index.ts'
import type { Rng } from '../../kernel/stats/index.ts'

export interface Statement {
  readonly id: string
  readonly service: string
  readonly level: 'INFO' | 'WARN' | 'ERROR'
  /** matches the messages of this statement and of no other */
  readonly regex: string
  /** name of the slot whose value names a thing */
  readonly slot: string
  readonly anyEntity: (random: Rng) => string
  readonly message: (entity: string, random: Rng) => string
}

const THINGS = `index snapshot lease quorum cursor replica bucket channel partition segment token ledger shard tunnel gateway
  pipeline journal mirror volume route socket cache queue batch digest schema relay beacon anchor carrier ticket workspace
  roster manifest packet courier archive sensor voucher printer antenna reactor vessel locker invoice parcel turbine valve filter
  switchboard modem furnace lantern`.split(/\s+/)
const PARTS = `primary backup outer inner remote local shared stale hot cold pending deferred trusted foreign nested atomic
  rolling static dynamic external`.split(/\s+/)
const ACTS = `drained rebuilt rotated fenced promoted evicted throttled reconciled compacted stalled diverged migrated pruned
  flushed released acquired suspended resumed scanned verified`.split(/\s+/)
const PLACES = `upstream downstream controller scheduler collector planner resolver supervisor balancer dispatcher`.split(/\s+/)
const ENTITY_SLOTS = ['node', 'session', 'host', 'job'] as const

/** A source of statements, no two of which share three words in a row. */
export function statementMaker(random: Rng, services: readonly string[]) {
  const used = new Set<string>()
  const pick = <T>(items: readonly T[]): T => items[integerIn(random, 0, items.length)] as T
  let made = 0
  return ({ service = pick(services), calm = false }: { service?: string; calm?: boolean }): Statement => {
    let words: string[]
    do words = [pick(PARTS), pick(THINGS), pick(ACTS), pick(PLACES)]
    while (used.has(`${words[0]} ${words[1]}`) || used.has(`${words[1]} ${words[2]}`))
    used.add(`${words[0]} ${words[1]}`).add(`${words[1]} ${words[2]}`)
    const [part, thing, act, place] = words
    const slot = pick(ENTITY_SLOTS)
    const pool = pick([12, 60, 4000])
    const tail = pick(['took', 'rows', 'attempt', 'bytes'])
    const unit = tail === 'took' ? 'ms' : ''
    made += 1
    return {
      id: `s${String(made).padStart(3, '0')}`,
      service,
      level: calm ? 'INFO' : pick(['INFO', 'WARN', 'ERROR'] as const),
      regex: `^${part} ${thing} ${act} by ${place} ${slot}=\\S+ ${tail}=\\d+${unit}$`,
      slot,
      anyEntity: (draw) => `${slot.slice(0, 2)}-${String(integerIn(draw, 1, pool + 1)).padStart(2, '0')}`,
      message: (entity, draw) =>
        `${part} ${thing} ${act} by ${place} ${slot}=${entity} ${tail}=${integerIn(draw, 1, 5000)}${unit}`,
    }
  }
}
