/** SPARQL over a graph in memory, read-only. */
export { checkQuery } from './check-query.ts'
export { type SparqlFormat, runSparql } from './query.ts'
export { oxigraphJudge } from './judge.ts'
