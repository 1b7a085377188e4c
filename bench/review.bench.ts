/**
 * Reviewing a thousand candidates through the HTTP API with twenty thousand in the store: list, look, decide, undo, one call
 * after the other over a loopback connection (goal: p95 at most 20 ms for every kind of call). The peer is the smallest call
 * there is, /live, over the same connection: what is left is ours. `cpu` is what this thread computed, caller and server together:
 * on a shared machine it tells what the time would be on a quiet one, but for waiting on the disk. The first list of a process reads the whole queue and is shown apart.
 * Run it with `node bench/review.bench.ts`; `--help` lists the options.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { arch, cpus, platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { quantile, rng } from '../src/kernel/stats/index.ts'
import { createService, openProject } from '../src/runtime/index.ts'
import { type NewCandidate, openWorkspace } from '../src/store/index.ts'
import { buildApp } from '../src/surfaces/http/index.ts'
import { withTurtle } from '../src/review/index.ts'

const HELP = `node bench/review.bench.ts [options]
  --candidates N   in the store (20000)
  --decisions N    reviewed (1000)
  --seed N         (7)
  --json           one JSON document instead of the table
  --help           this text`

const GOAL_MS = 20
const { values: options } = parseArgs({
  options: {
    candidates: { type: 'string', default: '20000' }, decisions: { type: 'string', default: '1000' }, seed: { type: 'string', default: '7' },
    json: { type: 'boolean', default: false }, help: { type: 'boolean', default: false },
  },
})

const SEVERITIES = ['DEBUG', 'INFO', 'INFO', 'WARN', 'ERROR', 'CRITICAL'] as const
const TIER = { DEBUG: 'Public', INFO: 'Public', WARN: 'Internal', ERROR: 'Confidential', CRITICAL: 'Restricted' } as const
const WORDS = 'link down peer lost session closed timer expired route flap queue full disk slow retry failed node joined left quorum lease renewed cache miss token refused'.split(' ')

function candidatesOf(count: number, seed: number): NewCandidate[] {
  const random = rng(seed)
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T
  const events = Array.from({ length: Math.floor(count * 0.4) }, (_, i) => {
    const severity = pick(SEVERITIES)
    const words = Array.from({ length: 4 + Math.floor(random() * 8) }, () => pick(WORDS))
    const name = `${words.slice(0, 3).map((word) => word[0]!.toUpperCase() + word.slice(1)).join('')}${i}`
    return { i, severity, name, cluster: `c${i}`, service: `svc-${i % 40}`, template: `${words.join(' ')} node=<*> n=<*>`, hits: 10 + i % 900 }
  })
  const common = { lagMsP50: null, lagMsP95: null, evidenceSample: 'link down node=crt-07 n=4' } as const
  const slots = ['node', 'n', 'cause', 'peer'].map((name, slotIdx) => ({
    slotIdx, name, type: 'ENUM', subtype: '', distinctCount: 20, sampleCount: 500, piiRisk: false, tier: 'Public',
    topValues: Array.from({ length: 20 }, (_, i) => [`value-${i}`, 500 - i]),
  }))
  const line = (i: number) => ({ file: `service-${i % 40}.log`, offset: i * 97, ts: '2026-01-01T00:00:00.000Z' })
  const made: NewCandidate[] = events.map((event) => ({
    ...common, key: `event:${event.cluster}`, proposalType: 'LOG_EVENT', detectionStrategy: event.i % 50 === 0 ? 'DRIFT_ON_NEW_TEMPLATE' : 'LOG_TEMPLATE_CLUSTERING',
    title: `Event ${event.name}: ${event.template}`, name: event.name, confidence: random(), consequence: random(), tier: TIER[event.severity],
    evidence: { clusters: [event.cluster], template: event.template, severity: event.severity, service: event.service, hits: event.hits, slots, lines: [0, 1, 2, 3, 4].map(line) },
  }))
  const seen = new Set<string>()
  while (made.length < count) {
    const [cause, effect] = [pick(events), pick(events)]
    const key = `edge:${cause.cluster}>${effect.cluster}`
    if (cause === effect || seen.has(key)) continue
    seen.add(key)
    const causal = random() < 0.5
    made.push({
      ...common, key, proposalType: causal ? 'LOG_CAUSAL_EDGE' : 'LOG_RELATIONSHIP', detectionStrategy: causal ? 'GRANGER_CAUSALITY' : 'PMI_TEMPORAL_ORDERING',
      title: `${cause.name} ${causal ? 'causes' : 'occurs with'} ${effect.name}`, name: `edge${made.length}`, confidence: random(), consequence: random(),
      lagMsP50: 2000, lagMsP95: 2500, tier: TIER[SEVERITIES[Math.max(SEVERITIES.indexOf(cause.severity), SEVERITIES.indexOf(effect.severity))]!],
      evidence: {
        cause: cause.name, effect: effect.name, cause_cluster: cause.cluster, effect_cluster: effect.cluster, cause_severity: cause.severity, effect_severity: effect.severity,
        cause_service: cause.service, effect_service: effect.service, shared_entity: 'node', window_seconds: 30, n: 40, p: 1e-9, q: 1e-7,
        gate: ['pmi', 'temporal_lead_ratio', 'granger_p', 'transfer_entropy_z', 'false_discovery_q', 'direction'].map((condition) => ({ condition, value: 3.1, operator: '>=', threshold: 2, passed: causal })),
        failed_conditions: causal ? [] : ['pmi'], stated_verdict: 'LOG_CAUSAL_EDGE',
        lags: { followed: 30, expected: 1.5, from_ms: 100, to_ms: 4000, bits: 12, surrogate_bits: 0.4, histogram: Array.from({ length: 10 }, (_, i) => ({ to_ms: 100 * 2 ** i, observed: i, expected: 0.1 })) },
        line_pairs: [0, 1, 2, 3, 4].map((i) => ({ cause: line(i), effect: line(i + 7), lag_ms: 2000 })),
      },
    })
  }
  return made
}

async function main(): Promise<void> {
  if (options.help) return console.log(HELP)
  const [count, decisions, seed] = [Number(options.candidates), Number(options.decisions), Number(options.seed)]
  const folder = mkdtempSync(join(tmpdir(), 'wherefore-review-'))
  mkdirSync(join(folder, 'logs'))
  writeFileSync(join(folder, 'wherefore.json'), JSON.stringify({ sources: {}, log_roots: ['logs'] }))
  const project = openProject({ cwd: folder, env: { SERVICE_SEARCH: '1' } })
  const baseIri = project.config.base_iri
  const store = openWorkspace(project.config.store)
  const seeding = performance.now()
  store.proposals.upsert(withTurtle(candidatesOf(count, seed), { baseIri }), new Date().toISOString())
  const seeded = performance.now() - seeding
  store.close()

  const service = createService(project, { onBug: (error) => console.error(error) })
  let ids = 0
  const app = buildApp({ service, config: project.config, enabled: () => true, clock: { now: () => performance.now() }, ids: () => `r${(ids += 1)}` })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const times = new Map<string, number[]>()
  const computed = new Map<string, number[]>()
  const call = async <T>(kind: string, method: 'GET' | 'POST', path: string, body?: object): Promise<T> => {
    const [since, used] = [performance.now(), process.threadCpuUsage()]
    const reply = await fetch(`${address}${path}`, { method, ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }) })
    const text = await reply.text()
    times.set(kind, [...(times.get(kind) ?? []), performance.now() - since])
    const { user, system } = process.threadCpuUsage(used)
    computed.set(kind, [...(computed.get(kind) ?? []), (user + system) / 1000])
    if (reply.status !== 200 && reply.status !== 409) throw new Error(`${kind}: ${reply.status} ${text}`)
    return JSON.parse(text) as T
  }
  interface Page {
    candidates: { pid: string; proposal_type: string; group_members?: string[] }[]
    next_cursor: string | null
  }
  const queue = '/api/log-discovery'
  const lists = [
    ['list', 'limit=50'], ['list by kind', 'limit=50&kind=LOG_CAUSAL_EDGE'], ['list grouped', 'limit=50&grouped=true'],
    ['list learned', 'limit=50&sort=learned'], ['list by words', 'limit=50&q=link%20lost'], ['list by service', 'limit=50&service=svc-7&min_confidence=0.3'],
  ] as const
  try {
    await call('first list (cold)', 'GET', `${queue}/candidates?limit=50`)
    const random = rng(seed + 1)
    let cursor: string | null = null
    for (let at = 0; at < decisions; at += 1) {
      await call('/live', 'GET', '/live')
      const [kind, query] = lists[at % lists.length]!
      const page = await call<Page>(kind, 'GET', `${queue}/candidates?${query}`)
      const walked: Page = await call<Page>('next page', 'GET', `${queue}/candidates?limit=50${cursor === null ? '' : `&cursor=${cursor}`}`)
      cursor = walked.next_cursor
      const { pid } = page.candidates[Math.floor(random() * page.candidates.length)]!
      await call('show', 'GET', `${queue}/${pid}`)
      await call('evidence', 'GET', `${queue}/${pid}/evidence`)
      const action = (['approve', 'approve', 'reject', 'defer'] as const)[at % 4]!
      await call(action, 'POST', `${queue}/${pid}/${action}`, { note: 'bench' })
      if (at % 3 === 0) {
        await call('undo', 'POST', `${queue}/${pid}/undo`, {})
        await call(action, 'POST', `${queue}/${pid}/${action}`, {})
      }
      await call('audit', 'GET', `${queue}/${pid}/audit`)
      if (at % 10 === 0) await call('summary', 'GET', `${queue}/summary`)
      if (at % 10 === 5) await call('session', 'GET', '/api/session')
      if (at % 10 === 7) await call('edit', 'POST', `${queue}/${walked.candidates[0]!.pid}/edit`, { edits: { name: `renamed${at}` } })
    }
    const page = await call<Page>('list', 'GET', `${queue}/candidates?limit=100`)
    await call('bulk of 100 (dry run)', 'POST', `${queue}/bulk`, { ids: page.candidates.map(({ pid }) => pid), action: 'approve', dry_run: true })
    await call('bulk of 100', 'POST', `${queue}/bulk`, { ids: page.candidates.map(({ pid }) => pid), action: 'approve' })
  } finally {
    await app.close()
    await service.close()
    rmSync(folder, { recursive: true, force: true })
  }
  const rows = [...times].map(([kind, all]) => ({ kind, calls: all.length, p50: quantile(all, 0.5) ?? 0, p95: quantile(all, 0.95) ?? 0, max: Math.max(...all), cpu_p95: quantile(computed.get(kind) ?? [], 0.95) ?? 0 }))
  const machine = `${cpus()[0]?.model ?? ''} x ${cpus().length}, ${platform()} ${arch()}, node ${process.version}`
  if (options.json) return console.log(JSON.stringify({ machine, count, decisions, seed, goal_ms: GOAL_MS, seeding_ms: seeded, rows }, null, 2))
  console.log(`${machine}; ${count} candidates, ${decisions} decisions, seed ${seed}; seeding took ${(seeded / 1000).toFixed(1)} s`)
  for (const { kind, calls, p50, p95, max, cpu_p95: cpu } of rows) {
    console.log(`${kind.padEnd(24)} ${String(calls).padStart(6)} calls   p50 ${p50.toFixed(1).padStart(6)} ms   p95 ${p95.toFixed(1).padStart(6)} ms   max ${max.toFixed(1).padStart(7)} ms   cpu p95 ${cpu.toFixed(1).padStart(6)} ms`)
  }
  const many = [...times].filter(([kind, all]) => all.length >= 50 && kind !== '/live')
  const worst = Math.max(...many.map(([, all]) => quantile(all, 0.95) ?? 0))
  console.log(`worst p95 of a kind of call ${worst.toFixed(1)} ms, goal ${GOAL_MS} ms: ${worst <= GOAL_MS ? 'held' : 'MISSED'}`)
}

await main()
