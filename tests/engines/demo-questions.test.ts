/** The demo questions on copies in PostgreSQL and MariaDB: answered as SQLite answers them, and verified there. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Problem, SearchAnswer } from '../../src/contracts/index.ts'
import { sameRows } from '../../src/evaluation/compare-rows.ts'
import { type Caller, type Service, createService, openProject, parseRequest } from '../../src/runtime/index.ts'
import { DEMOS, DEMO_NOW, DEMO_QUESTIONS, type DemoQuestion, Tally, Truth, failureText,
  judge, makeDemos, optionsOf, sampleOf } from '../support-demo.ts'
import { copySqlite, startEngines } from '../support-servers.ts'
import { onEachEngine } from './on-each-engine.ts'

const full = process.env['WHEREFORE_FULL'] === '1'
const SAMPLE = ['at-risk-crt-07', 'open-by-severity', 'never-alarmed', 'installed-since',
  'many-subscriptions', 'ineligible', 'labs-of-s-0042', 'visits-of-s-0101']
const asked = (full ? DEMO_QUESTIONS : sampleOf(SAMPLE))
  .map((question) => ({ question, name: `${question.demo}: ${question.question} [${question.id}]` }))

const folder = mkdtempSync(join(tmpdir(), 'wherefore-demo-engines-'))
const { files, sources } = makeDemos(folder)
const truth = new Truth(files)
const { engines, stop } = await startEngines()
const sqlite = serviceOver('sqlite', sources)

afterAll(async () => {
  truth.close()
  await sqlite.service.close()
  await stop()
  rmSync(folder, { recursive: true, force: true })
})

interface Side {
  readonly folder: string
  readonly service: Service
  ask(question: DemoQuestion): Promise<SearchAnswer | Problem>
}

function serviceOver(name: string, configured: object): Side {
  const home = join(folder, name)
  mkdirSync(home)
  writeFileSync(join(home, 'wherefore.json'), JSON.stringify({ sources: configured }))
  const project = openProject({ cwd: home, env: { SERVICE_SEARCH: '1' } })
  const service = createService(project, { keepRuns: true, date: () => new Date(DEMO_NOW),
    onBug: (error) => console.error(error) })
  const answers = new Map<string, Promise<SearchAnswer | Problem>>()
  const once = async (question: DemoQuestion): Promise<SearchAnswer | Problem> => {
    const earlier = DEMO_QUESTIONS.find(({ demo, id }) => demo === question.demo && id === question.follows)
    const before = earlier === undefined ? null : await ask(earlier)
    const context = before === null ? undefined : 'run_id' in before ? before.run_id : 'the question before it has no run'
    const request = parseRequest({ timeout_ms: 20_000, ...optionsOf(question, context), question: question.question })
    for await (const { event, data } of service.search(request, callerFor(question), { requestId: 'test' })) {
      if (event === 'answer' || event === 'error') return data
    }
    throw new Error('the search ended without an end')
  }
  const ask = (question: DemoQuestion) => {
    const key = `${question.demo}/${question.id}`
    const found = answers.get(key) ?? once(question)
    answers.set(key, found)
    return found
  }
  return { folder: home, service, ask }
}

const callerFor = ({ grant }: DemoQuestion): Caller => ({ name: 'tester', grant, roles: ['reader'] })

/** SQLite keeps a moment as the text it was given, PostgreSQL writes it in its own way, and MariaDB knows no zones. */
const zoneless = (text: string): string => text.replaceAll(' UTC', '')
const alike = ({ results: { columns, rows } }: SearchAnswer) => ({
  columns,
  rows: rows.map((row) => row.map((cell) => (
    typeof cell === 'string' ? cell.replace(/^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)Z?$/, '$1 $2') : cell))),
})

onEachEngine(engines, (server, name) => {
  const tally = new Tally()
  let side: Side
  beforeAll(async () => {
    const copies = await Promise.all(
      DEMOS.map(async (demo) => {
        const place = await server.create(demo.replaceAll('-', '_'))
        await copySqlite(files[demo], { dialect: server.dialect, adminUrl: place.adminUrl })
        return [demo, { url: place.url, flavor: demo }] as const
      }),
    )
    side = serviceOver(name, Object.fromEntries(copies))
  }, 60_000)
  afterAll(async () => {
    console.log(`demo questions on ${name}\n${tally.table()}`)
    await side.service.close()
  })

  it.each(asked)('$name', async ({ question }) => {
    const [here, there] = [await side.ask(question), await sqlite.ask(question)]
    const verdict = judge(question, here, truth)
    const text = failureText(question, here, verdict, truth)
    tally.add(question, verdict, text)
    if (!('run_id' in there) || !('run_id' in here)) return expect(here).toEqual(there)
    expect([here.status, zoneless(here.answer)], text).toEqual([there.status, zoneless(there.answer)])
    expect(alike(here).rows, text).toHaveLength(there.results.rows.length)
    expect(sameRows(alike(there), alike(here), true), `${text}\n${JSON.stringify(there.results.rows.slice(0, 5))}`).toBe(true)
    // a question that is answered right on SQLite is right here too, with citations that are records
    if (judge(question, there, truth).kind === 'right') expect(verdict.kind, text).toBe('right')
  })

  it.each(asked)('verifies: $name', async ({ question }) => {
    const answer = await side.ask(question)
    if (!('run_id' in answer) || answer.claims.length === 0) return
    const stored: unknown = JSON.parse(JSON.stringify(answer))
    const { value } = await side.service.verify(stored, { db: question.demo }, callerFor(question))
    expect(value.claims.filter(({ verified }) => !verified)).toEqual([])
    expect(value).toMatchObject({ ok: true, document: [] })
    const changed = { ...answer, claims: answer.claims.map((claim) => ({ ...claim, text: `${claim.text} And more.` })) }
    expect((await side.service.verify(changed, { db: question.demo }, callerFor(question))).value.ok).toBe(false)
  })

  it('verifies on the command line', async () => {
    const question = asked[0]?.question
    if (question === undefined) throw new Error('no question')
    const answer = (await side.ask(question)) as SearchAnswer
    const file = join(side.folder, 'answer.json')
    const verify = (document: unknown) => {
      writeFileSync(file, JSON.stringify(document))
      const program = resolve(import.meta.dirname, '..', '..', 'bin', 'wherefore.js')
      return spawnSync(process.execPath, [program, 'verify', file, '--db', question.demo],
        { cwd: side.folder, encoding: 'utf8' })
    }
    const whole = verify(answer)
    expect([whole.status, whole.stdout], whole.stderr).toEqual([0, expect.stringContaining('the answer holds')])
    const fewer = verify({ ...answer, results: { ...answer.results, rows: answer.results.rows.slice(1) } })
    expect([fewer.status, fewer.stdout], fewer.stderr).toEqual([1, expect.stringContaining('the answer does not hold')])
  })
})
