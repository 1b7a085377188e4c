/** Catalogue and metadata become classes, properties, mapping, Turtle and vocabulary. */
export type * from './ontology.ts'
