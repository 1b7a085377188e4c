/** What a follow-up question goes on from: the plan of an earlier run, if that run still speaks of the same data. */
import { createHash } from 'node:crypto'
import type { Plan } from '../contracts/index.ts'
import { type Ontology, cutOntology, ontologyFingerprint } from '../ontology/index.ts'
import { SERVICE_WARNINGS } from '../search/index.ts'
import type { NamedSource } from './open-sources.ts'
import type { EarlierRun } from './run-desk.ts'
import type { Origin } from './run-record.ts'

/** The names of sources that the configuration does not know say nothing: those are told apart by where they lie. */
export function placeOfSource(source: NamedSource, configured: readonly NamedSource[]): Pick<Origin, 'source' | 'place'> {
  if (configured.some(({ name, path }) => name === source.name && path === source.path)) return { source: source.name }
  return { source: source.name, place: createHash('sha256').update(source.path).digest('hex') }
}

/** The plan, or why it cannot be gone on from. `ontology` is the source's whole ontology of today. */
export function earlierPlan(
  { plan, ceiling, origin }: EarlierRun,
  asked: Pick<Origin, 'source' | 'place'>,
  ontology: Ontology,
): { readonly plan: Plan } | { readonly warning: string } {
  if (plan === null || origin === null) return { warning: SERVICE_WARNINGS.earlierUnplanned }
  if (origin.source !== asked.source || origin.place !== asked.place) {
    return { warning: SERVICE_WARNINGS.earlierElsewhere }
  }
  if (ontologyFingerprint(cutOntology(ontology, ceiling)) !== origin.ontology) {
    return { warning: SERVICE_WARNINGS.earlierStale }
  }
  return { plan }
}
