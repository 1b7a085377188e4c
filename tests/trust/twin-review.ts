/** The review queue as one sees it under a ceiling, while above it both worlds hold, decide and merge quite different things. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { SEVERITY_TIER, SEVERITIES, type Severity, type Tier, maxTier, within } from '../../src/contracts/index.ts'
import { hash64 } from '../../src/kernel/text/index.ts'
import { type NewCandidate, openWorkspace, pidOf } from '../../src/store/index.ts'
import type { Channel } from './twin-channels.ts'
import type { TwinWorld } from './twin-world.ts'

const NOW = '2026-01-01T00:00:00.000Z'
const WORDS = ['queue', 'link', 'lease', 'route', 'token', 'disk']

const event = (key: string, name: string, severity: Severity, n: number, more: object = {}): NewCandidate => ({
  key, proposalType: 'LOG_EVENT', detectionStrategy: n % 7 === 0 ? 'DRIFT_ON_NEW_TEMPLATE' : 'LOG_TEMPLATE_CLUSTERING', title: `Event ${name}`, name, tier: SEVERITY_TIER[severity],
  confidence: 0.3 + (n % 60) / 100, consequence: 0.2 + (n % 7) / 10, lagMsP50: null, lagMsP95: null, evidenceSample: `${name} sample`,
  evidence: {
    clusters: [`c-${key}`], severity, service: `svc-${n % 3}`, template: `the ${WORDS[n % 6]} of part <*> is ${WORDS[(n + 2) % 6]} again`, hits: n + 1, ...more,
    lines: [{ file: 'a.log', offset: 0, ts: NOW }],
  },
})

const edge = (key: string, cause: NewCandidate, effect: NewCandidate, more: object = {}): NewCandidate => ({
  ...cause, key, proposalType: 'LOG_CAUSAL_EDGE', detectionStrategy: 'GRANGER_CAUSALITY', title: `${cause.name} causes ${effect.name}`, name: `${cause.name}Causes${effect.name}`,
  tier: maxTier(cause.tier, effect.tier), lagMsP50: 900, lagMsP95: 1200,
  evidence: {
    cause: cause.name, effect: effect.name, cause_cluster: `c-${cause.key}`, effect_cluster: `c-${effect.key}`, cause_severity: cause.evidence['severity'], effect_severity: effect.evidence['severity'],
    window_seconds: 30, n: 9, q: 0.01, gate: [], failed_conditions: [], ...more,
  },
})

const VISIBLE = 44

interface Queue {
  readonly visible: readonly NewCandidate[]
  /** in both worlds under the same id, with other contents */
  readonly hidden: readonly NewCandidate[]
}

function queueFor({ folder }: TwinWorld, ceiling: Tier): Queue {
  const own = hash64(folder)
  const number = Number.parseInt(own.slice(0, 6), 16)
  const [low, high] = [true, false].map((side) => SEVERITIES.filter((severity) => within(SEVERITY_TIER[severity], ceiling) === side)) as [Severity[], Severity[]]
  const slots = [{ name: 'imsi', type: 'NUMERIC', tier: 'Restricted', topValues: [[own, 3]], piiRisk: true }, { name: 'part', type: 'ENUM', tier: 'Public', topValues: [['a', 3]] }]
  const hidden = Array.from({ length: 6 + (number % 5) }, (_, n) => event(`hidden:${n}`, `Secret${own}${n}`, high[n % high.length]!, number + n))
  const visible = Array.from({ length: VISIBLE }, (_, n) =>
    event(`visible:${n}`, `Open${n}`, low[n % low.length]!, n, { slots, edges: number % 9, explained_by: `Secret${own}0` }))
  const told = { explained_by: `Secret${own}1`, explained_gain: number % 100, neighbouring_edges: number % 7 }
  return {
    visible: [...visible, ...[0, 1, 2].map((n) => edge(`visible edge ${n}`, visible[n]!, visible[n + 9]!, told))],
    hidden: [...hidden, edge('hidden edge', hidden[2]!, hidden[3]!), edge('hidden edge 2', hidden[4]!, hidden[5]!)],
  }
}

const QUERIES = [
  '', 'status=APPROVED', 'status=REJECTED', 'status=MERGED', 'status=DEFERRED', 'kind=LOG_EVENT', 'kind=LOG_CAUSAL_EDGE', 'strategy=DRIFT_ON_NEW_TEMPLATE', 'service=svc-1',
  'min_confidence=0.5', 'q=secret', 'q=open1', 'sort=learned', 'sort=name', 'sort=newest', 'sort=confidence', 'sort=consequence', 'grouped=true', 'grouped=true&sort=learned', 'limit=3', 'cursor=xx',
  `group=${pidOf('hidden:0')}`, `group=${pidOf('visible:0')}`,
]

export const review: Channel = async ({ seen, ceiling, size, askers }) => {
  const { world } = seen
  const { visible, hidden } = queueFor(world, ceiling)
  await world.call('GET', '/api/log-discovery/summary') // the service makes its store
  const file = join(world.folder, '.wherefore', 'store.db')
  if (!existsSync(file)) throw new Error('the store lies elsewhere')
  const store = openWorkspace(file)
  store.proposals.upsert([...visible, ...hidden], NOW)
  store.close()
  const queue = '/api/log-discovery'
  const high = (path: string, body: object = {}) => world.call('POST', `${queue}/${path}`, 'Restricted', body)
  for (const path of [`${pidOf('hidden:0')}/approve`, `${pidOf('hidden:1')}/reject`, `${pidOf('hidden edge')}/approve`]) await high(path, { note: world.folder })
  await high(`${pidOf('visible:40')}/merge`, { into: pidOf('hidden:0') })
  await high(`${pidOf('visible:41')}/approve`)
  await high(`${pidOf('hidden:5')}/merge`, { into: pidOf('visible:41') })

  // what a reviewer under the ceiling does, and is told
  for (let n = 0; n < 26; n += 1) await seen.post(`${queue}/${pidOf(`visible:${n}`)}/${n % 3 === 0 ? 'reject' : 'approve'}`, ceiling, {})
  const about = ['visible:27', 'visible:40', 'visible:41', 'visible edge 0', 'hidden:0', 'hidden:5', 'hidden edge'].map(pidOf)
  for (const pid of about) {
    await seen.post(`${queue}/${pid}/edit`, ceiling, { edits: { label: 'seen' } })
    await seen.post(`${queue}/${pid}/merge`, ceiling, { into: pidOf('hidden:0') })
    await seen.post(`${queue}/${pid}/undo`, ceiling, {})
  }
  await seen.post(`${queue}/bulk`, ceiling, { ids: about, action: 'approve', dry_run: true })
  await seen.post(`${queue}/bulk`, ceiling, { group: pidOf('hidden:0'), action: 'reject' })
  await seen.post(`${queue}/bulk`, ceiling, { ids: about, action: 'defer', note: 'x' })

  const each = size > 2 ? askers : askers.slice(0, 1)
  for (const { who, max_tier } of [...each, { who: 'Restricted', max_tier: ceiling }]) {
    for (const query of QUERIES) await seen.get(`${queue}/candidates?max_tier=${max_tier}&${query}`, who)
    await seen.get(`${queue}/summary?max_tier=${max_tier}`, who)
    await seen.get(`/api/session?max_tier=${max_tier}`, who)
    for (const pid of about) for (const part of ['', '/evidence', '/audit']) await seen.get(`${queue}/${pid}${part}?max_tier=${max_tier}`, who)
  }
  const stands = await world.call('GET', '/api/session', ceiling)
  seen.reply('PUT /api/session', await world.call('PUT', '/api/session', ceiling, stands.json(), { 'if-match': String(stands.headers['etag']) }))
}
