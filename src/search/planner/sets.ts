/** Questions that one plan cannot say: no record has both, or what is shown must not be among what another plan shows. */
import type { Plan } from '../../contracts/index.ts'
import type { OntologyClass } from '../../ontology/index.ts'
import type { Ways } from './join-tree.ts'
import { type Restriction, type Shown, type Sketch, isRef } from './sketch.ts'

export interface TwoPlans {
  readonly op: NonNullable<Plan['set_op']>['op']
  readonly first: Sketch
  readonly second: Sketch
}

/** null when one plan will do. */
export function twoPlansOf(ways: Ways, sketch: Sketch): TwoPlans | null {
  const [focus] = sketch.shown
  if (focus === undefined || sketch.shown.some(isFigure)) return null
  const isForward = ({ ref }: Restriction) => ways.between(classOf(focus).name, ref.cls.name, true) !== null
  const plain: Sketch = { ...sketch, orders: [], limit: null, alsoOf: null }
  if (sketch.alsoOf !== null) {
    const { ref, op } = sketch.alsoOf
    if (sketch.shown.length !== 1) return null
    return { op, first: plain, second: { ...plain, shown: [{ kind: 'property', ref, at: focus.at }] } }
  }
  const without = sketch.restrictions.filter((each) => each.without === true)
  if (without.length > 0 && without.every(isForward)) {
    const kept = sketch.restrictions.filter((each) => each.without !== true)
    const common = kept.filter(({ ref }) => !without.some((each) => each.ref.property.iri === ref.property.iri))
    const held = without.map((each): Restriction => ({ ...each, without: false }))
    return { op: 'except', first: { ...plain, restrictions: kept }, second: { ...plain, restrictions: [...common, ...held] } }
  }
  const apart = sketch.restrictions.filter((each) => each.apart === true)
  const branches = [...new Set(apart.map(({ branch }) => branch ?? 0))]
  if (branches.length !== 2 || !apart.every(isForward)) return null
  const [first, second] = branches.map((branch): Sketch => {
    const mine = sketch.restrictions.filter((each) => each.apart !== true || (each.branch ?? 0) === branch)
    return { ...plain, restrictions: mine.map((each) => ({ ...each, apart: false })) }
  }) as [Sketch, Sketch]
  return { op: 'intersect', first, second }
}

/** What one plan can say of the same: records that none of theirs may be so. */
export function withAbsences(ways: Ways, sketch: Sketch): Sketch {
  const [focus] = sketch.shown
  const without = sketch.restrictions.filter((each) => each.without === true)
  const [first] = without
  if (first === undefined || focus === undefined) return sketch
  const kept = sketch.restrictions.filter((each) => each.without !== true)
  const { cls } = first.ref
  const together = without.every(({ ref }) => ref.cls.name === cls.name)
  if (!together || ways.between(classOf(focus).name, cls.name, true) !== null) {
    return { ...sketch, restrictions: [...kept, ...without.map((each): Restriction => ({ ...each, without: false, denied: true }))] }
  }
  const where = without.map((each): Restriction => ({ ...each, without: false }))
  return { ...sketch, restrictions: kept, absent: [...sketch.absent, { cls, where, at: first.at }] }
}

const isFigure = ({ kind }: Shown): boolean => kind === 'count' || kind === 'fold'

export const classOf = (shown: Shown): OntologyClass => {
  if (shown.kind === 'record') return shown.cls
  return shown.kind === 'count' ? (isRef(shown.of) ? shown.of.cls : shown.of) : shown.ref.cls
}
