/** Which words are names, by having stood where names stand. */
import { sketchOf } from './cluster.ts'
import type { Cluster } from './cluster.ts'
import { placeOf } from './places.ts'
import { isNameable, isStatus } from './words.ts'

/** Words that stand as values behind a key or a noun that names: they are names wherever they stand. */
export function knownNames(clusters: readonly Cluster[]): Set<string> {
  const names = new Set<string>()
  for (const cluster of clusters) {
    let slot = 0
    for (const [place, part] of cluster.parts.entries()) {
      if (!part.slot) continue
      const { named } = placeOf(cluster.parts, place)
      if (named) for (const { text } of sketchOf(cluster, slot).values) if (isNameable(text) && !isStatus(text)) names.add(text)
      slot += 1
    }
  }
  return names
}
