/** Model adapters, their readiness and residency. `embedded` needs no model. */
export * from './catalogue.ts'
