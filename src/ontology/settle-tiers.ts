/** Tiers that follow from other tiers: a reference from the class it leads to, a class from what names its records. */
import type { Tier } from '../contracts/index.ts'
import { maxTier, minTier } from '../contracts/index.ts'
import type { OntologyClass, OntologyProperty } from './ontology.ts'

/**
 * References take the tier of the class they lead to, classes that of their key; keys may be references, also in a circle.
 * A tier only rises and there are four, so a class is looked at again at most three times for each of its references.
 */
export function settleTiers(classes: readonly OntologyClass[]): OntologyClass[] {
  const tiers = new Map(classes.map(({ name, tier }) => [name, tier]))
  const byName = new Map(classes.map((cls) => [cls.name, cls]))
  const rise = ({ kind, range, tier }: OntologyProperty): Tier => (kind === 'object' ? maxTier(tier, tiers.get(range) ?? tier) : tier)
  const settled = (property: OntologyProperty): Tier => {
    if (property.kind !== 'object') return property.tier
    // a reference tells whether its value stands in the columns it refers to, so it is as sensitive as they are
    const referred = byName.get(property.range)?.properties.filter(({ columns }) => columns.some((column) => property.refColumns.includes(column)))
    return maxTier(rise(property), ...(referred ?? []).map(rise))
  }
  const leadingTo = new Map<string, Set<OntologyClass>>()
  for (const cls of classes) {
    for (const { kind, range } of cls.properties) {
      if (kind !== 'object') continue
      leadingTo.set(range, (leadingTo.get(range) ?? new Set()).add(cls))
    }
  }
  const waiting = new Set(classes)
  for (const cls of waiting) {
    // taken out before it is looked at, so that a rise further on puts it back at the end
    waiting.delete(cls)
    const tier = maxTier(tiers.get(cls.name) ?? cls.tier, classTier(cls, settled))
    if (tier === tiers.get(cls.name)) continue
    tiers.set(cls.name, tier)
    for (const from of leadingTo.get(cls.name) ?? []) waiting.add(from)
  }
  return classes.map((cls) => ({
    ...cls,
    tier: tiers.get(cls.name) ?? cls.tier,
    properties: cls.properties.map((property) => ({ ...property, tier: settled(property) })),
  }))
}

/** What one must be allowed to see to name a record of this class. */
export const keyTier = (cls: OntologyClass): Tier => keyTierBy(cls, ({ tier }) => tier)

function classTier(cls: OntologyClass, tierOf: (property: OntologyProperty) => Tier): Tier {
  if (cls.key.length > 0) return keyTierBy(cls, tierOf)
  const [first, ...others] = cls.properties.map(tierOf)
  return first === undefined ? cls.tier : minTier(first, ...others)
}

const keyTierBy = (cls: OntologyClass, tierOf: (property: OntologyProperty) => Tier): Tier =>
  maxTier(...cls.properties.filter(({ columns }) => columns.some((column) => cls.key.includes(column))).map(tierOf))
