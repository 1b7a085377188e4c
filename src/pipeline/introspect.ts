/** Phase 1: what the database holds, and the tier that each column is proposed to have. */
import { TIERS } from '../contracts/index.ts'
import type { Phase } from './phase.ts'
import { demandOntology } from './demand.ts'

export const introspect: Phase = async (context) => {
  const ontology = await demandOntology(context)
  const properties = ontology.classes.flatMap((cls) => cls.properties)
  const perTier = TIERS.map((tier) => `${properties.filter((property) => property.tier === tier).length} ${tier}`)
  const inferred = properties.filter((property) => property.inferred !== null)
  return {
    lines: [
      `${ontology.classes.length} tables, ${properties.length} columns and foreign keys`,
      `tiers proposed: ${perTier.join(', ')}`,
      `${inferred.length} foreign keys inferred${inferred.length === 0 ? '' : `: ${inferred.map((property) => property.iri.split('#').at(-1)).join(', ')}`}`,
    ],
    files: [],
    counts: { classes: ontology.classes.length, properties: properties.length, inferred: inferred.length },
  }
}
