/** What of the contracts needs no schemas: a thread that only reads logs starts in half the time without loading those. */
export * from '../errors.ts'
export * from '../limits.ts'
