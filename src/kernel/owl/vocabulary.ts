/** The properties and classes of the vocabularies that the rules read axioms from. */
import { FIRST, REST, owl, rdfs } from './rule.ts'

export const AXIOM_PROPERTIES: readonly string[] = [
  FIRST,
  REST,
  ...['subClassOf', 'subPropertyOf', 'domain', 'range'].map(rdfs),
  ...[
    'equivalentClass disjointWith equivalentProperty inverseOf propertyDisjointWith propertyChainAxiom hasKey',
    'members distinctMembers',
    'intersectionOf unionOf complementOf oneOf someValuesFrom allValuesFrom hasValue onProperty onClass maxCardinality',
    'maxQualifiedCardinality sourceIndividual assertionProperty targetIndividual targetValue datatypeComplementOf',
  ].flatMap((names) => names.split(' ').map(owl)),
]

export const AXIOM_CLASSES: readonly string[] = [
  rdfs('Datatype'),
  ...[
    'FunctionalProperty InverseFunctionalProperty IrreflexiveProperty SymmetricProperty AsymmetricProperty TransitiveProperty',
    'AllDifferent AllDisjointClasses AllDisjointProperties Class ObjectProperty DatatypeProperty',
  ].flatMap((names) => names.split(' ').map(owl)),
]

/** The annotation properties that the language itself brings along. */
export const ANNOTATION_PROPERTIES: readonly string[] = [
  ...['label', 'comment', 'seeAlso', 'isDefinedBy'].map(rdfs),
  ...['deprecated', 'versionInfo', 'priorVersion', 'backwardCompatibleWith', 'incompatibleWith'].map(owl),
]
