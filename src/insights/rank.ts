/** Candidate roots in order, each with the parts of its score. */
import type { CauseParts } from '../contracts/index.ts'
import { quantile } from '../kernel/stats/index.ts'
import type { Blame, Hop } from './blame.ts'
import type { EdgeBook } from './edge-book.ts'
import type { Event, View } from './events.ts'
import { byTime, eventsBetween, lagOf } from './events.ts'
import { lagFit } from './lags.ts'

export interface RankedRoot {
  readonly event: Event
  readonly score: number
  readonly parts: CauseParts
  readonly explains: number
  readonly entry: boolean
  readonly path: readonly Hop[]
}

/** An event that has causes as a rule and none here is the less likely beginning: its own cause may only be missing. */
const NO_ENTRY = 0.5
/** Events that are followed from a root to see what else it explains. */
const MOST_FOLLOWED = 2000

/**
 * The share of the blame decides, and the rest weighs in: position by up to a factor of four, change by a quarter. The scores of all
 * causes and of none at all add up to one.
 */
export function rankRoots(blame: Blame, event: Event): RankedRoot[] {
  const roots = blame.rootsOf(event)
  const { book } = blame
  const explained = roots.map((root) => descendants(book.view, root.event, event))
  const widest = Math.max(1, ...explained)
  const rated = roots.map(({ event: root, share, path }, n) => {
    const explains = explained[n] ?? 0
    const entry = book.into(root.className).length === 0
    const position = (entry ? 1 : NO_ENTRY) * (0.5 + 0.5 * (explains / widest))
    const change = changeOf(book, root)
    const parts = {
      evidence: mean(path.map(({ confidence }) => confidence)),
      lag_fit: mean(path.map((hop) => lagFit(hop.lags, lagOf(hop)))),
      share, change, position,
    }
    return { event: root, parts, explains, entry, path, raw: share * position * (0.75 + 0.25 * change) }
  })
  const unknown = Math.max(0, 1 - roots.reduce((sum, { share }) => sum + share, 0))
  const total = rated.reduce((sum, { raw }) => sum + raw, unknown * NO_ENTRY * 0.5)
  return rated
    .map(({ raw, parts, ...root }) => ({ ...root, parts: roundedParts(parts), score: total === 0 ? 0 : rounded(raw / total) }))
    .toSorted((x, y) => y.score - x.score || y.parts.share - x.parts.share || byTime(y.event, x.event))
}

export const rounded = (value: number): number => Math.round(value * 1e4) / 1e4
const roundedParts = (parts: CauseParts): CauseParts => ({
  evidence: rounded(parts.evidence), lag_fit: rounded(parts.lag_fit), share: rounded(parts.share),
  change: rounded(parts.change), position: rounded(parts.position),
})

/** Geometric: a way is as good as its steps, and one bad step spoils it. */
const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((product, value) => product * Math.max(1e-6, value), 1) ** (1 / values.length)

/** Other events that go back to the root. */
function descendants({ effects }: View, root: Event, event: Event): number {
  const found = new Set<Event>([root])
  for (const one of found) {
    if (found.size > MOST_FOLLOWED) break
    for (const { effect } of effects.get(one) ?? []) found.add(effect)
  }
  found.delete(event)
  return found.size - 1
}

/** Width of the bins that a class is counted in. */
const BIN_MS = 60_000

/**
 * How far the number of such events in the minute before lies above what is usual for a minute: from 0 (not at all) towards 1. The
 * spread is the median absolute deviation, or that of a rare event at the same rate where the median has none (Iglewicz, Hoaglin 1993).
 */
function changeOf(book: EdgeBook, { className, ms }: Event): number {
  const { view } = book
  const all = view.byClass.get(className) ?? []
  const bins = Math.max(1, Math.ceil(book.spanOf(className) / BIN_MS))
  const counts = [...Map.groupBy(all, (event) => Math.floor(event.ms / BIN_MS)).values()].map((own) => own.length)
  const whole = [...counts, ...Array.from({ length: Math.max(0, bins - counts.length) }, () => 0)]
  const median = quantile(whole, 0.5) ?? 0
  const spread = 1.4826 * (quantile(whole.map((count) => Math.abs(count - median)), 0.5) ?? 0)
  const now = eventsBetween(view, className, ms - BIN_MS, ms).length
  const z = (now - median) / Math.max(spread, Math.sqrt(all.length / bins), 0.1)
  return Math.max(0, 1 - Math.exp(-Math.max(0, z) / 2))
}

/** Whether classes of the way cause one another in a circle: then the root is where the circle was entered. */
export function circleOf(book: EdgeBook, path: readonly Hop[]): string[] {
  const names = [...path.map(({ cause }) => cause.className), ...path.slice(-1).map(({ effect }) => effect.className)]
  const [root] = names
  if (root === undefined) return []
  const before = new Set<string>(book.into(root).map(({ figures }) => figures.cause))
  for (const name of before) for (const { figures } of book.into(name)) before.add(figures.cause)
  return before.has(root) ? [...new Set(names.filter((name) => before.has(name)))] : []
}
