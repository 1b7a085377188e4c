/** How sure a share is, given how often it was seen: 7 of 10 and 700 of 1000 are not the same evidence. */

/** Lower end of Wilson's score interval (Wilson 1927), 95 % by default; 0 of 0 is 0. */
export function wilsonLower(successes: number, n: number, z = 1.96): number {
  if (n <= 0 || successes <= 0) return 0
  const share = successes / n
  const centre = share + (z * z) / (2 * n)
  const spread = z * Math.sqrt((share * (1 - share) + (z * z) / (4 * n)) / n)
  return Math.max(0, (centre - spread) / (1 + (z * z) / n))
}
