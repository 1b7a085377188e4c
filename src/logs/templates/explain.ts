/**
 * Rare shapes that a frequent cluster explains: the same words in the same order, and what is more or less stands where the
 * cluster has a slot for names or text. So a file name with a blank in it, or an empty user name, finds its statement.
 */
import { compareText } from '../../kernel/term.ts'
import { mainKind } from '../shapes/index.ts'
import type { ValueKind } from '../shapes/index.ts'
import { joined, sketchOf } from './cluster.ts'
import type { Cluster, ClusterPart, Cover } from './cluster.ts'
import type { MergeOptions } from './merge.ts'
import { isNamePlace } from './places.ts'
import { isStatus, isSubstantive, isWord } from './words.ts'

/** A statement with fewer words explains too much. */
const MIN_WORDS = 3
/** How many times as frequent the one that explains must be. */
const TIMES = 5
/** More than this in the place of one value is another statement. */
const MAX_ABSORBED = 4
/** Kinds of slots that may hold anything; a slot of figures is contradicted by a word. */
const FREE: ReadonlySet<ValueKind> = new Set(['name', 'identifier', 'path', 'host', 'quoted', 'text', 'email', 'empty'])

export function foldExplained(clusters: readonly Cluster[], { minHits }: MergeOptions): Cluster[] {
  const frequency = new Map<string, number>()
  for (const cluster of clusters) for (const word of wordsOf(cluster)) frequency.set(word, (frequency.get(word) ?? 0) + 1)
  const rarest = (cluster: Cluster): string =>
    [...wordsOf(cluster)].toSorted((x, y) => (frequency.get(x) ?? 0) - (frequency.get(y) ?? 0) || compareText(x, y))[0] ?? ''
  const big = clusters.filter((each) => each.count >= minHits && wordsOf(each).size >= MIN_WORDS)
  const byWord = Map.groupBy(big.map(freeSlots).filter(({ free }) => free.includes(true)), ({ cluster }) => rarest(cluster))
  const found = new Map<Cluster, { cluster: Cluster; cover: Cover }[]>()
  for (const small of clusters) {
    if (small.count >= minHits) continue
    const able = [...wordsOf(small)].flatMap((word) => byWord.get(word) ?? [])
      .filter(({ cluster }) => cluster.context === small.context && cluster.count >= TIMES * small.count)
      .flatMap(({ cluster, free }) => {
        const cover = coverOf(cluster.parts, free, small.parts)
        return cover === null ? [] : [{ cluster, cover }]
      })
      .toSorted((x, y) => y.cluster.count - x.cluster.count || compareText(keyOf(x.cluster), keyOf(y.cluster)))
    const [best] = able
    if (best !== undefined) found.set(best.cluster, [...(found.get(best.cluster) ?? []), { cluster: small, cover: best.cover }])
  }
  const folded = new Set([...found.values()].flat().map(({ cluster }) => cluster))
  return clusters.filter((each) => !folded.has(each)).map((each) => {
    const more = found.get(each)
    if (more === undefined) return each
    const own = each.parts.flatMap((part, i) => (part.slot ? [[i, i + 1] as const] : []))
    return joined(each.parts, [{ cluster: each, cover: own }, ...more])
  })
}

const keyOf = (cluster: Cluster): string => cluster.members[0]?.shape.key ?? ''
const wordsOf = ({ parts }: Cluster): Set<string> => new Set(parts.filter(isWord).map((part) => part.text))

/** For each slot whether it may hold anything. */
function freeSlots(cluster: Cluster): { readonly cluster: Cluster; readonly free: readonly boolean[] } {
  const slots = cluster.parts.filter((part) => part.slot)
  return { cluster, free: slots.map((_, slot) => FREE.has(mainKind(sketchOf(cluster, slot)))) }
}

/** Which parts of `small` each slot of `big` covers, or null where it does not explain it. */
function coverOf(big: readonly ClusterPart[], free: readonly boolean[], small: readonly ClusterPart[]): Cover | null {
  const dead = new Set<number>()
  const cover: [number, number][] = []
  const fits = (i: number, j: number, slot: number): boolean => {
    const part = big[i]
    if (part === undefined) return j === small.length
    const state = i * (small.length + 1) + j
    if (dead.has(state)) return false
    const other = small[j]
    if (!part.slot) {
      if (other !== undefined && !other.slot && other.text === part.text && fits(i + 1, j + 1, slot)) return true
    } else {
      for (const length of lengths(big, i, free[slot] === true)) {
        if (!isAbsorbable(small.slice(j, j + length), length, free[slot] === true)) continue
        cover[slot] = [j, j + length]
        if (fits(i + 1, j + length, slot + 1)) return true
      }
    }
    dead.add(state)
    return false
  }
  return fits(0, 0, 0) ? cover : null
}

/** One part first; nothing only where a noun says that a name belongs here, as behind a key it is another statement (`rhost=`). */
function lengths(parts: readonly ClusterPart[], place: number, free: boolean): number[] {
  if (!free) return [1]
  const empty = parts[place]?.key === '' && isNamePlace(parts, place) ? [0] : []
  return [1, ...empty, ...Array.from({ length: MAX_ABSORBED - 1 }, (_, i) => i + 2)]
}

/** Marks with which a sentence goes on, or another value begins. */
const SENTENCE_MARKS = ':;,()[]{}<>='

function isAbsorbable(parts: readonly ClusterPart[], length: number, free: boolean): boolean {
  if (parts.length < length) return false
  if (!free) return parts[0]?.slot === true
  return parts.every((part) => {
    if (part.slot) return true
    return isWord(part) ? isSubstantive(part.text) && !isStatus(part.text) : !SENTENCE_MARKS.includes(part.text[0] ?? ' ')
  })
}
