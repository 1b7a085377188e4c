/** Suggestions as the service offers them: within the caller's ceiling, quickly or without values. */
import { type Tier, minTier } from '../contracts/index.ts'
import { cutOntology } from '../ontology/index.ts'
import { type Suggestion, suggest } from '../search/index.ts'
import type { OpenSources } from './open-sources.ts'
import { type Project, flavorNamed } from './project.ts'
import { demandEnabled } from './searching.ts'
import type { Caller, Labelled } from './service.ts'

export type { Suggestion }

export interface SuggestAsk {
  readonly question: string
  readonly source?: string
  readonly maxTier?: Tier
  readonly limit: number
}

const VALUES_MS = 150
const REST_MS = 30_000

interface SuggestParts {
  readonly project: Project
  readonly sources: OpenSources
  readonly clock: { now(): number }
  /** how long the database may take to find values */
  readonly valuesMs?: number
}

export function suggesting({ project, sources, clock, valuesMs = VALUES_MS }: SuggestParts) {
  // A statement past its time costs a reader, which a search may need. So a database that was too slow is left alone for a
  // while; per ceiling, because how long it took depends on the columns that were looked into.
  const restUntil = new Map<string, number>()

  return async ({ question, source: wanted, maxTier, limit }: SuggestAsk, caller: Caller): Promise<Labelled<Suggestion[]>> => {
    demandEnabled(project)
    const named = sources.find(wanted, undefined, false)
    const ceiling = minTier(caller.grant, maxTier ?? caller.grant, named.maxTier)
    const flavor = flavorNamed(project, named.flavor ?? 'generic')
    const { source, ontology } = await sources.open(named)
    const key = `${ceiling} ${named.path}`
    const rests = (restUntil.get(key) ?? -Infinity) > clock.now()
    const { suggestions, late } = await suggest({
      question, limit, flavor, source: rests ? null : source, ontology: cutOntology(ontology, ceiling),
      dueAt: clock.now() + valuesMs, now: () => clock.now(),
    })
    if (late) restUntil.set(key, clock.now() + REST_MS)
    return { value: suggestions, ceiling }
  }
}
