/** The ontology as OWL in Turtle: classes, properties with domain and range, what is declared of them, the tier of each. */
import type { Quad } from '../kernel/rdf/index.ts'
import { OWL, RDF, RDFS, RDF_TYPE, STANDARD_PREFIXES, quad, writeTurtle } from '../kernel/rdf/index.ts'
import { hash64 } from '../kernel/text/index.ts'
import type { Term } from '../kernel/term.ts'
import { compareText, iri, literal } from '../kernel/term.ts'
import type {
  Characteristics, Ontology, OntologyClass, OntologyEventSubclass, OntologyInverse, OntologyProperty, OntologyRelationship,
} from './ontology.ts'

export const SKOS = 'http://www.w3.org/2004/02/skos/core#'

/** Everything that `ontologyQuads` speaks of can be written short under these. */
export const ontologyPrefixes = (baseIri: string): Readonly<Record<string, string>> =>
  ({ ...STANDARD_PREFIXES, schema: 'https://schema.org/', skos: SKOS, '': baseIri })

export interface TurtleHeader {
  /** lines of comment at the top, such as the ceiling under which the file was made */
  readonly header?: readonly string[]
}

export function ontologyTurtle(ontology: Ontology, { header = [] }: TurtleHeader = {}): string {
  return writeTurtle(ontologyQuads(ontology), { prefixes: ontologyPrefixes(ontology.baseIri), header })
}

export function ontologyQuads(ontology: Ontology): Quad[] {
  const { baseIri, classes, relationships = [], eventSubclasses = [], inverses = [] } = ontology
  const tier = iri(`${baseIri}sensitivityTier`)
  const classIri = new Map(classes.map((cls) => [cls.name, cls.iri]))
  const iriOf = (name: string): string => classIri.get(name) ?? name
  const described = classes.flatMap((cls) => [
    ...classQuads(cls, tier, iriOf),
    ...cls.properties.flatMap((property) => propertyQuads(cls, property, tier, iriOf)),
  ])
  const grouped = classes.filter(({ disjointGroup }) => (disjointGroup ?? null) !== null)
  const groups = Map.groupBy(grouped, ({ disjointGroup }) => disjointGroup ?? '')
  const kinds = Map.groupBy(eventSubclasses, ({ parent }) => parent)
  return [
    quad(iri(baseIri.replace(/[#/]$/, '')), a, iri(`${OWL}Ontology`)),
    quad(tier, a, iri(`${OWL}AnnotationProperty`)),
    quad(tier, label, literal('sensitivity tier')),
    ...(described.some(({ predicate }) => predicate.value === ALT_LABEL.value)
      ? [quad(ALT_LABEL, a, iri(`${OWL}AnnotationProperty`))]
      : []),
    ...described,
    ...relationships.flatMap((relationship) => relationshipQuads(relationship, tier, iriOf)),
    ...inverses.flatMap((inverse) => inverseQuads(inverse, tier, iriOf)),
    ...eventSubclasses.flatMap((kind) => kindQuads(kind, tier, iriOf)),
    ...[...groups].flatMap(([group, members]) => disjointQuads(`group-${safe(group)}`, members)),
    ...[...kinds].flatMap(([parent, members]) => disjointQuads(`${safe(parent)}.kinds`, members)),
  ]
}

const a = iri(RDF_TYPE)
const label = iri(`${RDFS}label`)
const comment = iri(`${RDFS}comment`)
const subClassOf = iri(`${RDFS}subClassOf`)
const ALT_LABEL = iri(`${SKOS}altLabel`)

interface Named {
  readonly iri: string
  readonly label: string
  readonly synonyms?: readonly string[]
  readonly description?: string
  readonly tier: string
}

const namedQuads = ({ iri: subject, label: text, synonyms = [], description, tier: level }: Named, tier: Term): Quad[] => [
  quad(iri(subject), label, literal(text)),
  ...(description === undefined || description === '' ? [] : [quad(iri(subject), comment, literal(description))]),
  ...synonyms.map((word) => quad(iri(subject), ALT_LABEL, literal(word))),
  quad(iri(subject), tier, literal(level)),
]

function classQuads(cls: OntologyClass, tier: Term, iriOf: (name: string) => string): Quad[] {
  const subject = iri(cls.iri)
  const propertyIri = new Map(cls.properties.map(({ name, iri: of }) => [name, of]))
  const key = list(`${safe(cls.name)}.key`, (cls.hasKey ?? []).flatMap((name) => propertyIri.get(name) ?? []))
  return [
    quad(subject, a, iri(`${OWL}Class`)),
    ...namedQuads(cls, tier),
    ...(cls.parents ?? []).map((parent) => quad(subject, subClassOf, iri(iriOf(parent)))),
    ...(key.quads.length === 0 ? [] : [quad(subject, iri(`${OWL}hasKey`), key.head), ...key.quads]),
  ]
}

function propertyQuads(cls: OntologyClass, property: OntologyProperty, tier: Term, iriOf: (name: string) => string): Quad[] {
  const range = property.kind === 'object' ? iriOf(property.range) : property.range
  return [
    quad(iri(property.iri), a, iri(`${OWL}${property.kind === 'data' ? 'Datatype' : 'Object'}Property`)),
    ...namedQuads(property, tier),
    ...endQuads(property.iri, cls.iri, range),
    ...characteristicQuads(property),
    ...(property.required ? requiredQuads(cls, property, range) : []),
  ]
}

const endQuads = (property: string, domain: string, range: string): Quad[] => [
  quad(iri(property), iri(`${RDFS}domain`), iri(domain)),
  quad(iri(property), iri(`${RDFS}range`), iri(range)),
]

function characteristicQuads(of: Characteristics & { readonly iri: string; readonly functional: boolean }): Quad[] {
  const types = [
    of.functional ? 'FunctionalProperty' : null,
    of.inverseFunctional === true ? 'InverseFunctionalProperty' : null,
    of.symmetric === true ? 'SymmetricProperty' : null,
    of.transitive === true ? 'TransitiveProperty' : null,
  ].filter((type) => type !== null)
  const inverse = of.inverseOf ?? null
  return [
    ...types.map((type) => quad(iri(of.iri), a, iri(OWL + type))),
    ...(inverse === null ? [] : [quad(iri(of.iri), iri(`${OWL}inverseOf`), iri(inverse))]),
  ]
}

/**
 * NOT NULL: every record has some value. Said with someValuesFrom and not with minCardinality 1, which means the same:
 * EL and QL know the one and not the other, and RL knows neither.
 */
function requiredQuads(cls: OntologyClass, property: OntologyProperty, range: string): Quad[] {
  const node = blank(`${safe(cls.name)}.${safe(property.name)}.required`)
  return [
    quad(iri(cls.iri), subClassOf, node),
    quad(node, a, iri(`${OWL}Restriction`)),
    quad(node, iri(`${OWL}onProperty`), iri(property.iri)),
    quad(node, iri(`${OWL}someValuesFrom`), iri(range)),
  ]
}

const relationshipQuads = (relationship: OntologyRelationship, tier: Term, iriOf: (name: string) => string): Quad[] => [
  quad(iri(relationship.iri), a, iri(`${OWL}ObjectProperty`)),
  ...namedQuads(relationship, tier),
  ...endQuads(relationship.iri, iriOf(relationship.from), iriOf(relationship.to)),
  ...characteristicQuads(relationship),
]

const inverseQuads = (inverse: OntologyInverse, tier: Term, iriOf: (name: string) => string): Quad[] => [
  quad(iri(inverse.iri), a, iri(`${OWL}ObjectProperty`)),
  ...namedQuads({ ...inverse, description: 'The other direction of a reference; no column stands behind it.' }, tier),
  ...endQuads(inverse.iri, iriOf(inverse.from), iriOf(inverse.to)),
]

const kindQuads = (kind: OntologyEventSubclass, tier: Term, iriOf: (name: string) => string): Quad[] => [
  quad(iri(kind.iri), a, iri(`${OWL}Class`)),
  ...namedQuads({ ...kind, description: `Records whose ${kind.property} is "${kind.value}".` }, tier),
  quad(iri(kind.iri), subClassOf, iri(iriOf(kind.parent))),
]

/** Two or more: one class alone is disjoint with nothing. */
function disjointQuads(what: string, members: readonly { readonly iri: string }[]): Quad[] {
  if (members.length < 2) return []
  const node = blank(`${what}.disjoint`)
  const { head, quads } = list(`${what}.disjoint`, members.map((member) => member.iri).toSorted(compareText))
  return [quad(node, a, iri(`${OWL}AllDisjointClasses`)), quad(node, iri(`${OWL}members`), head), ...quads]
}

function list(name: string, members: readonly string[]): { readonly head: Term; readonly quads: readonly Quad[] } {
  const nil = iri(`${RDF}nil`)
  const cell = (i: number): Term => (i < members.length ? blank(`${name}.${i + 1}`) : nil)
  const quads = members.flatMap((member, i) => [
    quad(cell(i), iri(`${RDF}first`), iri(member)),
    quad(cell(i), iri(`${RDF}rest`), cell(i + 1)),
  ])
  return { head: cell(0), quads }
}

/** Labels say what the node is for, so the same ontology has the same labels. */
const blank = (value: string): Term => ({ kind: 'bnode', value })

/** A name that no label can hold is hashed; no name of ours has a hyphen, so the two are never the same. */
const safe = (name: string): string => (/^[A-Za-z0-9_]+$/.test(name) ? name : `x-${hash64(name)}`)
