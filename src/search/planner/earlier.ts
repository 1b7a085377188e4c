/** Follow-ups: "which of those are open?" speaks of the records of an earlier answer, which its plan can say again. */
import type { Condition, Path, Plan } from '../../contracts/index.ts'
import type { Ontology, OntologyClass } from '../../ontology/index.ts'
import { UnknownTerm, classNamed, resolvePath } from '../compiler/resolve.ts'
import { keyOf } from './sketch.ts'

/** What an earlier plan was about: the class of the first thing it showed, and the way to it from the plan's class. */
export interface Subject {
  readonly cls: OntologyClass
  readonly way: readonly string[]
}

/** null when the plan does not fit the ontology any more, or speaks of nothing that can be named again. */
export function subjectOf(ontology: Ontology, { from, select, why }: Plan): Subject | null {
  if (why !== undefined) return null
  try {
    const root = classNamed(ontology, from)
    const shown = select.find(({ aggregate, path }) => aggregate === undefined && path !== undefined)?.path
    if (shown === undefined) return { cls: root, way: [] }
    const { cls, property } = resolvePath(ontology, root, shown)
    return { cls, way: property === null ? shown : shown.slice(0, -1) }
  } catch (error) {
    if (error instanceof UnknownTerm) return null
    throw error
  }
}

/** The condition that a record of the subject's class was among those of the earlier plan; its paths begin at that class. */
export function amongThem(earlier: Plan, { cls, way }: Subject): Condition[] | null {
  const plain = way.length === 0 && earlier.limit === undefined && earlier.having.length === 0 && earlier.group_by.length === 0
  if (plain && earlier.set_op === undefined) return earlier.where
  const key = keyOf(cls)
  if (key === undefined || earlier.set_op !== undefined) return null
  const { why: _why, set_op: _set, ...kept } = earlier
  const keys: Plan = { ...kept, intent: 'list', select: [{ path: [...way, key.name] }], distinct: false }
  return [{ path: [key.name], op: 'in', plan: keys }]
}

/** The same condition, said from where a way begins that leads to its class. */
export function fromFar(way: Path, condition: Condition): Condition {
  if ('any' in condition) return { any: condition.any.map((each) => fromFar(way, each)) }
  if ('all' in condition) return { all: condition.all.map((each) => fromFar(way, each)) }
  return { ...condition, path: [...way, ...condition.path] }
}
