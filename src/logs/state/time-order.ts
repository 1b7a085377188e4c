/** Sorting numbers is many times faster than sorting by a function: time and place in one number, where both fit into one. */
export function orderOf(ts: Float64Array): Uint32Array {
  const least = ts.reduce((min, value) => Math.min(min, value), Infinity)
  const span = ts.reduce((max, value) => Math.max(max, value), -Infinity) - least + 1
  if (span * ts.length > Number.MAX_SAFE_INTEGER || ts.some((value) => !Number.isInteger(value))) {
    return Uint32Array.from(ts.keys()).toSorted((x, y) => (ts[x] as number) - (ts[y] as number) || x - y)
  }
  const keys = ts.map((value, i) => (value - least) * ts.length + i).toSorted()
  return Uint32Array.from(keys, (key) => key % ts.length)
}
