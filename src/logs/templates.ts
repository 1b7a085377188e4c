/**
 * Records into clusters: lines of one shape belong together, and shapes that differ in one word that clearly varies become one.
 * The shape pass sees every line once; merging looks at shapes only, of which there are few.
 */
import { MINING } from '../contracts/index.ts'
import { compareText } from '../kernel/term.ts'
import { hash64, MASK, partsOf, shownText, tokenSimilarity } from '../kernel/text/index.ts'
import type { Part } from '../kernel/text/index.ts'
import type { LogRecord } from './candidate.ts'
import { mainly } from './tally.ts'

export type TemplatePart = Pick<Part, 'shown' | 'spaced' | 'slot' | 'key'>

export interface Cluster {
  /** 64-bit hash of the template: the same on every run */
  readonly id: string
  readonly template: string
  readonly parts: readonly TemplatePart[]
  readonly records: readonly LogRecord[]
}

export interface TemplateOptions {
  readonly similarity?: number
  readonly mergeHitFloor?: number
}

/** Two variants alone rarely show that a word varies (`disk read error`, `disk write error`): they must agree in more. */
const PAIR_SIMILARITY = 0.75
const ENOUGH_VARIANTS = 3

/** Words whose change is the message. They are never masked, however often they vary. */
const STATUS: ReadonlySet<string> = new Set(
  `up down lost restored ok fail failed failure success successful succeeded error warning critical major minor
  raised cleared open opened opening close closed closing start started starting stop stopped stopping
  accept accepted reject rejected refused enable enabled disable disabled connect connected disconnect
  disconnected established received sent active inactive online offline allow allowed deny denied grant
  granted revoke revoked create created delete deleted add added remove removed begin began end ended
  finished complete completed aborted login logout timeout expired renewed attach attached detach detached
  register registered deregister deregistered healthy unhealthy valid invalid true false yes no on off not`.split(/\s+/),
)

/** The clusters of the records, most hits first. The records must be in a settled order: clusters keep it. */
export function clusterRecords(records: readonly LogRecord[], options: TemplateOptions = {}): Cluster[] {
  const { similarity = MINING.miner_similarity_threshold, mergeHitFloor = MINING.template_merge_hit_floor } = options
  const shapes = new Map<string, Cluster & { records: LogRecord[] }>()
  for (const record of records) {
    const parts = partsOf(record.message)
    const template = shownText(parts)
    const shape = shapes.get(template)
    if (shape !== undefined) shape.records.push(record)
    else shapes.set(template, { id: '', template, parts: parts.map(skeleton), records: [record] })
  }
  let clusters: Cluster[] = [...shapes.values()]
  for (let merged: Cluster[] | null = clusters; merged !== null; merged = mergeOnce(clusters, similarity, mergeHitFloor)) {
    clusters = merged
  }
  const order = new Map(records.map((record, i) => [record, i]))
  const settled = (each: readonly LogRecord[]): LogRecord[] => each.toSorted((x, y) => (order.get(x) ?? 0) - (order.get(y) ?? 0))
  return clusters
    .map((cluster) => ({ ...cluster, id: hash64(cluster.template), records: settled(cluster.records) }))
    .toSorted((x, y) => y.records.length - x.records.length || compareText(x.template, y.template))
}

const skeleton = ({ shown, spaced, slot, key }: Part): TemplatePart => ({ shown, spaced, slot, key })

/** Merges the best group of clusters that differ in one word only, or null when there is none left. */
function mergeOnce(clusters: readonly Cluster[], similarity: number, floor: number): Cluster[] | null {
  const groups = new Map<string, { position: number; members: Cluster[] }>()
  for (const cluster of clusters) {
    if (cluster.records.length < floor) continue
    const context = [mainly(cluster.records, (r) => r.service), mainly(cluster.records, (r) => r.severity)]
    for (const [position, part] of cluster.parts.entries()) {
      if (!isWord(part) || STATUS.has(part.shown.toLowerCase())) continue
      const rest = cluster.parts.map((each, i) => (i === position ? MASK : each.shown))
      const key = JSON.stringify([position, context, rest])
      const group = groups.get(key) ?? { position, members: [] }
      group.members.push(cluster)
      groups.set(key, group)
    }
  }
  const hits = (members: readonly Cluster[]): number => members.reduce((sum, each) => sum + each.records.length, 0)
  const best = [...groups]
    .filter(([, { members }]) => varies(members, similarity))
    .toSorted(([x, a], [y, b]) => hits(b.members) - hits(a.members) || compareText(x, y))[0]?.[1]
  const first = best?.members[0]
  if (best === undefined || first === undefined) return null
  const parts = first.parts.map((part, i) => (i === best.position ? { ...part, shown: MASK, slot: true } : part))
  const template = shownText(parts)
  // a shape that already had a value in that place joins too
  const joined = [...best.members, ...clusters.filter((each) => each.template === template)]
  const merged: Cluster = { id: '', template, parts, records: joined.flatMap((each) => each.records) }
  return [...clusters.filter((each) => !joined.includes(each)), merged]
}

function varies(members: readonly Cluster[], similarity: number): boolean {
  const [one, two] = members
  if (one === undefined || two === undefined) return false
  const alike = tokenSimilarity(constantWords(one), constantWords(two))
  return alike >= (members.length >= ENOUGH_VARIANTS ? similarity : Math.max(similarity, PAIR_SIMILARITY))
}

/** The words the program's author wrote, without masks and punctuation. */
export const constantWords = (cluster: Pick<Cluster, 'parts'>): string[] => cluster.parts.filter(isWord).map((part) => part.shown)

const isWord = (part: TemplatePart): boolean => !part.slot && /\p{L}/u.test(part.shown)
