/** The queue in memory, one for each workspace: all candidates in brief and in order, their groups and the ranker per ceiling. */
import { type DetectionStrategy, type ProposalState, type ProposalType, type Tier, within } from '../contracts/index.ts'
import { compareText } from '../kernel/term.ts'
import type { Projection, Workspace } from '../store/index.ts'
import { type Brief, briefOf, LOG_KINDS } from './brief.ts'
import { groupsOf } from './grouping.ts'
import { decisionsOf, type Ranker, rankerOf, trainingSize } from './ranking.ts'

const queues = new WeakMap<object, Queue>()

export function queueOf({ proposals }: Pick<Workspace, 'proposals'>): Queue {
  const known = queues.get(proposals)
  if (known !== undefined) return known
  const made = new Queue(proposals.projection(briefOf))
  queues.set(proposals, made)
  return made
}

const MODELS_KEPT = 8

export class Queue {
  readonly #projection: Projection<Brief>
  #revision = -1
  /** best first, all tiers */
  #sorted: Brief[] = []
  #places = new Map<string, number>()
  #visible = new Map<Tier, Brief[]>()
  #groups = new Map<Tier, Map<string, string>>()
  readonly #rankers = new Map<string, Ranker>()

  constructor(projection: Projection<Brief>) {
    this.#projection = projection
  }

  /** Log candidates within the ceiling, by confidence times consequence. */
  visible(ceiling: Tier): readonly Brief[] {
    this.#refresh()
    const known = this.#visible.get(ceiling)
    if (known !== undefined) return known
    const found = this.#sorted.filter(({ tier }) => within(tier, ceiling))
    this.#visible.set(ceiling, found)
    return found
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
    const decisions = decisionsOf(this.visible(ceiling))
    const size = Math.min(trainedOn ?? trainingSize(decisions.length), decisions.length)
    const taken = decisions.slice(0, size)
    const key = `${ceiling} ${size} ${taken.map(({ pid, status }) => pid + status).join(' ')}`
    const known = this.#rankers.get(key)
    if (known !== undefined) return { ...known, ranking: { ...known.ranking, decisions: decisions.length } }
    if (this.#rankers.size >= MODELS_KEPT) this.#rankers.clear()
    const made = rankerOf(decisions, size)
    this.#rankers.set(key, made)
    return made
  }

  #refresh(): void {
    const { rows, revision, changed } = this.#projection.current()
    if (revision === this.#revision) return
    this.#revision = revision
    if (changed !== null && changed.every((pid) => this.#staysInPlace(pid, rows.get(pid)))) {
      for (const pid of changed) this.#replace(pid, rows.get(pid))
      this.#visible.clear()
      return
    }
    const kinds: ReadonlySet<string> = new Set(LOG_KINDS)
    this.#sorted = [...rows.values()].filter(({ kind }) => kinds.has(kind)).toSorted((x, y) => y.score - x.score || compareText(x.pid, y.pid))
    this.#places = new Map(this.#sorted.map(({ pid }, i) => [pid, i]))
    this.#visible.clear()
    this.#groups.clear()
  }

  /** Whether neither its place in the order nor its group can have changed, as after most decisions. */
  #staysInPlace(pid: string, now: Brief | undefined): boolean {
    const was = this.#sorted[this.#places.get(pid) ?? -1]
    return (
      was !== undefined && now !== undefined && was.score === now.score && was.tier === now.tier && was.kind === now.kind &&
      was.severity === now.severity && was.text === now.text
    )
  }

  #replace(pid: string, now: Brief | undefined): void {
    const place = this.#places.get(pid)
    if (place !== undefined && now !== undefined) this.#sorted[place] = now
  }
}

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

/** Candidates that a filter lets through, in their order. */
export function matching(briefs: readonly Brief[], groups: ReadonlyMap<string, string>, filter: QueueFilter): Brief[] {
  const { kind, status, strategy, service, minConfidence, q = '', group } = filter
  const words = q.toLowerCase().split(/\s+/).filter((word) => word !== '')
  const wanted = service?.toLowerCase()
  const leader = group === undefined ? undefined : (groups.get(group) ?? '')
  return briefs.filter(
    (brief) =>
      (status === undefined || brief.status === status) &&
      (kind === undefined || brief.kind === kind) &&
      (strategy === undefined || brief.strategy === strategy) &&
      (minConfidence === undefined || brief.confidence >= minConfidence) &&
      (wanted === undefined || brief.services.some((each) => each.toLowerCase() === wanted)) &&
      (leader === undefined || groups.get(brief.pid) === leader) &&
      words.every((word) => brief.haystack.includes(word)),
  )
}
