/** Lines become templates, slots, a graph, sequences, and candidates for review. */
export * from './candidate.ts'
export { mine } from './mine.ts'
export type { MineOptions } from './mine.ts'
export { collectLogs, readLogs } from './read.ts'
export type { SkipCounts } from './read.ts'
export * from './sequences/index.ts'
export * from './drift/index.ts'
