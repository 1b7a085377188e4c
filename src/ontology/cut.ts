/** The ontology as somebody with a given ceiling may know it: what is above it is not hidden but absent. */
import type { Tier } from '../contracts/index.ts'
import { within } from '../contracts/index.ts'
import { keyTier } from './build.ts'
import type { Ontology } from './ontology.ts'

export function cutOntology(ontology: Ontology, ceiling: Tier): Ontology {
  const open = ontology.classes.filter((cls) => within(cls.tier, ceiling) && within(keyTier(cls), ceiling))
  const names = new Set(open.map(({ name }) => name))
  const classes = open.map((cls) => {
    const properties = cls.properties.filter(
      (property) => within(property.tier, ceiling) && (property.kind === 'data' || names.has(property.range)),
    )
    const named = properties.some(({ name }) => name === cls.labelProperty)
    return { ...cls, properties, labelProperty: named ? cls.labelProperty : null }
  })
  return { ...ontology, classes: classes.filter(({ properties }) => properties.length > 0) }
}
