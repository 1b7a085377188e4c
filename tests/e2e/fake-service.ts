/** A service without a database behind it, for tests of the surfaces alone. The words of a question choose how it behaves. */
import { ServiceError, Session, problem } from '../../src/contracts/index.ts'
import type { Proposal, SearchEvent, SearchRequest, Tier } from '../../src/contracts/index.ts'
import type { Caller, Labelled, Service } from '../../src/runtime/index.ts'
import { LiveRuns } from '../../src/runtime/live-runs.ts'
import { CLAIMS, TRACE, okAnswer, otherAnswer } from './fake-answer.ts'
import { fakeCompetency, fakeFiles, fakeJobs, fakeMetadata, fakeRules, fakeRuns, fakeSources } from './fake-desks.ts'

export interface FakeService extends Service {
  /** everything that was asked, in order */
  readonly asked: { readonly request: SearchRequest; readonly caller: Caller }[]
  /** questions whose client left */
  readonly aborted: string[]
  /** every request as it was counted */
  readonly counted: Parameters<Service['countRequest']>[0][]
}

const SECRET = 'a value that must stay inside'

export const PROPOSAL: Proposal = {
  pid: 'p-1', proposal_type: 'LOG_CAUSAL_EDGE', title: 'LinkDown triggers PeerLost', name: 'LinkDown-PeerLost',
  candidate_turtle: '', detection_strategy: 'GRANGER_CAUSALITY', confidence: 0.9, consequence: 0.8, score: 0.72,
  lag_ms_p50: 1800, lag_ms_p95: 6200, status: 'PENDING', source: 'log-discovery', tier: 'Internal', evidence: { pmi: 3.1 },
  evidence_sample: '', edits: {}, reviewer_id: null, review_note: null, reviewed_at: null, merged_into: null, version: 1,
  created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z',
}

const SPARQL_RESULTS = {
  head: { vars: ['s', 'o'] },
  results: {
    bindings: [
      {
        s: { type: 'uri', value: 'https://enterprise.example/record/customer/cu-1' },
        o: { type: 'literal', value: 'Acme Hosting' },
      },
    ],
  },
}

const at = <T>(ceiling: Tier, value: T): Labelled<T> => ({ value, ceiling })

const known = (pid: string): Proposal => {
  if (pid !== PROPOSAL.pid) throw new ServiceError('not_found', 'no candidate by that id')
  return PROPOSAL
}

export interface FakeOptions {
  readonly searchEnabled?: boolean
  /** how long each stage of a search takes */
  readonly pauseMs?: number
  /** whether the source cannot be opened */
  readonly down?: () => boolean
}

export function fakeService({ searchEnabled = true, pauseMs = 0, down = () => false }: FakeOptions = {}): FakeService {
  const asked: FakeService['asked'] = []
  const aborted: string[] = []
  const counted: FakeService['counted'] = []
  const jobs = fakeJobs()
  const live = new LiveRuns(() => undefined)
  let runs = 0

  async function* search(
    request: SearchRequest,
    caller: Caller,
    { requestId, signal }: { requestId: string; signal?: AbortSignal },
  ): AsyncGenerator<SearchEvent> {
    asked.push({ request, caller })
    const runId = `run-${++runs}`
    const { question } = request
    const says = (word: string) => question.toLowerCase().includes(word)
    yield { event: 'run', data: { run_id: runId } }
    if (says('broken')) throw new Error(SECRET)
    for (const stage of TRACE) {
      await pause(pauseMs)
      if (stage.stage === 'execute' && says('forever')) {
        await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()))
        aborted.push(question)
        yield { event: 'error', data: problem(new ServiceError('cancelled', 'the client left'), requestId) }
        return
      }
      if (stage.stage === 'execute' && says('deadline')) {
        const about = { stage: 'execute', hint: 'raise timeout_ms' }
        const late = new ServiceError('deadline_exceeded', 'the statement ran past its limit', about)
        yield { event: 'error', data: problem(late, requestId) }
        return
      }
      if (stage.stage === 'synthesize' && !says('nothing')) for (const claim of CLAIMS) yield { event: 'claim', data: claim }
      yield { event: 'stage', data: stage }
    }
    if (says('unicorn')) {
      yield { event: 'answer', data: otherAnswer(runId, 'ungrounded', "The words 'unicorn' mean nothing in this vocabulary.") }
    } else if (says('salaries')) {
      yield { event: 'answer', data: otherAnswer(runId, 'blocked', 'This needs data above the ceiling Internal.') }
    } else if (says('nothing')) {
      yield { event: 'answer', data: otherAnswer(runId, 'empty', 'No record fits the question.') }
    } else if (says('unclear') && request.plan === undefined) {
      yield { event: 'answer', data: otherAnswer(runId, 'clarify', '') }
    } else {
      const answer = okAnswer(runId, request.materialize)
      if (says('leak')) answer.citations = answer.citations.map((one) => ({ ...one, tier: 'Restricted' }))
      yield { event: 'answer', data: answer }
    }
  }

  return {
    asked,
    aborted,
    search,
    stream: (request, caller, { requestId, signal }) =>
      live.start((stop) => search(request, caller, { requestId, signal: stop }), { caller, ceiling: request.max_tier, requestId, lingerMs: 0 }, signal),
    sparql: async ({ query, runId, subgraphId }) => {
      if (/\binsert\b/i.test(query)) {
        const errors = [{ message: 'INSERT', line: 1, column: 1 }]
        throw new ServiceError('unsupported_query', 'only SELECT is answered here', { errors })
      }
      if (runId === 'unknown' || subgraphId === 'unknown') throw new ServiceError('not_found', 'nothing here by that name')
      return at('Internal', JSON.stringify(SPARQL_RESULTS))
    },
    pidOf: (start, { grant }) => at(grant, start),
    verify: async () => at('Internal', { ok: true, claims: [], document: [], unchecked: [], max_tier: 'Internal', flavor: 'generic' }),
    suggest: async ({ question }, { grant }) => at(grant, [{ text: 'customer', kind: 'class', insert: `${question}customer` }]),
    vocabulary: async ({ grant }, maxTier) =>
      at(grant, { base_iri: 'https://enterprise.example/ontology#', etag: `v-${maxTier ?? grant}`, classes: [], properties: [] }),
    counted,
    countRequest: (request) => void counted.push(request),
    runs: fakeRuns(),
    competency: fakeCompetency(),
    sources: fakeSources({ down }),
    providers: {
      list: async () => ({ default: 'embedded', providers: [] }),
      test: async (id) => ({ id, model: '', ok: true, reason: null, ms: 1 }),
    },
    metadata: fakeMetadata(),
    rules: fakeRules(),
    files: fakeFiles(),
    jobs,
    flavors: () => [
      { name: 'generic', label: 'Any database', example: null },
      { name: 'network-ops', label: 'Network operations', example: 'Which customers are at risk from crt-07, and why?' },
    ],
    summary: ({ grant }) =>
      at(grant, { available: true, by_kind: { LOG_CAUSAL_EDGE: { PENDING: 1 } }, anomalies: 0, drift: 0, last_run: null, ranking: { decisions: 0, auc: null, baseline_auc: null, used: false, reason: 'fewer than 20 decisions' } }),
    candidates: ({ status }, { grant }) => {
      const candidates = status === 'PENDING' ? [PROPOSAL] : []
      return at(grant, { candidates, next_cursor: null, total: candidates.length })
    },
    candidate: (pid) => at('Internal', known(pid)),
    decide: (pid, action, { note }, caller) => {
      const proposal = known(pid)
      if (action === 'undo') throw new ServiceError('conflict', 'nothing was decided yet')
      const status = ({ approve: 'APPROVED', reject: 'REJECTED', defer: 'DEFERRED' } as const)[action]
      return at('Internal', { proposal: { ...proposal, status, reviewer_id: caller.name, review_note: note ?? null } })
    },
    evidence: async (pid) => at('Internal', {
      pid: known(pid).pid, proposal_type: 'LOG_CAUSAL_EDGE', samples: ['link down'], slots: [], lag_histogram: null, gate: [], verdict: 'LOG_CAUSAL_EDGE',
      stated_verdict: null, failed_conditions: [], why_demoted: null, explained_by: null, lines: [], line_pairs: [], merged: [], figures: {},
    }),
    audit: (pid) => (known(pid), at('Internal', { audit: [] })),
    edit: (pid, edits) => at('Internal', { proposal: { ...known(pid), edits } }),
    merge: (pid, into) => at('Internal', { proposal: known(pid), merged_into: known(into) }),
    bulk: ({ ids, dry_run }, { grant }) =>
      at(grant, { dry_run, done: ids.length, refused: 0, outcomes: ids.map((pid) => ({ pid, outcome: 'done' as const })) }),
    seed: async (_logPath, caller) => at(caller.grant, { counts: { LOG_EVENT: 1 }, demoted: 0, kept_decisions: 0 }),
    session: ({ grant }) => at(grant, { version: 3, etag: 's-3', session: Session.parse({}) }),
    tableClasses: async () => new Set(),
    putSession: async (session, { grant }) => at(grant, { version: 4, etag: 's-4', session }),
    rcaPresets: () => [{ id: 'root-cause', label: 'Root cause', question: 'What caused {event}?' }],
    rca: async ({ event, event_iri }, { grant }) => {
      const first = { event: 'e1', label: 'LinkDown', time: '2026-01-01T00:00:00Z', lag_ms: 1800, rule: 'causal-1', supposed: null, severity: 'ERROR', count: 1, line: null }
      return at(grant, {
        answer: `LinkDown caused ${event ?? event_iri ?? ''}.`,
        chain: [{ ...first, premises: [{ kind: 'condition', text: 'earlier' }] }],
        provider: 'embedded', model: '', grounded_iris: [], unknown_iris: [], warnings: [], duration_ms: 2,
      })
    },
    rcaReport: async ({ event }, { grant }) => at(grant, `# Post-mortem: ${event ?? ''}\n`),
    explain: async (triple, depth, { grant }) => {
      const leaf = { kind: 'triple' as const, triple, asserted: true, derivations: [] }
      const premises = depth > 1 ? [leaf, { kind: 'absent' as const, text: 'no redundant path' }] : [leaf]
      const derivation = { rule: 'at-risk', engine: 'datalog' as const, bindings: { c: 'cu-1' }, premises }
      return at(grant, { triple, asserted: false, derivations: [derivation] })
    },
    whyNot: async (triple, { grant }) => {
      const held = [{ kind: 'condition' as const, text: '2 > 0' }]
      const missing = { kind: 'triple' as const, text: 'no match of { ?s :runsOn :crt-07 }' }
      return at(grant, { triple, holds: false, asserted: false, misses: [{ rule: 'at-risk', engine: 'datalog', held, missing, further: [] }], notes: [] })
    },
    materialised: async ({ engine = 'datalog', rule = 'at-risk', limit = 50 }, { grant }) => {
      const triple = { subject: 'cu-1', predicate: 'at_risk', object: 'crt-07' }
      const triples = [{ triple, tier: 'Internal' as const, derivations: [{ engine, rule }] }]
      return at(grant, { page: { triples, next_cursor: limit < 50 ? 'next' : null, total: 1 }, etag: `m-${grant}` })
    },
    runPhase: async () => [],
    metrics: async () => '# HELP service_search_in_flight searches under way\nservice_search_in_flight 0\n',
    health: () => ({ status: 'ok', search_enabled: searchEnabled, version: '0.0.0-test' }),
    close: () => jobs.close(),
  }
}

const pause = (ms: number): Promise<void> =>
  ms === 0 ? Promise.resolve() : new Promise((resolve) => void setTimeout(resolve, ms))
