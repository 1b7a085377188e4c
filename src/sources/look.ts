/** Looking at a few values of each column, without reading a table of any size whole. */
import type { Cell } from './source.ts'

/** Enough to tell what a column holds, few enough that a table of any size answers at once. */
export const ROWS_LOOKED_AT = 1000
export const SAMPLES = 20
export const SAMPLE_CHARS = 200
/** Up to here rows are counted, beyond it the engine's own estimate serves. */
export const COUNTED_ROWS = 1_000_000
/** Of a table too large to count, so many values bear out an inferred key. */
export const VALUES_COMPARED = 100_000

/** The first distinct values of a column as text; bytes and long texts are no samples. */
export function samplesOf(cells: Iterable<Cell>): string[] {
  const found = new Set<string>()
  for (const cell of cells) {
    if (found.size >= SAMPLES) break
    if (cell === null || cell instanceof Uint8Array) continue
    const text = String(cell)
    if (text.length < SAMPLE_CHARS) found.add(text)
  }
  return [...found]
}
