/**
 * Whether the first rows of an order are the first: asked in the other shape. Its order must give the same keys and as many ties
 * with the last row as are said; and where rows are records, no more of them may lie before the last than are shown there.
 */
import type { Condition, Plan, Scalar } from '../contracts/index.ts'
import type { Ontology } from '../ontology/index.ts'
import type { Cell } from '../sources/index.ts'
import { classNamed } from './compiler/resolve.ts'
import { secondCount, secondOrder } from './compiler/second-opinion.ts'
import { kindOf, rangeOf, readsWhole } from './compiler/shape.ts'
import type { Cut, Executed } from './execute.ts'
import { rowKey, sameValue } from './recompute.ts'
import type { Reading } from './sample.ts'

export async function cutStands(ontology: Ontology, executed: Pick<Executed, 'plan' | 'evidence' | 'cut'>, read: Reading): Promise<boolean> {
  const { plan, evidence, cut } = executed
  if (cut === null || cut === undefined) return true
  const before = readsWhole(plan) ? null : beforeLast(ontology, plan, cut)
  const [same, counted] = await Promise.all([
    sameOrder(ontology, plan, cut, read),
    before === null ? null : read(secondCount(ontology, { from: plan.from, where: [...plan.where, before] }), 1),
  ])
  if (!same || counted === null) return same
  // a record that is shown with its many stands in several rows
  const last = rowKey(cut.keys.at(-1) ?? [])
  const shown = new Set(evidence.filter((_, at) => rowKey(cut.keys[at] ?? cut.keys.at(-1) ?? []) !== last).map(({ key }) => rowKey(key)))
  return Number(counted.rows[0]?.[0] ?? -1) === shown.size
}

async function sameOrder(ontology: Ontology, plan: Plan, { keys, ties, atLeast }: Cut, read: Reading): Promise<boolean> {
  const end = keys.length + ties
  const { query, at } = secondOrder(ontology, plan, end + 1)
  const { rows } = await read(query, end + 1)
  const found = rows.map((row) => at.map((place) => row[place] ?? null))
  const last = keys.at(-1) ?? []
  const said = [...keys, ...Array.from({ length: ties }, () => last)]
  if (!said.every((key, i) => sameKey(key, found[i]))) return false
  return atLeast || found[end] === undefined || !sameKey(last, found[end])
}

const sameKey = (a: readonly Cell[], b: readonly Cell[] | undefined): boolean => b !== undefined && a.every((cell, at) => sameValue(cell, b[at] ?? null))

/** Records that come before the last one shown; null where a value does not come back to the database as it left it. */
function beforeLast(ontology: Ontology, plan: Plan, { keys }: Cut): Condition | null {
  const root = classNamed(ontology, plan.from)
  const last = keys.at(-1) ?? []
  const isPlain = plan.order_by.every(({ by }, at) => {
    const [cell, kind] = [last[at] ?? null, kindOf(rangeOf(ontology, root, by))]
    // a number in a column of dates would be compared as text
    if (cell !== null && kind === 'moment' && !Number.isNaN(Number(cell))) return false
    if (cell === null || Number.isSafeInteger(cell)) return true
    if (ontology.dialect === 'sqlite') return typeof cell === 'number' || typeof cell === 'string'
    // elsewhere a short float is widened, and a text may have an order of its own (an enum)
    return typeof cell === 'string' && kind === 'moment'
  })
  if (!isPlain) return null
  const ways = plan.order_by.flatMap(({ by, direction }, at): Condition[] => {
    const better = betterThan([...(by.path ?? [])], direction, (last[at] ?? null) as Scalar)
    if (better === null) return []
    const equal = plan.order_by.slice(0, at).map(({ by: { path = [] } }, i): Condition => {
      const value = (last[i] ?? null) as Scalar
      return value === null ? { path, op: 'is_null' } : { path, op: '=', value }
    })
    return [{ all: [...equal, better] }]
  })
  return { any: ways }
}

/** NULL comes before everything else. */
function betterThan(path: string[], direction: 'asc' | 'desc', value: Scalar): Condition | null {
  if (direction === 'desc') return value === null ? { path, op: 'exists' } : { path, op: '>', value }
  return value === null ? null : { any: [{ path, op: '<', value }, { path, op: 'is_null' }] }
}
