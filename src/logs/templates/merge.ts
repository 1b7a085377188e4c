/**
 * Shapes of one statement brought together. A word becomes a slot only where there is evidence that the program chose it: a
 * value stands in its place elsewhere, the word before it says what it is (`user root`), it names something elsewhere in the
 * log, there are very many of it, or three and more that can be names have hits enough each. Two words alone, however often they
 * change places, are two statements.
 */
import { compareText } from '../../kernel/term.ts'
import { keyText } from '../shapes/index.ts'
import type { Shape } from '../shapes/index.ts'
import { clusterOf, joined } from './cluster.ts'
import type { Cluster, ClusterPart } from './cluster.ts'
import { mergeMeasures } from './measures.ts'
import { knownNames } from './names.ts'
import { isNamePlace } from './places.ts'
import { isCapitals, isNameable, isStatus, isSymbol, isWord } from './words.ts'

export interface MergeOptions {
  /** share of equal words from which shapes are close */
  readonly similarity: number
  /** fewer hits than this are no evidence of a variant */
  readonly minHits: number
  /** variants with few hits count as well */
  readonly mergeSmall: boolean
  /** lines from which a value that never changed is taken for the author's word */
  readonly settledLines: number
}

/** So many words in one place are a vocabulary, not statements. */
const OPEN_CLASS = 12
const OPEN_SYMBOLS = 6
/** So many variants, each with hits enough, are values where the words can be names. */
const ENOUGH_VARIANTS = 3

export function mergeShapes(shapes: readonly Shape[], options: MergeOptions): Cluster[] {
  let clusters = shapes.map((shape) => clusterOf(shape, options.settledLines))
  for (;;) {
    const names = knownNames(clusters)
    const named = clusters.map((cluster) => withNames(cluster, names))
    const merged = mergeRound(named, names, options)
    const settled = merged.length === clusters.length && named.every((cluster, i) => cluster === clusters[i])
    if (settled) return mergeMeasures(clusters, options)
    clusters = merged
  }
}

/** A known name behind a noun that names is a value, even if no other stands there: `for user root by`. */
function withNames(cluster: Cluster, names: ReadonlySet<string>): Cluster {
  const { parts } = cluster
  const places = parts.flatMap((part, i) => (!part.slot && names.has(part.text) && isNamePlace(parts, i) ? [i] : []))
  return places.length === 0 ? cluster : slotsAt([cluster], places)
}

/** Clusters that are the same but for what stands in some places. */
interface Group {
  readonly key: string
  readonly places: readonly number[]
  readonly members: Cluster[]
}

/** Joins all groups that stand apart from each other, the best first. */
function mergeRound(clusters: readonly Cluster[], names: ReadonlySet<string>, options: MergeOptions): Cluster[] {
  const chosen = groupsOf(clusters)
    .filter((group) => isVariable(group, names, options))
    .toSorted((x, y) => hitsOf(y.members) - hitsOf(x.members) || compareText(x.key, y.key))
  const taken = new Set<Cluster>()
  const merged: Cluster[] = []
  for (const { members, places } of chosen) {
    if (members.some((each) => taken.has(each))) continue
    for (const each of members) taken.add(each)
    merged.push(slotsAt(members, places))
  }
  return [...clusters.filter((each) => !taken.has(each)), ...merged]
}

const hitsOf = (clusters: readonly Cluster[]): number => clusters.reduce((sum, each) => sum + each.count, 0)

/** By each place alone, and by all places together that the word before says hold a name. */
function groupsOf(clusters: readonly Cluster[]): Group[] {
  const groups = new Map<string, Group>()
  for (const cluster of clusters) {
    const { parts } = cluster
    const single = parts.flatMap((part, i) => (part.slot || (isWord(part) && !isStatus(part.text)) ? [[i]] : []))
    const named = parts.flatMap((part, i) => (isWord(part) && isNamePlace(parts, i) ? [i] : []))
    for (const places of named.length > 1 ? [...single, named] : single) {
      const masked = parts.map((part, i) => (places.includes(i) ? { ...SOMETHING, spaced: part.spaced } : part))
      const key = `${places.join(' ')} ${cluster.context} ${keyText(masked)}`
      const group = groups.get(key)
      if (group === undefined) groups.set(key, { key, places, members: [cluster] })
      else group.members.push(cluster)
    }
  }
  return [...groups.values()].filter((group) => group.members.length > 1)
}

const SOMETHING: ClusterPart = { slot: false, text: '\u0001', spaced: true, key: '' }

function slotsAt(members: readonly Cluster[], places: readonly number[]): Cluster {
  const [first] = members as [Cluster]
  const parts = first.parts.map((part, i): ClusterPart => {
    if (!places.includes(i)) return part
    const key = members.map((each) => each.parts[i]?.key ?? '').toSorted(compareText).at(-1) ?? ''
    return { slot: true, text: '', spaced: part.spaced, key }
  })
  const cover = parts.flatMap((part, i) => (part.slot ? [[i, i + 1] as const] : []))
  return joined(parts, members.map((cluster) => ({ cluster, cover })))
}

function isVariable({ members, places }: Group, names: ReadonlySet<string>, options: MergeOptions): boolean {
  const { similarity, minHits, mergeSmall } = options
  const [{ parts }] = members as [Cluster]
  const others = parts.filter((part, i) => !places.includes(i) && isWord(part)).length
  if (others / (others + places.length) < similarity) return false
  const [place = 0] = places
  if (places.length > 1) return members.length >= ENOUGH_VARIANTS && hitsOf(members) >= minHits
  const words = members.filter((each) => each.parts[place]?.slot === false)
  const texts = words.map((each) => each.parts[place]?.text ?? '')
  if (words.length < members.length) return others >= 2 || texts.every(isSymbol)
  const nameable = texts.every((text) => isNameable(text) && !isCapitals(text))
  if (nameable && texts.some((text) => names.has(text))) return true
  if (hitsOf(members) < minHits) return false
  if (isNamePlace(parts, place)) return texts.length >= ENOUGH_VARIANTS && texts.every(isNameable)
  if (place === 0) return false
  if (texts.length >= OPEN_CLASS || (texts.length >= OPEN_SYMBOLS && texts.every(isSymbol))) return true
  const often = words.filter((each) => mergeSmall || each.count >= minHits)
  return nameable && often.length >= ENOUGH_VARIANTS
}
