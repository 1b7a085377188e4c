/** Our own tables: proposals with their audit, the session, what mining found, and searches that ran. */
export type * from './log-tables.ts'
export { SCHEMA_VERSION } from './migrations.ts'
export { pidOf } from './pid.ts'
export type { NewCandidate, ProposalCounts, ProposalEvent, ProposalQuery, Proposals, ProposalStep, Seeded } from './proposals.ts'
export type { Runs, StoredRun } from './runs.ts'
export type { Sessions } from './sessions.ts'
export { openWorkspace, type Workspace, type WorkspaceOptions } from './workspace.ts'
