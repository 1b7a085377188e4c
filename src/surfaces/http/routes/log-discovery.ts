/** /api/log-discovery: the review queue and the decisions on it. */
import { z } from 'zod'
import { PROPOSAL_STATES, PROPOSAL_TYPES, Proposal } from '../../../contracts/index.ts'
import { emit } from '../../emit.ts'
import type { App, RouteParts } from '../parts.ts'
import { PROBLEM_RESPONSE } from '../problems.ts'
import { Ceiling, lowered } from './reads.ts'

const TAGS = ['log discovery']
const Pid = z.strictObject({ pid: z.string().min(1).max(64) })
const Note = z.strictObject({ note: z.string().max(2000).optional() }).nullish()
const DECISIONS = ['approve', 'reject', 'defer', 'undo'] as const

const Summary = z
  .looseObject({ available: z.boolean(), by_kind: z.record(z.string(), z.record(z.string(), z.int())) })
  .meta({ id: 'LogDiscoverySummary' })
const Queue = z.object({ candidates: z.array(Proposal), next_cursor: z.string().nullable(), total: z.int() })
const Decided = z.object({ proposal: Proposal, session_entry: z.unknown().optional() })

export function logDiscoveryRoutes(app: App, { service }: RouteParts): void {
  app.get('/api/log-discovery/summary', {
    config: { role: 'reader' },
    schema: {
      tags: TAGS,
      summary: 'How many candidates there are, by kind and state',
      querystring: z.strictObject(Ceiling),
      response: { 200: Summary, default: PROBLEM_RESPONSE },
    },
    handler: async (request) => {
      const caller = lowered(request.caller, request.query.max_tier)
      return emit(service.summary(caller), caller) as z.infer<typeof Summary>
    },
  })

  app.get('/api/log-discovery/candidates', {
    config: { role: 'reader' },
    schema: {
      tags: TAGS,
      summary: 'Candidates, by confidence times consequence',
      querystring: z.strictObject({
        ...Ceiling,
        kind: z.enum(PROPOSAL_TYPES).optional(),
        status: z.enum(PROPOSAL_STATES).default('PENDING'),
        limit: z.coerce.number().int().min(1).max(1000).optional(),
      }),
      response: { 200: Queue, default: PROBLEM_RESPONSE },
    },
    handler: async (request) => {
      const { max_tier, kind, status, limit } = request.query
      const caller = lowered(request.caller, max_tier)
      return emit(service.candidates({ kind, status, limit }, caller), caller)
    },
  })

  app.get('/api/log-discovery/:pid', {
    config: { role: 'reader' },
    schema: {
      tags: TAGS,
      summary: 'One candidate',
      params: Pid,
      querystring: z.strictObject(Ceiling),
      response: { 200: Proposal, default: PROBLEM_RESPONSE },
    },
    handler: async (request) => {
      const caller = lowered(request.caller, request.query.max_tier)
      return emit(service.candidate(request.params.pid, caller), caller)
    },
  })

  app.post('/api/log-discovery/seed', {
    config: { role: 'admin' },
    schema: {
      tags: TAGS,
      summary: 'Mine a folder of logs into candidates; decisions already taken are kept',
      body: z.strictObject({ log_path: z.string().min(1).max(4096).optional() }).nullish(),
      response: { 200: z.record(z.string(), z.unknown()), default: PROBLEM_RESPONSE },
    },
    handler: async ({ body, caller }) => emit(await service.seed(body?.log_path, caller), caller),
  })

  for (const action of DECISIONS) {
    app.post(`/api/log-discovery/:pid/${action}`, {
      config: { role: 'reviewer' },
      schema: {
        tags: TAGS,
        summary: `${action} a candidate`,
        params: Pid,
        body: Note,
        response: { 200: Decided, default: PROBLEM_RESPONSE },
      },
      handler: async ({ params, body, caller }) => emit(service.decide(params.pid, action, { note: body?.note }, caller), caller),
    })
  }
}
