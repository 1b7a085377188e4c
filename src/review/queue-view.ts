/**
 * The queue in memory, one for each workspace: candidates in brief, their groups, the ranker, and the orders that were asked for.
 * A decision moves one row, so each kept order is mended at one place and not made anew.
 */
import { type DetectionStrategy, type ProposalState, type ProposalType, type QueueSort, type Tier, within } from '../contracts/index.ts'
import type { Projection, Workspace } from '../store/index.ts'
import { BRIEF_FIELDS, type Brief, briefOf, LOG_KINDS } from './brief.ts'
import { groupsOf } from './grouping.ts'
import { type Order, ordering, placeIn, sortedBy } from './queue-order.ts'
import { decisionsOf, followedSize, type Ranker, rankerOf, trainingOf, trainingSize } from './ranking.ts'
import { ShownRows } from './shown-rows.ts'

export interface QueueFilter {
  readonly kind?: ProposalType
  readonly status?: ProposalState
  readonly strategy?: DetectionStrategy
  readonly service?: string
  readonly minConfidence?: number
  /** every word of it occurs in name, title, template or service */
  readonly q?: string
  /** the members of one group */
  readonly group?: string
}

/** What matches a filter within a ceiling, in an order. */
export interface QueueOrder {
  readonly rows: readonly Brief[]
  readonly order: Order
}

interface Kept extends QueueOrder {
  readonly rows: Brief[]
  readonly takes: (brief: Brief) => boolean
  readonly ceiling: Tier
  /** by group, once somebody has asked for groups */
  members: Map<string, Set<string>> | null
}

export interface QueueCounts {
  /** kind -> status -> how many */
  readonly byKind: Map<string, Map<string, number>>
  readonly byStrategy: Map<string, number>
}

const queues = new WeakMap<object, Queue>()

export function queueOf({ proposals }: Pick<Workspace, 'proposals'>): Queue {
  const known = queues.get(proposals)
  if (known !== undefined) return known
  const made = new Queue(proposals.projection(BRIEF_FIELDS, briefOf))
  queues.set(proposals, made)
  return made
}

const RANKERS_KEPT = 8
const ROWS_PER_STEP = 1000
const ORDERS_KEPT = 24
const KINDS: ReadonlySet<string> = new Set(LOG_KINDS)

export class Queue {
  readonly #projection: Projection<Brief>
  #revision = -1
  #rows: ReadonlyMap<string, Brief> = new Map()
  /** as they stood when the orders were last mended */
  readonly #placed = new Map<string, Brief>()
  readonly #orders = new Map<string, Kept>()
  readonly #groups = new Map<Tier, Map<string, string>>()
  readonly #counts = new Map<Tier, QueueCounts>()
  readonly #rankers = new Map<string, Ranker>()
  /** the ranker that is being made ready */
  #preparing = ''
  readonly shown = new ShownRows()

  constructor(projection: Projection<Brief>) {
    this.#projection = projection
  }

  /** Log candidates within the ceiling, by confidence times consequence. */
  visible(ceiling: Tier): readonly Brief[] {
    return this.ordered(ceiling, {}, 'score').rows
  }

  ordered(ceiling: Tier, filter: QueueFilter, sort: QueueSort, ranker?: Ranker): QueueOrder {
    this.#refresh()
    return this.#ordered(ceiling, filter, sort, ranker)
  }

  /** As of the last look at the store. */
  #ordered(ceiling: Tier, filter: QueueFilter, sort: QueueSort, ranker?: Ranker): QueueOrder {
    const { kind, status, strategy, service, minConfidence, q, group } = filter
    const key = JSON.stringify([ceiling, sort, ranker?.key, kind, status, strategy, service, minConfidence, q, group])
    const known = this.#orders.get(key)
    if (known !== undefined) return known
    const matches = matcher(filter, () => this.groups(ceiling))
    const takes = (brief: Brief) => KINDS.has(brief.kind) && within(brief.tier, ceiling) && matches(brief)
    const order = ordering(sort, ranker?.odds ?? null)
    const rows = sortedBy(order, [...this.#rows.values()].filter(takes))
    if (this.#orders.size >= ORDERS_KEPT) this.#orders.delete(this.#orders.keys().next().value ?? '')
    const made: Kept = { rows, order, takes, ceiling, members: null }
    this.#orders.set(key, made)
    return made
  }

  counts(ceiling: Tier): QueueCounts {
    this.#refresh()
    const known = this.#counts.get(ceiling)
    if (known !== undefined) return known
    const made: QueueCounts = { byKind: new Map(), byStrategy: new Map() }
    for (const brief of this.visible(ceiling)) {
      count(made, brief, 1)
      made.byStrategy.set(brief.strategy, (made.byStrategy.get(brief.strategy) ?? 0) + 1)
    }
    this.#counts.set(ceiling, made)
    return made
  }

  /** The pids of each group in an order that was handed out. */
  members(ordered: QueueOrder, ceiling: Tier): ReadonlyMap<string, ReadonlySet<string>> {
    const groups = this.groups(ceiling)
    const kept = ordered as Kept
    if (kept.members !== null) return kept.members
    const members = new Map<string, Set<string>>()
    for (const { pid } of kept.rows) join(members, groups.get(pid) ?? pid, pid)
    kept.members = members
    return members
  }

  /** Of what is within the ceiling alone: a hidden candidate must not lead or split a group. */
  groups(ceiling: Tier): ReadonlyMap<string, string> {
    this.#refresh()
    const known = this.#groups.get(ceiling)
    if (known !== undefined) return known
    const found = groupsOf(this.visible(ceiling))
    this.#groups.set(ceiling, found)
    return found
  }

  ranker(ceiling: Tier, trainedOn?: number): Ranker {
    const decided = (['APPROVED', 'REJECTED'] as const).flatMap((status) => this.ordered(ceiling, { status }, 'score').rows)
    const decisions = decisionsOf(decided, (pid) => this.#isSeen(pid, ceiling))
    const size = Math.min(trainedOn ?? followedSize(decisions.length), decisions.length)
    const next = trainingSize(decisions.length)
    if (trainedOn === undefined && next > size) this.#prepare(ceiling, decisions, next)
    const key = keyOf(ceiling, decisions, size)
    const known = this.#rankers.get(key)
    if (known !== undefined) return { ...known, ranking: { ...known.ranking, decisions: decisions.length } }
    return this.#keep({ ...rankerOf(decisions, size), key })
  }

  #isSeen(pid: string, ceiling: Tier): boolean {
    const brief = this.#rows.get(pid)
    return brief !== undefined && within(brief.tier, ceiling)
  }

  #keep(ranker: Ranker & { readonly key: string }): Ranker {
    if (this.#rankers.size >= RANKERS_KEPT) this.#rankers.delete(this.#rankers.keys().next().value ?? '')
    this.#rankers.set(ranker.key, ranker)
    return ranker
  }

  /** Makes the next ranker ready between calls, a few milliseconds at a time. */
  #prepare(ceiling: Tier, decisions: readonly Brief[], size: number): void {
    const key = keyOf(ceiling, decisions, size)
    if (this.#preparing === key || this.#rankers.has(key)) return
    this.#preparing = key
    const training = trainingOf(decisions, size)
    const rows = [...this.visible(ceiling)] // as of now: later, the store may be closed
    const goOn = (): void => {
      if (this.#preparing !== key) return // overtaken by other decisions
      const { done, value } = training.next()
      if (done !== true) setImmediate(goOn)
      else this.#judge(ceiling, this.#keep({ ...value, key }), rows, 0)
    }
    setImmediate(goOn)
  }

  /** What all candidates get by it, and then the order of those that wait: that is what will be asked for. */
  #judge(ceiling: Tier, ranker: Ranker, rows: readonly Brief[], from: number): void {
    if (ranker.odds === null) return
    if (from >= rows.length) return void this.#ordered(ceiling, { status: 'PENDING' }, 'learned', ranker)
    for (const brief of rows.slice(from, from + ROWS_PER_STEP)) ranker.odds(brief)
    setImmediate(() => this.#judge(ceiling, ranker, rows, from + ROWS_PER_STEP))
  }

  #refresh(): void {
    const { rows, revision, changed } = this.#projection.current()
    if (revision === this.#revision) return
    this.#revision = revision
    this.#rows = rows
    if (changed === null || changed.some((pid) => !sameGroup(this.#placed.get(pid), rows.get(pid)))) {
      this.#orders.clear()
      this.#groups.clear()
      this.#counts.clear()
      this.#placed.clear()
      for (const [pid, brief] of rows) this.#placed.set(pid, brief)
      return
    }
    for (const pid of changed) {
      const [was, now] = [this.#placed.get(pid), rows.get(pid)]
      if (was === undefined || now === undefined) continue
      this.#placed.set(pid, now)
      for (const [ceiling, counts] of this.#counts) {
        if (!KINDS.has(now.kind) || !within(now.tier, ceiling)) continue
        count(counts, was, -1)
        count(counts, now, 1)
      }
      for (const kept of this.#orders.values()) mend(kept, was, now, this.#groups.get(kept.ceiling)?.get(pid) ?? pid)
    }
  }
}

const keyOf = (ceiling: Tier, decisions: readonly Brief[], size: number): string =>
  JSON.stringify([ceiling, decisions.slice(0, size).map(({ pid, status }) => `${pid} ${status}`)])

function count({ byKind }: QueueCounts, { kind, status }: Brief, by: 1 | -1): void {
  const states = byKind.get(kind) ?? new Map<string, number>()
  byKind.set(kind, states)
  const n = (states.get(status) ?? 0) + by
  if (n === 0) states.delete(status)
  else states.set(status, n)
}

function leave(members: Map<string, Set<string>>, group: string, pid: string): void {
  const left = members.get(group)
  left?.delete(pid)
  if (left?.size === 0) members.delete(group)
}

function join(members: Map<string, Set<string>>, group: string, pid: string): void {
  const known = members.get(group)
  if (known === undefined) members.set(group, new Set([pid]))
  else known.add(pid)
}

/** Takes the row as it was out of its place and puts the row as it is into its own. */
function mend({ rows, order, takes, members }: Kept, was: Brief, now: Brief, group: string): void {
  const place = placeIn(rows, order.compare, was)
  const stood = rows[place]?.pid === was.pid
  if (stood && takes(now) && order.compare(was, now) === 0) {
    rows[place] = now
    return
  }
  if (stood) {
    rows.splice(place, 1)
    if (members !== null) leave(members, group, was.pid)
  }
  if (!takes(now)) return
  rows.splice(placeIn(rows, order.compare, now), 0, now)
  if (members !== null) join(members, group, now.pid)
}

/** Whether neither who sees it nor its group can have changed, as after all decisions and most edits. */
const sameGroup = (was: Brief | undefined, now: Brief | undefined): boolean =>
  was !== undefined && now !== undefined && was.tier === now.tier && was.kind === now.kind && was.severity === now.severity && was.text === now.text

function matcher({ kind, status, strategy, service, minConfidence, q = '', group }: QueueFilter, groups: () => ReadonlyMap<string, string>) {
  const words = q.toLowerCase().split(/\s+/).filter((word) => word !== '')
  const wanted = service?.toLowerCase()
  return (brief: Brief): boolean =>
    (status === undefined || brief.status === status) &&
    (kind === undefined || brief.kind === kind) &&
    (strategy === undefined || brief.strategy === strategy) &&
    (minConfidence === undefined || brief.confidence >= minConfidence) &&
    (wanted === undefined || brief.services.some((each) => each.toLowerCase() === wanted)) &&
    (group === undefined || groups().get(brief.pid) === (groups().get(group) ?? '')) &&
    words.every((word) => brief.haystack.includes(word))
}
