import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { generateLogs } from '../examples/log-rca/generate.ts'
import { type MaterialisedPage, Session } from '../src/contracts/index.ts'
import { createService, openProject } from '../src/runtime/index.ts'
import { openWorkspace } from '../src/store/index.ts'
import { main } from '../src/surfaces/cli/program.ts'
import { caller } from './support.ts'
import { BASE, INCIDENT, writeGraph } from './support-graph.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wherefore-cli-explain-'))
  writeFileSync(join(folder, 'wherefore.json'), '{}')
  writeGraph(folder, INCIDENT)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

/** In this process: a new one for each command would take longer than all that the commands do. */
async function run(args: string[], cwd = folder): Promise<{ code: number; out: string; err: string }> {
  vi.stubEnv('SERVICE_CONFIG', join(cwd, 'wherefore.json'))
  const said = { out: '', err: '' }
  vi.spyOn(console, 'log').mockImplementation((text: string) => void (said.out += `${text}\n`))
  vi.spyOn(console, 'error').mockImplementation((text: string) => void (said.err += `${text}\n`))
  return { code: await main(args), ...said }
}

describe('wherefore explain', () => {
  it('prints the tree of a triple, with short names that can be typed in again', () => {
    const args = [resolve('bin/wherefore.js'), 'explain', 'record:e3', ':rootCause', 'record:e1']
    const done = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', env: { PATH: process.env['PATH'] } })
    expect([done.status, done.stderr]).toEqual([0, ''])
    expect(done.stdout).toBe(`record:e3 :rootCause record:e1  derived
└─ by sparql rule rca-rootcause-onehop
   ├─ record:e3 :hasCause record:e2  derived
   │  ├─ by sparql rule causal-bgppeerlost-nfheartbeatlost
   │  │  ├─ record:e2 a :BgpPeerLost  asserted
   │  │  ├─ record:e2 :startedAt "2024-05-01T10:00:02.000Z"^^xsd:dateTime  asserted
   │  │  ├─ record:e2 has no :endedAt  absent
   │  │  ├─ record:e3 a :NfHeartbeatLost  asserted
   │  │  ├─ record:e3 :startedAt "2024-05-01T10:00:06.000Z"^^xsd:dateTime  asserted
   │  │  ├─ record:e2 :onEntity record:crt-07  asserted
   │  │  ├─ record:e3 :onEntity record:crt-07  asserted
   │  │  ├─ contains(str(record:crt-07), "/entity/node/") || (!contains(str(record:crt-07), "/entity/"))  condition
   │  │  ├─ 2024-05-01T10:00:06.000Z > 2024-05-01T10:00:02.000Z  condition
   │  │  └─ 2024-05-01T10:00:06.000Z is within 30 s of 2024-05-01T10:00:02.000Z  condition
   │  └─ and in 1 other way: --all shows it
   ├─ record:e2 :hasCause record:e1  derived
   │  ├─ by sparql rule causal-linkdown-bgppeerlost
   │  │  ├─ record:e1 a :LinkDown  asserted
   │  │  ├─ record:e1 :startedAt "2024-05-01T10:00:00.000Z"^^xsd:dateTime  asserted
   │  │  ├─ record:e1 has no :endedAt  absent
   │  │  ├─ record:e2 a :BgpPeerLost  asserted
   │  │  ├─ record:e2 :startedAt "2024-05-01T10:00:02.000Z"^^xsd:dateTime  asserted
   │  │  ├─ record:e1 :onEntity record:crt-07  asserted
   │  │  ├─ record:e2 :onEntity record:crt-07  asserted
   │  │  ├─ contains(str(record:crt-07), "/entity/node/") || (!contains(str(record:crt-07), "/entity/"))  condition
   │  │  ├─ 2024-05-01T10:00:02.000Z > 2024-05-01T10:00:00.000Z  condition
   │  │  └─ 2024-05-01T10:00:02.000Z is within 30 s of 2024-05-01T10:00:00.000Z  condition
   │  └─ and in 1 other way: --all shows it
   └─ record:e1 has no :hasCause  absent
`)
  })

  it('shows every way with --all, one document with --json, and no more than --max-tier allows', async () => {
    const all = await run(['explain', 'record:e2', ':hasCause', 'record:e1', '--all', '--depth', '1'])
    expect(all.out).toContain('by owl rule prp-inv1')
    const { out } = await run(['explain', 'record:e2', ':hasCause', 'record:e1', '--json', '--depth', '1'])
    expect(JSON.parse(out)).toMatchObject({ asserted: false, derivations: [{ engine: 'sparql' }, { engine: 'owl' }] })
    const hidden = await run(['explain', 'record:e4', ':hasCause', 'record:e3', '--max-tier', 'Internal'])
    expect([hidden.code, hidden.err]).toEqual([1, expect.stringContaining('record:e4 occurs nowhere in the graph')])
  })

  it.each([
    { args: ['record:e2', ':hasCause', 'record:e1', '--depth', '9'], says: 'depth is a whole number from 1 to 4' },
    { args: ['record:e2', ':hasCause', 'record:e1', '--depth', 'x'], says: 'depth is a whole number from 1 to 4' },
    { args: ['record:e2', ':hasCause', 'record:nosuch'], says: 'record:nosuch occurs nowhere in the graph' },
    { args: ['record:e2', ':hasCause', 'record:e3'], says: 'hint: why-not' },
    { args: ['record:e2', ':hasCause', 'record:e1', '--max-tier', 'Secret'], says: 'one of Public' },
    { args: ['"x"', ':hasCause', 'record:e1'], says: 'a subject is an IRI' },
  ])('says what is wrong with $args', async ({ args, says }) => {
    const { code, err } = await run(['explain', ...args])
    expect([code, err]).toEqual([1, expect.stringContaining(says)])
  })
})

describe('wherefore why-not', () => {
  it('prints what held and what is needed', async () => {
    const { code, out } = await run(['why-not', 'record:late', ':hasCause', 'record:e1'])
    expect(code).toBe(0)
    expect(out).toContain(`record:late :hasCause record:e1  is not there
├─ sparql rule causal-linkdown-bgppeerlost
│  ├─ has    record:e1 a :LinkDown  asserted
`)
    expect(out).toContain('│  └─ needs  2024-05-01T10:10:00.000Z is within 30 s of 2024-05-01T10:00:00.000Z\n')
    expect((await run(['why-not', 'record:e2', ':hasCause', 'record:e1'])).out).toMatch(/is there: derived\nnote: .*explain/)
  })

  it('says first what occurs nowhere in the graph', async () => {
    const { out } = await run(['why-not', 'record:event/nosuch', ':hasCause', 'record:e1'])
    expect(out).toMatch(/^record:event\/nosuch occurs nowhere in the graph\nrecord:event\/nosuch :hasCause record:e1 {2}is not there\n/)
    expect((await run(['why-not', 'record:late', ':hasCause', 'record:e1'])).out).not.toContain('occurs nowhere')
  })
})

describe('wherefore materialised', () => {
  it('prints a table that goes on where it ended', async () => {
    const { code, out } = await run(['materialised', '--engine', 'sparql', '--limit', '2'])
    expect(code).toBe(0)
    const [head, first, , last] = out.split('\n')
    expect(head).toMatch(/^subject +predicate +object +tier +derived by$/)
    expect(first).toMatch(/^record:e1 +:triggers +record:e2 +Internal +sparql causal-linkdown-bgppeerlost, owl prp-inv2$/)
    expect(last).toMatch(/^2 of \d+; go on with --cursor \S+$/)
    const next = await run(['materialised', '--engine', 'sparql', '--limit', '2', '--cursor', last!.split(' ').at(-1)!])
    expect(next.out).not.toContain(first)
    expect(JSON.parse((await run(['materialised', '--rule', 'cax-sco', '--json'])).out).total).toBe(5)
    expect((await run(['materialised', '--engine', 'prolog'])).err).toContain('one of owl, shacl, sparql, datalog')
  })

  it('says so where nothing fits, and where a rule has derived nothing', async () => {
    expect((await run(['materialised', '--q', 'no such text'])).out).toBe('no derived triple fits\n')
    expect((await run(['materialised', '--rule', 'cax-sco', '--engine', 'datalog'])).out).toBe('no derived triple fits\n')
    expect((await run(['materialised', '--rule', 'no-such-rule'])).out).toBe('no rule of that id has derived anything\n')
    expect((await run(['materialised', '--limit', 'x'])).err).toContain('limit is a whole number from 1 to 500')
  })

  it('says what to run where there is no graph yet, and leaves nothing behind', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'wherefore-empty-'))
    writeFileSync(join(empty, 'wherefore.json'), '{}')
    try {
      const { code, err } = await run(['materialised'], empty)
      expect([code, err]).toEqual([1, expect.stringContaining('run wherefore toolkit --phase all, or mine, review, 2 and reason for logs')])
      expect(readdirSync(empty)).toEqual(['wherefore.json'])
    } finally {
      rmSync(empty, { recursive: true, force: true })
    }
  })
})

describe('after phase reason', () => {
  let own: string
  beforeEach(() => {
    own = mkdtempSync(join(tmpdir(), 'wherefore-cli-reason-'))
    writeFileSync(join(own, 'wherefore.json'), '{}')
    const elsewhere = 'r:far a :BgpPeerLost ; :startedAt "2024-05-01T10:00:03.000Z"^^xsd:dateTime ; :onEntity r:crt-09 .\n'
    writeGraph(own, { ...INCIDENT, data: elsewhere })
  })
  afterEach(() => rmSync(own, { recursive: true, force: true }))
  const output = (path: string) => readFileSync(join(own, 'output', path), 'utf8')
  const reason = (...args: string[]) => run(['toolkit', '--phase', 'reason', ...args], own)
  /** As the reader of another surface, who changes the rules. */
  const addRule = (id: string, kind: string, body: string) => {
    const workspace = openWorkspace(openProject({ cwd: own, env: {} }).config.store, { clock: () => new Date(0) })
    const { version, session } = workspace.session.load()
    workspace.session.save(Session.parse({ ...session, rules: [...session.rules, { id, kind, body }] }), version)
    workspace.close()
  }

  it.each([
    { option: '--ignore-windows', subject: 'late', line: 'Run with: unique names and entity join on; windows off; flavors: none.' },
    { option: '--no-entity-join', subject: 'far', line: 'Run with: unique names and windows on; entity join off; flavors: none.' },
  ])('with $option, explain finds what its files hold', async ({ option, subject, line }) => {
    const ask = () => run(['explain', `record:${subject}`, ':hasCause', 'record:e1'], own)
    expect((await ask()).code).toBe(1)
    expect((await reason(option)).code).toBe(0)
    expect((await ask()).out).toContain('by sparql rule causal-linkdown-bgppeerlost')
    expect(output('ontology/materialisation_report.md').split('\n').slice(0, 5)).toContain(line)
  })

  it('says that rules changed since', async () => {
    await reason()
    const said = async (command: string, object = 'record:e1') => {
      const { out, err } = await run([command, 'record:e2', ':hasCause', object], own)
      return out + err
    }
    for (const command of ['explain', 'why-not']) expect(await said(command)).not.toContain('rules changed')
    addRule('later', 'sparql', `PREFIX : <${BASE}> CONSTRUCT { ?x :q ?y } WHERE { ?x :hasCause ?y }`)
    for (const command of ['explain', 'why-not']) {
      expect(await said(command)).toContain('note: rules changed since phase reason ran\n')
    }
    expect(await said('explain', 'record:e3')).toContain('rules changed since phase reason ran')
    await reason()
    expect(await said('explain')).not.toContain('rules changed')
  })

  it('refuses a flavor that nobody knows, by name, and runs nothing', async () => {
    const { code, err } = await reason('--flavor', 'nope')
    expect([code, err]).toEqual([1, expect.stringMatching(/no flavor of that name[^]*known: .*network-ops/)])
    expect(existsSync(join(own, 'output/ontology/materialised.ttl'))).toBe(false)
    expect((await reason('--flavor', 'network-ops')).code).toBe(0)
    expect(JSON.parse(output('ontology/materialisation.json'))).toMatchObject({ ceiling: 'Restricted', flavors: ['network-ops'] })
  })

  it('a rule with broken Turtle is refused by name, and the others run', async () => {
    addRule('broken', 'owl', ':A rdfs:subClassOf')
    const { code, out } = await reason()
    expect([code, out]).toEqual([0, expect.stringContaining('refused broken')])
    expect(output('shapes/rules.ttl')).not.toContain('broken')
  })

  it('leaves the rules of the old graph beside it where a run fails', async () => {
    await reason()
    const before = readdirSync(join(own, 'output/sparql_rules'))
    addRule('later', 'sparql', `PREFIX : <${BASE}> CONSTRUCT { ?x :q ?y } WHERE { ?x :hasCause ?y }`)
    writeFileSync(join(own, 'output/ontology/instances.ttl'), ':a')
    expect((await reason()).code).toBe(1)
    expect(readdirSync(join(own, 'output/sparql_rules'))).toEqual(before)
    expect(readdirSync(join(own, 'output/ontology')).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })
})

describe('on the sample logs', () => {
  let logs: string
  beforeAll(async () => {
    logs = mkdtempSync(join(tmpdir(), 'wherefore-cli-logs-'))
    mkdirSync(join(logs, 'logs'))
    for (const { file, text } of generateLogs()) writeFileSync(join(logs, 'logs', file), text)
    writeFileSync(join(logs, 'wherefore.json'), JSON.stringify({ log_roots: ['logs'] }))
    const service = createService(openProject({ cwd: logs, env: {} }))
    await service.runPhase('mine', { logPath: join(logs, 'logs') })
    const { candidates } = service.candidates({ kind: 'LOG_CAUSAL_EDGE', status: 'PENDING', limit: 200 }, caller()).value
    for (const { pid } of candidates) service.decide(pid, 'approve', {}, caller())
    await service.runPhase('2', {})
    await service.close()
  })
  afterAll(() => rmSync(logs, { recursive: true, force: true }))

  it('every derived triple is explained by premises, whichever engine derived it', async () => {
    const service = createService(openProject({ cwd: logs, env: {} }))
    try {
      const triples: MaterialisedPage['triples'] = []
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const query = { limit: 500, ...(cursor === undefined ? {} : { cursor }) }
        const { page }: { page: MaterialisedPage } = (await service.materialised(query, caller())).value
        triples.push(...page.triples)
        cursor = page.next_cursor
      }
      const engines = new Set(triples.flatMap(({ derivations }) => derivations.map(({ engine }) => engine)))
      expect(engines).toEqual(new Set(['owl', 'sparql']))
      for (const { triple, derivations } of triples) {
        const tree = (await service.explain(triple, 4, caller())).value
        expect(tree.triple).toEqual(triple)
        expect(tree.derivations.map(({ engine, rule }) => ({ engine, rule }))).toEqual(derivations)
        for (const { premises } of tree.derivations) expect(premises.length).toBeGreaterThan(0)
      }
    } finally {
      await service.close()
    }
  })

  it('a root cause of the table can be copied into explain', async () => {
    const { out } = await run(['materialised', '--rule', 'rca-rootcause-onehop', '--limit', '1'], logs)
    const terms = out.split('\n')[1]!.split(/ {2,}/).slice(0, 3)
    const { code, out: tree } = await run(['explain', ...terms], logs)
    expect(code).toBe(0)
    const label = String.raw`\(\w+ at \d{4}-[^()\s]+\)`
    const event = String.raw`record:event/\S+ ${label}`
    const first = String.raw`^${event} :rootCause ${event}  derived\n└─ by sparql rule rca-rootcause-onehop\n`
    expect(tree).toMatch(new RegExp(first))
    expect(tree.split(terms[0]!).length).toBeGreaterThan(2)
    expect(tree.split(`${terms[0]!} (`)).toHaveLength(2)
    expect(tree).toMatch(/by sparql rule causal-\S+\n(.*\n)*.* a :\w+ {2}asserted\n/)
    const turned = await run(['why-not', terms[2]!, terms[1]!, terms[0]!], logs)
    expect(turned.out).toMatch(/is not there\n├─ sparql rule rca-rootcause/)
  })
})
