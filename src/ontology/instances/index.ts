/** Rows as RDF: the records of an ontology, streamed, and the W3C direct mapping of a database. */
export { type DirectOptions, directMapping, streamDirectMapping, withinOntology } from './direct-mapping.ts'
export { findByKey, type FoundRecords, type KeyMatch, normalisedKey } from './find-by-key.ts'
export { type RecordOptions, recordMapper, recordNode, recordQuads } from './record.ts'
export type { Cells, ReadOptions } from './read.ts'
export { type InstanceProgress, type StreamOptions, streamInstances } from './stream.ts'
