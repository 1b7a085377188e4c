/**
 * Shapes of one statement brought together. A word becomes a slot only where there is evidence that the program chose it: a
 * value stands in its place elsewhere, the word before it says what it is (`user root`), there are very many of it, or three and
 * more that can be names have hits enough each. Two words alone, however often they change places, are two statements.
 */
import { compareText } from '../../kernel/term.ts'
import { keyText } from '../shapes/index.ts'
import { clusterOf, joined } from './cluster.ts'
import type { Cluster, ClusterPart } from './cluster.ts'
import type { Shape } from '../shapes/index.ts'
import { mergeMeasures } from './measures.ts'
import { isCapitals, isNameable, isNaming, isStatus, isSymbol, isWord } from './words.ts'

export interface MergeOptions {
  /** share of equal words from which shapes are close */
  readonly similarity: number
  /** fewer hits than this are no evidence of a variant */
  readonly minHits: number
  /** also fold shapes with few hits into one that explains them */
  readonly mergeSmall: boolean
}

/** So many words in one place are a vocabulary, not statements. */
const OPEN_CLASS = 12
const OPEN_SYMBOLS = 6
/** So many variants, each with hits enough, are values where the words can be names. */
const ENOUGH_VARIANTS = 3

export function mergeShapes(shapes: readonly Shape[], options: MergeOptions): Cluster[] {
  let clusters = shapes.map(clusterOf)
  for (;;) {
    const next = mergeRound(clusters, options)
    if (next.length === clusters.length) return mergeMeasures(clusters, options)
    clusters = next
  }
}

interface Group {
  readonly key: string
  readonly position: number
  readonly members: Cluster[]
}

/** Joins all groups that stand apart from each other, the best first. */
function mergeRound(clusters: readonly Cluster[], options: MergeOptions): Cluster[] {
  const groups = new Map<string, Group>()
  for (const cluster of clusters) {
    for (const [position, part] of cluster.parts.entries()) {
      if (!part.slot && (!isWord(part) || isStatus(part.text))) continue
      const masked = cluster.parts.map((each, i) => (i === position ? { ...SOMETHING, spaced: each.spaced } : each))
      const key = `${position} ${cluster.context} ${keyText(masked)}`
      const group = groups.get(key)
      if (group === undefined) groups.set(key, { key, position, members: [cluster] })
      else group.members.push(cluster)
    }
  }
  const hits = ({ members }: Group): number => members.reduce((sum, each) => sum + each.count, 0)
  const chosen = [...groups.values()]
    .filter((group) => group.members.length > 1 && isVariable(group, options))
    .toSorted((x, y) => hits(y) - hits(x) || compareText(x.key, y.key))
  const taken = new Set<Cluster>()
  const out: Cluster[] = []
  for (const { members, position } of chosen) {
    if (members.some((each) => taken.has(each))) continue
    for (const each of members) taken.add(each)
    out.push(atPosition(members, position))
  }
  return [...clusters.filter((each) => !taken.has(each)), ...out]
}

const SOMETHING: ClusterPart = { slot: false, text: '\u0001', spaced: true, key: '' }

function atPosition(members: readonly Cluster[], position: number): Cluster {
  const first = members[0] as Cluster
  const keyed = members.map((each) => each.parts[position]?.key ?? '').toSorted().at(-1) ?? ''
  const spaced = first.parts[position]?.spaced ?? false
  const parts = first.parts.map((part, i): ClusterPart => (i === position ? { slot: true, text: '', spaced, key: keyed } : part))
  const cover = parts.flatMap((part, i) => (part.slot ? [[i, i + 1] as const] : []))
  return joined(parts, members.map((cluster) => ({ cluster, cover })))
}

function isVariable({ members, position }: Group, { similarity, minHits, mergeSmall }: MergeOptions): boolean {
  const parts = (members[0] as Cluster).parts
  const others = parts.filter((part, i) => i !== position && isWord(part)).length
  if (others / (others + 1) < similarity) return false
  const words = members.filter((each) => each.parts[position]?.slot === false)
  const texts = words.map((each) => each.parts[position]?.text ?? '')
  const hits = members.reduce((sum, each) => sum + each.count, 0)
  if (words.length < members.length) return others >= 2 || texts.every(isSymbol)
  if (hits < minHits) return false
  const named = isNaming(wordBefore(parts, position))
  if (named) return members.length >= ENOUGH_VARIANTS && texts.every(isNameable)
  if (position === 0) return false
  if (texts.length >= OPEN_CLASS || (texts.length >= OPEN_SYMBOLS && texts.every(isSymbol))) return true
  const often = words.filter((each) => mergeSmall || each.count >= minHits).map((each) => each.parts[position]?.text ?? '')
  return often.length >= ENOUGH_VARIANTS && often.every((text) => isNameable(text) && !isCapitals(text))
}

/** The nearest word before a place; marks between do not matter, values do. */
function wordBefore(parts: readonly ClusterPart[], position: number): string {
  const before = parts.slice(0, position).findLast((part) => part.slot || isWord(part))
  return before === undefined || before.slot ? '' : before.text
}
