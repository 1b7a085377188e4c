/** The review queue and the session as surfaces see them: every answer cut to the caller's ceiling, every write in one transaction. */
import {
  type AuditEntry, type BulkOutcome, type BulkRequest, type Candidate, type Config, type EvidenceView, type Proposal, type ProposalEdits,
  type QueueSummary, type ReviewAction, ServiceError, type Session,
} from '../contracts/index.ts'
import {
  type CandidatePage, type DecideOptions, type QueueQuery, auditView, bulk, candidate, candidates, checkSession, cutProposal, decide, edit,
  evidenceView, merge, replaceSeen, seenSession, summary, wholePid,
} from '../review/index.ts'
import type { Workspace } from '../store/index.ts'
import { lineText } from './line-text.ts'
import { allowedLogPath } from './log-roots.ts'
import type { OpenSources } from './open-sources.ts'
import type { RuleCheck } from './rule-desk.ts'
import type { Caller, Labelled } from './service.ts'
import { tableClasses } from './table-classes.ts'

export type CandidateQuery = Omit<QueueQuery, 'maxTier'>

/** What a write may say beside its subject. */
export interface Deciding {
  readonly note?: string
  /** with an approval: changes that are part of it */
  readonly edits?: ProposalEdits
  /** whether the caller looked at this version; without it any will do */
  readonly ifVersion?: (version: number) => boolean
  /** names that an approval must not take: those of `tableClasses` */
  readonly taken?: ReadonlySet<string>
}

export interface Decided {
  readonly proposal: Proposal
  readonly session_entry?: unknown
  readonly brought_along?: readonly string[]
}

export interface Seeding {
  readonly counts: Readonly<Record<string, number>>
  readonly demoted: number
  readonly kept_decisions: number
}

export interface SessionView {
  readonly version: number
  readonly etag: string
  readonly session: Session
}

export interface ReviewDesk {
  summary(caller: Caller): Labelled<QueueSummary>
  candidates(query: CandidateQuery, caller: Caller): Labelled<CandidatePage>
  candidate(pid: string, caller: Caller): Labelled<Candidate>
  /** the whole id of the one visible candidate that begins so */
  pidOf(start: string, caller: Caller): Labelled<string>
  evidence(pid: string, caller: Caller): Promise<Labelled<EvidenceView>>
  audit(pid: string, caller: Caller): Labelled<{ readonly audit: readonly AuditEntry[] }>
  decide(pid: string, action: ReviewAction, about: Deciding, caller: Caller): Labelled<Decided>
  edit(pid: string, edits: ProposalEdits, about: Omit<Deciding, 'edits'>, caller: Caller): Labelled<Decided>
  merge(pid: string, into: string, about: Omit<Deciding, 'edits'>, caller: Caller): Labelled<Decided & { readonly merged_into: Proposal }>
  bulk(request: BulkRequest, caller: Caller, taken?: ReadonlySet<string>): Labelled<BulkOutcome>
  /** names of the classes that tables have, as far as the caller may see them */
  tableClasses(caller: Caller): Promise<ReadonlySet<string>>
  seed(logPath: string | undefined, caller: Caller): Promise<Labelled<Seeding>>
  session(caller: Caller): Labelled<SessionView>
  /** takes the place of what the caller sees; `ifMatch` is asked about the version and ETag that stand */
  putSession(session: Session, caller: Caller, ifMatch?: (stands: SessionView) => boolean): Promise<Labelled<SessionView>>
}

interface ReviewParts {
  readonly workspace: () => Workspace
  readonly config: Config
  readonly now: () => string
  /** whether the source at that place is the project's own */
  readonly isOwn: (path: string) => boolean
  /** told before anything that may change the graph */
  readonly changed: () => void
  readonly mine: (logPath: string) => Promise<unknown>
  readonly sources: OpenSources
  readonly rules: RuleCheck
}

const MOST_ATTEMPTS = 5

export function reviewDesk({ workspace, config, now, changed, mine, sources, rules, isOwn }: ReviewParts): ReviewDesk {
  const at = <T>({ grant }: Caller, value: T): Labelled<T> => ({ value, ceiling: grant })
  const signing = (caller: Caller, { note, ifVersion, taken }: Omit<Deciding, 'edits'> = {}): DecideOptions => ({
    reviewer: caller.name, now: now(), baseIri: config.base_iri, maxTier: caller.grant,
    ...(note === undefined ? {} : { note }), ...(ifVersion === undefined ? {} : { ifVersion }),
    ...(taken === undefined ? {} : { taken }),
  })
  const cut = (proposal: Proposal, { grant }: Caller): Proposal => cutProposal(workspace(), proposal, grant)
  const shown = (caller: Caller): SessionView => seenSession(workspace().session.load(), caller.grant)

  return {
    summary: (caller) => at(caller, summary(workspace(), { maxTier: caller.grant })),
    candidates: (query, caller) => at(caller, candidates(workspace(), { ...query, maxTier: caller.grant })),
    candidate: (pid, caller) => at(caller, candidate(workspace(), pid, { maxTier: caller.grant })),
    pidOf: (start, caller) => at(caller, wholePid(workspace(), start, caller.grant)),
    evidence: async (pid, caller) => at(caller, await evidenceView(workspace(), pid, { maxTier: caller.grant, textAt: lineText })),
    audit: (pid, caller) => at(caller, { audit: auditView(workspace(), pid, { maxTier: caller.grant }) }),
    decide(pid, action, about, caller) {
      changed()
      const done = decide(workspace(), pid, action, { ...signing(caller, about), ...(about.edits === undefined ? {} : { edits: about.edits }) })
      return at(caller, { ...done, proposal: cut(done.proposal, caller) })
    },
    edit(pid, edits, about, caller) {
      changed()
      const done = edit(workspace(), pid, edits, signing(caller, about))
      return at(caller, { ...done, proposal: cut(done.proposal, caller) })
    },
    merge(pid, into, about, caller) {
      changed()
      const done = merge(workspace(), pid, into, signing(caller, about))
      return at(caller, { ...done, proposal: cut(done.proposal, caller), merged_into: cut(done.merged_into, caller) })
    },
    bulk(request, caller, taken) {
      changed()
      return at(caller, bulk(workspace(), request, signing(caller, taken === undefined ? {} : { taken })))
    },
    tableClasses: (caller) => tableClasses(sources, caller.grant, isOwn),
    async seed(logPath, caller) {
      await mine(allowedLogPath(logPath, config.log_roots))
      return at(caller, seeded(workspace(), caller))
    },
    session: (caller) => at(caller, shown(caller)),
    async putSession(session, caller, ifMatch = () => true) {
      for (let attempt = 1; ; attempt += 1) {
        const { version, session: before } = workspace().session.load()
        const stands = seenSession({ version, session: before }, caller.grant)
        if (!ifMatch(stands)) throw new ServiceError('stale', 'the session has changed meanwhile', { hint: 'load it again' })
        checkSession(session, { baseIri: config.base_iri, ceiling: caller.grant, before })
        const next = replaceSeen(before, session, caller.grant)
        const settled = await rules.settled(session.rules, { before, next }, caller)
        try {
          changed()
          workspace().session.save(replaceSeen(before, { ...session, rules: settled }, caller.grant), version)
          return at(caller, shown(caller))
        } catch (error) {
          // somebody saved while the rules were checked: what they saved is looked at first
          if (!(error instanceof ServiceError && error.code === 'stale') || attempt >= MOST_ATTEMPTS) throw error
        }
      }
    },
  }
}

/** What the queue holds for this caller once the logs are mined: counts of what is above the ceiling would tell of it. */
function seeded(workspace: Workspace, { grant }: Caller): Seeding {
  const { by_kind: byKind } = summary(workspace, { maxTier: grant })
  const sum = (states: Readonly<Record<string, number>>) => Object.values(states).reduce((total, n) => total + n, 0)
  const decided = Object.values(byKind).map((states) => sum(states) - (states['PENDING'] ?? 0))
  return {
    counts: Object.fromEntries(Object.entries(byKind).map(([kind, states]) => [kind, sum(states)])),
    demoted: sum(byKind['LOG_RELATIONSHIP'] ?? {}),
    kept_decisions: decided.reduce((total, n) => total + n, 0),
  }
}
