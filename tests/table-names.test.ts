import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type NewCandidate, openWorkspace, pidOf } from '../src/store/index.ts'
import { type HttpWorld, httpWorld } from './support-http.ts'

/** Nothing from logs is approved under the name of a table's class: lines would be taken for records. */
let world: HttpWorld
const event = (name: string): NewCandidate => ({
  key: name, proposalType: 'LOG_EVENT', detectionStrategy: 'LOG_TEMPLATE_CLUSTERING', title: name, name, confidence: 0.9, consequence: 0.5, lagMsP50: null,
  lagMsP95: null, tier: 'Public', evidenceSample: '', evidence: { clusters: [`c-${name}`], severity: 'INFO', service: 'router' },
})
const queue = '/api/log-discovery'
const post = (path: string, body: object, who?: string) => world.call('POST', `${queue}/${path}`, who, body)

beforeAll(async () => {
  world = await httpWorld({
    sourcesDir: false,
    project: (folder) => {
      const database = join(folder, 'shop.sqlite')
      const shop = new DatabaseSync(database)
      shop.exec("CREATE TABLE outage (id INTEGER PRIMARY KEY, label TEXT); INSERT INTO outage VALUES (1, 'a')")
      shop.close()
      return { database, config: { sources: { shop: { path: 'shop.sqlite' } }, store: join(folder, 'store.db') } }
    },
  })
  const store = openWorkspace(join(world.folder, 'store.db'))
  store.proposals.upsert(['Outage', 'Alarm', 'Fault'].map(event), '2026-01-02T03:04:05.000Z')
  store.close()
})
afterAll(async () => world.close())

it('an approval, a new name and a bulk decision are refused and say what to do; another name is free', async () => {
  const [outage, alarm, fault] = ['Outage', 'Alarm', 'Fault'].map(pidOf)
  const refused = { code: 'conflict', detail: 'the name "Outage" is that of the class of a table', hint: expect.stringContaining('choose another name with an edit') }
  expect((await post(`${outage}/approve`, {})).json()).toMatchObject(refused)
  expect((await post(`${alarm}/approve`, { edits: { name: 'Outage' } })).json()).toMatchObject(refused)
  const bulk = (await post('bulk', { ids: [outage, fault], action: 'approve' })).json()
  expect(bulk).toMatchObject({ done: 1, refused: 1, outcomes: [{ pid: outage, detail: refused.detail }, { pid: fault, outcome: 'done' }] })
  expect((await post(`${fault}/edit`, { edits: { name: 'Outage' } })).statusCode).toBe(409)
  expect((await post(`${outage}/approve`, { edits: { name: 'OutageSeen' } })).json()).toMatchObject({ session_entry: { name: 'OutageSeen' } })
  const { session } = (await world.call('GET', '/api/session')).json()
  expect(session.events.map(({ name }: { name: string }) => name)).toEqual(['Fault', 'OutageSeen'])
})

it('a caller who may not see the table learns nothing of it', async () => {
  expect((await world.call('GET', '/api/ontology/vocabulary', 'Public')).body).not.toContain('Outage')
  const [alarm] = ['Alarm'].map(pidOf)
  expect((await post(`${alarm}/approve`, { edits: { name: 'Outage' } }, 'Public')).statusCode).toBe(200)
})
