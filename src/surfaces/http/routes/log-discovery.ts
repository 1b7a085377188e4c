/** /api/log-discovery: the review queue, the evidence behind it, and the decisions on it. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import {
  AuditEntry, BulkOutcome, BulkRequest, Candidate, DETECTION_STRATEGIES, EvidenceView, PROPOSAL_STATES, PROPOSAL_TYPES, Proposal,
  ProposalEdits, QUEUE_SORTS, QueueSummary,
} from '../../../contracts/index.ts'
import { emit } from '../../emit.ts'
import { permits, quoted } from '../etags.ts'
import type { App, RouteParts } from '../parts.ts'
import { plainAnswers } from '../plain-answers.ts'
import { PROBLEM_RESPONSE } from '../problems.ts'
import { Ceiling, lowered } from './reads.ts'

const TAGS = ['log discovery']
const Pid = z.strictObject({ pid: z.string().min(1) })
const note = z.string().max(2000).optional()
const Flag = z.enum(['true', 'false']).transform((value) => value === 'true')

const Queue = z.object({ candidates: z.array(Candidate), next_cursor: z.string().nullable(), total: z.int() })
const Decided = z.object({ proposal: Proposal, session_entry: z.unknown().optional(), brought_along: z.array(z.string()).optional() })
const Merged = z.object({ proposal: Proposal, merged_into: Proposal })
const Seeded = z.object({ counts: z.record(z.string(), z.int()), demoted: z.int(), kept_decisions: z.int() })

/** Whether the version that the caller looked at still stands. */
const ifVersion = ({ headers }: FastifyRequest) => (version: number): boolean => permits(headers['if-match'], String(version))
const tagged = (reply: FastifyReply, { version }: { version: number }): FastifyReply => reply.header('etag', quoted(String(version)))

export function logDiscoveryRoutes(app: App, parts: RouteParts): void {
  readRoutes(app, parts)
  decisionRoutes(app, parts)
}

function readRoutes(app: App, { service }: RouteParts): void {
  app.get('/api/log-discovery/summary', {
    config: { role: 'reader' },
    serializerCompiler: plainAnswers,
    schema: {
      tags: TAGS,
      summary: 'How many candidates there are, by kind and state, and how well past decisions predict the next',
      querystring: z.strictObject(Ceiling),
      response: { 200: QueueSummary, default: PROBLEM_RESPONSE },
    },
    handler: async (request) => {
      const caller = lowered(request.caller, request.query.max_tier)
      return emit(service.summary(caller), caller)
    },
  })

  app.get('/api/log-discovery/candidates', {
    config: { role: 'reader' },
    serializerCompiler: plainAnswers,
    schema: {
      tags: TAGS,
      summary: 'Candidates, by confidence times consequence; a cursor stays good while decisions are taken',
      querystring: z.strictObject({
        ...Ceiling,
        kind: z.enum(PROPOSAL_TYPES).optional(),
        status: z.enum(PROPOSAL_STATES).default('PENDING'),
        strategy: z.enum(DETECTION_STRATEGIES).optional(),
        service: z.string().max(200).optional().describe('of the event, or of either end of an edge'),
        min_confidence: z.coerce.number().min(0).max(1).optional(),
        q: z.string().max(200).optional().describe('every word must occur in name, title, template or service'),
        sort: z.enum(QUEUE_SORTS).default('score').describe('score is confidence times consequence; learned follows past decisions'),
        grouped: Flag.optional().describe('one row for each group of near-duplicates'),
        group: z.string().max(64).optional().describe('only the members of this group'),
        limit: z.coerce.number().int().min(1).max(500).optional(),
        cursor: z.string().max(500).optional(),
      }),
      response: { 200: Queue, default: PROBLEM_RESPONSE },
    },
    handler: async (request) => {
      const { max_tier, min_confidence, ...query } = request.query
      const caller = lowered(request.caller, max_tier)
      return emit(service.candidates({ ...query, ...(min_confidence === undefined ? {} : { minConfidence: min_confidence }) }, caller), caller)
    },
  })

  app.get('/api/log-discovery/:pid', {
    config: { role: 'reader' },
    serializerCompiler: plainAnswers,
    schema: {
      tags: TAGS,
      summary: 'One candidate; its ETag is what If-Match names in a decision',
      params: Pid,
      querystring: z.strictObject(Ceiling),
      response: { 200: Candidate, default: PROBLEM_RESPONSE },
    },
    handler: async (request, reply) => {
      const caller = lowered(request.caller, request.query.max_tier)
      const found = emit(service.candidate(request.params.pid, caller), caller)
      void tagged(reply, found)
      return found
    },
  })

  app.get('/api/log-discovery/:pid/evidence', {
    config: { role: 'reader' },
    serializerCompiler: plainAnswers,
    schema: {
      tags: TAGS,
      summary: 'What a candidate rests on: samples, histograms, the gate with its thresholds, and the lines themselves',
      params: Pid,
      querystring: z.strictObject(Ceiling),
      response: { 200: EvidenceView, default: PROBLEM_RESPONSE },
    },
    handler: async (request) => {
      const caller = lowered(request.caller, request.query.max_tier)
      return emit(await service.evidence(request.params.pid, caller), caller)
    },
  })

  app.get('/api/log-discovery/:pid/audit', {
    config: { role: 'reader' },
    serializerCompiler: plainAnswers,
    schema: {
      tags: TAGS,
      summary: 'Every step of a candidate, oldest first: who, when, from, to, note and edits',
      params: Pid,
      querystring: z.strictObject(Ceiling),
      response: { 200: z.object({ audit: z.array(AuditEntry) }), default: PROBLEM_RESPONSE },
    },
    handler: async (request) => {
      const caller = lowered(request.caller, request.query.max_tier)
      return { audit: [...emit(service.audit(request.params.pid, caller), caller).audit] }
    },
  })
}

function decisionRoutes(app: App, { service }: RouteParts): void {
  app.post('/api/log-discovery/seed', {
    config: { role: 'admin' },
    schema: {
      tags: TAGS,
      summary: 'Mine a folder of logs into candidates; decisions already taken are kept',
      body: z.strictObject({ log_path: z.string().min(1).max(4096).optional() }).nullish(),
      response: { 200: Seeded, default: PROBLEM_RESPONSE },
    },
    handler: async ({ body, caller }) => {
      const { counts, demoted, kept_decisions } = emit(await service.seed(body?.log_path, caller), caller)
      return { counts: { ...counts }, demoted, kept_decisions }
    },
  })

  app.post('/api/log-discovery/bulk', {
    config: { role: 'reviewer' },
    serializerCompiler: plainAnswers,
    schema: {
      tags: TAGS,
      summary: 'One decision on many candidates, or on a group; each stands or falls by itself, and a dry run leaves nothing',
      body: BulkRequest,
      response: { 200: BulkOutcome, default: PROBLEM_RESPONSE },
    },
    handler: async ({ body, caller }) => emit(service.bulk(body, caller, await service.tableClasses(caller)), caller),
  })

  app.post('/api/log-discovery/:pid/approve', {
    config: { role: 'reviewer' },
    serializerCompiler: plainAnswers,
    schema: {
      tags: TAGS,
      summary: 'Approve a candidate, with edits if it needs any: what it becomes stands in the session at once',
      params: Pid,
      body: z.strictObject({ edits: ProposalEdits.optional(), note }).nullish(),
      response: { 200: Decided, default: PROBLEM_RESPONSE },
    },
    handler: async (request, reply) => {
      const { params, body, caller } = request
      const about = { ...body, ifVersion: ifVersion(request), taken: await service.tableClasses(caller) }
      const { proposal, session_entry, brought_along: along = [] } = emit(service.decide(params.pid, 'approve', about, caller), caller)
      void tagged(reply, proposal)
      return { proposal, session_entry, brought_along: [...along] }
    },
  })

  for (const action of ['reject', 'defer', 'undo'] as const) {
    app.post(`/api/log-discovery/:pid/${action}`, {
      config: { role: 'reviewer' },
      serializerCompiler: plainAnswers,
      schema: {
        tags: TAGS,
        summary: action === 'undo' ? 'Take back the last decision or edit, and what it added to the session' : `${action} a candidate`,
        params: Pid,
        body: z.strictObject({ note }).nullish(),
        response: { 200: Decided, default: PROBLEM_RESPONSE },
      },
      handler: async (request, reply) => {
        const { params, body, caller } = request
        const { proposal } = emit(service.decide(params.pid, action, { ...body, ifVersion: ifVersion(request) }, caller), caller)
        void tagged(reply, proposal)
        return { proposal }
      },
    })
  }

  app.post('/api/log-discovery/:pid/edit', {
    config: { role: 'reviewer' },
    serializerCompiler: plainAnswers,
    schema: {
      tags: TAGS,
      summary: 'Rename, relabel, raise the severity, set the window of an edge, or demote it to a relationship; the state stays',
      params: Pid,
      body: z.strictObject({ edits: ProposalEdits, note }),
      response: { 200: Decided, default: PROBLEM_RESPONSE },
    },
    handler: async (request, reply) => {
      const { params, body, caller } = request
      const about = { note: body.note, ifVersion: ifVersion(request), taken: await service.tableClasses(caller) }
      const { proposal } = emit(service.edit(params.pid, body.edits, about, caller), caller)
      void tagged(reply, proposal)
      return { proposal }
    },
  })

  app.post('/api/log-discovery/:pid/merge', {
    config: { role: 'reviewer' },
    serializerCompiler: plainAnswers,
    schema: {
      tags: TAGS,
      summary: 'Merge a candidate into another of its kind, named by pid or by name, which then covers its templates',
      params: Pid,
      body: z.strictObject({ into: z.string().min(1).max(200), note }),
      response: { 200: Merged, default: PROBLEM_RESPONSE },
    },
    handler: async (request, reply) => {
      const { params, body, caller } = request
      const { proposal, merged_into } = emit(service.merge(params.pid, body.into, { note: body.note, ifVersion: ifVersion(request) }, caller), caller)
      void tagged(reply, proposal)
      return { proposal, merged_into }
    },
  })
}
