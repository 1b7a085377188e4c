/** The composition root and the SDK door. */
export * from './service.ts'
