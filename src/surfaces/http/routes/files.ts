/** /api/files: the outputs of the pipeline, each within the ceiling that its header names. */
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { Tier } from '../../../contracts/index.ts'
import { emit } from '../../emit.ts'
import { namesWeakly, quoted } from '../etags.ts'
import type { App, RouteParts } from '../parts.ts'
import { PROBLEM_RESPONSE } from '../problems.ts'
import { Ceiling, lowered } from './reads.ts'

const TAGS = ['files']
const Lines = z.object({
  files: z.array(
    z.object({
      name: z.string(), path: z.string(), media_type: z.string(), ceiling: Tier, bytes: z.int(), etag: z.string(),
      has_previous: z.boolean(),
    }),
  ),
})
const Asked = z.strictObject({ ...Ceiling, diff: z.literal('previous').optional().describe('a unified diff to the run before') })
const Segment = z.string().min(1).max(128)
const BODY = {
  200: { description: 'the file, or the diff', content: { '*/*': { schema: z.unknown() } } },
  304: z.undefined().describe('unchanged'),
  default: PROBLEM_RESPONSE,
}

/** A page of ours has its style inline and needs nothing else; what stands in it must not be able to reach out. */
const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export function fileRoutes(app: App, { service }: RouteParts): void {
  app.get('/api/files', {
    config: { role: 'reader' },
    schema: {
      tags: TAGS, summary: 'Output files within the ceiling', querystring: z.strictObject(Ceiling),
      response: { 200: Lines, default: PROBLEM_RESPONSE },
    },
    handler: async (request) => {
      const caller = lowered(request.caller, request.query.max_tier)
      return { files: [...emit(await service.files.list(caller), caller)] }
    },
  })

  const send = async (name: string, asked: z.infer<typeof Asked>, request: FastifyRequest, reply: FastifyReply) => {
    const caller = lowered(request.caller, asked.max_tier)
    if (asked.diff !== undefined) {
      const text = emit(await service.files.diff(name, caller), caller)
      return reply.type('text/x-diff; charset=utf-8').send(text)
    }
    const { etag, media_type: type, bytes, body } = emit(await service.files.read(name, caller), caller)
    void reply.header('etag', quoted(etag)).header('cache-control', 'private, no-cache').header('vary', 'authorization')
    const stream = body as Readable
    if (namesWeakly(request.headers['if-none-match'], etag)) {
      stream.destroy()
      return reply.code(304).send()
    }
    if (type.startsWith('text/html')) void reply.header('content-security-policy', PAGE_POLICY)
    return reply.type(type).header('content-length', bytes).send(stream)
  }

  app.get('/api/files/:name', {
    config: { role: 'reader' },
    schema: {
      tags: TAGS, summary: 'An output file by its name',
      params: z.strictObject({ name: Segment }), querystring: Asked, response: BODY,
    },
    handler: async (request, reply) => send(request.params.name, request.query, request, reply),
  })

  // the links between the files are relative paths, so they lead from one of these to the next
  app.get('/api/files/:folder/:name', {
    config: { role: 'reader' },
    schema: {
      tags: TAGS, summary: 'An output file by its path below the output folder',
      params: z.strictObject({ folder: Segment, name: Segment }), querystring: Asked, response: BODY,
    },
    handler: async (request, reply) => send(`${request.params.folder}/${request.params.name}`, request.query, request, reply),
  })
}
