/** What a misspelled name may have been meant as. */

/** The known names nearest to a name, at most three, all equally near: the same but for case, or at most two slips away. */
export function suggest(name: string, known: readonly string[]): string[] {
  const wanted = name.toLowerCase()
  const most = Math.min(2, Math.floor(wanted.length / 2))
  const ranked = known.map((candidate) => ({ candidate, distance: slips(wanted, candidate.toLowerCase(), most) }))
  const least = Math.min(most, ...ranked.map(({ distance }) => distance))
  return ranked.flatMap(({ candidate, distance }) => (distance === least ? [candidate] : [])).slice(0, 3)
}

/** Letters to insert, drop or change; anything beyond `most` counts alike. */
function slips(x: string, y: string, most: number): number {
  if (Math.abs(x.length - y.length) > most) return most + 1
  let row = Array.from({ length: y.length + 1 }, (_, j) => j)
  for (let i = 1; i <= x.length; i++) {
    const next = [i]
    for (let j = 1; j <= y.length; j++) {
      const changed = (row[j - 1] ?? 0) + (x[i - 1] === y[j - 1] ? 0 : 1)
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[y.length] ?? 0
}
