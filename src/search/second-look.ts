/** The records behind an answer, asked for in the other shape of its conditions: they must be the same. */
import { LIMITS, type Plan } from '../contracts/index.ts'
import type { Ontology } from '../ontology/index.ts'
import type { Cell, Selected } from '../sources/index.ts'
import { secondOpinion, secondRecords } from './compiler/second-opinion.ts'
import { readsWhole } from './compiler/shape.ts'
import { type Behind, type EvidenceRow, rowKey } from './recompute.ts'
import type { Reading } from './sample.ts'

/** What the other shape finds for a plan, and for the second plan of a set operation. */
export interface Second {
  /** null when the class has no key */
  readonly keys: Selected | null
  readonly other: Second | null
}

export async function readSecond(ontology: Ontology, plan: Plan, read: Reading): Promise<Second> {
  const query = secondOpinion(ontology, plan)
  const [keys, other] = await Promise.all([
    query === null ? null : read(query, LIMITS.evidence_rows),
    plan.set_op === undefined ? null : readSecond(ontology, plan.set_op.plan, read),
  ])
  return { keys, other }
}

/** Both shapes select the same records; a plan that cuts its records has some of those that meet the conditions. */
export function sameRecords(plan: Plan, behind: Behind, { keys, other }: Second): boolean {
  if (keys !== null && !behind.truncated) {
    const second = new Set(keys.rows.map(keyOf))
    const first = new Set(behind.evidence.map(({ key }) => keyOf(key)))
    const isCut = plan.limit !== undefined && !readsWhole(plan)
    if (!keys.truncated && ((!isCut && first.size !== second.size) || !first.isSubsetOf(second))) return false
    // more than were read there, and all of them here
    if (keys.truncated && !isCut) return false
  }
  return plan.set_op === undefined || behind.other === null || other === null || sameRecords(plan.set_op.plan, behind.other, other)
}

/**
 * Each record meets the conditions in their other shape and shows the same values, read anew by its key; and where the records
 * are said to be all there are, that shape finds no others.
 */
export async function recordsStand(
  ontology: Ontology, plan: Plan, evidence: readonly EvidenceRow[], isComplete: boolean, read: Reading,
): Promise<boolean> {
  const keys = [...new Map(evidence.map(({ key }) => [keyOf(key), key])).values()]
  const isNamed = keys.every((key) => key.every((cell) => cell !== null && !(cell instanceof Uint8Array)))
  const query = secondOpinion(ontology, plan)
  // a key with a hole or raw bytes in it finds nothing again: then all are read
  const whole = isComplete || !isNamed
  const [found, all] = await Promise.all([
    isNamed ? Promise.all(chunksOf(keys).map((chunk) => read(secondRecords(ontology, plan, chunk), LIMITS.evidence_rows))) : null,
    whole && query !== null ? read(query, isComplete ? keys.length + 1 : LIMITS.evidence_rows) : null,
  ])
  if (found !== null && !holdsAll(found.flatMap(({ rows }) => rows), evidence)) return false
  if (all === null) return true
  const second = new Set(all.rows.map(keyOf))
  if (isComplete && (all.truncated || second.size !== keys.length)) return false
  return all.truncated || keys.every((key) => second.has(keyOf(key)))
}

/** The keys of some are among those that the rows begin with. */
export function hasRecords(rows: readonly (readonly Cell[])[], width: number, some: readonly EvidenceRow[]): boolean {
  const left = new Set(some.map(({ key }) => keyOf(key)))
  for (const row of rows) {
    if (left.size === 0) return true
    left.delete(keyOf(row.slice(0, width)))
  }
  return left.size === 0
}

function holdsAll(rows: readonly (readonly Cell[])[], evidence: readonly EvidenceRow[]): boolean {
  const left = new Map<string, number>()
  for (const row of rows) left.set(rowKey(row), (left.get(rowKey(row)) ?? 0) + 1)
  return evidence.every(({ key, values }) => {
    const row = rowKey([...key, ...values])
    const times = left.get(row) ?? 0
    left.set(row, times - 1)
    return times > 0
  })
}

const CELLS_PER_QUERY = 2000

function chunksOf(keys: readonly (readonly Cell[])[]): (readonly (readonly Cell[])[])[] {
  const size = Math.max(1, Math.floor(CELLS_PER_QUERY / Math.max(1, keys[0]?.length ?? 1)))
  return Array.from({ length: Math.ceil(keys.length / size) }, (_, at) => keys.slice(at * size, (at + 1) * size))
}

/** One value for each key; keys of one class are of one type, so that a single number or text can stand for itself. */
function keyOf(key: readonly Cell[]): string | number {
  const [only] = key
  return key.length === 1 && (typeof only === 'number' || typeof only === 'string') ? only : `\0${rowKey(key)}`
}
