import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packageRoot } from '../src/runtime/index.ts'
import { type HttpWorld, httpWorld, runJob, steady } from './support-http.ts'

let world: HttpWorld
const out = (path: string) => join(world.folder, 'output', path)
const get = (name: string, who?: string, headers?: Record<string, string>) => world.call('GET', `/api/files/${name}`, who, undefined, headers)

beforeAll(async () => {
  world = await httpWorld()
  cpSync(join(packageRoot, 'examples', 'log-rca', 'sample'), join(world.folder, 'logs'), { recursive: true })
})
afterAll(() => world.close())

describe('a pipeline run over HTTP', () => {
  it('runs phase 2 in the background and leaves files to fetch', async () => {
    const frames = await runJob(world, '2', { source: 'network-ops' }, 'Restricted:admin')
    expect(frames.at(-1)).toMatchObject({ event: 'done', data: { job_id: 'job-1' } })
    const phase = frames.find(({ event }) => event === 'phase')
    expect(phase?.data).toMatchObject({ phase: '2', files: expect.arrayContaining(['ontology/enterprise.ttl']) })
    expect(phase?.data.counts.ontology_triples).toBeGreaterThan(100)
    expect((await world.call('GET', '/api/files')).json().files.map(({ path }: { path: string }) => path)).toContain('ontology/enterprise.ttl')
  })

  it('mines the folder below log_roots', async () => {
    const frames = await runJob(world, 'mine', { log_path: join(world.folder, 'logs') })
    expect(frames.find(({ event }) => event === 'phase')?.data.counts.templates).toBeGreaterThan(5)
  })

  it('refuses folders outside log_roots, also through a link', async () => {
    mkdirSync(join(world.folder, 'outside'))
    symlinkSync(join(world.folder, 'outside'), join(world.folder, 'logs', 'out'))
    const paths = [join(world.folder, 'outside'), join(world.folder, 'logs', 'out'), join(world.folder, 'logs', '..', 'outside'), '/etc', join(world.folder, 'logs-2'), 'nowhere']
    const replies = await Promise.all(paths.map((log_path) => world.call('POST', '/api/pipeline/mine', 'Restricted', { log_path })))
    for (const reply of replies) {
      expect(reply.statusCode).toBe(400)
      expect(steady(reply.body)).toBe(steady(replies[0]!.body))
    }
    expect((await world.call('POST', '/api/log-discovery/seed', 'Restricted', { log_path: paths[1] })).statusCode).toBe(400)
  })

  it.each([
    ['nothing', undefined, 'invalid_request'],
    ['constructor', undefined, 'invalid_request'],
    ['2', { source: '/etc/passwd' }, 'source_not_allowed'],
    ['2', { source: 'nothing' }, 'source_not_allowed'],
  ])('refuses phase %s with %j', async (phase, payload, code) => {
    const reply = await world.call('POST', `/api/pipeline/${phase}`, 'Restricted', payload)
    expect(reply.json().code).toBe(code)
    expect(existsSync(out('.lock'))).toBe(false)
  })

  it('yields to a writer in another process, and names it', async () => {
    writeFileSync(out('.lock'), `${process.ppid} reason`)
    const reply = await world.call('POST', '/api/pipeline/2')
    expect([reply.statusCode, reply.json().detail]).toEqual([409, `another writer is at work (process ${process.ppid}, phase reason)`])
    writeFileSync(out('.lock'), '999999999 reason')
    expect((await runJob(world, 'report')).at(-1)?.event).toBe('done')
  })

  it('keeps a second job out, and ends between two phases when it is cancelled', async () => {
    const { job_id } = (await world.call('POST', '/api/pipeline/all')).json()
    const [second, cancelled] = await Promise.all([world.call('POST', '/api/pipeline/report'), world.call('POST', `/api/pipeline/${job_id}/cancel`)])
    expect([second.statusCode, second.json().detail]).toEqual([409, `another writer is at work (process ${process.pid}, phase all)`])
    expect(cancelled.statusCode).toBe(202)
    const { body } = await world.call('GET', `/api/pipeline/${job_id}/events`)
    expect(body).toContain('"code":"cancelled"')
    expect((await world.call('GET', `/api/pipeline/${job_id}`)).json().state).toBe('cancelled')
    expect(existsSync(out('.lock'))).toBe(false)
  })

  it('is counted', async () => {
    const { body } = await world.call('GET', '/metrics')
    expect(body).toMatch(/service_pipeline_runs_total\{phase="2",outcome="done"\} [1-9]/)
    expect(body).toMatch(/service_pipeline_runs_total\{phase="any",outcome="cancelled"\} 1/)
    expect(body).toMatch(/service_pipeline_in_flight 0/)
    expect(body).toMatch(/service_http_requests_total\{method="POST",route="\/api\/pipeline\/:phase",status="202"\} [1-9]/)
    expect(body).toMatch(/service_http_request_duration_seconds_count\{method="GET",route="\/api\/files"\} [1-9]/)
    expect(body).not.toContain('nowhere')
  })
})

describe('output files over HTTP', () => {
  it('are sent as they stand, by name or by path, under the hash of their content', async () => {
    const text = readFileSync(out('ontology/enterprise.ttl'), 'utf8')
    const [byName, byPath] = await Promise.all([get('enterprise.ttl'), get('ontology/enterprise.ttl')])
    expect([byName.body, byPath.body]).toEqual([text, text])
    expect(byName.headers).toMatchObject({ 'content-type': 'text/turtle; charset=utf-8', etag: byPath.headers.etag })
    expect((await get('enterprise.ttl', 'Restricted', { 'if-none-match': byName.headers.etag as string })).statusCode).toBe(304)
    expect((await get('enterprise.ttl', 'Restricted', { 'if-none-match': '"other"' })).statusCode).toBe(200)
    const listed = (await world.call('GET', '/api/files')).json().files.find(({ name }: { name: string }) => name === 'enterprise.ttl')
    expect(listed).toMatchObject({ ceiling: 'Restricted', bytes: Buffer.byteLength(text), etag: (byName.headers.etag as string).slice(1, -1) })
  })

  it('above the grant are as unknown as files that never were, and nothing else is ever read', async () => {
    writeFileSync(join(world.folder, 'secret.ttl'), '# ceiling: Public\nsecret')
    writeFileSync(out('notes.md'), 'Ceiling: Public\nsecret')
    mkdirSync(out('shapes'), { recursive: true })
    symlinkSync(join(world.folder, 'secret.ttl'), out('shapes/enterprise-shapes.ttl'))
    const names = [
      'enterprise.ttl', 'ontology/enterprise.ttl', 'never.ttl', 'enterprise-shapes.ttl', 'notes.md', '.lock', '..%2fsecret.ttl', '..%2f..%2fetc%2fpasswd', 'ontology/..%2f..%2fsecret.ttl',
      '.previous/enterprise.ttl', '%2e%2e/secret.ttl', 'ontology%2fnever.ttl',
    ]
    const replies = await Promise.all(names.map((name) => get(name, 'Internal')))
    for (const reply of replies) {
      expect(reply.statusCode).toBe(404)
      expect(steady(reply.body)).not.toContain('secret')
    }
    expect(steady(replies[0]!.body)).toBe(steady(replies[2]!.body))
    expect((await world.call('GET', '/api/files', 'Internal')).json()).toEqual({ files: [] })
    expect((await get('enterprise.ttl', 'Restricted:author')).json().code).toBe('forbidden_role')
  })

  it('made under a lower ceiling are there for those who reach it, and compare with the run before only as far as it', async () => {
    await runJob(world, '2', { max_tier: 'Internal' })
    expect((await get('enterprise.ttl', 'Internal')).body).toContain('# ceiling: Internal')
    expect((await get('enterprise.ttl', 'Public')).statusCode).toBe(404)
    const low = await get('enterprise.ttl?diff=previous', 'Internal')
    expect([low.statusCode, low.body]).toEqual([200, '']) // the run before was Restricted
    const high = await get('enterprise.ttl?diff=previous')
    expect(high.headers['content-type']).toContain('text/x-diff')
    expect(high.body).toMatch(/^--- previous\/ontology\/enterprise\.ttl\n\+\+\+ ontology\/enterprise\.ttl\n@@ /)
    expect(high.body).toContain('-# ceiling: Restricted\n+# ceiling: Internal\n')
    const line = async (who: string) => (await world.call('GET', '/api/files', who)).json().files.find(({ name }: { name: string }) => name === 'enterprise.ttl')
    expect([(await line('Internal')).has_previous, (await line('Restricted')).has_previous]).toEqual([false, true])
    await runJob(world, '2', { max_tier: 'Internal' })
    expect((await get('enterprise.ttl?diff=previous')).body).toBe('')
    expect((await get('enterprise.ttl?diff=yesterday')).statusCode).toBe(400)
  })
})

describe('the summary page', () => {
  it('is one page without scripts or remote parts, the same for the same files', async () => {
    const all = await runJob(world, 'all')
    expect(all.filter(({ event }) => event === 'phase').map(({ data }) => data.phase)).toEqual(['1', '2', 'shacl', 'abox', 'reason', 'report'])
    const page = await get('summary.html')
    expect(page.headers['content-security-policy']).toContain("default-src 'none'; style-src 'unsafe-inline'")
    expect(page.body).toContain('<!-- ceiling: Restricted -->')
    expect(page.body).not.toMatch(/<script|<link|<img|https?:\/\/(?!enterprise\.example)|@import|url\(|\d{4}-\d{2}-\d{2}/)
    await runJob(world, 'report')
    expect((await get('summary.html?diff=previous')).body).toBe('')
    for (const phase of ['2', 'shacl']) await runJob(world, phase)
    for (const { path } of (await world.call('GET', '/api/files')).json().files) {
      // the same input, the same bytes: what ran twice over the same data differs in nothing
      if (/enterprise|map|shapes|validation|profile/.test(path) && !path.includes('inferred')) expect([path, (await get(`${path}?diff=previous`)).body]).toEqual([path, ''])
    }
  })

  it('counts what the files hold', async () => {
    const text = readFileSync(out('ontology/enterprise.ttl'), 'utf8')
    const classes = text.match(/^\S+ a owl:Class/gm)?.length
    const page = (await get('summary.html')).body
    expect(page).toContain('The data conforms')
    expect(page).toContain(`<dt>classes</dt><dd>${classes}</dd>`)
    const { by_kind: kinds } = (await world.call('GET', '/api/log-discovery/summary')).json()
    expect(page).toContain(`<th scope="row">LOG_EVENT</th><td class="n">${kinds.LOG_EVENT.PENDING}</td>`)
  })

  it('links to files that are there, on disk and over HTTP', async () => {
    const links = [...(await get('reports/summary.html')).body.matchAll(/href="([^"]+)"/g)].map(([, href]) => href!)
    expect(links.length).toBeGreaterThan(8)
    for (const href of links) {
      expect(existsSync(join(out('reports'), href))).toBe(true)
      expect((await world.call('GET', new URL(href, 'http://x/api/files/reports/summary.html').pathname)).statusCode).toBe(200)
    }
  })

  it('made under a lower ceiling counts and names nothing above it', async () => {
    await runJob(world, 'report', { max_tier: 'Internal' })
    const page = (await get('summary.html', 'Internal')).body
    expect(page).toContain('<!-- ceiling: Internal -->')
    expect(page).toContain('There is no ontology yet')
    expect(page).not.toContain('enterprise.ttl')
  })
})
