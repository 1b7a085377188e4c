/**
 * Pointwise mutual information over windows, in bits: how much more often two things share a window than chance would have it.
 *
 * A window is a set: a message repeated a hundred times in one slice of time is one sighting, or a retry loop would look
 * like evidence. Windows in which nothing happened count too, as they are where neither thing was.
 */
import { compareText } from '../term.ts'

export interface PmiCounts {
  /** windows that hold both, the first, the second, and windows in all */
  readonly together: number
  readonly a: number
  readonly b: number
  readonly total: number
}

/** log2( p(a,b) / (p(a) p(b)) ): 0 is chance, 1 twice as often; minus infinity for things never seen together. */
export const pmi = ({ together, a, b, total }: PmiCounts): number =>
  together === 0 ? -Infinity : Math.log2((together * total) / (a * b))

export interface PmiPair {
  readonly a: string
  readonly b: string
  readonly counts: PmiCounts
  readonly pmi: number
}

/** Every pair seen together at least once, `a` before `b` in code-unit order, strongest first. `empty` windows held nothing. */
export function pmiPairs(windows: Iterable<readonly string[]>, empty = 0): PmiPair[] {
  const alone = new Map<string, number>()
  const together = new Map<string, Map<string, number>>()
  let total = empty
  for (const window of windows) {
    total += 1
    const things = [...new Set(window)].toSorted(compareText)
    for (const [i, a] of things.entries()) {
      alone.set(a, (alone.get(a) ?? 0) + 1)
      const partners = together.get(a) ?? new Map<string, number>()
      together.set(a, partners)
      for (const b of things.slice(i + 1)) partners.set(b, (partners.get(b) ?? 0) + 1)
    }
  }
  return [...together]
    .flatMap(([a, partners]) =>
      [...partners].map(([b, both]) => {
        const counts = { together: both, a: alone.get(a) ?? 0, b: alone.get(b) ?? 0, total }
        return { a, b, counts, pmi: pmi(counts) }
      }),
    )
    .toSorted((x, y) => y.pmi - x.pmi || compareText(x.a, y.a) || compareText(x.b, y.b))
}
