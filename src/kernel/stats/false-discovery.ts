/** Many tests at once: the share of false ones among those that are believed, held at a level. */

/** The q-values of Benjamini and Hochberg (1995), in the order of the p-values: believe those at or below the level. */
export function benjaminiHochberg(ps: readonly number[]): number[] {
  const order = ps.map((_, i) => i).toSorted((x, y) => ps[y]! - ps[x]!)
  const qs = ps.map(() => 1)
  let least = 1
  for (const [place, i] of order.entries()) {
    least = Math.min(least, (ps[i]! * ps.length) / (ps.length - place))
    qs[i] = least
  }
  return qs
}
