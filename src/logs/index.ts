/** Lines become templates, slots, a graph, sequences, and candidates for review. */
export * from './candidate.ts'
