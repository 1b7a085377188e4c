/** The classes and properties that rule text may name, from the ontology's vocabulary or from a graph itself. */
import { tierRank, UNLABELLED, type Vocabulary } from '../contracts/index.ts'
import type { Relation } from '../kernel/datalog/index.ts'
import { OWL, type Quad, RDFS, RDF_TYPE } from '../kernel/rdf/index.ts'
import { compareText } from '../kernel/term.ts'
import { tokenSimilarity } from '../kernel/text/index.ts'
import { RECORD_COLUMN } from '../ontology/index.ts'
import { nameOfIri } from './slot-names.ts'

/** As much of a vocabulary as rules need. A property without a domain may stand in any class. */
export interface RuleVocabulary {
  readonly classes: readonly Pick<Vocabulary['classes'][number], 'iri' | 'qname' | 'parents'>[]
  readonly properties: readonly Pick<Vocabulary['properties'][number], 'iri' | 'qname' | 'kind' | 'domain' | 'range'>[]
}

export type RuleProperty = RuleVocabulary['properties'][number]

/** `:Alarm` is `Alarm`; `:Alarm.state` is `state`. */
export const className = ({ qname }: { readonly qname: string }): string => qname.replace(/^:/, '')
export const propertyName = ({ qname }: { readonly qname: string }): string =>
  qname.slice(qname.lastIndexOf('.') + 1).replace(/^:/, '')

/** A class as rules see it: its own properties and those of the classes above it, by name. */
export interface ClassColumns {
  readonly iri: string
  readonly name: string
  readonly properties: ReadonlyMap<string, RuleProperty>
}

const columnsKept = new WeakMap<RuleVocabulary, ClassColumns[]>()

/** Each vocabulary is looked at once: rules are read over the same one many times. */
export function classColumns(vocabulary: RuleVocabulary): ClassColumns[] {
  const found = columnsKept.get(vocabulary) ?? columnsOf(vocabulary)
  columnsKept.set(vocabulary, found)
  return found
}

function columnsOf({ classes, properties }: RuleVocabulary): ClassColumns[] {
  const byIri = new Map(classes.map((cls) => [cls.iri, cls]))
  const byDomain = Map.groupBy(properties, ({ domain }) => domain)
  return classes.map((cls) => {
    const line = [cls.iri]
    // grows while it is walked; each class once, so parents in a circle end
    for (const iri of line) for (const parent of byIri.get(iri)?.parents ?? []) if (!line.includes(parent)) line.push(parent)
    const columns = new Map<string, RuleProperty>()
    for (const property of [...line, ''].flatMap((iri) => byDomain.get(iri) ?? [])) {
      const name = propertyName(property)
      if (!columns.has(name)) columns.set(name, property)
    }
    return { iri: cls.iri, name: className(cls), properties: columns }
  })
}

/** The same as relations of the rule language. Tiers come with the triples, so the columns are not trusted with less. */
export const relationsOf = (classes: readonly ClassColumns[]): Relation[] =>
  classes.map(({ name, properties }) => ({
    name,
    columns: [RECORD_COLUMN, ...properties.keys()].map((column) => ({ name: column, tier: tierRank(UNLABELLED) })),
  }))

/**
 * What a graph can be asked about: declared classes and properties, and those that its data use. `:Alarm.state` belongs to
 * the class `:Alarm` also where nothing says so.
 */
export function vocabularyOfGraph(quads: readonly Quad[], baseIri: string): RuleVocabulary {
  const { classes, properties, objects, above, domains, ranges } = surveyed(quads, baseIri)
  const sorted = (set: ReadonlySet<string>): string[] => [...set].toSorted(compareText)
  return {
    classes: sorted(classes).map((iri) => ({ iri, qname: `:${nameOfIri(iri, baseIri)}`, parents: [...(above.get(iri) ?? [])] })),
    properties: sorted(properties).flatMap((iri) => {
      const name = nameOfIri(iri, baseIri)
      const owner = `${baseIri}${name.slice(0, Math.max(0, name.lastIndexOf('.')))}`
      const of = domains.get(iri) ?? [classes.has(owner) ? owner : '']
      const kind = objects.has(iri) ? ('object' as const) : ('data' as const)
      const [range = ''] = ranges.get(iri) ?? []
      return [...of].map((domain) => ({ iri, qname: `:${name}`, kind, domain, range }))
    }),
  }
}

/** Says what a property is of, and lets nothing follow from it. */
export const DOMAIN_INCLUDES = 'https://schema.org/domainIncludes'

const emptyPairs = () => new Map<string, Set<string>>()

/** One look at each triple: a graph may hold a million. */
function surveyed(quads: readonly Quad[], baseIri: string) {
  const [classes, properties, objects] = [new Set<string>(), new Set<string>(), new Set<string>()]
  const [above, domains, ranges] = [emptyPairs(), emptyPairs(), emptyPairs()]
  const pairs = new Map([[`${RDFS}subClassOf`, above], [`${RDFS}domain`, domains], [DOMAIN_INCLUDES, domains], [`${RDFS}range`, ranges]])
  const own = (iri: string): boolean => iri.startsWith(baseIri)
  for (const { subject, predicate: { value: property }, object } of quads) {
    if (own(property)) {
      properties.add(property)
      if (object.kind !== 'literal') objects.add(property)
    } else if (object.kind !== 'iri') {
      continue
    } else if (property === RDF_TYPE) {
      if (own(object.value)) classes.add(object.value)
      else if (!own(subject.value)) continue
      else if (object.value === `${OWL}Class` || object.value === `${RDFS}Class`) classes.add(subject.value)
      else if (object.value === `${OWL}DatatypeProperty`) properties.add(subject.value)
      else if (object.value === `${OWL}ObjectProperty`) {
        properties.add(subject.value)
        objects.add(subject.value)
      }
    } else if (own(subject.value)) {
      const known = pairs.get(property)
      if (known !== undefined) known.set(subject.value, (known.get(subject.value) ?? new Set()).add(object.value))
    }
  }
  const named = [...above.values(), ...domains.values()].flatMap((set) => [...set])
  for (const iri of [...above.keys(), ...named]) if (own(iri)) classes.add(iri)
  return { classes, properties, objects, above, domains, ranges }
}

/** The known names that a mistyped one may stand for, the likeliest first. */
export function likelyNames(name: string, known: Iterable<string>): string[] {
  const letters = [...name.toLowerCase()]
  return [...new Set(known)]
    .map((other) => ({ other, likeness: tokenSimilarity(letters, [...other.toLowerCase()]) }))
    .filter(({ likeness }) => likeness >= 0.75)
    .toSorted((x, y) => y.likeness - x.likeness || compareText(x.other, y.other))
    .slice(0, 3)
    .map(({ other }) => other)
}
