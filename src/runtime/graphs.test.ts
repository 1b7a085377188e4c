import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Rule, RuleLibrary, Session, type Tier } from '../contracts/index.ts'
import { rulesMark } from '../pipeline/index.ts'
import { type Workspace, openWorkspace } from '../store/index.ts'
import { Graphs } from './graphs.ts'

const BASE = 'https://enterprise.example/ontology#'
const PREFIXES = `@prefix : <${BASE}> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n`

let folder: string
let workspace: Workspace
let graphs: Graphs
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wherefore-graphs-'))
  mkdirSync(join(folder, 'ontology'))
  workspace = openWorkspace(join(folder, 'store.db'), { clock: () => new Date(0) })
  graphs = graphsOver(() => workspace)
})
afterEach(() => {
  workspace.close()
  rmSync(folder, { recursive: true, force: true })
})

const rcaLibrary = RuleLibrary.parse({ name: 'rca', label: '', rules: [] })
const graphsOver = (of: () => Workspace) =>
  new Graphs({ config: { out: folder, base_iri: BASE }, workspace: of, rcaLibrary, flavorRules: (flavors = ['own']) => flavors.map(flavorRule) })
const flavorRule = (name: string) =>
  Rule.parse({ ...rule(`rule-of-${name}`, `CONSTRUCT { ?x :by "${name}" } WHERE { ?x :p ?y }`), source: `flavor:${name}` })
const write = (turtle: string, name = 'enterprise.ttl') => writeFileSync(join(folder, 'ontology', name), PREFIXES + turtle)
const rule = (id: string, body: string) => ({ id, kind: 'sparql', body: `PREFIX : <${BASE}> ${body}` })

describe('graphs by ceiling', () => {
  it('are built once, also for requests that come while one is being built', async () => {
    write(':a rdfs:subClassOf :b .')
    const [first, second] = await Promise.all([graphs.at('Internal'), graphs.at('Internal')])
    expect(second).toBe(first)
    expect(await graphs.at('Internal')).toBe(first)
    expect(await graphs.at('Public')).not.toBe(first)
  })

  it('are built anew when a file or the session has changed, or when they were forgotten', async () => {
    write(':a rdfs:subClassOf :b .')
    const first = await graphs.at('Restricted')
    write(':a :p :b .', 'instances.ttl')
    const second = await graphs.at('Restricted')
    expect(second.asserted.length).toBe(first.asserted.length + 1)
    workspace.session.save(Session.parse({ rules: [rule('copy', 'CONSTRUCT { ?x :q ?y } WHERE { ?x :p ?y }')] }), 0)
    const third = await graphs.at('Restricted')
    expect(third.derived.map(({ quad }) => quad.predicate.value)).toContain(`${BASE}q`)
    graphs.forget()
    expect(await graphs.at('Restricted')).not.toBe(third)
  })

  it('forget a build that failed', async () => {
    write(':a rdfs:subClassOf')
    const failed = await Promise.allSettled([graphs.at('Public'), graphs.at('Public')])
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await expect(graphs.at('Public')).rejects.toMatchObject({ code: 'conflict' })
    write(':a rdfs:subClassOf :b .')
    expect((await graphs.at('Public')).asserted).toHaveLength(1)
  })

  it('are tried again after a failure, though nothing has changed', async () => {
    write(':a rdfs:subClassOf :b .')
    let loads = 0
    const load = () => {
      // the first is for the stamp, the second for the graph
      if ((loads += 1) === 2) throw new Error('busy')
      return workspace.session.load()
    }
    const flaky = graphsOver(() => ({ ...workspace, session: { ...workspace.session, load } }))
    await expect(flaky.at('Public')).rejects.toThrow('busy')
    expect((await flaky.at('Public')).asserted).toHaveLength(1)
  })

  it('know nothing of a rule about a class above their ceiling', async () => {
    write(':a rdfs:subClassOf :b .')
    const events = [{ name: 'Secret', severity: 'CRITICAL', source: 'log-discovery' }]
    const hidden = rule('hidden', 'CONSTRUCT { ?x :hasCause ?y } WHERE { ?x :p ?y }')
    const causal_rules = [{ ...hidden, cause_class: 'Secret', effect_class: 'Secret' }]
    workspace.session.save(Session.parse({ events, causal_rules }), 0)
    const rulesAt = async (tier: Tier) => [...(await graphs.at(tier)).origins.values()].map((origin) => origin.rule)
    expect(await rulesAt('Restricted')).toContain('hidden')
    expect(await rulesAt('Internal')).not.toContain('hidden')
  })

  it('say what to run where there is none', async () => {
    const about = { hint: 'run wherefore toolkit --phase all, or mine, review, 2 and reason for logs' }
    await expect(graphs.at('Restricted')).rejects.toMatchObject({ code: 'not_found', about })
  })
})

describe('the graph that phase reason wrote', () => {
  const RUN = { ceiling: 'Restricted', unique_names: true, ignore_windows: false, entity_join: true, flavors: [], rules: {} }
  const ran = (how: object) => writeFileSync(join(folder, 'ontology', 'materialisation.json'), JSON.stringify({ ...RUN, ...how }))
  const derived = async () => (await graphs.at('Restricted')).derived.map(({ quad }) => `${quad.predicate.value} ${quad.object.value}`)
  const by = (name: string) => `${BASE}by ${name}`

  it('is made with the rules of the flavors of that run, and of the configured sources before any run', async () => {
    write(':a :p :b .')
    expect(await derived()).toContain(by('own'))
    ran({ flavors: ['other'] })
    expect(await derived()).toEqual(expect.arrayContaining([by('other')]))
    expect(await derived()).not.toContain(by('own'))
    ran({ flavors: [] })
    expect((await derived()).filter((text) => text.startsWith(`${BASE}by`))).toEqual([])
  })

  it('holds two names for one thing where that run did', async () => {
    write(`:p a <http://www.w3.org/2002/07/owl#FunctionalProperty> . :a :p :b, :c .`)
    const same = 'http://www.w3.org/2002/07/owl#sameAs'
    expect((await derived()).filter((text) => text.startsWith(same))).toEqual([])
    ran({ unique_names: false })
    expect(await derived()).toContain(`${same} ${BASE}c`)
  })

  it.each(['', '{', 'null', '{"ceiling":"Restricted"}', '{"flavors":["../x"]}'])('is made by default where the run left %j', async (text) => {
    write(':a :p :b .')
    writeFileSync(join(folder, 'ontology', 'materialisation.json'), text)
    expect(await derived()).toContain(by('own'))
    expect(graphs.notes('Restricted')).toEqual([])
  })

  it('says that rules have changed since, to those who may know of the rule', () => {
    const mark = (tier: Tier) => [tier, rulesMark(Session.parse({}), rcaLibrary, [])]
    ran({ rules: Object.fromEntries((['Public', 'Internal', 'Confidential', 'Restricted'] as const).map(mark)) })
    expect(graphs.notes('Restricted')).toEqual([])
    const events = [{ name: 'Secret', severity: 'CRITICAL', source: 'manual' }]
    const secret = { ...rule('secret', 'CONSTRUCT { ?x :q ?y } WHERE { ?x :p ?y }'), cause_class: 'Secret', effect_class: 'Secret' }
    workspace.session.save(Session.parse({ events, causal_rules: [secret] }), 0)
    expect(graphs.notes('Restricted')).toEqual(['rules changed since phase reason ran'])
    expect(graphs.notes('Internal')).toEqual([])
    workspace.session.save(Session.parse({ rules: [{ ...rule('open', 'CONSTRUCT { ?x :q ?y } WHERE { ?x :p ?y }'), tier: 'Internal' }] }), 1)
    expect(graphs.notes('Internal')).toEqual(['rules changed since phase reason ran'])
  })
})
