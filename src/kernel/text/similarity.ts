/** How alike two sequences of words are: twice the longest common subsequence over both lengths (Dice over order). */

/** 1 for equal sequences, 0 for nothing in common; `tokenSimilarity(['link', 'down'], ['link', 'up'])` is 0.5. */
export function tokenSimilarity(a: readonly string[], b: readonly string[]): number {
  if (a.length + b.length === 0) return 1
  return (2 * longestCommon(a, b)) / (a.length + b.length)
}

function longestCommon(a: readonly string[], b: readonly string[]): number {
  let above = Array.from({ length: b.length + 1 }, () => 0)
  for (const word of a) {
    const row = [0]
    for (const [j, other] of b.entries()) {
      row.push(word === other ? (above[j] ?? 0) + 1 : Math.max(above[j + 1] ?? 0, row[j] ?? 0))
    }
    above = row
  }
  return above.at(-1) ?? 0
}
