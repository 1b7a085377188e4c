/** Quantiles by linear interpolation between order statistics (Hyndman and Fan 1996, type 7: the usual default). */

/** `quantile([1, 2, 3, 4], 0.5)` is 2.5; of nothing it is null. The values need not be sorted. */
export function quantile(values: readonly number[], q: number): number | null {
  if (values.length === 0) return null
  const sorted = values.toSorted((x, y) => x - y)
  const position = Math.min(Math.max(q, 0), 1) * (sorted.length - 1)
  const below = sorted[Math.floor(position)] ?? 0
  const above = sorted[Math.ceil(position)] ?? below
  return below + (above - below) * (position - Math.floor(position))
}
