/** The ontology as values: classes and properties, where each lives in the source, and how sensitive it is. */
import type { Tier } from '../contracts/index.ts'
import type { Dialect } from '../sources/index.ts'

export interface OntologyProperty {
  /** unique within its class, e.g. `status`; the ontology spells it `:Subscription.status` */
  readonly name: string
  readonly iri: string
  readonly label: string
  readonly synonyms: readonly string[]
  readonly tier: Tier
  readonly kind: 'data' | 'object'
  /** the columns behind it: one for data, the foreign key's columns for object properties */
  readonly columns: readonly string[]
  /** data: the XSD datatype IRI; object: the name of the class it leads to */
  readonly range: string
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
  readonly table: string
  /** columns that identify a record, in key order; empty when the table has no usable key */
  readonly key: readonly string[]
  /** name of the data property that names a record to people, or null */
  readonly labelProperty: string | null
  readonly tier: Tier
  readonly instances: number
  readonly properties: readonly OntologyProperty[]
}

export interface Ontology {
  readonly baseIri: string
  readonly recordBase: string
  readonly dialect: Dialect
  /** sorted by name */
  readonly classes: readonly OntologyClass[]
}
