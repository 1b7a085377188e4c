/** The classes as relations of the rule language: the record itself, then one column per property. */
import { tierRank } from '../contracts/index.ts'
import type { Relation } from '../kernel/datalog/index.ts'
import type { Ontology } from './ontology.ts'
import { keyTier } from './settle-tiers.ts'

/** Rules reach the record by position; a name that no rule can spell leaves `id:` to the column of that name. */
export const RECORD_COLUMN = '@id'

export function datalogRelations(ontology: Ontology): Relation[] {
  return ontology.classes.map((cls) => ({
    name: cls.name,
    columns: [
      { name: RECORD_COLUMN, tier: tierRank(cls.key.length === 0 ? cls.tier : keyTier(cls)) },
      ...cls.properties.map(({ name, tier }) => ({ name, tier: tierRank(tier) })),
    ],
  }))
}
