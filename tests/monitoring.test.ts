/** What deploy/monitoring watches exists: every expression names series and labels that a service has after a few requests. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { metrics as sdkMetrics, search } from '../src/runtime/reasoning_search.ts'
import { type HttpWorld, framesOf, httpWorld, runJob } from './support-http.ts'

const FOLDER = 'deploy/monitoring'
const read = (name: string) => readFileSync(`${FOLDER}/${name}`, 'utf8')

const Datasource = z.object({ type: z.literal('prometheus'), uid: z.literal('${datasource}') })
const Target = z.object({ refId: z.string(), expr: z.string().min(1), legendFormat: z.string(), datasource: Datasource })
const Grid = z.object({ h: z.int().min(1), w: z.int().min(1).max(24), x: z.int().min(0).max(23), y: z.int().min(0) })
const Panel = z.object({
  id: z.int(), title: z.string().min(1), type: z.enum(['row', 'timeseries', 'stat']), gridPos: Grid, targets: z.array(Target).default([]),
  fieldConfig: z.object({ defaults: z.object({ unit: z.string() }), overrides: z.array(z.unknown()) }).optional(),
})
const Dashboard = z.object({
  title: z.string(), uid: z.string().regex(/^[\w-]{1,40}$/), schemaVersion: z.int().min(36), refresh: z.string(),
  time: z.object({ from: z.string(), to: z.string() }), panels: z.array(Panel).min(10),
  templating: z.object({ list: z.array(z.object({ name: z.string(), type: z.enum(['datasource', 'query']) })) }),
})
const Alerts = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^Wherefore[A-Za-z]+$/), expr: z.string(), for: z.string().regex(/^\d+[mh]$/).optional(),
          labels: z.strictObject({ severity: z.enum(['info', 'warning', 'critical']) }),
          annotations: z.strictObject({ summary: z.string(), action: z.string() }),
        }),
      ),
    }),
  ),
})

/** Words of PromQL that name no series. */
const LANGUAGE = new Set([
  'sum', 'by', 'rate', 'increase', 'histogram_quantile', 'topk', 'time', 'ignoring', 'group_left', 'on', 'without', 'and', 'or', 'unless',
  'max', 'min', 'avg', 'count',
])
/** Labels that the scrape adds, and the series it makes of its own success. */
const SCRAPED = { labels: ['instance', 'job', 'le'], series: 'up' }

/** The series of an expression with the labels it uses of them. */
function namesIn(expr: string): { series: string[]; labels: { label: string; op: string; value: string }[]; grouped: string[] } {
  const labels: { label: string; op: string; value: string }[] = []
  const grouped: string[] = []
  const rest = expr
    .replaceAll(/\{([^}]*)\}/g, (_whole, inner: string) => {
      for (const [, label = '', op = '', value = ''] of inner.matchAll(/(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/g)) labels.push({ label, op, value })
      return ' '
    })
    .replaceAll(/\[[^\]]*\]/g, ' ')
    .replaceAll(/\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g, (_whole, inner: string) => {
      grouped.push(...inner.split(',').map((name) => name.trim()))
      return ' '
    })
  const words = [...rest.matchAll(/(?<![\w.])[a-zA-Z_:][\w:]*/g)].map(([word]) => word)
  return { series: words.filter((word) => !LANGUAGE.has(word)), labels, grouped }
}

interface Scrape {
  /** label names and their values by series */
  readonly series: Map<string, Map<string, Set<string>>>
  readonly lines: string[]
}

function scraped(text: string): Scrape {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const series: Scrape['series'] = new Map()
  for (const line of lines) {
    const [, name = '', inner = ''] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? /.exec(line) ?? []
    const labels = series.get(name) ?? new Map<string, Set<string>>()
    for (const [, label = '', value = ''] of inner.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)) {
      labels.set(label, (labels.get(label) ?? new Set()).add(value))
    }
    series.set(name, labels)
  }
  return { series, lines: lines.map((line) => line.replace(/ [^ ]+$/, '')) }
}

const dashboard = Dashboard.parse(JSON.parse(read('dashboard.json')))
const alerts = Alerts.parse(parse(read('alerts.yml'))).groups.flatMap(({ rules }) => rules)
const panels = dashboard.panels.filter(({ type }) => type !== 'row')

let world: HttpWorld
let seen: Scrape
const scrape = async () => scraped((await world.call('GET', '/metrics')).body)
const ask = (question: unknown, url = '/api/search') => world.call('POST', url, 'Restricted', { question, materialize: true })

beforeAll(async () => {
  world = await httpWorld()
  for (const question of ['How many alarms are open?', 'List the frobnicators', '']) await ask(question)
  expect(framesOf((await ask('How many alarms are open?', '/api/search/stream')).body).at(-1)?.event).toBe('answer')
  await world.call('POST', '/api/search', 'Restricted', { question: 'x', flavor: 'nope' })
  await world.call('POST', '/api/search', 'Restricted', { question: 'x'.repeat(70_000) })
  await world.call('GET', '/nowhere')
  await runJob(world, '2')
  seen = await scrape()
})
afterAll(() => world.close())

/** What of an expression does not exist. */
function missing(expr: string): string[] {
  const { series, labels, grouped } = namesIn(expr)
  const known = series.filter((name) => name === SCRAPED.series || seen.series.has(name))
  const faults = series.filter((name) => !known.includes(name)).map((name) => `series ${name}`)
  if (series.length === 0) faults.push('names no series')
  const has = (label: string) => SCRAPED.labels.includes(label) || series.every((name) => seen.series.get(name)?.has(label) === true)
  for (const label of [...grouped, ...labels.map(({ label }) => label)]) if (!has(label)) faults.push(`label ${label}`)
  for (const { label, op, value } of labels) {
    if (SCRAPED.labels.includes(label) || value.includes('..')) continue
    const values = op.endsWith('~') ? value.split('|') : [value]
    const known = series.flatMap((name) => [...(seen.series.get(name)?.get(label) ?? [])])
    for (const each of values) if (!known.includes(each)) faults.push(`${label}="${each}"`)
  }
  return faults
}

describe('the dashboard and the alerts', () => {
  it.each(panels.flatMap(({ title, targets }) => targets.map(({ expr, refId }) => ({ title: `${title} ${refId}`, expr }))))(
    'MON-1 the panel "$title" names series and labels that exist',
    ({ expr }) => expect(missing(expr)).toEqual([]),
  )

  it.each(alerts)('MON-2 the alert $alert names series and labels that exist', ({ expr }) => expect(missing(expr)).toEqual([]))

  it('would notice a series, a label or a value that is not there', () => {
    expect(missing('rate(service_search_request_total[5m])')).toEqual(['series service_search_request_total'])
    expect(missing('sum by (class) (rate(service_search_requests_total{question="x", status="fine"}[5m]))')).toEqual([
      'label class', 'label question', 'question="x"', 'status="fine"',
    ])
  })

  it('have the shape that Grafana imports: ids and letters of their own, on a grid without overlaps', () => {
    const ids = dashboard.panels.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(dashboard.templating.list.map(({ name }) => name)).toEqual(['datasource', 'instance'])
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
    )
    expect(new Set(cells).size).toBe(cells.length)
    for (const { gridPos, targets, fieldConfig } of panels) {
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24)
      expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length)
      expect(targets.length).toBeGreaterThan(0)
      expect(fieldConfig?.defaults.unit).not.toBe('')
    }
  })

  it('the scrape asks for /metrics and loads the alerts', () => {
    expect(parse(read('prometheus.yml'))).toMatchObject({ rule_files: ['alerts.yml'], scrape_configs: [{ job_name: 'wherefore', metrics_path: '/metrics' }] })
  })

  it('README.md describes every series of the service, with its labels', () => {
    const words = (list: string) => list.split(',').map((each) => each.trim()).filter(Boolean).toSorted()
    const lines = [...read('README.md').matchAll(/^\| `(service_\w+)` \| ([^|]*)\|/gm)]
    const described = new Map(lines.map(([, name, labels = '']) => [name, words(labels)]))
    const bare = (name: string) => name.replace(/_(bucket|sum|count)$/, '')
    const own = [...seen.series].filter(([name]) => name.startsWith('service_'))
    for (const [name, labels] of own) {
      const has = [...labels.keys()].filter((label) => label !== 'le').toSorted()
      expect([name, described.get(bare(name))]).toEqual([name, has])
    }
    expect([...described.keys()].toSorted()).toEqual([...new Set(own.map(([name]) => bare(name)))].toSorted())
  })
})

describe('the metrics', () => {
  it('MON-3 have as many series after hostile questions as before, and none names what was asked', async () => {
    const kinds = [
      (name: string) => `${name}'; DROP TABLE alarm; --`, (name: string) => `${name} {{7*7}} \u0000"\n`,
      (name: string) => `Which ${name} customers?`, (name: string) => `How many alarms are open at ${name}?`,
    ]
    const hostile = (n: number) => kinds[n % kinds.length]?.(`canary-${n}`)
    const count = process.env['WHEREFORE_FULL'] === undefined ? 200 : 1000
    for (let n = 0; n < 4; n += 1) await ask(hostile(n))
    const before = await scrape()
    for (let n = 0; n < count; n += 1) await ask(hostile(n), n % 10 === 9 ? '/api/search/stream' : '/api/search')
    await world.call('GET', '/canary-path?canary=1')
    const after = await scrape()
    expect(after.lines).toEqual(before.lines)
    expect(after.lines.join('\n')).not.toContain('canary')
  })

  it('MON-4 count searches through the package too, in the counters of that program', async () => {
    process.env['SERVICE_SEARCH'] = '1'
    const counted = (text: string, status: string) =>
      Number(new RegExp(`^service_search_requests_total\\{status="${status}",provider="embedded"\\} (\\d+)$`, 'm').exec(text)?.[1])
    const asked = { flavor: 'network-ops', db_path: world.database }
    await search('How many alarms are open?', asked)
    await expect(search('How many alarms are open?', { ...asked, flavor: 'nope' })).rejects.toMatchObject({ code: 'unknown_flavor' })
    const text = await sdkMetrics()
    expect([counted(text, 'ok'), counted(text, 'error')]).toEqual([1, 1])
    expect(text).toMatch(/^service_search_in_flight 0$/m)
    expect(text).toMatch(/^process_resident_memory_bytes /m)
  })

  it('MON-5 are for an admin alone once tokens are on', async () => {
    for (const role of ['reader', 'reviewer', 'author']) expect((await world.call('GET', '/metrics', `Restricted:${role}`)).statusCode).toBe(403)
    expect((await world.call('GET', '/metrics', 'Public:admin')).statusCode).toBe(200)
    expect((await world.call('GET', '/metrics', 'nobody')).statusCode).toBe(401)
  })
})
