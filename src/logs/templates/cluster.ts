/**
 * A cluster is what becomes a template: shapes of one statement, laid over each other part by part. Clusters are values; joining
 * two in any order gives the same cluster.
 */
import { compareText } from '../../kernel/term.ts'
import { emptySketch, mergeSketch, sketchValues } from '../shapes/index.ts'
import type { Shape, SlotSketch } from '../shapes/index.ts'
import { placeOf } from './places.ts'
import { settledText } from './settled.ts'

export interface ClusterPart {
  readonly slot: boolean
  /** the constant; empty for a slot */
  readonly text: string
  readonly spaced: boolean
  /** the name before `=`, else empty */
  readonly key: string
}

/** Where the slots of a cluster lie in the lines of one shape: a run of the shape's parts each, empty where it has none. */
export interface Member {
  readonly shape: Shape
  readonly spans: readonly (readonly [from: number, to: number])[]
}

export interface Cluster {
  readonly parts: readonly ClusterPart[]
  readonly members: readonly Member[]
  readonly count: number
  /** main severity and service: shapes of different ones are never joined */
  readonly context: string
}

export function clusterOf(shape: Shape, settledLines: number): Cluster {
  const parts = settledParts(shape, settledLines)
  const spans = parts.flatMap((part, i) => (part.slot ? [[i, i + 1] as const] : []))
  return { parts, members: [{ shape, spans }], count: shape.count, context: JSON.stringify([main(shape.services), main(shape.severities)]) }
}

/** The parts of a shape, in which a value that is the author's word after all is a constant. */
function settledParts(shape: Shape, settledLines: number): ClusterPart[] {
  let slot = 0
  return shape.parts.map((part, i) => {
    if (!part.slot) return part
    const sketch = shape.slots[slot]
    slot += 1
    // behind a key it may differ in other shapes of the statement: that is seen when they are together
    const text = sketch === undefined || part.key !== '' ? null : settledText(sketch, placeOf(shape.parts, i), settledLines)
    return text === null ? part : { slot: false, text, spaced: part.spaced, key: part.key }
  })
}

const main = (counts: ReadonlyMap<string, number>): string =>
  [...counts].toSorted(([x, m], [y, n]) => n - m || compareText(x, y))[0]?.[0] ?? ''

/** One way to lay a cluster under new parts: for each new slot the run of the cluster's parts that it covers. */
export type Cover = readonly (readonly [from: number, to: number])[]

/** The cluster with `parts`, made of others, each with its cover. */
export function joined(parts: readonly ClusterPart[], from: readonly { readonly cluster: Cluster; readonly cover: Cover }[]): Cluster {
  const members = from.flatMap(({ cluster, cover }) => cluster.members.map((member) => covered(cluster, member, cover)))
  return {
    parts,
    members: members.toSorted((x, y) => compareText(x.shape.key, y.shape.key)),
    count: members.reduce((sum, { shape }) => sum + shape.count, 0),
    context: from[0]?.cluster.context ?? '',
  }
}

/** Where the parts of a cluster begin in a member's shape: constants take one part each, slots their span. */
function covered(cluster: Cluster, member: Member, cover: Cover): Member {
  const starts: number[] = []
  let at = 0
  let slot = 0
  for (const part of cluster.parts) {
    starts.push(at)
    if (part.slot) {
      const span = member.spans[slot] ?? [at, at]
      slot += 1
      at = span[1]
    } else at += 1
  }
  starts.push(at)
  return { shape: member.shape, spans: cover.map(([from, to]) => [starts[from] ?? at, starts[to] ?? at] as const) }
}

/** What a slot of the cluster held, over all its shapes; not to be changed, as it may be that of its only shape. */
export function sketchOf(cluster: Cluster, slot: number): Readonly<SlotSketch> {
  const [first, second] = cluster.members
  const own = first !== undefined && second === undefined ? ownSketch(first, slot) : undefined
  if (own !== undefined) return own
  const sketch = emptySketch()
  for (const { shape, spans } of cluster.members) {
    const [from, to] = spans[slot] ?? [0, 0]
    const inside = shape.parts.slice(from, to)
    const only = inside.length === 1 ? inside[0] : undefined
    if (only?.slot === true) {
      const whole = ownSketch({ shape, spans }, slot)
      if (whole !== undefined) mergeSketch(sketch, whole)
    } else {
      const text = inside.map((part, i) => (part.spaced && i > 0 ? ' ' : '') + (part.slot ? '<*>' : part.text)).join('')
      sketchValues(sketch, text, text === '' ? 'empty' : inside.length === 1 ? 'name' : 'text', shape.count)
    }
  }
  return sketch
}

/** The sketch of the one slot of the shape that this slot covers, where it covers nothing else. */
function ownSketch({ shape, spans }: Member, slot: number): SlotSketch | undefined {
  const [from, to] = spans[slot] ?? [0, 0]
  if (to !== from + 1 || shape.parts[from]?.slot !== true) return undefined
  let before = 0
  for (let i = 0; i < from; i += 1) if (shape.parts[i]?.slot === true) before += 1
  return shape.slots[before]
}
