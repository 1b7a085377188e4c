/** The ontology as OWL in Turtle: classes, properties with domain and range, and the tier of each. */
import type { Quad } from '../kernel/rdf/index.ts'
import { OWL, RDFS, RDF_TYPE, STANDARD_PREFIXES, quad, writeTurtle } from '../kernel/rdf/index.ts'
import type { Term } from '../kernel/term.ts'
import { iri, literal } from '../kernel/term.ts'
import type { Ontology, OntologyClass, OntologyProperty } from './ontology.ts'

export interface TurtleHeader {
  /** lines of comment at the top, such as the ceiling under which the file was made */
  readonly header?: readonly string[]
}

export function ontologyTurtle(ontology: Ontology, { header = [] }: TurtleHeader = {}): string {
  return writeTurtle(ontologyQuads(ontology), { prefixes: { ...STANDARD_PREFIXES, '': ontology.baseIri }, header })
}

export function ontologyQuads(ontology: Ontology): Quad[] {
  const tier = iri(`${ontology.baseIri}sensitivityTier`)
  const classIri = new Map(ontology.classes.map((cls) => [cls.name, cls.iri]))
  return [
    quad(iri(ontology.baseIri.replace(/[#/]$/, '')), a, iri(`${OWL}Ontology`)),
    quad(tier, a, iri(`${OWL}AnnotationProperty`)),
    quad(tier, label, literal('sensitivity tier')),
    ...ontology.classes.flatMap((cls) => [
      ...classQuads(cls, tier),
      ...cls.properties.flatMap((property) => propertyQuads(cls, property, tier, classIri.get(property.range) ?? property.range)),
    ]),
  ]
}

const a = iri(RDF_TYPE)
const label = iri(`${RDFS}label`)
const comment = iri(`${RDFS}comment`)

function classQuads(cls: OntologyClass, tier: Term): Quad[] {
  const subject = iri(cls.iri)
  return [
    quad(subject, a, iri(`${OWL}Class`)),
    quad(subject, label, literal(cls.label)),
    quad(subject, comment, literal(`A record of the table ${cls.table}.`)),
    quad(subject, tier, literal(cls.tier)),
  ]
}

function propertyQuads(cls: OntologyClass, property: OntologyProperty, tier: Term, range: string): Quad[] {
  const subject = iri(property.iri)
  const [word, names] = [property.columns.length === 1 ? 'Column' : 'Columns', property.columns.join(', ')]
  const columns = `${word} ${names} of the table ${cls.table}.`
  return [
    quad(subject, a, iri(`${OWL}${property.kind === 'data' ? 'Datatype' : 'Object'}Property`)),
    ...(property.functional ? [quad(subject, a, iri(`${OWL}FunctionalProperty`))] : []),
    quad(subject, label, literal(property.label)),
    quad(subject, comment, literal(property.inferred === null ? columns : `${columns} Not declared: ${property.inferred}.`)),
    quad(subject, iri(`${RDFS}domain`), iri(cls.iri)),
    quad(subject, iri(`${RDFS}range`), iri(range)),
    quad(subject, tier, literal(property.tier)),
  ]
}
