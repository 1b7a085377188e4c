/** Measures, which groups are ordered and chosen by, as columns of a plan. */
import type { Selection } from '../../contracts/index.ts'
import type { OntologyClass } from '../../ontology/index.ts'
import type { Routes } from './routes.ts'
import { type Measure, keyOf } from './sketch.ts'

/** The class whose records are measured; null when whatever is there is counted. */
export const measureClass = (measure: Measure): OntologyClass | null => (measure.kind === 'count' ? measure.cls : measure.ref.cls)

/** A measure as a column; null when nothing leads there. */
export function selectionOf(routes: Routes, measure: Measure): Selection | null {
  if (measure.kind === 'count') {
    const key = measure.distinct === true && measure.cls !== null ? keyOf(measure.cls) : undefined
    const way = key === undefined ? null : routes.to(measure.cls!.name)
    return way === null || key === undefined ? { aggregate: 'count' } : { path: [...way, key.name], aggregate: 'count_distinct' }
  }
  const path = routes.path(measure.ref)
  if (path === null) return null
  return measure.kind === 'fold' ? { path, aggregate: measure.fold } : { path }
}
