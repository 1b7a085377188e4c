/** Phase 1: what the database holds, and what is proposed to be said about each table and column. A person's word stands. */
import { TIERS } from '../contracts/index.ts'
import { cutOntology, proposeMetadata } from '../ontology/index.ts'
import { demandDatabase } from './demand.ts'
import type { Phase } from './phase.ts'

export const introspect: Phase = async (context) => {
  const { catalogue } = await demandDatabase(context)
  const { inserted, kept } = context.workspace.metadata.propose(proposeMetadata(catalogue), context.clock().toISOString())
  // with what is said now, also by people before; of what is above the ceiling the report says nothing, a guessed key among it
  const { ontology: whole } = await demandDatabase(context)
  const ontology = cutOntology(whole, context.maxTier)
  const properties = ontology.classes.flatMap((cls) => cls.properties)
  const perTier = TIERS.map((tier) => `${properties.filter((property) => property.tier === tier).length} ${tier}`)
  const inferred = properties.filter((property) => property.inferred !== null)
  return {
    lines: [
      `${ontology.classes.length} tables, ${properties.length} columns and foreign keys`,
      `metadata: ${inserted} proposed anew, ${kept} kept`,
      `tiers: ${perTier.join(', ')}`,
      ...inferred.map(({ iri, inferred: because }) => `inferred foreign key ${iri.split('#').at(-1)}: ${because}`),
    ],
    files: [],
    counts: { classes: ontology.classes.length, properties: properties.length, inferred: inferred.length, proposed: inserted, kept },
  }
}
