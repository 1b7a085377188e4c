/** Triples: their canonical spelling, their parsing, and CONSTRUCT queries as rules of the Datalog engine. */
export * from './construct.ts'
export * from './parse.ts'
export * from './partition.ts'
export * from './quad.ts'
export { MAX_NESTING, nestedBeyond } from './sparql.ts'
export * from './support.ts'
export * from './turtle.ts'
