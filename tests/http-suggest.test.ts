import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createService, openProject } from '../src/runtime/index.ts'
import { buildApp } from '../src/surfaces/http/index.ts'
import { type HttpWorld, httpWorld, steady } from './support-http.ts'

interface Suggested {
  readonly statusCode: number
  readonly body: string
  readonly suggestions: readonly { text: string; kind: string; insert: string }[]
}

/** A world whose look-ups have all the time they need: what is tested is what is found. */
interface Typing extends HttpWorld {
  suggest(query: string, tier?: string): Promise<Suggested>
}
const opened: (() => Promise<unknown>)[] = []

async function typingWorld(change = '', hidden: object[] = []): Promise<Typing> {
  const world = await httpWorld()
  if (change !== '') {
    const db = new DatabaseSync(world.database)
    db.exec(change)
    db.close()
  }
  if (hidden.length > 0) {
    const reply = await world.call('PUT', '/api/metadata', 'Restricted', { rows: hidden })
    if (reply.statusCode !== 200) throw new Error(reply.body)
  }
  const project = openProject({ cwd: world.folder, env: { SERVICE_SEARCH: '1' } })
  const service = createService(project, { suggestValuesMs: 20_000 })
  const apps = new Map(
    (['Public', 'Internal', 'Confidential', 'Restricted'] as const).map((localGrant) => {
      const parts = { service, config: project.config, localGrant, enabled: () => true, clock: { now: () => 0 }, ids: () => 'r' }
      return [localGrant as string, buildApp(parts)]
    }),
  )
  opened.push(async () => {
    for (const app of apps.values()) await app.close()
    await service.close()
    await world.close()
  })
  return {
    ...world,
    suggest: async (query, tier = 'Restricted') => {
      const reply = await apps.get(tier)!.inject({ method: 'GET', url: `/api/suggest${query}`, headers: { host: '127.0.0.1' } })
      return { statusCode: reply.statusCode, body: steady(reply.body), suggestions: reply.json().suggestions ?? [] }
    },
  }
}

let world: Typing
beforeAll(async () => {
  world = await typingWorld()
})
afterAll(async () => {
  for (const close of opened) await close()
})

describe('GET /api/suggest', () => {
  it('offers the example of the flavor before anything is typed', async () => {
    const { suggestions } = await world.suggest('')
    const example = 'Which customers are at risk from the degraded core router crt-07, and why?'
    expect(suggestions).toEqual([{ text: example, kind: 'question', insert: example }])
  })

  it('completes classes, properties and words of the trade', async () => {
    const { suggestions } = await world.suggest('?q=Which+maint')
    expect(suggestions.slice(0, 2)).toEqual([
      { text: 'maintenance', kind: 'class', insert: 'Which maintenance' },
      { text: 'Maintenance window', kind: 'class', insert: 'Which maintenance window' },
    ])
    expect((await world.suggest('?q=sev')).suggestions[0]).toEqual({ text: 'severity', kind: 'property', insert: 'severity' })
  })

  it('completes values, and the question that they complete is answered', async () => {
    const { suggestions } = await world.suggest('?q=Which+alarms+are+open+on+crt-0&limit=20')
    expect(suggestions.map(({ text, kind }) => `${kind} ${text}`)).toContain('value crt-07')
    const question = suggestions.find(({ text }) => text === 'crt-07')!.insert
    const answer = await world.call('POST', '/api/search', 'Internal', { question, flavor: 'network-ops' })
    expect([answer.json().status, answer.json().plan.from]).toEqual(['ok', 'Alarm'])
  })

  it('gives eight by default, and as many as asked up to twenty', async () => {
    expect((await world.suggest('?q=s')).suggestions).toHaveLength(8)
    expect((await world.suggest('?q=s&limit=3')).suggestions).toHaveLength(3)
    expect((await world.suggest('?q=as&limit=20')).suggestions).toHaveLength(20)
    for (const limit of ['0', '21', '1.5', 'x']) expect((await world.suggest(`?q=s&limit=${limit}`)).statusCode).toBe(400)
  })

  it('refuses what it does not know', async () => {
    for (const query of ['?q=s&other=1', '?q=s&max_tier=Secret', `?q=${'a'.repeat(2001)}`]) {
      expect((await world.suggest(query)).statusCode, query).toBe(400)
    }
    expect((await world.suggest('?q=s&source=elsewhere')).statusCode).toBe(403)
    expect((await world.suggest('?q=s&source=network-ops')).statusCode).toBe(200)
  })

  it('says the same bytes each time', async () => {
    for (const query of ['?q=c', '?q=aster', '?q=open+al']) expect(await world.suggest(query)).toEqual(await world.suggest(query))
  })

  it('needs a token once there are tokens, and is switched off with search', async () => {
    const stranger = await world.call('GET', '/api/suggest?q=s', 'nobody')
    expect(stranger.json().code).toBe('unauthenticated')
    const project = openProject({ cwd: world.folder, env: {} })
    const off = createService(project)
    const app = buildApp({ service: off, config: project.config, enabled: () => false, clock: { now: () => 0 }, ids: () => 'r' })
    const reply = await app.inject({ method: 'GET', url: '/api/suggest?q=s', headers: { host: '127.0.0.1' } })
    expect([reply.statusCode, reply.json().code]).toEqual([404, 'search_disabled'])
    const me = { name: 'me', grant: 'Restricted', roles: ['reader'] } as const
    await expect(off.suggest({ question: 's', limit: 8 }, me)).rejects.toMatchObject({ code: 'search_disabled' })
    await app.close()
    await off.close()
  })
})

describe('TRUST-1 two databases that differ only above the ceiling', () => {
  let twin: Typing
  const QUERIES = [
    '', '?q=contact', '?q=twin', '?q=con', '?q=pos', '?q=sec', '?q=%2B49', '?q=%22twin', '?q=s',
    '?q=as&limit=20', '?q=aster+', '?q=mail', '?q=contract', '?q=penal', '?q=pha',
  ]
  beforeAll(async () => {
    const row = (column_name: string, more: object) => ({ target_type: 'column', table_name: 'customer', column_name, ...more })
    twin = await typingWorld(
      `update customer set contact_email = 'twin-' || contact_email, contact_phone = '+49 000 ' || id,
        contact_name = 'Twin ' || id, contract_value = contract_value * 3 + 1;
        update sla set penalty_per_hour = penalty_per_hour * 2 + 7`,
      [row('contact_email', { label: 'second', synonyms: ['post'], sensitivity_tier: 'Restricted' })],
    )
  })

  it.each(['Internal', 'Public'])('complete alike for %s', async (tier) => {
    for (const query of QUERIES) {
      const [a, b] = [await world.suggest(query, tier), await twin.suggest(query, tier)]
      expect(b, query).toEqual(a)
      expect(a.statusCode).toBe(200)
    }
  })

  it('complete alike for a caller who lowers the ceiling', async () => {
    for (const query of QUERIES) {
      const lowered = `${query === '' ? '?' : `${query}&`}max_tier=Internal`
      const a = await world.suggest(lowered)
      expect(await twin.suggest(lowered), query).toEqual(a)
      expect(a.body).toBe((await world.suggest(query, 'Internal')).body)
    }
  })

  it('complete differently where the difference may be seen', async () => {
    expect((await twin.suggest('?q=twin')).suggestions.length).toBeGreaterThan(0)
    expect((await world.suggest('?q=twin')).suggestions).toEqual([])
    expect((await twin.suggest('?q=pos')).suggestions.map(({ text }) => text)).toContain('post')
    expect((await world.suggest('?q=pos')).suggestions.map(({ text }) => text)).not.toContain('post')
  })
})
