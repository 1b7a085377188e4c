/** Partial states: map a part of a log, merge, reduce to what the whole says. */
export * from './of-records.ts'
export * from './reduce.ts'
export * from './sources.ts'
export * from './given.ts'
export { BadState, STATE_VERSION } from './container.ts'
export * from './map-files.ts'
export * from './map-stream.ts'
