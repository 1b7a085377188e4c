/** Words, shapes and names of text. */
export * from './case.ts'
export * from './hash.ts'
export * from './plural.ts'
export * from './similarity.ts'
export * from './value-kind.ts'
