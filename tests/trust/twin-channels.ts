/** The ways out of the service: each asks both worlds the same, and hands over everything that came back. */
import { vi } from 'vitest'
import type { MaterialisedPage, Plan, SearchAnswer, Tier } from '../../src/contracts/index.ts'
import { main } from '../../src/surfaces/cli/program.ts'
import { caller } from '../support.ts'
import {
  className, foldingPlans, joiningPlans, openQuestions, oraclePlans, orderingPlans, quotingQuestions, reachingPlans, reachingQuestions,
  whyQuestions,
} from './twin-asks.ts'
import { type Draft, hiddenAt } from './twin-draft.ts'
import { agents } from './twin-mcp.ts'
import { review } from './twin-review.ts'
import type { Rows } from './twin-rows.ts'
import { rules } from './twin-rules.ts'
import { type Asker, type Seen, filesBelow, steadyMetrics } from './twin-world.ts'

export interface Asked {
  readonly seen: Seen
  readonly draft: Draft
  readonly ceiling: Tier
  /** the rows of the one and of the other: questions quote both to both */
  readonly rows: readonly [Rows, Rows]
  /** how many asks of a kind */
  readonly size: number
  /** three callers under the ceiling */
  readonly askers: readonly Asker[]
}

export type Channel = (asked: Asked) => Promise<void>

/** `count` of them, spread over the whole list, others for another seed. */
function spread<T>(from: readonly T[], count: number, seed: number): T[] {
  if (from.length <= count) return [...from]
  const step = from.length / count
  return Array.from({ length: count }, (_, at) => from[Math.floor(at * step + (seed % Math.ceil(step))) % from.length] as T)
}

const LONG = { timeout_ms: 60_000 }

const questions =
  (list: (asked: Asked) => readonly string[], url = '/api/search', more: object = {}): Channel =>
  async (asked) => {
    for (const [at, question] of spread(list(asked), asked.size, asked.draft.seed).entries()) {
      const { askers } = asked
      // a question is put by two of the three kinds of caller, in turn
      for (const { who, max_tier } of [askers[0]!, askers[1 + (at % 2)]!]) {
        await asked.seen.post(url, who, { question, max_tier, ...LONG, ...more })
      }
    }
  }

const plans =
  (list: (asked: Asked) => readonly Plan[], times = 1): Channel =>
  async (asked) => {
    for (const [at, plan] of spread(list(asked), asked.size * times, asked.draft.seed).entries()) {
      const { who, max_tier } = asked.askers[at % 3]!
      await asked.seen.post('/api/search', who, { question: 'as planned', max_tier, plan, materialize: at % 4 === 0, ...LONG })
    }
  }

const open = ({ draft, ceiling }: Asked): string[] => openQuestions(draft, ceiling)
const reaching = ({ draft, ceiling }: Asked): string[] => reachingQuestions(draft, ceiling)
const quoting = ({ draft, ceiling, rows }: Asked): string[] => quotingQuestions(draft, ceiling, ...rows)
const why = ({ draft, rows }: Asked): string[] => whyQuestions(draft, rows[0], false)
const whyNot = ({ draft, rows }: Asked): string[] => whyQuestions(draft, rows[0], true)

/** Probing every hidden column takes its time. */
const EVERY_COLUMN = process.env['WHEREFORE_FULL'] !== undefined

/** A binary search for a hidden value: all steps must look the same, in both worlds. */
const oracle: Channel = async ({ seen, draft, ceiling, size, askers }) => {
  const answers = new Set<string>()
  for (const probes of oraclePlans(draft, ceiling, EVERY_COLUMN ? Infinity : Math.ceil(size / 6))) {
    for (const [at, plan] of probes.entries()) {
      const { who, max_tier } = askers[at % 3]!
      const { body, statusCode } = await seen.world.call('POST', '/api/search', who, { question: 'probe', max_tier, plan })
      answers.add(`${statusCode} ${body.replace(/"request_id":"[^"]*"/, '')}`)
    }
    seen.add('probes', [...answers].toSorted().join('\n'))
    if (answers.size !== 1) seen.add('an oracle', `${JSON.stringify(probes[0])} was answered in ${answers.size} ways, by ${seen.world.folder}`)
    answers.clear()
  }
}

const sparql: Channel = async ({ seen, draft, ceiling, rows, size, askers }) => {
  const asks = spread([...openQuestions(draft, ceiling), ...whyQuestions(draft, rows[0], false)], Math.ceil(size / 3), draft.seed)
  for (const [at, question] of asks.entries()) {
    const { who, max_tier } = askers[at % 3]!
    const reply = await seen.post('/api/search', who, { question, max_tier, materialize: true, ...LONG })
    if (reply.statusCode !== 200) continue
    const { run_id, subgraph } = reply.json<SearchAnswer>()
    const query = 'SELECT ?s ?p ?o WHERE { ?s ?p ?o } ORDER BY ?s ?p ?o'
    await seen.post('/api/sparql', who, { run_id, query }, { accept: ['text/csv', 'application/sparql-results+xml'][at % 2]! })
    await seen.post('/api/sparql', who, { subgraph_id: subgraph.id ?? 'none', query: 'ASK { ?s ?p 1 }' })
  }
}

const WRONG: readonly unknown[] = [
  {}, { question: '' }, { question: 'x', max_tier: 'Secret' }, { question: 'x', flavor: '../twin' }, { question: 'x', db_path: 'other' },
  { question: 'x', providers: 'nobody' }, { question: 'x', more: 1 }, { question: 'x', context: 'nosuch' },
]

const errors: Channel = async ({ seen, draft, ceiling }) => {
  const hidden = hiddenAt(draft, ceiling)
  const names = [...hidden.tables.map(({ name }) => name), ...hidden.columns.slice(0, 3).map(([, { name }]) => name)]
  for (const body of WRONG) await seen.post('/api/search', ceiling, body)
  for (const name of names) {
    await seen.post('/api/search', ceiling, { question: 'x', db_path: name })
    await seen.post('/api/search', ceiling, { question: 'x', flavor: name })
    await seen.post('/api/search', ceiling, { question: 'x', plan: { intent: 'list', from: name, select: [{ path: [name] }] } })
    await seen.get(`/api/${name}`, ceiling)
    await seen.get(`/api/ontology/vocabulary?source=${name}`, ceiling)
  }
}

const vocabulary: Channel = async ({ seen, askers }) => {
  for (const { who, max_tier } of askers) {
    const { headers } = await seen.get(`/api/ontology/vocabulary?max_tier=${max_tier}`, who)
    await seen.get(`/api/ontology/vocabulary?max_tier=${max_tier}`, who, { 'if-none-match': String(headers['etag']) })
  }
}

const suggest: Channel = async ({ seen, draft, ceiling, rows, size, askers }) => {
  const hidden = hiddenAt(draft, ceiling)
  const typed = [
    ...quotingQuestions(draft, ceiling, ...rows).map((question) => question.slice(0, 30)),
    ...hidden.tables.map(({ name }) => `How many ${name.slice(0, 4)}`), ...hidden.columns.map(([, { name }]) => name.slice(0, 4)),
    'Which ', 'amb', 'other', 'a', draft.tables[0]?.name.slice(0, 3) ?? '',
  ]
  for (const q of spread(typed, size * 2, draft.seed)) {
    for (const { who, max_tier } of askers.slice(1)) await seen.get(`/api/suggest?${new URLSearchParams({ q, max_tier, limit: '20' })}`, who)
  }
}

const runs: Channel = async ({ seen, draft, ceiling, rows, size }) => {
  const asked = [
    ...spread(openQuestions(draft, ceiling), size, draft.seed), ...spread(reachingQuestions(draft, ceiling), size, draft.seed),
    ...spread(whyQuestions(draft, rows[0], false), 1, draft.seed),
  ]
  for (const question of asked) {
    const reply = await seen.post('/api/search', ceiling, { question, max_tier: ceiling, ...LONG })
    if (reply.statusCode !== 200) continue
    const { run_id, claims } = reply.json<SearchAnswer>()
    await seen.get(`/api/search/runs/${run_id}`, ceiling)
    await seen.get(`/api/search/runs/${run_id}/events`, ceiling)
    for (const { id } of claims.slice(0, 2)) await seen.get(`/api/search/runs/${run_id}/claims/${id}`, ceiling)
    await seen.post(`/api/search/runs/${run_id}/feedback`, ceiling, { right: true })
  }
  await seen.get('/api/search/runs?limit=100', ceiling)
}

/** A follow-up stands on the earlier run's plan. */
const followUps: Channel = async ({ seen, draft, ceiling, size }) => {
  const thing = draft.tables[0]?.name ?? ''
  const hidden = spread(hiddenAt(draft, ceiling).columns.map(([, { name }]) => name.replaceAll('_', ' ')), size, draft.seed)
  const first = await seen.post('/api/search', ceiling, { question: `List the ${thing}s`, max_tier: ceiling, ...LONG })
  const context = first.statusCode === 200 ? first.json<SearchAnswer>().run_id : 'none'
  for (const question of ['How many of them are there?', ...hidden.flatMap((name) => [`Which of those have a ${name} above 10?`, `What is the ${name} of them?`])]) {
    await seen.post('/api/search', ceiling, { question, context, max_tier: ceiling, ...LONG })
  }
}

/** The run of a caller who sees everything, as others may read it: not at all. */
const runsOfOthers: Channel = async ({ seen, draft, ceiling, size }) => {
  for (const question of spread(reachingQuestions(draft, ceiling), size, draft.seed)) {
    const { body } = await seen.world.call('POST', '/api/search', 'Restricted', { question, max_tier: 'Restricted', materialize: true, ...LONG })
    const { run_id, subgraph } = JSON.parse(body) as Partial<SearchAnswer>
    for (const path of ['', '/events', '/claims/c1']) await seen.get(`/api/search/runs/${run_id}${path}`, ceiling)
    await seen.post('/api/sparql', ceiling, { run_id, query: 'SELECT ?s WHERE { ?s ?p ?o }' })
    // whether others have a graph at all may follow what is hidden, so the id that is asked for is not part of what is compared
    const graph = { subgraph_id: subgraph?.id ?? 'none', query: 'SELECT ?s WHERE { ?s ?p ?o }' }
    seen.reply('POST /api/sparql, the graph of another', await seen.world.call('POST', '/api/sparql', ceiling, graph))
    await seen.post('/api/search', ceiling, { question, context: run_id, max_tier: ceiling })
  }
  await seen.get('/api/search/runs', `${ceiling}:reader`)
}

const metadata: Channel = async ({ seen, draft, ceiling, askers }) => {
  const hidden = hiddenAt(draft, ceiling)
  const places = [...hidden.columns.map(([table, column]) => [table.name, column.name]), ...hidden.tables.map(({ name }) => [name, 'name'])]
  await seen.get('/api/metadata', ceiling)
  for (const { who, max_tier } of askers) await seen.get(`/api/metadata?max_tier=${max_tier}`, who)
  for (const [table = '', column = ''] of places.slice(0, 6)) {
    await seen.get(`/api/metadata/history?${new URLSearchParams({ table, column })}`, ceiling)
    await seen.world
      .call('PUT', '/api/metadata', ceiling, { rows: [{ target_type: 'column', table_name: table, column_name: column, label: 'x' }] })
      .then((reply) => seen.reply(`PUT ${table}.${column}`, reply))
  }
}

const sources: Channel = async ({ seen, ceiling }) => {
  for (const url of ['/api/sources', '/api/flavors', '/live', '/ready', '/health', '/api/session']) await seen.get(url, ceiling)
  for (const action of ['introspect', 'test']) await seen.post(`/api/sources/twin/${action}`, ceiling, undefined)
  await seen.get('/api/log-discovery/summary', ceiling)
  await seen.get('/api/log-discovery/candidates', ceiling)
}

/** Saved questions of a caller under the ceiling, beside one of somebody who sees more. */
const competency: Channel = async ({ seen, draft, ceiling, size }) => {
  const ask = (questions: readonly string[], max_tier: Tier, mark: string) =>
    questions.map((question, at) => ({ id: `${mark}${at}`, question, max_tier, expect: { status: 'ok', min_rows: 1 } }))
  const hidden = spread(reachingQuestions(draft, ceiling), size, draft.seed)
  await seen.world.call('PUT', '/api/competency-questions', 'Restricted', { questions: ask(hidden, 'Restricted', 'r') })
  await seen.get('/api/competency-questions', ceiling)
  const questions = ask([...spread(openQuestions(draft, ceiling), size, draft.seed), ...hidden], ceiling, 'q')
  seen.reply('PUT', await seen.world.call('PUT', '/api/competency-questions', ceiling, { questions }))
  await seen.post('/api/competency-questions/run', ceiling, {})
  await seen.get('/api/competency-questions', ceiling)
}

/** Files made under the ceiling, and what is derived and explained from them. */
const files: Channel = async (asked) => {
  const { seen, ceiling } = asked
  const done = await seen.world.service.runPhase('all', { maxTier: ceiling })
  seen.add('phases', JSON.stringify(done))
  for (const [path, text] of filesBelow(`${seen.world.folder}/output`)) seen.add(path, text)
  await derived(asked)
}

/** Files made by somebody who sees everything, as one sees them under the ceiling. */
const filesOfOthers: Channel = async (asked) => {
  const { seen, ceiling } = asked
  await seen.world.service.runPhase('all', { maxTier: 'Restricted' })
  const listed = await seen.get('/api/files', ceiling)
  for (const { path } of listed.json<{ files: { path: string }[] }>().files) await seen.get(`/api/files/${path}`, ceiling)
  for (const path of ['ontology/instances.ttl', 'ontology/enterprise.ttl', 'ontology/log-events.ttl', 'ontology/materialised.ttl']) await seen.get(`/api/files/${path}`, ceiling)
  await derived(asked)
}

async function derived({ seen, draft, ceiling, rows: both, size }: Asked): Promise<void> {
  const page = await seen.get('/api/materialised/triples?limit=50', ceiling)
  const shown = page.json<MaterialisedPage>().triples
  const hidden = hiddenAt(draft, ceiling)
  const guesses = [
    ...hidden.tables.map(({ name }) => ({ subject: `record:${className(name)}/1`, predicate: 'a', object: `:${className(name)}` })),
    ...hidden.columns.flatMap(([table, { name }]) =>
      both.flatMap((rows) => {
        const [cls, object] = [className(table.name), String(rows.get(table.name)?.[0]?.[name])]
        return ['rdfs:label', `:${cls}.${name}`].map((predicate) => ({ subject: `record:${cls}/1`, predicate, object }))
      }),
    ),
  ]
  const known = shown.map(({ triple: { subject, predicate, object } }) => ({ subject, predicate, object }))
  for (const triple of [...spread(known, size / 3, draft.seed), ...spread(guesses, size * 2, draft.seed)]) {
    const query = new URLSearchParams(triple).toString()
    await seen.get(`/api/explain?${query}&depth=4`, ceiling)
    await seen.get(`/api/why-not?${query}`, ceiling)
    await seen.get(`/api/explain?${query}&max_tier=${ceiling}`, 'Restricted')
  }
}

/** The same events as a program in this process gets them, and a stored answer held against the database again. */
const sdk: Channel = async ({ seen, draft, ceiling, rows, size }) => {
  const asks = [...spread(openQuestions(draft, ceiling), size, draft.seed + 1), ...spread(reachingQuestions(draft, ceiling), 2, draft.seed), ...spread(whyQuestions(draft, rows[0], false), 1, draft.seed)]
  for (const question of asks) {
    const request = { question, max_tier: ceiling, materialize: true, k: 5, limit: 200, clarify: true, fallback: true, confirm_residency: false, resumable: false, ...LONG }
    for await (const event of seen.world.service.search(request, caller('Restricted'), { requestId: 'r' })) {
      seen.add(question, JSON.stringify(event))
      if (event.event !== 'answer' || event.data.status !== 'ok') continue
      const { value } = await seen.world.service.verify(structuredClone(event.data), { maxTier: ceiling }, caller(ceiling))
      seen.add(`verified ${question}`, JSON.stringify(value))
    }
  }
}

const commandLine: Channel = async ({ seen, draft, ceiling, size, askers }) => {
  const thing = draft.tables[0]?.name ?? ''
  const hidden = hiddenAt(draft, ceiling).columns[draft.seed % 3]?.[1].name.replaceAll('_', ' ')
  const calls = [
    ['search', `List the ${thing}s`, '--max-tier', ceiling, '--materialize'],
    ['search', `What is the ${hidden} of the ${thing}s?`, '--max-tier', ceiling, '--json'],
  ]
  for (const call of spread(calls, Math.ceil(size / 6), draft.seed)) {
    const env = { SERVICE_CONFIG: `${seen.world.folder}/wherefore.json`, SERVICE_SEARCH: '1', SERVICE_MAX_TIER: askers.at(-1)?.who ?? ceiling }
    const { code, text } = await commandText(call, env)
    seen.add(call.join(' '), `${code}\n${text.replaceAll(/[\d.]+ ms/g, 'ms').replaceAll(/"(ms|plan|execute|relations|reason|synthesize)": [\d.]+/g, '"$1": 0')}`)
  }
}

/** Runs a command in this process; everything it would print, and its exit code. */
export async function commandText(call: readonly string[], env: Readonly<Record<string, string>>): Promise<{ code: number; text: string }> {
  const lines: string[] = []
  const take = (...parts: unknown[]): void => void lines.push(parts.join(' '))
  const write = (part: unknown): boolean => lines.push(String(part)) > 0
  const spies = [
    vi.spyOn(console, 'log').mockImplementation(take), vi.spyOn(console, 'error').mockImplementation(take),
    vi.spyOn(process.stdout, 'write').mockImplementation(write), vi.spyOn(process.stderr, 'write').mockImplementation(write),
  ]
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  const before = process.exitCode
  try {
    process.exitCode = undefined
    return { code: await main(call), text: lines.join('\n') }
  } finally {
    process.exitCode = before
    vi.unstubAllEnvs()
    for (const spy of spies) spy.mockRestore()
  }
}

const metrics: Channel = async ({ seen, ceiling }) => {
  seen.add('metrics', steadyMetrics((await seen.world.call('GET', '/metrics', ceiling)).body))
}

const log: Channel = async ({ seen }) => seen.add('log', seen.world.lines.join(''))

/** What the process prints belongs to one of the two, so they are asked one after the other. */
export const ALONE: ReadonlySet<string> = new Set(['command line'])
/** What only concerns callers who may see more. */
export const OF_OTHERS: ReadonlySet<string> = new Set(['runs of others', 'files of others', 'library and verify', 'files and proofs'])
/** Whole phases, and a service made anew for each command: too slow to be run each time. */
export const SLOW: ReadonlySet<string> = new Set(['files and proofs', 'files of others', 'command line', 'review', 'rules'])

/**
 * In this order: what counts comes after what is counted, and before the work of callers who see more. The counters are those of
 * the whole process, and an admin reads in them how much was done for everybody.
 */
/** Kinds of event, whether a graph has them or not. What differs between two graphs is in twin-explain.test.ts. */
const rootCauses: Channel = async ({ seen, draft, ceiling, askers }) => {
  const names = [...hiddenAt(draft, ceiling).tables, ...draft.tables].slice(0, 3).map(({ name }) => className(name))
  for (const [at, event] of names.entries()) {
    const { who, max_tier } = askers[at % 3]!
    await seen.post('/api/insights/rca', who, { event, max_tier })
  }
  await seen.get('/api/insights/rca-presets', ceiling)
}

export const CHANNELS: Readonly<Record<string, Channel>> = {
  'questions within the ceiling': questions(open),
  'questions that name what is hidden': questions(reaching),
  'questions that quote hidden values': questions(quoting),
  'the stream': questions((asked) => [...open(asked), ...reaching(asked), ...why(asked)], '/api/search/stream', { materialize: true }),
  'reasons': questions(why),
  'reasons why not': questions(whyNot),
  'hidden terms in every clause': plans(({ draft, ceiling }) => reachingPlans(draft, ceiling), 3),
  'filter oracle': oracle,
  'aggregates': plans(({ draft, ceiling }) => foldingPlans(draft, ceiling), 2),
  'order and limit': plans(({ draft, ceiling }) => orderingPlans(draft, ceiling), 2),
  'joins and sub-plans': plans(({ draft, ceiling }) => joiningPlans(draft, ceiling), 2),
  'SPARQL': sparql,
  'errors': errors,
  'vocabulary': vocabulary,
  'completion': suggest,
  'runs and claims': runs,
  'follow-ups': followUps,
  'metadata': metadata,
  'sources and health': sources,
  'competency questions': competency,
  'files and proofs': files,
  'library and verify': sdk,
  'command line': commandLine,
  'root causes': rootCauses,
  'MCP': agents,
  'metrics': metrics,
  'log': log,
  'runs of others': runsOfOthers,
  'files of others': filesOfOthers,
  'review': review,
  'rules': rules,
}
