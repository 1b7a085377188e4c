/** /api/pipeline: phases as jobs in the background, one at a time, with their progress as a stream. */
import { z } from 'zod'
import { LIMITS, Tier } from '../../../contracts/index.ts'
import { JOB_STATES } from '../../../runtime/index.ts'
import type { JobView } from '../../../runtime/index.ts'
import { emit } from '../../emit.ts'
import { bugLine } from '../log.ts'
import type { App, RouteParts } from '../parts.ts'
import { PROBLEM_RESPONSE, ProblemBody } from '../problems.ts'
import { STREAM_RESPONSE, frames, sendStream, untilGone } from '../stream.ts'

const TAGS = ['pipeline']
const HEARTBEAT_MS = LIMITS.heartbeat_seconds * 1000
const JobId = z.strictObject({ job_id: z.string().min(1).max(64) })
const Options = z
  .strictObject({
    source: z.string().min(1).max(256).optional().describe('the name of a configured source'),
    log_path: z.string().min(1).max(4096).optional().describe('a folder below log_roots'),
    max_tier: Tier.optional().describe('the ceiling of the files; no higher than the grant'),
    window_seconds: z.number().positive().max(1_000_000).optional(),
    ignore_windows: z.boolean().optional(),
    entity_join: z.boolean().optional(),
    unique_names: z.boolean().optional().describe('phase reason: false lets axioms say that two names are one thing'),
    rdf12: z.boolean().optional().describe('phase reason: lineage with the reifiers of RDF 1.2'),
    direct_mapping: z.boolean().optional().describe('phase abox: the W3C direct mapping instead of instances'),
  })
  .nullish()
const Job = z
  .object({
    job_id: z.string(),
    phase: z.string(),
    state: z.enum(JOB_STATES),
    max_tier: Tier,
    started_by: z.string(),
    phases: z.array(
      z.object({ phase: z.string(), ms: z.number(), counts: z.record(z.string(), z.number()), files: z.array(z.string()) }),
    ),
    problem: ProblemBody.nullable(),
  })
  .meta({ id: 'Job' })

/** The schema's types are mutable, the service's are not; the value is only written out. */
const asBody = (view: JobView): z.infer<typeof Job> => structuredClone(view) as z.infer<typeof Job>

export function pipelineRoutes(app: App, { service, stopping, log, heartbeatMs = HEARTBEAT_MS }: RouteParts): void {
  app.get('/api/pipeline', {
    config: { role: 'admin' },
    schema: {
      tags: TAGS, summary: 'Jobs since the start, newest first',
      response: { 200: z.object({ jobs: z.array(Job) }), default: PROBLEM_RESPONSE },
    },
    handler: async ({ caller }) => ({ jobs: emit(service.jobs.list(caller), caller).map(asBody) }),
  })

  app.post('/api/pipeline/:phase', {
    config: { role: 'admin' },
    schema: {
      tags: TAGS,
      summary: 'Run a phase in the background; 409 names the writer that is already at work',
      params: z.strictObject({ phase: z.string().min(1).max(64) }),
      body: Options,
      response: { 202: z.object({ job_id: z.string() }), default: PROBLEM_RESPONSE },
    },
    handler: async ({ id, params, body, caller }, reply) => {
      const asked = {
        source: body?.source,
        logPath: body?.log_path,
        maxTier: body?.max_tier,
        windowSeconds: body?.window_seconds,
        ignoreWindows: body?.ignore_windows,
        entityJoin: body?.entity_join,
        uniqueNames: body?.unique_names,
        rdf12: body?.rdf12,
        directMapping: body?.direct_mapping,
      }
      const options = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined))
      const { job_id } = emit(await service.jobs.start(params.phase, options, caller, id), caller)
      return reply.code(202).header('location', `/api/pipeline/${job_id}`).send({ job_id })
    },
  })

  app.get('/api/pipeline/:job_id', {
    config: { role: 'admin' },
    schema: { tags: TAGS, summary: 'How a job stands', params: JobId, response: { 200: Job, default: PROBLEM_RESPONSE } },
    handler: async ({ params, caller }) => asBody(emit(service.jobs.view(params.job_id, caller), caller)),
  })

  app.get('/api/pipeline/:job_id/events', {
    config: { role: 'admin' },
    schema: {
      tags: TAGS,
      summary: 'Progress lines, each phase with its counts, then done or error; Last-Event-ID goes on where a listener left off',
      params: JobId,
      response: { 200: STREAM_RESPONSE, default: PROBLEM_RESPONSE },
    },
    handler: (request, reply) => {
      const { id, params, caller, headers } = request
      const last = Number(headers['last-event-id'] ?? 0)
      const after = Number.isSafeInteger(last) && last > 0 ? last : 0
      // leaving ends the listening, not the job
      const signal = AbortSignal.any([untilGone(reply), stopping])
      const events = emit(service.jobs.events(params.job_id, caller, { after, signal }), caller)
      const onBug = (error: unknown) => log?.bug(bugLine(error, id))
      return sendStream(reply, frames(events, { requestId: id, heartbeatMs, stopping, onBug }))
    },
  })

  app.post('/api/pipeline/:job_id/cancel', {
    config: { role: 'admin' },
    schema: {
      tags: TAGS, summary: 'Ask a job to stop; the phase under way ends whole', params: JobId, body: z.strictObject({}).nullish(),
      response: { 202: Job, default: PROBLEM_RESPONSE },
    },
    handler: async ({ params, caller }, reply) => {
      const view = emit(service.jobs.cancel(params.job_id, caller), caller)
      return reply.code(202).send(asBody(view))
    },
  })
}
