/** Competency questions over HTTP and on the command line: saved within a ceiling, asked through the real search. */
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { main } from '../src/surfaces/cli/program.ts'
import { type HttpWorld, httpWorld } from './support-http.ts'

const PATH = '/api/competency-questions'
const OPEN = { id: 'open-alarms', question: 'How many alarms are open?', expect: { min_rows: 1, max_rows: 1, contains: ['alarms'], verified: true } }
const NOTHING = { id: 'frobnicators', question: 'List the frobnicators', expect: { max_rows: 3 } }
const REFUSED = { ...NOTHING, id: 'refused', expect: { status: 'ungrounded' } }

let world: HttpWorld
beforeAll(async () => {
  world = await httpWorld()
})
afterAll(() => world.close())

const put = (questions: object[], who = 'Restricted', headers = {}) => world.call('PUT', PATH, who, { questions }, headers)
const ids = async (who: string) => (await world.call('GET', PATH, who)).json().questions.map(({ id }: { id: string }) => id)
const run = async (payload: object = {}, who = 'Restricted') => (await world.call('POST', `${PATH}/run`, who, payload)).json()

describe('competency questions', () => {
  it('CQ-1 are none at first, and are kept as they were set, in order, with the ceiling they are asked under', async () => {
    const empty = await world.call('GET', PATH, 'Internal:reader')
    expect([empty.statusCode, empty.json().questions]).toEqual([200, []])
    const set = await put([OPEN, NOTHING], 'Internal:author', { 'if-match': String(empty.headers['etag']) })
    expect(set.statusCode).toBe(200)
    expect(set.json().questions).toEqual([{ ...OPEN, max_tier: 'Internal' }, { ...NOTHING, max_tier: 'Internal' }])
    const again = await world.call('GET', PATH, 'Internal:reader', undefined, { 'if-none-match': String(set.headers['etag']) })
    expect(again.statusCode).toBe(304)
    expect((await world.call('GET', '/api/session')).json().session.competency_questions).toEqual(set.json().questions)
  })

  it('set by somebody who has an older list are refused as stale', async () => {
    const { headers } = await world.call('GET', PATH)
    expect((await put([OPEN, NOTHING, REFUSED])).statusCode).toBe(200)
    const late = await put([OPEN], 'Restricted', { 'if-match': String(headers['etag']) })
    expect([late.statusCode, late.json().code]).toEqual([412, 'stale'])
    expect(await ids('Restricted')).toHaveLength(3)
  })

  it.each([
    ['an id of other characters', [{ ...OPEN, id: '../x' }], 'body.questions.0.id'],
    ['an unknown field', [{ ...OPEN, sql: 'SELECT 1' }], 'body.questions.0'],
    ['an unknown tier', [{ ...OPEN, max_tier: 'Secret' }], 'body.questions.0.max_tier'],
    ['no question', [{ ...OPEN, question: ' ' }], 'body.questions.0.question'],
    ['fewer rows at most than at least', [{ ...OPEN, expect: { min_rows: 2, max_rows: 1 } }], 'body.questions.0.expect.min_rows'],
    ['an id twice', [OPEN, { ...NOTHING, id: OPEN.id }], 'questions.1.id'],
  ])('with %s are refused, and the place is named', async (_name, questions, path) => {
    const reply = await put(questions)
    expect([reply.statusCode, reply.json().code]).toEqual([400, 'invalid_request'])
    expect(JSON.stringify(reply.json().errors)).toContain(path.replace('body.', ''))
  })

  it('CQ-2 run through the search, and each says whether it passed and what differs', async () => {
    const report = await run()
    expect(report).toMatchObject({ total: 3, passed: 2, failed: 1, ms: expect.any(Number) })
    expect(report.results).toMatchObject([
      { id: OPEN.id, passed: true, status: 'ok', rows: 1, differences: [], max_tier: 'Internal', code: null },
      { id: NOTHING.id, passed: false, status: 'ungrounded', differences: [{ field: 'status', message: 'expected ok or empty, was ungrounded' }] },
      { id: 'refused', passed: true, status: 'ungrounded' },
    ])
    expect(await run({ ids: [OPEN.id] })).toMatchObject({ total: 1, passed: 1, failed: 0 })
    expect(await run({ ids: ['nope'] })).toMatchObject({ code: 'not_found' })
  })

  it('that end in a problem fail with its code', async () => {
    await put([{ ...OPEN, db_path: 'elsewhere.sqlite' }, { ...OPEN, id: 'b', flavor: 'nope' }])
    expect((await run()).results).toMatchObject([
      { passed: false, status: 'error', code: 'source_not_allowed', rows: 0 },
      { passed: false, status: 'error', code: 'unknown_flavor' },
    ])
  })

  it('are read by readers, written by authors, and need the search to be on', async () => {
    expect((await world.call('PUT', PATH, 'Restricted:reader', { questions: [] })).statusCode).toBe(403)
    expect((await world.call('GET', PATH, 'Restricted:author')).statusCode).toBe(403)
    expect((await world.call('POST', `${PATH}/run`, 'Restricted:reader', {})).statusCode).toBe(200)
    const off = await httpWorld({ env: { SERVICE_SEARCH: '0' } })
    expect((await off.call('POST', `${PATH}/run`, 'Restricted', {})).json().code).toBe('search_disabled')
    expect((await off.call('GET', PATH)).statusCode).toBe(200)
    await off.close()
  })
})

describe('a ceiling', () => {
  const SECRET = { ...OPEN, id: 'secret', question: 'How many alarms has canary-7?', max_tier: 'Confidential', expect: { rows: [['canary-8']] } }

  it('CQ-3 hides questions above it, also in the session and in a run, and they stay when the rest is set', async () => {
    await put([OPEN, SECRET])
    for (const url of [PATH, '/api/session', `${PATH}?max_tier=Internal`]) {
      const { body } = await world.call('GET', url, url.includes('?') ? 'Restricted' : 'Internal')
      expect(body).not.toContain('canary')
    }
    expect(JSON.stringify(await run({}, 'Internal'))).not.toContain('canary')
    expect(await run({ ids: ['secret'] }, 'Internal')).toMatchObject({ code: 'not_found' })
    await put([NOTHING], 'Internal')
    expect(await ids('Restricted')).toEqual([NOTHING.id, 'secret'])
    expect(await ids('Public')).toEqual([])
  })

  it('is not told by an id that is taken above it, and what is hidden keeps its id', async () => {
    const set = await put([{ ...OPEN, id: 'secret' }], 'Internal')
    expect([set.statusCode, set.json().questions]).toEqual([200, [{ ...OPEN, id: 'secret', max_tier: 'Internal' }]])
    const { questions } = (await world.call('GET', PATH, 'Restricted')).json()
    expect(questions).toEqual([{ ...OPEN, id: 'secret-2', max_tier: 'Internal' }, SECRET])
    expect((await run({ ids: ['secret'] })).results).toMatchObject([{ question: SECRET.question }])
    // who sees both and saves them as they are changes nothing for those below
    const below = (await world.call('GET', PATH, 'Internal')).body
    await put(questions)
    expect((await world.call('GET', PATH, 'Internal')).body).toBe(below)
    expect((await world.call('GET', PATH, 'Restricted')).json().questions).toEqual(questions)
  })

  it('of the author bounds what is saved, and that of the run what is asked', async () => {
    const { questions } = (await put([{ ...OPEN, max_tier: 'Restricted' }], 'Public')).json()
    expect(questions).toMatchObject([{ max_tier: 'Public' }])
    await put([{ ...OPEN, max_tier: 'Restricted' }])
    expect((await run({ max_tier: 'Internal' })).results).toMatchObject([{ max_tier: 'Internal' }])
    expect((await run({})).results).toMatchObject([{ max_tier: 'Restricted' }])
  })

  it('CQ-4 makes a question that needs more fail as any other does', async () => {
    const above = { id: 'a', question: 'List the contact emails of the customers', expect: {} }
    const unknown = { id: 'b', question: 'List the frobnicators of the customers', expect: {} }
    await put([above, unknown], 'Public')
    const { results } = await run({}, 'Public')
    const shape = ({ id: _id, question: _question, run_id: _run, ms: _ms, ...rest }: Record<string, unknown>) => rest
    expect(shape(results[0])).toEqual(shape(results[1]))
    expect(results[0]).toMatchObject({ passed: false, status: 'ungrounded' })
  })
})

describe('wherefore cq', () => {
  /** The command in this process, as the program runs it, with what it printed. */
  async function cli(args: string[], env: Record<string, string> = { SERVICE_SEARCH: '1' }) {
    const printed = { out: '', err: '' }
    const lines = (stream: 'out' | 'err') => (text: unknown) => void (printed[stream] += `${String(text)}\n`)
    vi.spyOn(console, 'log').mockImplementation(lines('out'))
    vi.spyOn(console, 'error').mockImplementation(lines('err'))
    vi.spyOn(process.stderr, 'write').mockImplementation(() => true) // usage texts of the parser
    vi.stubEnv('SERVICE_CONFIG', join(world.folder, 'wherefore.json'))
    vi.stubEnv('SERVICE_STORE', join(world.folder, 'cli.db'))
    vi.stubEnv('SERVICE_SEARCH', env['SERVICE_SEARCH'])
    process.exitCode = undefined
    try {
      return { code: await main(['cq', ...args]), ...printed }
    } finally {
      process.exitCode = undefined
      vi.unstubAllEnvs()
      vi.restoreAllMocks()
    }
  }
  const at = (name: string) => join(world.folder, name)

  it('CQ-5 adds, lists, runs, exports, imports and removes; a failing question ends the run with 1', async () => {
    const added = await cli(['add', OPEN.question, '--expect-rows', '1', '--expect-contains', 'alarms'])
    expect(added).toMatchObject({ code: 0, out: 'saved as how-many-alarms-are-open\n' })
    const good = await cli(['run'])
    expect([good.code, good.out.trimEnd().split('\n').at(-1)]).toEqual([0, expect.stringMatching(/^1 of 1 passed, 0 failed, \d+ ms$/)])
    expect(good.err).toMatch(/^passed {2}how-many-alarms-are-open/)

    writeFileSync(at('more.json'), JSON.stringify({ questions: [NOTHING] }))
    expect((await cli(['import', at('more.json')])).out).toBe('1 added, 0 replaced, 0 removed\n')
    const bad = await cli(['run', '--json'])
    expect(bad.code).toBe(1)
    expect(JSON.parse(bad.out)).toMatchObject({ total: 2, passed: 1, failed: 1 })

    expect((await cli(['export', '--out', at('all.json')])).code).toBe(0)
    expect(statSync(at('all.json')).mode & 0o777).toBe(0o600)
    expect((await cli(['import', at('all.json'), '--replace'])).out).toBe('0 added, 2 replaced, 0 removed\n')
    expect(await cli(['remove', NOTHING.id])).toMatchObject({ code: 0 })
    expect((await cli(['list'])).out).toMatch(/how-many-alarms-are-open {2}How many alarms are open\? {2}answered, 1 row, says 1 text/)
  })

  it.each([
    ['an id that is taken', ['add', OPEN.question, '--id', 'how-many-alarms-are-open'], 1],
    ['an unknown id', ['remove', 'nope'], 1],
    ['a row that is no list', ['add', 'x', '--expect-row', '{}'], 1],
    ['a status that is none', ['add', 'x', '--expect-status', 'fine'], 1],
    ['exactly and at least', ['add', 'x', '--expect-rows', '1', '--expect-min-rows', '1'], 1],
    ['a file that is not there', ['import', 'missing.json'], 74],
    ['an unknown option', ['add', 'x', '--expect-luck'], 2],
  ])('ends with its exit code on %s', async (_name, args, code) => {
    const done = await cli(args)
    expect(done.code).toBe(code)
    expect(done.err).not.toMatch(/\n\s+at /)
  })

  it('runs nothing while the search is off', async () => {
    expect(await cli(['run'], { SERVICE_SEARCH: '0' })).toMatchObject({ code: 2, out: '' })
  })
})
