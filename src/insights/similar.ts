/** Other incidents that went the same way: by the kinds of their causes, the order of their steps and how severe they were. */
import type { SimilarIncident } from '../contracts/index.ts'
import type { Blame } from './blame.ts'
import type { Event } from './events.ts'
import { byTime, listed } from './events.ts'
import type { RankedRoot } from './rank.ts'
import { rankRoots, rounded } from './rank.ts'
import type { Finding } from './rca.ts'
import { rankedCauses } from './rca.ts'
import { seconds, seen } from './wording.ts'

/** Enough to see a pattern; the rest is counted. */
const SHOWN = 20
/** Incidents of the kind that are looked at, the nearest in time first. */
const LOOKED_AT = 500
const LEAST = 0.3
/** Causes say most, then the order of what happened. */
const WEIGHT = { causes: 0.5, sequence: 0.35, severity: 0.15 } as const

/** What an incident is compared by. */
interface Course {
  readonly event: Event
  readonly roots: readonly string[]
  /** classes in the order of time */
  readonly sequence: readonly string[]
  readonly lagMs: number | null
  readonly things: readonly string[]
}

export function similarTo(blame: Blame, event: Event, roots: readonly RankedRoot[]): Finding {
  const own = courseOf(event, roots)
  const others = (blame.book.view.byClass.get(event.className) ?? []).filter((other) => other !== event)
  const nearest = others.toSorted((x, y) => Math.abs(x.ms - event.ms) - Math.abs(y.ms - event.ms) || byTime(x, y)).slice(0, LOOKED_AT)
  const found = nearest
    .map((other) => compared(own, courseOf(other, rankRoots(blame, other))))
    .filter(({ similarity, shared_causes: shared }) => similarity >= LEAST && (shared.length > 0 || own.roots.length === 0))
    .toSorted((x, y) => y.similarity - x.similarity || Date.parse(y.time) - Date.parse(x.time))
  const warnings = [
    ...(found.length > SHOWN ? [`${found.length - SHOWN} further incidents are not listed`] : []),
    ...(others.length > LOOKED_AT ? [`of ${others.length} other ${event.className} the ${LOOKED_AT} nearest in time were compared`] : []),
  ]
  return { answer: sentence(event, own.roots, found), similar: found.slice(0, SHOWN), ranked_causes: rankedCauses(event, roots), warnings }
}

function courseOf(event: Event, roots: readonly RankedRoot[]): Course {
  const [best] = roots
  const path = best?.path ?? []
  const strong = roots.filter(({ score }) => score >= 0.5 * (best?.score ?? 0))
  return {
    event,
    roots: [...new Set(strong.map(({ event: root }) => root.className))],
    sequence: [...path.map(({ cause }) => cause.className), event.className],
    lagMs: best === undefined ? null : event.ms - best.event.ms,
    things: event.entities.map(({ name }) => name),
  }
}

function compared(own: Course, other: Course): SimilarIncident {
  const shared = own.roots.filter((name) => other.roots.includes(name))
  const all = new Set([...own.roots, ...other.roots])
  const parts = {
    causes: all.size === 0 ? 0 : shared.length / all.size,
    sequence: (2 * commonLength(own.sequence, other.sequence)) / (own.sequence.length + other.sequence.length),
    severity: own.event.severity === other.event.severity ? 1 : 0,
  }
  const similarity = rounded(WEIGHT.causes * parts.causes + WEIGHT.sequence * parts.sequence + WEIGHT.severity * parts.severity)
  return { ...seen(other.event), shared_causes: shared, similarity, parts: { ...parts, sequence: rounded(parts.sequence) }, differences: differencesOf(own, other) }
}

/** Longest common subsequence: the same events in the same order, whatever came in between. */
function commonLength(x: readonly string[], y: readonly string[]): number {
  let row = y.map(() => 0)
  for (const item of x) {
    const next: number[] = []
    for (const [at, other] of y.entries()) {
      next.push(item === other ? (row[at - 1] ?? 0) + 1 : Math.max(row[at] ?? 0, next[at - 1] ?? 0))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

function differencesOf(own: Course, other: Course): string[] {
  const less = own.sequence.filter((name) => !other.sequence.includes(name))
  const more = other.sequence.filter((name) => !own.sequence.includes(name))
  const [here, there] = [own.things.join(', '), other.things.join(', ')]
  const slower = own.lagMs === null || other.lagMs === null ? 1 : other.lagMs / Math.max(1, own.lagMs)
  return [
    ...(less.length === 0 ? [] : [`without ${listed(less)}`]),
    ...(more.length === 0 ? [] : [`with ${listed(more)}`]),
    ...(here === there ? [] : [`on ${there === '' ? 'nothing named' : there}`]),
    ...(slower > 1.5 || slower < 1 / 1.5 ? [`after ${seconds(other.lagMs ?? 0)}, not ${seconds(own.lagMs ?? 0)}`] : []),
    ...(own.event.severity === other.event.severity ? [] : [`${other.event.severity ?? 'no severity'}, not ${own.event.severity ?? 'none'}`]),
  ]
}

function sentence(event: Event, kinds: readonly string[], found: readonly SimilarIncident[]): string {
  if (found.length === 0) return `No other ${event.className} in the graph shares a cause with this one.`
  const others = found.length === 1 ? '1 other event' : `${found.length} other events`
  if (kinds.length === 0)
    return `No cause of this ${event.className} is known; ${others} of the same class had the same severity.`
  return `${others} of class ${event.className} also ${found.length === 1 ? 'goes' : 'go'} back to ${listed(kinds)}.`
}
