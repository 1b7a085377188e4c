/** Customers' databases, read-only by construction. */
export type * from './source.ts'
