/** Messages as shapes, and the table that counts them. */
export * from './kinds.ts'
export * from './shape.ts'
export * from './sketch.ts'
export * from './table.ts'
export * from './tokens.ts'
