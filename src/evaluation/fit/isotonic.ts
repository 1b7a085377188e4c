/** The rising curve nearest to outcomes: pool adjacent violators (Ayer et al. 1955; Barlow et al. 1972). */

export interface Point {
  readonly at: number
  readonly value: number
}

interface Block {
  /** the mean of `at` over the block, where its level is put on the curve */
  readonly at: number
  readonly level: number
  readonly weight: number
}

/** The least squares fit that never falls, one level per point in the order of `at`; equal places share a level. */
export function isotonic(points: readonly Point[]): number[] {
  return blocksOf(points).flatMap(({ level, weight }) => Array.from({ length: weight }, () => level))
}

/**
 * The fit as a line through the middle of its blocks: it rises where the fit jumps, so that two scores of one block still differ.
 * Blocks of fewer than `least` points are joined to the next: a step that a handful of outcomes made is chance. Levels keep away
 * from 0 and 1 by one outcome more on either side (Laplace): nothing is certain because it was never seen to fail.
 */
export function calibrationCurve(points: readonly Point[], least = 1): [number, number][] {
  const merged: Block[] = []
  for (const block of blocksOf(points)) {
    const before = merged.at(-1)
    if (before !== undefined && before.weight < least) merged[merged.length - 1] = joined(before, block)
    else merged.push(block)
  }
  const [before, last] = merged.slice(-2)
  if (before !== undefined && last !== undefined && last.weight < least) merged.splice(-2, 2, joined(before, last))
  const smoothed = merged.map(({ at, level, weight }): [number, number] => [at, (level * weight + 1) / (weight + 2)])
  // small blocks move more: the line still may not fall
  return smoothed.map(([at, level], i): [number, number] => [at, Math.max(level, ...smoothed.slice(0, i).map(([, y]) => y))])
}

function blocksOf(points: readonly Point[]): Block[] {
  // one place has one level, whatever the order in which its outcomes came
  const places = [...Map.groupBy(points, ({ at }) => at)].toSorted(([a], [b]) => a - b)
  const blocks: Block[] = []
  for (const [at, same] of places) {
    let block: Block = { at, level: same.reduce((sum, { value }) => sum + value, 0) / same.length, weight: same.length }
    for (let before = blocks.at(-1); before !== undefined && before.level >= block.level; before = blocks.at(-1)) {
      blocks.pop()
      block = joined(before, block)
    }
    blocks.push(block)
  }
  return blocks
}

function joined(a: Block, b: Block): Block {
  const weight = a.weight + b.weight
  return { at: (a.at * a.weight + b.at * b.weight) / weight, level: (a.level * a.weight + b.level * b.weight) / weight, weight }
}
