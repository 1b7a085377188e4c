/** Control of false discoveries: among everything called a find, the expected share of false ones stays below a level. */

/**
 * The smallest level at which each test would be called a find (Benjamini and Hochberg 1995). `tests` counts those that were
 * possible, also where only the promising ones were carried out: the others have p = 1. With `dependent` the bound holds for
 * tests that depend on each other in any way (Benjamini and Yekutieli 2001).
 */
export function falseDiscoveryQ(ps: readonly number[], options: { tests?: number; dependent?: boolean } = {}): number[] {
  const tests = Math.max(options.tests ?? ps.length, ps.length)
  const factor = tests * (options.dependent === true ? harmonic(tests) : 1)
  const order = ps.map((_, i) => i).toSorted((x, y) => (ps[x] ?? 1) - (ps[y] ?? 1))
  const qs = ps.map(() => 1)
  let least = 1
  for (let rank = order.length; rank >= 1; rank -= 1) {
    const i = order[rank - 1] ?? 0
    least = Math.min(least, ((ps[i] ?? 1) * factor) / rank)
    qs[i] = least
  }
  return qs
}

/** 1 + 1/2 + ... + 1/n; beyond a thousand terms by its expansion. */
function harmonic(n: number): number {
  if (n > 1000) return Math.log(n) + 0.5772156649015329 + 1 / (2 * n)
  let sum = 0
  for (let i = 1; i <= n; i += 1) sum += 1 / i
  return sum
}
