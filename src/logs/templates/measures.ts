/**
 * One measure may be printed in several ways: `12 bytes` or `1204 bytes (1.2 KB)`, `< 1 sec` or `00:12`. Clusters whose words are
 * the same but for units behind numbers are one statement; where they differ stands a slot.
 */
import { compareText } from '../../kernel/term.ts'
import { joined } from './cluster.ts'
import type { Cluster, ClusterPart, Cover } from './cluster.ts'
import type { MergeOptions } from './merge.ts'
import { isUnit, isWord } from './words.ts'

/** Below this a statement says too little to be told by its words. */
const MIN_WORDS = 3

export function mergeMeasures(clusters: readonly Cluster[], { minHits }: MergeOptions): Cluster[] {
  const groups = Map.groupBy(clusters, (cluster) => `${cluster.context} ${wordsWithoutUnits(cluster).join(' ')}`)
  return [...groups.values()].flatMap((group) => {
    const words = wordsWithoutUnits(group[0] as Cluster).length
    if (group.length < 2 || words < MIN_WORDS || !group.some(hasUnit)) return group
    const big = group.filter((each) => each.count >= minHits)
    if (big.length < 2) return group
    const [first, ...rest] = group.toSorted((x, y) => y.count - x.count || compareText(keyOf(x), keyOf(y)))
    return [rest.reduce(overlaid, first as Cluster)]
  })
}

const keyOf = (cluster: Cluster): string => cluster.members[0]?.shape.key ?? ''

/** A unit counts where a value stands before it. */
const unitAt = (parts: readonly ClusterPart[], i: number): boolean =>
  parts[i - 1]?.slot === true && isUnit(parts[i]?.text ?? '')

const wordsWithoutUnits = ({ parts }: Cluster): string[] =>
  parts.flatMap((part, i) => (isWord(part) && !unitAt(parts, i) ? [part.text] : []))
const hasUnit = ({ parts }: Cluster): boolean => parts.some((_, i) => unitAt(parts, i))

/** Both laid over each other along their longest common parts; what lies between becomes a slot. */
function overlaid(a: Cluster, b: Cluster): Cluster {
  const pairs = commonParts(a.parts, b.parts)
  const parts: ClusterPart[] = []
  const [coverA, coverB]: [[number, number][], [number, number][]] = [[], []]
  let [i, j] = [0, 0]
  const gap = (toA: number, toB: number): void => {
    if (toA === i && toB === j) return
    const last = parts.at(-1)
    if (last?.slot === true) {
      // beside a slot: one slot over both
      ;(coverA.at(-1) as [number, number])[1] = toA
      ;(coverB.at(-1) as [number, number])[1] = toB
    } else {
      parts.push({ slot: true, text: '', spaced: true, key: '' })
      coverA.push([i, toA])
      coverB.push([j, toB])
    }
  }
  for (const [atA, atB] of pairs) {
    gap(atA, atB)
    const part = a.parts[atA] as ClusterPart
    const last = parts.at(-1)
    if (part.slot && last?.slot === true) {
      ;(coverA.at(-1) as [number, number])[1] = atA + 1
      ;(coverB.at(-1) as [number, number])[1] = atB + 1
    } else {
      parts.push(part)
      if (part.slot) {
        coverA.push([atA, atA + 1])
        coverB.push([atB, atB + 1])
      }
    }
    i = atA + 1
    j = atB + 1
  }
  gap(a.parts.length, b.parts.length)
  return joined(parts, [{ cluster: a, cover: coverA as Cover }, { cluster: b, cover: coverB as Cover }])
}

/** The longest common subsequence, as pairs of indices. */
function commonParts(a: readonly ClusterPart[], b: readonly ClusterPart[]): [number, number][] {
  const same = (i: number, j: number): boolean => {
    const [x, y] = [a[i] as ClusterPart, b[j] as ClusterPart]
    return x.slot === y.slot && x.text === y.text && x.key === y.key
  }
  const best = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1))
  const at = (i: number, j: number): number => best[i]?.[j] ?? 0
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      ;(best[i] as Uint16Array)[j] = same(i, j) ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const pairs: [number, number][] = []
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (same(i, j) && at(i, j) === at(i + 1, j + 1) + 1) {
      pairs.push([i, j])
      i += 1
      j += 1
    } else if (at(i + 1, j) >= at(i, j + 1)) i += 1
    else j += 1
  }
  return pairs
}
