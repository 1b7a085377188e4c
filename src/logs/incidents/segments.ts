/**
 * The day cut into short segments, so that what happened in each is counted once and every incident only adds segments up. An
 * incident's window is what follows its start; its baseline is what was before it, without the windows of earlier incidents as far
 * as they are known, and a stretch that is known to be free of faults, where there is one.
 */
export const WINDOW_MS = 180_000 // what an engineer sees when he is called: three minutes
export const SETTLING_MS = 300_000 // until a system has come to rest after an incident began
export const NOTICED_MS = 120_000 // a fault is older than its report by minutes: what came just before belongs to neither
export const SEGMENT_MS = 60_000

/** Times of the reference stretch lie in one segment of their own, wherever on the clock it was. */
export const REFERENCE = 0

/** Before this incident and not within the settling of an earlier one. */
export const isQuiet = (tsMs: number, startMs: number, starts: readonly number[]): boolean =>
  tsMs < startMs && !starts.some((start) => start < startMs && tsMs >= start && tsMs < start + SETTLING_MS)

export interface Parts {
  readonly window: readonly number[]
  readonly baseline: readonly number[]
  /** just before: the fault may have begun already */
  readonly doubtful: readonly number[]
}

export interface Segments {
  readonly count: number
  /** place of the segment that holds a time */
  readonly at: (tsMs: number) => number
  /** what to add up for the incident that starts at this time */
  readonly parts: (startMs: number) => Parts
}

/** Cut at every start of an incident, at the end of its window and of its settling, and every minute between. */
export function segmentsOf(starts: readonly number[], fromMs: number, toMs: number): Segments {
  const sorted = [...new Set(starts)].toSorted((x, y) => x - y)
  const marks = sorted.flatMap((start) => [start - NOTICED_MS, start, start + WINDOW_MS, start + SETTLING_MS])
  const edges = [...new Set([fromMs, ...marks.filter((mark) => mark > fromMs && mark < toMs)])].toSorted((x, y) => x - y)
  const cuts = edges.flatMap((edge, i) => {
    const end = edges[i + 1] ?? toMs
    const pieces = Math.max(1, Math.ceil((end - edge) / SEGMENT_MS))
    return Array.from({ length: pieces }, (_, piece) => edge + ((end - edge) * piece) / pieces)
  })
  const at = (tsMs: number): number => {
    let [low, high] = [0, cuts.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((cuts[middle] ?? 0) <= tsMs) low = middle + 1
      else high = middle
    }
    return Math.max(1, low)
  }
  return {
    count: cuts.length + 1,
    at,
    parts: (startMs) => {
      const window: number[] = []
      const baseline: number[] = [REFERENCE]
      const doubtful: number[] = []
      for (const [i, cut] of cuts.entries()) {
        if (cut >= startMs && cut < startMs + WINDOW_MS) window.push(i + 1)
        else if (isQuiet(cut, startMs, sorted)) (cut < startMs - NOTICED_MS ? baseline : doubtful).push(i + 1)
      }
      return { window, baseline, doubtful }
    },
  }
}
