/** Which names the tables of the sources have taken, as far as a caller may see: nothing from logs may be approved under one of them. */
import { ServiceError, type Tier, minTier } from '../contracts/index.ts'
import { type Ontology, cutOntology } from '../ontology/index.ts'
import type { OpenSources } from './open-sources.ts'

const known = new WeakMap<Ontology, Map<Tier, readonly string[]>>()

/** `isOwn` leaves out databases that are no part of the project. */
export async function tableClasses(sources: OpenSources, ceiling: Tier, isOwn: (path: string) => boolean = () => true): Promise<ReadonlySet<string>> {
  const named = await Promise.all(
    sources.configured().filter(({ path }) => isOwn(path)).map(async (source) => {
      const ontology = await sources.open(source).then((opened) => opened.ontology, absent)
      return ontology === null ? [] : classesOf(ontology, minTier(ceiling, source.maxTier))
    }),
  )
  return new Set(named.flat())
}

function classesOf(ontology: Ontology, ceiling: Tier): readonly string[] {
  const cuts = known.get(ontology) ?? new Map<Tier, readonly string[]>()
  known.set(ontology, cuts)
  const names = cuts.get(ceiling) ?? cutOntology(ontology, ceiling).classes.map(({ name }) => name)
  cuts.set(ceiling, names)
  return names
}

/** A source that cannot be opened shows nothing. */
function absent(error: unknown): null {
  if (error instanceof ServiceError) return null
  throw error
}
