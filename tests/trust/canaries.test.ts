import { existsSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SearchAnswer, TIERS, type Tier, within } from '../../src/contracts/index.ts'
import { PLANTED, canaryWorld, hits, newCanaries } from './canary-world.ts'
import { plan } from './twin-asks.ts'
import { commandText } from './twin-channels.ts'
import { type TwinWorld, filesBelow } from './twin-world.ts'

/** Planted values of every tier: none above the ceiling may stand in anything that leaves, on any surface. */
const FULL = process.env['WHEREFORE_FULL'] !== undefined
const canaries = newCanaries(FULL ? 1000 : 100)
const BATTERY = FULL ? 300 : 30
const LIMIT = FULL ? 600_000 : 60_000

let world: TwinWorld
beforeAll(async () => {
  world = await canaryWorld(canaries)
  await world.service.runPhase('mine', { logPath: `${world.folder}/logs` })
}, LIMIT)
afterAll(() => world.close())

/** The first letters of planted values, and such with one letter wrong: enough for a completion, too little to be one. */
const beginnings = PLANTED.flatMap((tier) => canaries.of[tier].map((canary, at) => (at % 2 === 0 ? canary.slice(0, 10) : `${canary.slice(0, 8)}q${canary.slice(9, 15)}`)))
const SAID = ['codename', 'appraisal', 'passphrase', 'dossier', 'ledger', 'vault', 'asset overview', 'name', 'status']

/** The battery: questions of every kind, completions and edited plans. */
function* battery(): Generator<(ask: Ask) => Promise<void>> {
  for (let round = 0; ; round += 1) {
    const said = SAID[round % SAID.length]!
    const begun = beginnings[(round * 7) % beginnings.length]!
    for (const question of [
      `What is the ${said} of the assets?`, `Which assets have the ${said} ${begun}?`, `How many assets per ${said}?`, `List the ${said}s`,
      `Which asset has the highest ${said}?`, 'Which assets are guarded, and why?', `Why is Asset ${1 + round} not loose?`, `Show ${begun}`,
      `Why is Asset ${1 + round} known?`, `List the assets`,
    ]) {
      yield (ask) => ask('POST', round % 2 === 0 ? '/api/search' : '/api/search/stream', { question, materialize: true, timeout_ms: 60_000 })
    }
    for (const q of [begun, `assets with ${said} ${begun.slice(0, 4)}`, said.slice(0, 3)]) {
      yield (ask) => ask('GET', `/api/suggest?${new URLSearchParams({ q, limit: '20' })}`)
    }
    for (const path of [[said], ['^Vault.asset', 'code'], ['^Ledger.asset', 'title'], ['name']]) {
      yield (ask) => ask('POST', '/api/search', { question: 'x', plan: plan('Asset', [{ path }], { order_by: [{ by: { path }, direction: 'asc' }] }) })
      yield (ask) => ask('POST', '/api/search', { question: 'x', plan: plan('Asset', [{ path, aggregate: 'sum' }], { where: [{ path, op: 'between', value: ['a', 7] }] }) })
    }
  }
}

type Ask = (method: 'GET' | 'POST', url: string, payload?: unknown) => Promise<void>

const READS = [
  '/api/ontology/vocabulary', '/api/metadata', '/api/metadata/history?table=asset', '/api/sources', '/api/flavors', '/api/session', '/metrics', '/health',
  '/ready', '/openapi.json', '/api/log-discovery/summary', '/api/log-discovery/candidates', '/api/log-discovery/candidates?limit=100',
  '/api/pipeline', '/api/files', '/api/materialised/triples?limit=200', '/api/search/runs?limit=100', '/api/competency-questions', '/api/nosuch',
]

const COMMANDS = [
  ['search', 'List the assets'], ['search', 'What is the passphrase of the assets?', '--json'], ['review', 'list'], ['metadata', 'export'], ['materialised'],
]

/** Everything that a caller under the ceiling can get hold of, each piece under the place it came from. */
async function everything(ceiling: Tier): Promise<[string, string][]> {
  const seen: [string, string][] = []
  const before = world.lines.length
  const runs: string[] = []
  const ask: Ask = async (method, url, payload) => {
    const reply = await world.call(method, url, ceiling, payload === undefined ? undefined : { max_tier: ceiling, ...payload })
    seen.push([`${method} ${url} ${JSON.stringify(payload)?.slice(0, 200)}`, `${JSON.stringify(reply.headers)}\n${reply.body}`])
    const run = /"run_id":"([^"]+)"/.exec(reply.body)?.[1]
    if (run !== undefined) runs.push(run)
  }
  const asks = battery()
  for (let at = 0; at < BATTERY; at += 1) await asks.next().value?.(ask)
  rmSync(`${world.folder}/output`, { recursive: true, force: true })
  await world.service.runPhase('all', { maxTier: ceiling })
  for (const [path, text] of filesBelow(`${world.folder}/output`)) seen.push([`the file ${path}`, text])
  for (const url of READS) await ask('GET', url)
  await ask('POST', '/api/sources/twin/introspect')
  for (const { pid } of (await world.call('GET', '/api/log-discovery/candidates?limit=100', ceiling)).json<{ candidates: { pid: string }[] }>().candidates) {
    await ask('GET', `/api/log-discovery/${pid}`)
  }
  for (const run of runs.slice(-5)) {
    for (const path of ['', '/events', '/claims/c1']) await ask('GET', `/api/search/runs/${run}${path}`)
    await sparql(run, ceiling, seen)
  }
  const env = { SERVICE_CONFIG: `${world.folder}/wherefore.json`, SERVICE_SEARCH: '1', SERVICE_MAX_TIER: ceiling }
  for (const call of FULL ? COMMANDS : COMMANDS.slice(0, 2)) {
    seen.push([call.join(' '), (await commandText([...call], env)).text])
  }
  seen.push(['the log', world.lines.slice(before).join('')], ...storeRows(ceiling))
  return seen
}

async function sparql(run_id: string, who: Tier, seen: [string, string][]): Promise<void> {
  const reply = await world.call('POST', '/api/sparql', who, { run_id, query: 'SELECT ?s ?p ?o WHERE { ?s ?p ?o }' })
  seen.push([`SPARQL over ${run_id}`, reply.body])
}

/** Rows of the store whose own label lets the caller read them. */
function storeRows(ceiling: Tier): [string, string][] {
  const file = `${world.folder}/.wherefore/store.db`
  if (!existsSync(file)) return []
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    const open = TIERS.filter((tier) => within(tier, ceiling)).map((tier) => `'${tier}'`).join(', ')
    return [['search_runs', 'ceiling'], ['ontology_evolution_proposals', 'tier'], ['log_template_slots', 'tier']].map(([table, label]) => [
      `rows of ${table}`, JSON.stringify(db.prepare(`select * from ${table} where ${label} in (${open})`).all()),
    ])
  } finally {
    db.close()
  }
}

describe('TRUST-3 no planted value above the ceiling leaves by any way', { timeout: LIMIT }, () => {
  it.each<Tier>(['Public', 'Internal', 'Confidential'])('under the ceiling %s', async (ceiling) => {
    const seen = await everything(ceiling)
    const found = seen.flatMap(([place, text]) => hits(text, canaries, ceiling).map((canary) => `${canaries.tierOf.get(canary)} ${canary} in ${place}`))
    console.log(`${ceiling}: ${seen.length} pieces, ${seen.reduce((sum, [, text]) => sum + text.length, 0)} characters, ${found.length} planted values`)
    expect(found).toEqual([])
  })

  it('though who may see them finds them with the same questions', async () => {
    const { body } = await world.call('POST', '/api/search', 'Restricted', { question: 'What is the passphrase of the assets?', max_tier: 'Restricted', limit: 10_000, timeout_ms: 60_000 })
    const { status } = JSON.parse(body) as SearchAnswer
    expect([status, hits(body, canaries, 'Confidential').length > 30]).toEqual(['ok', true])
    const asked = await world.call('GET', `/api/suggest?q=${canaries.of.Restricted[0]!.slice(0, 10)}`, 'Restricted')
    expect(hits(asked.body, canaries, 'Confidential')).toEqual([canaries.of.Restricted[0]])
  })
})
