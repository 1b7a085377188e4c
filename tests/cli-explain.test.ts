import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { generateLogs } from '../examples/log-rca/generate.ts'
import type { MaterialisedPage } from '../src/contracts/index.ts'
import { createService, openProject } from '../src/runtime/index.ts'
import { main } from '../src/surfaces/cli/program.ts'
import { caller } from './support.ts'
import { INCIDENT, writeGraph } from './support-graph.ts'

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
   │  │  ├─ record:e3 a :NfHeartbeatLost  asserted
   │  │  ├─ record:e3 :startedAt "2024-05-01T10:00:06.000Z"^^xsd:dateTime  asserted
   │  │  ├─ record:e2 :onEntity record:crt-07  asserted
   │  │  ├─ record:e3 :onEntity record:crt-07  asserted
   │  │  ├─ 2024-05-01T10:00:06.000Z > 2024-05-01T10:00:02.000Z  condition
   │  │  └─ 2024-05-01T10:00:06.000Z is within 30 s of 2024-05-01T10:00:02.000Z  condition
   │  └─ and in 1 other way: --all shows them
   ├─ record:e2 :hasCause record:e1  derived
   │  ├─ by sparql rule causal-linkdown-bgppeerlost
   │  │  ├─ record:e1 a :LinkDown  asserted
   │  │  ├─ record:e1 :startedAt "2024-05-01T10:00:00.000Z"^^xsd:dateTime  asserted
   │  │  ├─ record:e2 a :BgpPeerLost  asserted
   │  │  ├─ record:e2 :startedAt "2024-05-01T10:00:02.000Z"^^xsd:dateTime  asserted
   │  │  ├─ record:e1 :onEntity record:crt-07  asserted
   │  │  ├─ record:e2 :onEntity record:crt-07  asserted
   │  │  ├─ 2024-05-01T10:00:02.000Z > 2024-05-01T10:00:00.000Z  condition
   │  │  └─ 2024-05-01T10:00:02.000Z is within 30 s of 2024-05-01T10:00:00.000Z  condition
   │  └─ and in 1 other way: --all shows them
   └─ no match of { record:e1 :hasCause [] }  absent
`)
  })

  it('shows every way with --all, one document with --json, and no more than --max-tier allows', async () => {
    const all = await run(['explain', 'record:e2', ':hasCause', 'record:e1', '--all', '--depth', '1'])
    expect(all.out).toContain('by owl rule prp-inv1')
    const { out } = await run(['explain', 'record:e2', ':hasCause', 'record:e1', '--json', '--depth', '1'])
    expect(JSON.parse(out)).toMatchObject({ asserted: false, derivations: [{ engine: 'sparql' }, { engine: 'owl' }] })
    const hidden = await run(['explain', 'record:e4', ':hasCause', 'record:e3', '--max-tier', 'Internal'])
    expect([hidden.code, hidden.err]).toEqual([1, expect.stringContaining('hint: why-not')])
  })

  it.each([
    { args: ['record:e2', ':hasCause', 'record:e1', '--depth', '9'], says: 'depth is a whole number from 1 to 4' },
    { args: ['record:e2', ':hasCause', 'record:e1', '--depth', 'x'], says: 'depth is a whole number' },
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

  it('says what to run where there is no graph yet, and leaves nothing behind', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'wherefore-empty-'))
    writeFileSync(join(empty, 'wherefore.json'), '{}')
    try {
      const { code, err } = await run(['materialised'], empty)
      expect([code, err]).toEqual([1, expect.stringContaining('run wherefore toolkit --phase all')])
      expect(readdirSync(empty)).toEqual(['wherefore.json'])
    } finally {
      rmSync(empty, { recursive: true, force: true })
    }
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
    expect(tree).toMatch(/^record:event\/\S+ :rootCause record:event\/\S+ {2}derived\n└─ by sparql rule rca-rootcause-onehop\n/)
    expect(tree).toMatch(/by sparql rule causal-\S+\n(.*\n)*.* a :\w+ {2}asserted\n/)
    const turned = await run(['why-not', terms[2]!, terms[1]!, terms[0]!], logs)
    expect(turned.out).toMatch(/is not there\n├─ sparql rule rca-rootcause/)
  })
})
