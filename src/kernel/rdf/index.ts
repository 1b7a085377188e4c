/** Triples: their canonical spelling, their parsing, and their place among the facts of the Datalog engine. */
export * from './fixpoint.ts'
export { orderTriples } from './order.ts'
export type { OrderedTriples } from './order.ts'
export * from './parse.ts'
export * from './partition.ts'
export * from './quad.ts'
export * from './support.ts'
export * from './turtle.ts'
