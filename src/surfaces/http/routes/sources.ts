/** /api/sources and /api/flavors: what may be asked about. An address, a path or a password of a source never leaves. */
import { z } from 'zod'
import { SourceName, Tier } from '../../../contracts/index.ts'
import { emit, emitPublic } from '../../emit.ts'
import type { App, RouteParts } from '../parts.ts'
import { PROBLEM_RESPONSE } from '../problems.ts'
import { Ceiling, lowered } from './reads.ts'

const TAGS = ['sources']
const Dialect = z.enum(['sqlite', 'postgres', 'mysql'])
const Line = z.object({
  name: z.string(),
  dialect: Dialect.nullable(),
  flavor: z.string().nullable(),
  max_tier: Tier,
  state: z.enum(['untried', 'ready', 'unavailable']),
})
const Sources = z.object({ sources: z.array(Line) })
const Flavors = z.object({ flavors: z.array(z.object({ name: z.string(), label: z.string(), example: z.string().nullable() })) })
const Tested = z.object({
  name: z.string(), state: z.literal('ready'), dialect: Dialect, engine: z.string(),
  dangers: z.array(z.string()), notes: z.array(z.string()),
})
const Introspected = z.object({
  name: z.string(),
  dialect: Dialect,
  tables: z.int(),
  columns: z.int(),
  columns_by_tier: z.record(Tier, z.int()),
  foreign_keys: z.int(),
  inferred_keys: z.array(
    z.object({
      table: z.string(), columns: z.array(z.string()), ref_table: z.string(), ref_columns: z.array(z.string()),
      evidence: z.string(),
    }),
  ),
})
const Named = z.strictObject({ name: SourceName })
const Nothing = z.strictObject({}).nullish()
const NewSource = z
  .strictObject({
    name: SourceName,
    file: z.string().min(1).max(1024).optional().describe('a file below the folder of serve --sources-dir'),
    env: z.string().min(1).max(128).optional().describe('the environment variable that holds the address'),
    flavor: z.string().max(64).optional(),
    max_tier: Tier.optional(),
  })
  .refine(({ file, env }) => (file === undefined) !== (env === undefined), { message: 'name a file or an env, and not both' })
  .meta({ id: 'NewSource' })

export function sourceRoutes(app: App, { service }: RouteParts): void {
  app.get('/api/sources', {
    config: { role: 'reader' },
    schema: { tags: TAGS, summary: 'Configured databases', response: { 200: Sources, default: PROBLEM_RESPONSE } },
    handler: async () => emitPublic({ sources: service.sources.list() }),
  })

  app.post('/api/sources', {
    config: { role: 'admin' },
    schema: {
      tags: TAGS, summary: 'Add a database and keep it in wherefore.json', body: NewSource,
      response: { 201: Line, default: PROBLEM_RESPONSE },
    },
    handler: async ({ body }, reply) => reply.code(201).send(emitPublic(await service.sources.add(body))),
  })

  app.post('/api/sources/:name/test', {
    config: { role: 'admin' },
    schema: {
      tags: TAGS, summary: 'Open a database and say what its role could do', params: Named, body: Nothing,
      response: { 200: Tested, default: PROBLEM_RESPONSE },
    },
    handler: async ({ params }) => {
      const { dangers, notes, ...rest } = emitPublic(await service.sources.test(params.name))
      return { ...rest, dangers: [...dangers], notes: [...notes] }
    },
  })

  app.post('/api/sources/:name/introspect', {
    config: { role: 'author' },
    schema: {
      tags: TAGS, summary: 'Read the schema again: counts, and foreign keys that were inferred, with their evidence',
      params: Named, querystring: z.strictObject(Ceiling), body: Nothing,
      response: { 200: Introspected, default: PROBLEM_RESPONSE },
    },
    handler: async (request) => {
      const caller = lowered(request.caller, request.query.max_tier)
      return emit(await service.sources.introspect(request.params.name, caller), caller) as z.infer<typeof Introspected>
    },
  })

  app.get('/api/flavors', {
    config: { role: 'reader' },
    schema: { tags: TAGS, summary: 'Domains, with an example', response: { 200: Flavors, default: PROBLEM_RESPONSE } },
    handler: async () => emitPublic({ flavors: service.flavors() }),
  })
}
