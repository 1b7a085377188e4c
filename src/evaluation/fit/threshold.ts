/** Where answering begins: the lowest confidence from which on enough of the answers are right. */

export interface Judged {
  readonly confidence: number
  readonly right: boolean
}

/**
 * The threshold that answers most while `precision` of the answers are right; equal confidences are answered together or not at
 * all. 1 when no threshold reaches it: then only what is certain is answered.
 */
export function thresholdFor(judged: readonly Judged[], precision: number): number {
  const steps = [...Map.groupBy(judged, ({ confidence }) => confidence)].toSorted(([a], [b]) => b - a)
  let [answered, right, threshold] = [0, 0, 1]
  for (const [confidence, group] of steps) {
    answered += group.length
    right += group.filter((each) => each.right).length
    if (right / answered >= precision) threshold = confidence
  }
  return threshold
}
