/** Rules and a graph become derived triples with lineage, tiers and a report. */
export * from './explain.ts'
export * from './files.ts'
export * from './load.ts'
export type * from './materialisation.ts'
export * from './run.ts'
export { labelledTiers, tiered } from './tiers.ts'
