/** /api/rules: rules as people write them, checked before they are kept, tried out before they run. */
import { z } from 'zod'
import {
  LibraryView, PreviewRequest, RuleCoverage, RuleFault, RuleInput, RuleMeta, RuleValidation, RuleView, rulePreviewBody,
} from '../../../contracts/index.ts'
import { emit } from '../../emit.ts'
import { namesWeakly, permits, quoted } from '../etags.ts'
import type { App, RouteParts } from '../parts.ts'
import { PROBLEM_RESPONSE } from '../problems.ts'
import { untilGone } from '../stream.ts'
import { Premise } from './premises.ts'
import { Ceiling, lowered } from './reads.ts'

const TAGS = ['rules']
const PATH = '/api/rules'
const Query = z.strictObject(Ceiling)
const Id = z.object({ id: z.string().max(200) })
const Shown = z.object({ rule: RuleView, warnings: z.array(RuleFault) })

/** `If-Match: *` asks for a rule that is there, `If-None-Match: *` for one that is not. */
const guardOf = (headers: { 'if-match'?: string | undefined; 'if-none-match'?: string | undefined }) => (etag: string | null): boolean => {
  if (headers['if-none-match']?.trim() === '*' && etag !== null) return false
  if (etag === null) return headers['if-match'] === undefined
  return permits(headers['if-match'], etag)
}

export function ruleRoutes(app: App, { service }: RouteParts): void {
  app.get(PATH, {
    config: { role: 'reader' },
    schema: {
      tags: TAGS,
      summary: 'All rules: those of the session, and read-only ones of flavors, libraries and approved edges',
      querystring: Query,
      response: { 200: z.object({ etag: z.string(), rules: z.array(RuleView) }), 304: z.undefined().describe('unchanged'), default: PROBLEM_RESPONSE },
    },
    handler: async (request, reply) => {
      const caller = lowered(request.caller, request.query.max_tier)
      const { rules, etag } = emit(await service.rules.list(caller), caller)
      void reply.header('etag', quoted(etag)).header('cache-control', 'private, no-cache').header('vary', 'authorization')
      if (namesWeakly(request.headers['if-none-match'], etag)) return reply.code(304).send()
      return { etag, rules: [...rules] }
    },
  })

  addQuestions(app, service)

  app.get(`${PATH}/:id`, {
    config: { role: 'reader' },
    schema: {
      tags: TAGS,
      summary: 'One rule; its ETag guards a later change',
      params: Id,
      querystring: Query,
      response: { 200: RuleView, 304: z.undefined().describe('unchanged'), default: PROBLEM_RESPONSE },
    },
    handler: async (request, reply) => {
      const caller = lowered(request.caller, request.query.max_tier)
      const { rule, etag } = emit(await service.rules.get(request.params.id, caller), caller)
      void reply.header('etag', quoted(etag)).header('cache-control', 'private, no-cache').header('vary', 'authorization')
      if (namesWeakly(request.headers['if-none-match'], etag)) return reply.code(304).send()
      return rule
    },
  })

  app.put(`${PATH}/:id`, {
    config: { role: 'author' },
    schema: {
      tags: TAGS,
      summary: 'Save a rule, checked; If-Match guards against lost updates, If-None-Match: * against replacing one',
      params: Id,
      querystring: Query,
      body: RuleInput,
      response: { 200: Shown, 201: Shown, default: PROBLEM_RESPONSE },
    },
    handler: async (request, reply) => {
      const caller = lowered(request.caller, request.query.max_tier)
      const { id } = request.params
      const saved = emit(await service.rules.put(id, request.body, caller, guardOf(request.headers)), caller)
      void reply.header('etag', quoted(saved.etag))
      return reply.code(saved.created ? 201 : 200).send({ rule: saved.rule, warnings: [...saved.warnings] })
    },
  })

  app.delete(`${PATH}/:id`, {
    config: { role: 'author' },
    schema: {
      tags: TAGS,
      summary: 'Remove a rule of the session; the warnings name rules that read what it gave',
      params: Id,
      querystring: Query,
      response: { 200: z.object({ removed: z.string(), warnings: z.array(RuleFault) }), default: PROBLEM_RESPONSE },
    },
    handler: async (request) => {
      const caller = lowered(request.caller, request.query.max_tier)
      const { removed, warnings } = emit(await service.rules.remove(request.params.id, caller, guardOf(request.headers)), caller)
      return { removed, warnings: [...warnings] }
    },
  })
}

/** What is asked about rules and changes none. */
function addQuestions(app: App, service: RouteParts['service']): void {
  app.post(`${PATH}/validate`, {
    config: { role: 'reader' },
    schema: { tags: TAGS, summary: 'What keeps a rule from being saved, with line and column', querystring: Query, body: RuleInput, response: { 200: RuleValidation, default: PROBLEM_RESPONSE } },
    handler: async (request) => {
      const caller = lowered(request.caller, request.query.max_tier)
      return emit(await service.rules.validate(request.body, caller), caller)
    },
  })

  app.post(`${PATH}/compile`, {
    config: { role: 'reader' },
    schema: {
      tags: TAGS,
      summary: 'The SHACL rule that slots stand for',
      querystring: Query,
      body: z.strictObject({ meta: RuleMeta, id: z.string().regex(/^[a-z0-9-]{1,64}$/).optional() }),
      response: { 200: z.object({ body: z.string() }), default: PROBLEM_RESPONSE },
    },
    handler: async (request) => {
      const caller = lowered(request.caller, request.query.max_tier)
      return emit(service.rules.compile(request.body.meta, request.body.id, caller), caller)
    },
  })

  app.post(`${PATH}/summarise`, {
    config: { role: 'reader' },
    schema: { tags: TAGS, summary: 'One sentence of English that says what a rule says', querystring: Query, body: RuleInput, response: { 200: z.object({ nl_summary: z.string() }), default: PROBLEM_RESPONSE } },
    handler: async (request) => {
      const caller = lowered(request.caller, request.query.max_tier)
      return emit(await service.rules.summarise(request.body, caller), caller)
    },
  })

  app.post(`${PATH}/preview`, {
    config: { role: 'reader' },
    schema: {
      tags: TAGS,
      summary: 'Run one rule on made-up data, on the graph or on Turtle; nothing is kept',
      querystring: Query,
      body: PreviewRequest,
      response: { 200: rulePreviewBody(Premise), default: PROBLEM_RESPONSE },
    },
    handler: async (request, reply) => {
      const caller = lowered(request.caller, request.query.max_tier)
      const preview = emit(await service.rules.preview(request.body, caller, { signal: untilGone(reply) }), caller)
      return { ...preview, derived: [...preview.derived], lineage: preview.lineage.map((one) => ({ ...one, premises: [...one.premises] })), errors: [...preview.errors], warnings: [...preview.warnings] }
    },
  })

  app.get(`${PATH}/coverage`, {
    config: { role: 'reader' },
    schema: { tags: TAGS, summary: 'Per class the rules that use it', querystring: Query, response: { 200: RuleCoverage, default: PROBLEM_RESPONSE } },
    handler: async (request) => {
      const caller = lowered(request.caller, request.query.max_tier)
      return emit(await service.rules.coverage(caller), caller)
    },
  })

  app.get(`${PATH}/library`, {
    config: { role: 'reader' },
    schema: {
      tags: TAGS,
      summary: 'The starter libraries',
      querystring: Query,
      response: { 200: z.object({ libraries: z.array(z.object({ name: z.string(), label: z.string(), rules: z.int() })) }), default: PROBLEM_RESPONSE },
    },
    handler: async (request) => {
      const caller = lowered(request.caller, request.query.max_tier)
      return { libraries: [...emit(service.rules.libraries(caller), caller)] }
    },
  })

  app.get(`${PATH}/library/:name`, {
    config: { role: 'reader' },
    schema: {
      tags: TAGS,
      summary: 'The rules of a library, each with whether it fits the ontology here; PUT one to add it',
      params: z.object({ name: z.string().max(200) }),
      querystring: Query,
      response: { 200: LibraryView, default: PROBLEM_RESPONSE },
    },
    handler: async (request) => {
      const caller = lowered(request.caller, request.query.max_tier)
      return emit(await service.rules.library(request.params.name, caller), caller)
    },
  })
}
