/** The questions of the demo databases, asked on every surface: the same answer everywhere, and the rows of the gold query. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Problem, SearchAnswer, Tier } from '../src/contracts/index.ts'
import { type Service, createService, openProject } from '../src/runtime/index.ts'
import { search } from '../src/runtime/reasoning_search.ts'
import { type App, type Token, buildApp } from '../src/surfaces/http/index.ts'
import { DEMO_NOW, DEMO_QUESTIONS, type DemoQuestion, Tally, Truth, failureText, judge,
  makeDemos, optionsOf, sampleOf, timeless } from './support-demo.ts'
import { framesOf } from './support-http.ts'

const full = process.env['WHEREFORE_FULL'] === '1'
const SAMPLE = ['at-risk-crt-07', 'open-by-severity', 'never-alarmed', 'ineligible', 'birth-date-blocked', 'of-those-arvon']

const folder = mkdtempSync(join(tmpdir(), 'wherefore-questions-'))
const { files, sources } = makeDemos(folder)
writeFileSync(join(folder, 'wherefore.json'), JSON.stringify({ sources }))
const truth = new Truth(files)
const tally = new Tally()
let service: Service
let app: App

const token = (max_tier: Tier): Token => ({
  name: max_tier, sha256: createHash('sha256').update(max_tier).digest('hex'), max_tier, roles: ['reader'],
})

beforeAll(async () => {
  const project = openProject({ cwd: folder, env: { SERVICE_SEARCH: '1' } })
  service = createService(project, { keepRuns: true, date: () => new Date(DEMO_NOW), onBug: (error) => console.error(error) })
  app = buildApp({
    service, config: project.config, tokens: [token('Internal'), token('Confidential'), token('Restricted')],
    enabled: () => true, clock: { now: () => performance.now() }, ids: () => 'r',
  })
  await app.ready()
})
afterAll(async () => {
  const failures = tally.write()
  console.log(`demo questions over HTTP\n${tally.table()}${failures === null ? '' : `\n  the failures lie in ${failures}`}`)
  truth.close()
  await app.close()
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

type Ask = (question: DemoQuestion, context?: string) => Promise<SearchAnswer | Problem>

const post = (path: string, question: DemoQuestion, context?: string) =>
  app.inject({
    method: 'POST', url: path, payload: { ...optionsOf(question, context), question: question.question },
    headers: { host: '127.0.0.1', authorization: `Bearer ${question.grant}` },
  })
const overHttp: Ask = async (question, context) => (await post('/api/search', question, context)).json()
const overStream: Ask = async (question, context) =>
  framesOf((await post('/api/search/stream', question, context)).body).at(-1)?.data

/** Asks the question that one refers back to first, each question once a surface. */
function asker(ask: Ask): (question: DemoQuestion) => Promise<SearchAnswer | Problem> {
  const asked = new Map<string, Promise<SearchAnswer | Problem>>()
  const once = (question: DemoQuestion): Promise<SearchAnswer | Problem> => {
    const key = `${question.demo}/${question.id}`
    const found = asked.get(key) ?? withContext(question)
    asked.set(key, found)
    return found
  }
  const withContext = async (question: DemoQuestion) => {
    const earlier = DEMO_QUESTIONS.find(({ demo, id }) => demo === question.demo && id === question.follows)
    if (earlier === undefined) return ask(question)
    const before = await once(earlier)
    return ask(question, 'run_id' in before ? before.run_id : 'the question before it has no run')
  }
  return once
}
const http = asker(overHttp)
const stream = asker(overStream)

const named = DEMO_QUESTIONS.map((question) => ({ question, name: `${question.demo}: ${question.question} [${question.id}]` }))

describe('the written questions', () => {
  it('are enough of every class, and each gold query finds something', () => {
    for (const demo of ['network-ops', 'clinical-trial']) {
      const own = DEMO_QUESTIONS.filter((question) => question.demo === demo)
      expect(own.length).toBeGreaterThanOrEqual(30)
      expect(new Set(own.map(({ id }) => id)).size).toBe(own.length)
      for (const needed of ['count', 'join', 'superlative', 'negation', 'group', 'having', 'date', 'or', 'both',
        'between', 'average',
        'follow-up', 'why', 'why-not', 'blocked', 'ungrounded', 'clarify', 'yes-no']) {
        expect(own.map((question) => question.class)).toContain(needed)
      }
      for (const question of own) expect(truth.rows(question)?.rows.length, question.id).not.toBe(0)
    }
  })
})

describe('over HTTP', () => {
  it.each(named)('$name', async ({ question }) => {
    const answer = await http(question)
    const verdict = judge(question, answer, truth)
    const text = failureText(question, answer, verdict, truth)
    tally.add(question, verdict, text)
    if (verdict.kind !== 'right') expect.fail(text)
  })
})

describe('the stream ends in the same answer', () => {
  it.each(named)('$name', async ({ question }) => {
    expect(timeless((await stream(question)) as SearchAnswer)).toEqual(timeless((await http(question)) as SearchAnswer))
  })
})

const viaSdk: Ask = async (question, context) => {
  const names = { SERVICE_SEARCH: '1', SERVICE_CONFIG: join(folder, 'wherefore.json'), SERVICE_MAX_TIER: question.grant }
  Object.assign(process.env, names)
  try {
    return await search(question.question, optionsOf(question, context))
  } finally {
    for (const name of Object.keys(names)) delete process.env[name]
  }
}
const viaCommandLine: Ask = async ({ demo, question, max_tier, grant }, context) => {
  const flags = ['--flavor', demo,
    ...(max_tier === undefined ? [] : ['--max-tier', max_tier]),
    ...(context === undefined ? [] : ['--context', context])]
  const { code, stdout, stderr } = await commandLine(['search', question, ...flags, '--json'], grant)
  if (stdout === '') throw new Error(`exit ${code}: ${stderr}`)
  const answer: SearchAnswer = JSON.parse(stdout)
  expect(code).toBe(['ok', 'empty'].includes(answer.status) ? 0 : 1)
  return answer
}

/** The clock of a process of its own is the machine's. */
const elsewhere = (full ? DEMO_QUESTIONS : sampleOf(SAMPLE))
  .filter(({ now }) => now === undefined)
  .map((question) => ({ question, name: question.id }))

describe.each([
  { surface: 'the SDK', ask: asker(viaSdk) },
  { surface: 'the command line', ask: asker(viaCommandLine) },
])('$surface gives the same answer', ({ ask }) => {
  it.each(elsewhere)('$name', async ({ question }) => {
    expect(timeless((await ask(question)) as SearchAnswer)).toEqual(timeless((await http(question)) as SearchAnswer))
  })
})

describe('the judge', () => {
  const question = DEMO_QUESTIONS.find(({ id }) => id === 'open-by-severity')
  if (question === undefined) throw new Error('no such question')

  it('passes an answer only with its rows, its verified claims, its marks and its records', async () => {
    const right = (await http(question)) as SearchAnswer
    const [claim] = right.claims
    const [citation] = right.citations
    if (claim === undefined || citation === undefined) throw new Error('an answer without support')
    const kind = (changed: Partial<SearchAnswer>) => judge(question, { ...right, ...changed }, truth).kind
    expect(kind({})).toBe('right')
    expect(kind({ results: { ...right.results, rows: right.results.rows.slice(1) } })).toBe('wrong')
    expect(kind({ results: { ...right.results, columns: [...right.results.columns, 'x'],
      rows: right.results.rows.map((row) => [...row, 1]) } })).toBe('wrong')
    expect(kind({ claims: [{ ...claim, verified: false as never }] })).toBe('flawed')
    expect(kind({ answer: `${right.answer} [999]` })).toBe('flawed')
    expect(kind({ citations: [{ ...citation, key: { id: -1 } }, ...right.citations.slice(1)] })).toBe('flawed')
    expect(kind({ status: 'ungrounded', claims: [], results: { columns: [], rows: [], truncated: false } })).toBe('refused')
  })
})

function commandLine(args: readonly string[], grant: Tier): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const program = resolve(import.meta.dirname, '..', 'bin', 'wherefore.js')
  const child = spawn(process.execPath, [program, ...args], {
    cwd: folder, env: { ...process.env, SERVICE_SEARCH: '1', SERVICE_MAX_TIER: grant }, stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { stdout: '', stderr: '' }
  child.stdout.on('data', (part: Buffer) => void (said.stdout += part.toString()))
  child.stderr.on('data', (part: Buffer) => void (said.stderr += part.toString()))
  return new Promise((done) => child.once('close', (code) => done({ code, ...said })))
}
