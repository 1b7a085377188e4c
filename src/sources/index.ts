/** Customers' databases, read-only by construction. */
export { CAPABILITIES, type Capabilities } from './capabilities.ts'
export type * from './source.ts'
export type { KeyCandidate } from './infer-keys.ts'
export type { OpenOptions } from './open.ts'
export { isServerAddress } from './address.ts'
export { openSource } from './open.ts'
export * from './query-builder.ts'
