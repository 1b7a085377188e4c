/** What terms are worth: numbers as numbers, moments as moments, and the functions that rules call on them. */
export { compareValues, isTyped, satisfies, valueOf } from './value.ts'
export type { Comparison, Value } from './value.ts'
export { atScale } from './decimal.ts'
export { callFunction, effectiveBoolean, FUNCTION_NAMES, isFunction } from './functions.ts'
export { foldSparql } from './fold-sparql.ts'
export type { SparqlFold } from './fold-sparql.ts'
