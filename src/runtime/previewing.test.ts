import { describe, expect, it } from 'vitest'
import { LIMITS, Rule } from '../contracts/index.ts'
import { validateRule } from '../rules/index.ts'
import { type PreviewAsk, previewing } from './previewing.ts'

const BASE = 'https://enterprise.example/ontology#'
const parts = { baseIri: BASE, recordBase: 'https://enterprise.example/record/', out: '/nonexistent', clock: { now: () => 0 } }
const ask = (where: string, data: string, caller = 'ann'): PreviewAsk => {
  const rule = Rule.parse({ id: 'r', kind: 'sparql', body: `PREFIX : <${BASE}>\nCONSTRUCT { ?a :b ?z } WHERE { ${where} }` })
  const sight = { ceiling: 'Restricted' as const, vocabulary: { classes: [], properties: [] }, known: new Set<string>(), quads: [] }
  return { rule, validation: validateRule(rule), context: { others: [] }, sight, data, ceiling: 'Restricted', caller }
}
const MANY = `@prefix : <${BASE}> . ${Array.from({ length: 400 }, (_, n) => `<x:${n}> a :Alarm .`).join(' ')}`
const PRODUCT = '?a a :Alarm . ?b a :Alarm . ?c a :Alarm . ?d a :Alarm . ?z a :Alarm'

describe('a preview that would never end', () => {
  it('is stopped: what was found by then is shown as a part, or nothing is', async () => {
    const since = performance.now()
    const found = await previewing({ ...parts, deadlineMs: 3000 })(ask(PRODUCT, MANY)).then(({ warnings }) => warnings.join(), ({ code }) => String(code))
    expect(found).toMatch(/budget|deadline_exceeded/)
    expect(performance.now() - since).toBeLessThan(10_000)
  })

  it('ends with the client, and the next one runs', async () => {
    const run = previewing({ ...parts, deadlineMs: 20_000 })
    const gone = new AbortController()
    const first = run(ask(PRODUCT, MANY), gone.signal)
    setTimeout(() => gone.abort(), 50)
    await expect(first).rejects.toMatchObject({ code: 'cancelled' })
    await expect(run(ask('?a a :Alarm . ?z a :Alarm', `@prefix : <${BASE}> . <x:1> a :Alarm .`))).resolves.toMatchObject({ count: 1 })
  })
})

describe('who asks for many previews at once', () => {
  it('is sent away when that is too much, and holds nobody else up for longer than one of them takes', async () => {
    const run = previewing({ ...parts, deadlineMs: 20_000 })
    const gone = new AbortController()
    const greedy = Array.from({ length: 1 + LIMITS.previews_waiting_per_caller }, () => run(ask(PRODUCT, MANY, 'bob'), gone.signal).catch(({ code }) => String(code)))
    await expect(run(ask(PRODUCT, MANY, 'bob'))).rejects.toMatchObject({ code: 'too_many_requests' })
    const other = run(ask('?a a :Alarm . ?z a :Alarm', `@prefix : <${BASE}> . <x:1> a :Alarm .`, 'eve'))
    setTimeout(() => gone.abort(), 200)
    await expect(other).resolves.toMatchObject({ count: 1 })
    expect(new Set(await Promise.all(greedy))).toEqual(new Set(['cancelled']))
  })
})
