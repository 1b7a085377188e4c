/**
 * Shapes of one statement brought together. A word becomes a slot only where there is evidence that the program chose it: a
 * value stands in its place elsewhere, the word before it says what it is (`user root`), it names something elsewhere in the
 * log, there are very many of it, or three and more that can be names have hits enough each. Two words alone, however often they
 * change places, are two statements.
 */
import { compareText } from '../../kernel/term.ts'
import type { Shape } from '../shapes/index.ts'
import { clusterOf, joined } from './cluster.ts'
import type { Cluster, ClusterPart } from './cluster.ts'
import { foldExplained } from './explain.ts'
import { mergeMeasures } from './measures.ts'
import { knownNames } from './names.ts'
import { isLabelled, isNamePlace, isPrivatePlace } from './places.ts'
import { areNameable, isCapitals, isStatus, isSymbol, isWord } from './words.ts'

export interface MergeOptions {
  /** share of equal words from which shapes are close */
  readonly similarity: number
  /** fewer hits than this are no evidence of a variant */
  readonly minHits: number
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
    if (settled) return foldExplained(mergeMeasures(clusters, options), options)
    clusters = merged
  }
}

/** A known name behind a noun that names is a value, even if no other stands there (`for user root by`); so is a private one. */
function withNames(cluster: Cluster, names: ReadonlySet<string>): Cluster {
  const { parts } = cluster
  const isName = (part: ClusterPart, i: number): boolean => names.has(part.text) && isNamePlace(parts, i)
  const places = parts.flatMap((part, i) => (!part.slot && (isName(part, i) || isPrivatePlace(parts, i)) ? [i] : []))
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
    .toSorted((x, y) => hitsOf(y.members) - hitsOf(x.members) || compareText(orderOf(x), orderOf(y)))
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
  const ids = new Map<string, number>()
  for (const cluster of clusters) {
    const { parts } = cluster
    const keyWithout = maskedKeys(parts, ids)
    const single = parts.flatMap((part, i) => (part.slot || (isWord(part) && !isStatus(part.text)) ? [[i]] : []))
    const named = parts.flatMap((part, i) => (isWord(part) && isNamePlace(parts, i) ? [i] : []))
    for (const places of named.length > 1 ? [...single, named] : single) {
      const key = `${keyWithout(places)} ${cluster.context}`
      const group = groups.get(key)
      if (group === undefined) groups.set(key, { key, places, members: [cluster] })
      else group.members.push(cluster)
    }
  }
  return [...groups.values()].filter((group) => group.members.length > 1)
}

/** The least key of its shapes and its places: an order that does not depend on how the groups were found. */
const orderOf = ({ members, places }: Group): string =>
  `${members.map((each) => each.members[0]?.shape.key ?? '').toSorted(compareText)[0] ?? ''} ${places.join(' ')}`

/**
 * Keys of parts with some places left out, so that clusters that differ there only have the same. Made from running hashes from
 * both ends, as to write each key out would take the square of the length.
 */
function maskedKeys(parts: readonly ClusterPart[], ids: Map<string, number>): (places: readonly number[]) => string {
  const codes = parts.map((part) => {
    const text = (part.spaced ? ' ' : '') + (part.slot ? '\0' : part.text)
    const id = ids.get(text) ?? ids.size
    ids.set(text, id)
    return id
  })
  const ahead = running(codes)
  const behind = running(codes.toReversed())
  return (places) => {
    const [first = 0] = places
    const last = places.at(-1) ?? first
    const back = parts.length - 1 - last
    let between = ''
    for (let i = first; i <= last; i += 1) between += places.includes(i) ? (parts[i]?.spaced ? ' _' : ' x') : ` ${codes[i]}`
    return `${parts.length}|${first}|${ahead[2 * first]}.${ahead[2 * first + 1]}|${between}|${behind[2 * back]}.${behind[2 * back + 1]}`
  }
}

/** At each index the hash of what stands before it, in two halves of 32 bits. */
function running(codes: readonly number[]): Int32Array {
  const hashes = new Int32Array(2 * codes.length + 2)
  let high = 0x811c9dc5 | 0
  let low = 0x01000193
  for (let i = 0; i < codes.length; i += 1) {
    const code = codes[i] as number
    high = Math.imul(high ^ code, 0x01000193)
    low = Math.imul(low + code + 1, 0x85ebca6b)
    low ^= low >>> 15
    hashes[2 * i + 2] = high
    hashes[2 * i + 3] = low
  }
  return hashes
}

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
  const { similarity, minHits } = options
  const [{ parts }] = members as [Cluster]
  const others = parts.filter((part, i) => !places.includes(i) && isWord(part)).length
  if (others / (others + places.length) < similarity) return false
  const [place = 0] = places
  if (places.length > 1) return members.length >= ENOUGH_VARIANTS && hitsOf(members) >= minHits
  const words = members.filter((each) => each.parts[place]?.slot === false)
  const texts = words.map((each) => each.parts[place]?.text ?? '')
  if (words.length < members.length) return others >= 2 || texts.every(isSymbol)
  const nameable = areNameable(texts) && !texts.some(isCapitals)
  if (nameable && texts.some((text) => names.has(text))) return true
  if (hitsOf(members) < minHits) return false
  if (isNamePlace(parts, place)) return texts.length >= ENOUGH_VARIANTS && areNameable(texts)
  if (place === 0) return false
  if (texts.length >= OPEN_CLASS || (texts.length >= OPEN_SYMBOLS && texts.every(isSymbol))) return true
  const often = words.filter((each) => each.count >= minHits)
  return nameable && often.length >= (isLabelled(parts, place) ? 2 : ENOUGH_VARIANTS)
}
