/** The ontology as values: classes and properties, where each lives in the source, and how sensitive it is. */
import type { Tier } from '../contracts/index.ts'
import type { Dialect } from '../sources/index.ts'

/** What a person has declared of an object property; no phase proposes these. */
export interface Characteristics {
  readonly transitive?: boolean
  readonly symmetric?: boolean
  readonly inverseFunctional?: boolean
  /** the IRI of the property that says the same from the other end */
  readonly inverseOf?: string | null
}

export interface OntologyProperty extends Characteristics {
  /** unique within its class, e.g. `status`; the ontology spells it `:Subscription.status` */
  readonly name: string
  readonly iri: string
  readonly label: string
  readonly synonyms: readonly string[]
  readonly description?: string
  readonly tier: Tier
  readonly kind: 'data' | 'object'
  /** the columns behind it: one for data, the foreign key's columns for object properties */
  readonly columns: readonly string[]
  /** data: the XSD datatype IRI; object: the name of the class it leads to */
  readonly range: string
  /** texts that are numbers, as far as was looked: they can be summed, and whatever is no number counts as unknown */
  readonly figures?: boolean
  /** of a column that says yes or no, as far as was looked: the value that says yes */
  readonly yes?: string | number | boolean
  /** object properties: the referenced columns, pairwise to `columns` */
  readonly refColumns: readonly string[]
  readonly required: boolean
  readonly functional: boolean
  /** an object property from an undeclared foreign key: the evidence in words */
  readonly inferred: string | null
}

export interface OntologyClass {
  readonly name: string
  readonly iri: string
  readonly label: string
  readonly synonyms: readonly string[]
  readonly description?: string
  readonly table: string
  /** columns that identify a record, in key order; empty when the table has no usable key */
  readonly key: readonly string[]
  /** name of the data property that names a record to people, or null */
  readonly labelProperty: string | null
  /** names of all properties that could name a record, the best first: where one is hidden the next does */
  readonly labelProperties?: readonly string[]
  readonly tier: Tier
  readonly instances: number
  readonly properties: readonly OntologyProperty[]
  /** its records are things that happened at a time */
  readonly isEvent?: boolean
  /** names of the classes above it */
  readonly parents?: readonly string[]
  /** names of the properties that a person declared to identify a record (owl:hasKey) */
  readonly hasKey?: readonly string[]
  /** classes that a person put into the same group share no record */
  readonly disjointGroup?: string | null
}

/** Many to many, from a table that does nothing but connect two others. The table's own class stays beside it. */
export interface OntologyRelationship extends Characteristics {
  /** unique among the properties and relationships of `from` */
  readonly name: string
  readonly iri: string
  readonly label: string
  readonly description: string
  /** names of the two classes it connects */
  readonly from: string
  readonly to: string
  /** name of the class of the connecting table, and its two object properties that lead to `from` and to `to` */
  readonly junction: string
  readonly fromProperty: string
  readonly toProperty: string
  readonly functional: boolean
  readonly tier: Tier
}

/** The records of an event class that have one value in the column that tells their kind. Siblings share no record. */
export interface OntologyEventSubclass {
  readonly name: string
  readonly iri: string
  readonly label: string
  /** the name of the event class, of its property, and the value that makes a record one of these */
  readonly parent: string
  readonly property: string
  readonly value: string
  readonly tier: Tier
  /** absent until somebody has counted */
  readonly instances?: number
}

/** The other direction of an object property, declared by a person under a name of its own; no column stands behind it. */
export interface OntologyInverse {
  readonly name: string
  readonly iri: string
  readonly label: string
  /** names of the two classes it connects */
  readonly from: string
  readonly to: string
  /** the IRI of the property that it turns around */
  readonly of: string
  readonly tier: Tier
}

export interface Ontology {
  readonly baseIri: string
  readonly recordBase: string
  readonly dialect: Dialect
  /** sorted by name */
  readonly classes: readonly OntologyClass[]
  /** each sorted by IRI; absent is empty */
  readonly relationships?: readonly OntologyRelationship[]
  readonly eventSubclasses?: readonly OntologyEventSubclass[]
  readonly inverses?: readonly OntologyInverse[]
}
