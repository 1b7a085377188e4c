/** The columns of an answer: what was asked to be shown, and the groups that its figures are of. */
import type { Selection } from '../../contracts/index.ts'
import type { OntologyClass } from '../../ontology/index.ts'
import type { Routes } from './routes.ts'
import { type Ref, type Shown, type Sketch, isKey, isRef, keyOf, shownOf } from './sketch.ts'

const FAR_FOLD = 0.6

/** Every column of the answer in the order in which it was asked for; null when one cannot be reached, or would be no answer. */
export function selectionsOf(routes: Routes, sketch: Sketch, grouped: boolean): Selection[] | null {
  const out: Selection[] = []
  for (const shown of sketch.shown) {
    const columns = columnsOf(routes, sketch, shown)
    if (columns === null) return null
    out.push(...columns)
  }
  // what is counted for each group is shown beside the group, also when only the count was asked for
  const folded = out.some(({ aggregate }) => aggregate !== undefined)
  if (grouped && (folded || out.length === 0)) {
    const missing = sketch.groups.filter((group) => !sketch.shown.some((shown) => showsGroup(shown, group)))
    const labels = missing.flatMap((group) => (isRef(group) ? [group] : shownOf(group, sketch.choices)))
    const paths = labels.map((ref) => routes.path(ref))
    if (paths.includes(null)) return null
    out.unshift(...paths.map((path) => ({ path: path! })))
  }
  return out.filter((item, at) => out.findIndex((other) => JSON.stringify(other) === JSON.stringify(item)) === at)
}

function columnsOf(routes: Routes, sketch: Sketch, shown: Shown): Selection[] | null {
  if (shown.kind === 'record') {
    const labels = shownOf(shown.cls, sketch.choices)
    const paths = labels.map((label) => routes.path(label)).filter((path) => path !== null)
    return labels.length === 0 ? null : paths.map((path) => ({ path }))
  }
  if (shown.kind === 'count' && !isRef(shown.of)) return [countOf(routes, sketch, shown.of)]
  const path = routes.path(shown.kind === 'count' ? (shown.of as Ref) : shown.ref)
  if (path === null) return null
  if (shown.kind === 'count') return [{ path, aggregate: 'count_distinct' }]
  if (shown.kind === 'property') return belongs(routes, shown) ? [{ path }] : null
  if (isKey(shown.ref)) return null
  if (path.length > 1 && (shown.fold === 'avg' || shown.fold === 'sum')) {
    // a parent's figure would count once for each of its children
    if (sketch.groups.length === 0) return null
    routes.charge('figure of a parent', FAR_FOLD)
  }
  return [{ path, aggregate: shown.fold }]
}

/** A row of the root is a record of the class, or one of a table that only connects; else its records are counted once each. */
function countOf(routes: Routes, { choices }: Sketch, cls: OntologyClass): Selection {
  const links = routes.ontology.relationships?.some(({ junction }) => junction === routes.root) === true
  const key = keyOf(cls)
  const way = routes.to(cls.name)
  if (routes.root === cls.name || links || key === undefined || way === null) return { aggregate: 'count' }
  // "the number of guests for each gift" may as well be how often one gave it
  if (choices.turned('count rows', cls.name)) return { aggregate: 'count' }
  return { path: [...way, key.name], aggregate: 'count_distinct' }
}

/** "the colour of shelves", when shelves have none and each has many things that have: whose is it to be? */
const belongs = ({ ways }: Routes, { owner, ref }: Extract<Shown, { kind: 'property' }>): boolean =>
  owner === undefined || owner === ref.cls.name || ways.between(owner, ref.cls.name, true) !== null

/** A group is shown by its record, by any property of its record, or as the property that it is. */
function showsGroup(shown: Shown, group: Ref | OntologyClass): boolean {
  if (shown.kind === 'record') return shown.cls.name === (isRef(group) ? group.cls.name : group.name)
  if (shown.kind !== 'property') return false
  return isRef(group) ? shown.ref.property.iri === group.property.iri : shown.ref.cls.name === group.name
}
