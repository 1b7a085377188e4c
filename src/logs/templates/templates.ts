/** The template pass: a table of shapes in, templates out. Pure, and the same for any order and any sharding of the lines. */
import { MINING } from '../../contracts/index.ts'
import { compareText } from '../../kernel/term.ts'
import { hash64 } from '../../kernel/text/index.ts'
import { emptySketch, mergeSketch, shapesOf } from '../shapes/index.ts'
import type { Shape, SlotSketch } from '../shapes/index.ts'
import { sketchOf } from './cluster.ts'
import type { Cluster, Member } from './cluster.ts'
import { mergeShapes } from './merge.ts'
import { placeOf, privateWordAt } from './places.ts'
import { settledText, variableKeys } from './settled.ts'
import { shownSlot } from './show.ts'

export interface TemplateOptions {
  readonly similarity?: number
  readonly mergeHitFloor?: number
  /** lines from which a value that never changed is taken for the author's word */
  readonly settledLines?: number
}

export interface TemplatePart {
  readonly slot: boolean
  /** the constant, or how the slot is shown: `<*>`, `blk_<*>` */
  readonly text: string
  readonly spaced: boolean
  readonly key: string
}

export interface Template {
  /** 64-bit hash of the text: the same on every run */
  readonly id: string
  readonly text: string
  readonly parts: readonly TemplatePart[]
  readonly members: readonly Member[]
  readonly hits: number
  /** one per slot, in order */
  readonly sketches: readonly SlotSketch[]
}

export const SETTLED_LINES = 20

export interface Templates {
  readonly templates: readonly Template[]
  readonly templateOfShape: ReadonlyMap<string, string>
}

export function templatesOf(table: ReadonlyMap<string, Shape>, options: TemplateOptions = {}): Templates {
  const {
    similarity = MINING.miner_similarity_threshold, mergeHitFloor = MINING.template_merge_hit_floor,
    settledLines = SETTLED_LINES,
  } = options
  const shapes = shapesOf(table)
  const variable = variableKeys(shapes)
  const clusters = mergeShapes(shapes, { similarity, minHits: mergeHitFloor, settledLines })
  const byText = Map.groupBy(clusters.map((cluster) => templateOf(cluster, variable, settledLines)), (template) => template.text)
  const templates = [...byText.values()].map(asOne).toSorted((x, y) => y.hits - x.hits || compareText(x.text, y.text))
  return { templates, templateOfShape: new Map(templates.flatMap(({ id, members }) => members.map(({ shape }) => [shape.key, id]))) }
}

function templateOf(cluster: Cluster, variable: ReadonlySet<string>, settledLines: number): Template {
  const parts: TemplatePart[] = []
  const sketches: SlotSketch[] = []
  const kept: number[] = []
  let slot = 0
  for (const [place, part] of cluster.parts.entries()) {
    if (!part.slot) {
      parts.push(part)
      continue
    }
    const sketch = sketchOf(cluster, slot)
    const settled = variable.has(part.key) ? null : settledText(sketch, placeOf(cluster.parts, place), settledLines)
    parts.push({ ...part, slot: settled === null, text: settled ?? shownSlot(sketch, part.key, privateWordAt(cluster.parts, place) !== '') })
    if (settled === null) {
      sketches.push(sketch)
      kept.push(slot)
    }
    slot += 1
  }
  const text = textOf(parts)
  const members = cluster.members.map(({ shape, spans }) => ({ shape, spans: kept.map((i) => spans[i] ?? ([0, 0] as const)) }))
  return { id: hash64(text), text, parts, members, hits: cluster.count, sketches }
}

/** Clusters that come to read the same are one template: the text is its identity. */
function asOne(same: readonly Template[]): Template {
  const [first, ...rest] = same as [Template, ...Template[]]
  if (rest.length === 0) return first
  const sketches = first.sketches.map((_, slot) => {
    const sum = emptySketch()
    for (const each of same) mergeSketch(sum, each.sketches[slot] ?? emptySketch())
    return sum
  })
  const members = same.flatMap((each) => each.members).toSorted((x, y) => compareText(x.shape.key, y.shape.key))
  return { ...first, members, sketches, hits: same.reduce((sum, each) => sum + each.hits, 0) }
}

export const textOf = (parts: readonly TemplatePart[]): string =>
  parts.map((part, i) => (part.spaced && i > 0 ? ' ' : '') + part.text).join('')
