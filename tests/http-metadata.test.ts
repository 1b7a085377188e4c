import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MetadataRow } from '../src/contracts/index.ts'
import { openWorkspace } from '../src/store/index.ts'
import { type HttpWorld, httpWorld, steady } from './support-http.ts'

let world: HttpWorld
beforeAll(async () => {
  world = await httpWorld()
})
afterAll(() => world.close())

const row = (table_name: string, column_name: string | null, more: object = {}) => ({
  target_type: column_name === null ? 'table' : 'column', table_name, column_name, ...more,
})
const put = (rows: object[], who?: string, headers?: Record<string, string>) => world.call('PUT', '/api/metadata', who, { rows }, headers)
const labelOf = async (qname: string, who = 'Restricted') => {
  const { properties } = (await world.call('GET', '/api/ontology/vocabulary', who)).json() as { properties: { qname: string; label: string; tier: string }[] }
  return properties.find((property) => property.qname === qname)
}

describe('metadata over HTTP', () => {
  it('starts empty, takes what a person says, and the vocabulary speaks it at once', async () => {
    const empty = await world.call('GET', '/api/metadata')
    expect(empty.json().rows).toEqual([])
    expect(existsSync(join(world.folder, '.wherefore'))).toBe(false) // reading creates no store
    expect((await labelOf(':Customer.name'))?.label).toBe('name')
    const reply = await put([row('customer', 'name', { label: 'trading name', sensitivity_tier: 'Internal' })], 'Restricted:author')
    expect(reply.statusCode).toBe(200)
    expect(reply.json().rows).toMatchObject([{ table_name: 'customer', column_name: 'name', label: 'trading name', author: 'Restricted:author', proposed: false }])
    expect((await labelOf(':Customer.name'))?.label).toBe('trading name')
    expect(reply.headers.etag).toBe(`"${reply.json().etag}"`)
    expect(reply.headers.etag).not.toBe(empty.headers.etag)
  })

  it('is not changed by a caller who looked at an older version', async () => {
    const { etag } = (await world.call('GET', '/api/metadata')).headers
    const first = await put([row('site', null, { label: 'location' })], 'Restricted', { 'if-match': etag! })
    expect(first.statusCode).toBe(200)
    const second = await put([row('site', null, { label: 'place' })], 'Restricted', { 'if-match': etag! })
    expect([second.statusCode, second.json().code]).toEqual([412, 'stale'])
    expect((await world.call('GET', '/api/metadata')).body).toContain('location')
    expect((await world.call('GET', '/api/metadata', 'Restricted', undefined, { 'if-none-match': first.headers.etag as string })).statusCode).toBe(304)
  })

  it('keeps who said what, oldest first', async () => {
    await put([row('site', null, { label: 'site of ours' })], 'Restricted:author')
    const { history } = (await world.call('GET', '/api/metadata/history?table=site')).json()
    expect(history.map(({ author, after }: { author: string; after: { label: string } }) => [author, after.label])).toEqual([
      ['Restricted', 'location'],
      ['Restricted:author', 'site of ours'],
    ])
    expect(history[1].before.label).toBe('location')
    expect((await world.call('GET', '/api/metadata/history?table=customer&column=name')).json().history).toHaveLength(1)
  })

  it('moves a column out of sight when its tier is raised, for search and for metadata alike', async () => {
    expect(await labelOf(':Alarm.severity', 'Internal')).toBeDefined()
    const reply = await put([row('alarm', 'severity', { sensitivity_tier: 'Restricted', label: 'hush' })], 'Internal')
    expect(reply.statusCode).toBe(200)
    expect(reply.body).not.toContain('hush')
    expect(await labelOf(':Alarm.severity', 'Internal')).toBeUndefined()
    expect((await world.call('GET', '/api/metadata', 'Internal')).body).not.toContain('severity')
    expect((await world.call('GET', '/api/metadata', 'Restricted')).body).toContain('hush')
    expect((await world.call('GET', '/api/metadata?max_tier=Internal', 'Restricted')).body).not.toContain('hush')
    const body = { question: 'How many alarms per severity?', flavor: 'network-ops', max_tier: 'Internal' }
    expect((await world.call('POST', '/api/search', 'Internal', body)).json().status).not.toBe('ok')
    await put([row('alarm', 'severity', { sensitivity_tier: 'Internal' })])
    expect((await world.call('POST', '/api/search', 'Internal', body)).json().status).toBe('ok')
  })

  it('refuses a column above the ceiling exactly like one that never was', async () => {
    const places = [['customer', 'contact_email'], ['customer', 'contact_emial'], ['nothing', 'contact_email'], ['nothing', null]] as const
    const bodies = await Promise.all(places.map(async ([table, column]) => {
      const reply = await put([row(table, column, { label: 'mine' })], 'Internal')
      expect(reply.statusCode).toBe(404)
      const history = await world.call('GET', `/api/metadata/history?table=${table}${column === null ? '' : `&column=${column}`}`, 'Internal')
      expect(history.statusCode).toBe(404)
      return [steady(reply.body), steady(history.body)]
    }))
    for (const body of bodies) expect(body).toEqual(bodies[0])
    expect((await world.call('GET', '/api/metadata', 'Restricted')).body).not.toContain('mine')
  })

  it('hides a reference to a hidden column, and keeps it when the row comes back without it', async () => {
    expect((await put([row('customer', null, { has_key_columns: ['contact_email'], label: 'client' })])).statusCode).toBe(200)
    const seen = (await world.call('GET', '/api/metadata', 'Internal')).json().rows.find((each: { column_name: null | string; table_name: string }) => each.table_name === 'customer' && each.column_name === null)
    expect(seen).toMatchObject({ label: 'client', has_key_columns: null })
    expect((await put([row('customer', null, { label: 'customer' })], 'Internal')).statusCode).toBe(200)
    expect((await world.call('GET', '/api/metadata')).body).toContain('"has_key_columns":["contact_email"]')
    const [hidden, unknown] = await Promise.all(['contact_email', 'nothing'].map((column) => put([row('customer', null, { has_key_columns: [column] })], 'Internal')))
    expect(hidden!.statusCode).toBe(404)
    expect(steady(hidden!.body)).toBe(steady(unknown!.body))
    const history = await world.call('GET', '/api/metadata/history?table=customer', 'Internal')
    expect(history.statusCode).toBe(200)
    expect(history.body).not.toContain('contact_email')
  })

  it.each([
    ['no rows', { rows: [] }],
    ['an unknown field', { rows: [row('site', null, { colour: 'red' })] }],
    ['an unknown tier', { rows: [row('site', null, { sensitivity_tier: 'Secret' })] }],
    ['a column row without a column', { rows: [{ target_type: 'column', table_name: 'site', column_name: null }] }],
    ['one place twice', { rows: [row('site', null), row('site', null)] }],
    ['no list', { row: 1 }],
  ])('refuses %s', async (_what, payload) => {
    const reply = await world.call('PUT', '/api/metadata', 'Restricted', payload)
    expect([reply.statusCode, reply.json().code]).toEqual([400, 'invalid_request'])
  })

  it('changes nothing when one of several rows is refused', async () => {
    const before = (await world.call('GET', '/api/metadata')).body
    expect((await put([row('site', null, { label: 'half' }), row('nothing', null)])).json()).toMatchObject({ code: 'not_found', errors: [{ path: 'rows.1' }] })
    expect((await world.call('GET', '/api/metadata')).body).toBe(before)
  })

  it('is read by readers and written by authors', async () => {
    expect((await world.call('GET', '/api/metadata', 'Restricted:reader')).statusCode).toBe(200)
    for (const who of ['Restricted:reader', 'Restricted:reviewer', 'Restricted:admin']) {
      expect((await put([row('site', null)], who)).json().code).toBe('forbidden_role')
    }
  })

  it('notices what another process said meanwhile', async () => {
    const other = openWorkspace(join(world.folder, '.wherefore', 'store.db'))
    other.metadata.set([MetadataRow.parse(row('ticket', null, { label: 'case file' }))], 'cli', '2026-01-02T00:00:00Z')
    other.close()
    const { classes } = (await world.call('GET', '/api/ontology/vocabulary')).json() as { classes: { qname: string; label: string }[] }
    expect(classes.find(({ qname }) => qname === ':Ticket')?.label).toBe('case file')
  })
})
