import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HttpWorld, httpWorld, runJob, steady } from '../support-http.ts'

/**
 * Non-interference over metadata, sources, files and jobs: two projects that differ only above Internal, in their data and in what
 * was said about columns above it, send the same bytes to a caller with the ceiling Internal.
 */
let worlds: [HttpWorld, HttpWorld]

const row = (column_name: string, more: object) => ({ target_type: 'column', table_name: 'customer', column_name, ...more })
const SAID = [
  row('name', { label: 'trading name' }),
  { target_type: 'table', table_name: 'sla', column_name: null, label: 'agreement' },
]
/** What differs: labels, tiers, keys and history of columns above the ceiling. */
const HIDDEN = [
  [row('contact_email', { label: 'first', sensitivity_tier: 'Restricted' })],
  [row('contact_email', { label: 'second', synonyms: ['post'], sensitivity_tier: 'Restricted' }), row('contact_phone', { description: 'whom to call' })],
]

beforeAll(async () => {
  worlds = [await httpWorld(), await httpWorld()]
  const db = new DatabaseSync(worlds[1].database)
  db.exec(`update customer set contact_email = 'twin-' || contact_email, contact_phone = '+49 000 ' || id, contact_name = 'Twin ' || id,
    contract_value = contract_value * 3 + 1; update sla set penalty_per_hour = penalty_per_hour * 2 + 7`)
  db.close()
  for (const [at, world] of worlds.entries()) {
    for (const rows of [SAID, HIDDEN[at]!, ...(at === 0 ? [] : [HIDDEN[0]!, HIDDEN[1]!])]) {
      const reply = await world.call('PUT', '/api/metadata', 'Restricted', { rows })
      if (reply.statusCode !== 200) throw new Error(reply.body)
    }
  }
})
afterAll(async () => {
  for (const world of worlds) await world.close()
})

/** The same requests to both; bodies and the headers that depend on content. */
async function both(work: (world: HttpWorld) => Promise<{ body: string; statusCode: number; headers: Record<string, unknown> }[]>) {
  const [a, b] = [await work(worlds[0]), await work(worlds[1])].map((replies) =>
    replies.map(({ statusCode, body, headers }) => [statusCode, steady(body), headers['etag'], headers['content-type']]),
  )
  return { a, b }
}

describe('TRUST-1 two projects that differ only above the ceiling cannot be told apart', () => {
  const reads: [string, 'GET' | 'POST' | 'PUT', string, unknown?][] = [
    ['the metadata', 'GET', '/api/metadata'],
    ['the history of a table', 'GET', '/api/metadata/history?table=customer'],
    ['the history of a visible column', 'GET', '/api/metadata/history?table=customer&column=name'],
    ['the history of a hidden column', 'GET', '/api/metadata/history?table=customer&column=contact_phone'],
    ['writing to a hidden column', 'PUT', '/api/metadata', { rows: [row('contact_phone', { label: 'x' })] }],
    ['the sources', 'GET', '/api/sources'],
    ['an introspection', 'POST', '/api/sources/network-ops/introspect'],
    ['a test of the source', 'POST', '/api/sources/network-ops/test'],
    ['readiness', 'GET', '/ready'],
    ['health', 'GET', '/health'],
    ['the vocabulary', 'GET', '/api/ontology/vocabulary'],
    ['the jobs', 'GET', '/api/pipeline'],
  ]
  for (const who of ['Internal', 'Public']) {
    it.each(reads)(`${who}: %s`, async (_what, method, url, payload) => {
      const { a, b } = await both(async (world) => [await world.call(method, url, who, payload)])
      expect(b).toEqual(a)
    })
  }

  it('a write within the ceiling', async () => {
    const { a, b } = await both(async (world) => [await world.call('PUT', '/api/metadata', 'Internal', { rows: [row('name', { label: 'firm' })] })])
    expect(a?.[0]?.[0]).toBe(200)
    expect(b).toEqual(a)
  })

  it('files that were made under the ceiling, the summary among them, and the job that made them', async () => {
    const { a, b } = await both(async (world) => {
      for (const phase of ['1', '2', 'shacl', 'abox', 'report']) await runJob(world, phase, {}, 'Internal')
      const listed = await world.call('GET', '/api/files', 'Internal')
      const paths: string[] = listed.json().files.map(({ path }: { path: string }) => path)
      expect(paths).toContain('reports/summary.html')
      return [
        listed,
        ...(await Promise.all(paths.map((path) => world.call('GET', `/api/files/${path}`, 'Internal')))),
        ...(await Promise.all(paths.map((path) => world.call('GET', `/api/files/${path}?diff=previous`, 'Internal')))),
        await world.call('GET', '/api/pipeline', 'Internal'),
        await world.call('GET', '/api/metadata', 'Internal'), // now with the proposals of phase 1
        await world.call('GET', '/api/metadata', 'Public'),
        ...(await Promise.all([1, 2, 3, 4, 5].map((n) => world.call('GET', `/api/pipeline/job-${n}/events`, 'Internal')))),
      ]
    })
    expect(b).toEqual(a)
  })

  it('a job of a caller who sees everything, as another sees it', async () => {
    const { a, b } = await both(async (world) => {
      for (const phase of ['1', '2', 'report']) await runJob(world, phase)
      const jobs = (await world.call('GET', '/api/pipeline', 'Internal')).json().jobs as { job_id: string }[]
      return [
        await world.call('GET', '/api/files', 'Internal'),
        await world.call('GET', '/api/files/summary.html', 'Internal'),
        ...(await Promise.all(jobs.map(({ job_id }) => world.call('GET', `/api/pipeline/${job_id}`, 'Internal')))),
        ...(await Promise.all(jobs.map(({ job_id }) => world.call('GET', `/api/pipeline/${job_id}/events`, 'Internal')))),
      ]
    })
    expect(b).toEqual(a)
  })

  it('the harness sees a difference where there is one', async () => {
    const { a, b } = await both(async (world) => [await world.call('GET', '/api/metadata', 'Restricted')])
    expect(b).not.toEqual(a)
  })
})
