/** The tools and files as an agent gets them over /mcp. */
import type { SearchAnswer } from '../../src/contracts/index.ts'
import { className, openQuestions, quotingQuestions, reachingQuestions } from './twin-asks.ts'
import type { Channel } from './twin-channels.ts'
import { hiddenAt } from './twin-draft.ts'

const HEADERS = { accept: 'application/json, text/event-stream' }

export const agents: Channel = async ({ seen, draft, ceiling, rows, size, askers }) => {
  const send = async (who: string, method: string, params: object = {}) => {
    const reply = await seen.world.call('POST', '/mcp', who, { jsonrpc: '2.0', id: 1, method, params }, HEADERS)
    const body = unquoted(reply.body)
    // the ids of graphs differ between any two runs
    const label = `${method} ${JSON.stringify(params)} as ${who}`.replace(/"subgraph_id":"[^"]*"/, '"subgraph_id":null')
    seen.reply(label, { ...reply, statusCode: reply.statusCode, headers: reply.headers, body })
    return body
  }
  const call = (who: string, name: string, given: object) => send(who, 'tools/call', { name, arguments: given, _meta: { progressToken: 'p' } })

  const [hidden] = hiddenAt(draft, ceiling).columns
  const [table, column] = hidden === undefined ? [draft.tables[0]!.name, 'name'] : [hidden[0].name, hidden[1].name]
  const cls = className(table)
  const questions = [openQuestions(draft, ceiling), reachingQuestions(draft, ceiling), quotingQuestions(draft, ceiling, ...rows)]

  for (const [at, { who, max_tier }] of askers.entries()) {
    await call(who, 'vocabulary', { max_tier, q: column })
    // each kind of question is put by one of them, by another for another seed
    const asks = questions[(draft.seed + at) % questions.length] ?? []
    const question = asks[draft.seed % asks.length] ?? 'x'
    const body = await call(who, 'search', { question, max_tier, materialize: true, timeout_ms: 60_000 })
    const graph = answerOf(body)?.subgraph.id
    if (graph !== undefined && graph !== null) await call(who, 'sparql', { subgraph_id: graph, query: 'SELECT ?s ?p ?o WHERE { ?s ?p ?o } ORDER BY ?s ?p ?o' })
    await call(who, 'search', { question: 'x', db_path: table, max_tier })
    await call(who, 'explain', { subject: `record:${cls}/1`, predicate: `:${cls}.${column}`, object: String(rows[at % 2]?.get(table)?.[0]?.[column]), max_tier })
    await call(who, 'rca', { event: cls, max_tier })
  }
  // a preview starts a thread of its own
  if (size > 2) await call(ceiling, 'rule_preview', { rule: { kind: 'datalog', body: `seen(?x) :- ${cls}(${column}: ?x).` }, data: 'graph' })
  await send(ceiling, 'tools/list')
  await send(ceiling, 'resources/list')
  await send(ceiling, 'resources/read', { uri: 'wherefore://files/ontology/enterprise.ttl' })
}

/** The text of a result is JSON within JSON: written out, so that times in it are found. */
const unquoted = (body: string): string =>
  body.replaceAll(/"text":("(?:[^"\\]|\\.)*")/g, (whole, text: string) => {
    const inner: string = JSON.parse(text)
    return inner.startsWith('{') ? `"text":${inner}` : whole
  })

/** The answer in the last message of a stream. */
function answerOf(body: string): SearchAnswer | undefined {
  const last = body.split('\n').filter((line) => line.startsWith('data: ')).at(-1)
  return last === undefined ? undefined : JSON.parse(last.slice(6)).result?.structuredContent
}
