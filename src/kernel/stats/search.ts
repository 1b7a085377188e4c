/** Where a time stands among sorted times. */

/** The first index whose value is above x; the length where none is. */
export function firstAbove(sorted: ArrayLike<number>, x: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? Infinity) > x) high = middle
    else low = middle + 1
  }
  return low
}

/** The first index whose value is x or above. */
export function firstAtLeast(sorted: ArrayLike<number>, x: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? Infinity) >= x) high = middle
    else low = middle + 1
  }
  return low
}
