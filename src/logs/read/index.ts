/** Files and pipes into records, with every byte accounted for. */
export * from './counts.ts'
export * from './files.ts'
export * from './pieces.ts'
export * from './read-piece.ts'
export * from './rotation.ts'
export * from './text.ts'
