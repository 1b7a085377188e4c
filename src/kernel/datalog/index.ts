/** Rules and facts become derived facts with premises and tiers. */
export type * from './program.ts'
