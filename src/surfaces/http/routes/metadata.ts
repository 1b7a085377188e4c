/** /api/metadata: what is said about tables and columns, within the caller's ceiling, and who said it. */
import { z } from 'zod'
import { MetadataRow, StoredMetadata } from '../../../contracts/index.ts'
import { emit } from '../../emit.ts'
import { namesWeakly, permits, quoted } from '../etags.ts'
import type { App, RouteParts } from '../parts.ts'
import { PROBLEM_RESPONSE } from '../problems.ts'
import { Ceiling, lowered } from './reads.ts'

const TAGS = ['metadata']
const Rows = z.object({ rows: z.array(StoredMetadata), etag: z.string() }).meta({ id: 'Metadata' })
const Place = z.string().min(1).max(256)
const Said = z.record(z.string(), z.unknown())
const History = z.object({
  history: z.array(
    z.object({
      table_name: z.string(),
      column_name: z.string().nullable(),
      author: z.string(),
      proposed: z.boolean(),
      before: Said.nullable(),
      after: Said,
      at: z.string(),
    }),
  ),
})

export function metadataRoutes(app: App, { service }: RouteParts): void {
  app.get('/api/metadata', {
    config: { role: 'reader' },
    schema: {
      tags: TAGS,
      summary: 'Labels, synonyms, tiers and axioms, as proposed or as people set them',
      querystring: z.strictObject(Ceiling),
      response: { 200: Rows, 304: z.undefined().describe('unchanged'), default: PROBLEM_RESPONSE },
    },
    handler: async (request, reply) => {
      const caller = lowered(request.caller, request.query.max_tier)
      const view = emit(await service.metadata.list(caller), caller)
      void reply.header('etag', quoted(view.etag)).header('cache-control', 'private, no-cache').header('vary', 'authorization')
      if (namesWeakly(request.headers['if-none-match'], view.etag)) return reply.code(304).send()
      return { etag: view.etag, rows: [...view.rows] }
    },
  })

  app.put('/api/metadata', {
    config: { role: 'author' },
    schema: {
      tags: TAGS,
      summary: "Set rows: each one sent becomes the caller's word, the others stay; If-Match guards against lost updates",
      querystring: z.strictObject(Ceiling),
      body: z.strictObject({ rows: z.array(MetadataRow).min(1).max(5000) }),
      response: { 200: Rows, default: PROBLEM_RESPONSE },
    },
    handler: async (request, reply) => {
      const caller = lowered(request.caller, request.query.max_tier)
      const header = request.headers['if-match']
      const view = emit(await service.metadata.set(request.body.rows, caller, (etag) => permits(header, etag)), caller)
      void reply.header('etag', quoted(view.etag))
      return { etag: view.etag, rows: [...view.rows] }
    },
  })

  app.get('/api/metadata/history', {
    config: { role: 'reader' },
    schema: {
      tags: TAGS,
      summary: 'Every change to a table and its columns, or to one column, oldest first',
      querystring: z.strictObject({ ...Ceiling, table: Place, column: Place.optional() }),
      response: { 200: History, default: PROBLEM_RESPONSE },
    },
    handler: async (request) => {
      const { table, column, max_tier } = request.query
      const caller = lowered(request.caller, max_tier)
      const of = column === undefined ? { table } : { table, column }
      const { history } = emit(await service.metadata.history(of, caller), caller)
      return { history: [...history] }
    },
  })
}
