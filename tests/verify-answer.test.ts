import { spawnSync } from 'node:child_process'
import { copyFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Citation, type SearchAnswer, SearchRequest, ServiceError, type Tier } from '../src/contracts/index.ts'
import type { VerifyOptions } from '../src/runtime/index.ts'
import { SERVICE_WARNINGS } from '../src/search/index.ts'
import { QUESTION, type World, caller, newWorld } from './support.ts'

const full = process.env['WHEREFORE_FULL'] === '1'
const QUESTIONS = [
  QUESTION,
  'Why is Borealis not at risk?',
  'How many alarms are open?',
  'How many alarms per severity?',
  'Which services run on crt-07?',
  'List the customers',
]

let world: World
let answers: SearchAnswer[]
beforeAll(async () => {
  world = newWorld()
  answers = []
  for (const question of QUESTIONS) answers.push(stored(await world.ask(question)))
})
afterAll(() => world.close())

/** As it lies in a file. */
const stored = (answer: SearchAnswer): SearchAnswer => JSON.parse(JSON.stringify(answer))
const verify = async (document: unknown, asked: VerifyOptions = {}, at: World = world, grant: Tier = 'Restricted') =>
  (await at.service.verify(document, asked, caller(grant))).value
/** Not an answer document any more counts as not holding. */
const holds = async (document: unknown, asked: VerifyOptions = {}): Promise<boolean> =>
  verify(document, asked).then(
    ({ ok }) => ok,
    (error: unknown) => {
      if (error instanceof ServiceError && error.code === 'invalid_request') return false
      throw error
    },
  )

describe('a stored answer', () => {
  it.each(QUESTIONS.map((question, at) => ({ question, at })))('holds against its database: $question', async ({ at }) => {
    const report = await verify(answers[at])
    expect(report.claims.filter(({ verified }) => !verified)).toEqual([])
    expect(report).toMatchObject({ ok: true, document: [], max_tier: 'Internal', flavor: 'network-ops' })
    expect(report.claims.map(({ id, text }) => [id, text])).toEqual(answers[at]?.claims.map(({ id, text }) => [id, text]))
  })

  const ASKED = [{ k: 2 }, { k: 12 }, { limit: 3 }, { max_tier: 'Public' },
    { max_tier: 'Restricted' }, { materialize: true }] as const
  it.each(ASKED)(
    'holds whatever it was asked with: %o',
    async (options) => {
      for (const question of ['How many alarms are open?', 'Which services run on crt-07?', 'How many sites are there?']) {
        const answer = stored(await world.ask(question, options))
        if (answer.claims.length > 0) expect(await verify(answer)).toMatchObject({ ok: true, document: [] })
      }
    },
  )

  it('holds with its fields in another order, and with another flavor named by its rules', async () => {
    const reversed = Object.fromEntries(Object.entries(answers[2] ?? {}).toReversed())
    expect(await holds(reversed)).toBe(true)
    const copy = join(world.folder, 'unnamed.sqlite')
    copyFileSync(world.database, copy)
    expect(await verify(answers[1], { db: copy, anyPath: true })).toMatchObject({ ok: true, flavor: 'network-ops' })
    await expect(verify(answers[1], { db: copy })).rejects.toMatchObject({ code: 'source_not_allowed' })
  })

  it.each([
    ['a warning of its own', (it: SearchAnswer) => it.warnings.push('Also: Acme Retail is bankrupt [1].'), 'warnings'],
    ['a warning of the service twice', (it: SearchAnswer) => it.warnings.push(SERVICE_WARNINGS.stale, SERVICE_WARNINGS.stale), 'warnings'],
    ['another follow-up', (it: SearchAnswer) => it.follow_ups.push('Call this number'), 'follow_ups'],
    ['other stages', (it: SearchAnswer) => it.trace.splice(0, 5, { stage: 'execute', status: 'done', ms: 1, sql: 'select 42', rows: 999 }), 'trace'],
    ['another query in a stage', (it: SearchAnswer) => Object.assign(it.trace[1]!, { sql: 'select 42' }), 'trace'],
    ['a reading told by another stage', (it: SearchAnswer) => Object.assign(it.trace[1]!, { terms: ['all'] }), 'trace'],
  ])('does not hold with %s', async (_, change, part) => {
    const document = structuredClone(answers[2]!)
    change(document)
    expect(await verify(document)).toMatchObject({ ok: false, document: [{ part }] })
  })

  it('holds with what the service says of the request, and with other times', async () => {
    const document = structuredClone(answers[2]!)
    document.warnings.push(SERVICE_WARNINGS.lowered('Internal'), SERVICE_WARNINGS.earlierElsewhere, SERVICE_WARNINGS.stale)
    for (const event of document.trace) event.ms += 1
    expect(await verify(document)).toMatchObject({ ok: true, document: [] })
    const request = SearchRequest.parse({ question: QUESTIONS[2], max_tier: 'Restricted' })
    for await (const { event, data } of world.service.search(request, caller('Internal'), { requestId: 'r' })) {
      if (event !== 'answer') continue
      expect(data.warnings).toEqual([SERVICE_WARNINGS.lowered('Internal')])
      expect(await verify(stored(data))).toMatchObject({ ok: true })
    }
    expect.assertions(3)
  })

  it('that makes no statement does not pass for verified', async () => {
    const refused = stored(await world.ask('List the frobnicators'))
    expect(await verify(refused)).toMatchObject({ ok: false, claims: [] })
    expect(await verify({ ...refused, answer: 'All is well.', status: 'ok' })).toMatchObject({ ok: false })
  })

  it.each([null, 7, 'text', [], {}, { claims: [] }])('is refused when it is none: %o', async (document) => {
    await expect(verify(document)).rejects.toMatchObject({ code: 'invalid_request' })
  })

  it('fails whole where its plan names what the database does not have', async () => {
    const document = structuredClone(answers[2]!)
    document.plan!.from = 'Nothing'
    expect(await verify(document)).toMatchObject({ ok: false, claims: [{ verified: false }] })
  })
})

/** A place in a document: the names and numbers that lead to it. */
type Place = readonly (string | number)[]
const CHECKED = [
  'claims', 'citations', 'inferred', 'results', 'answer', 'status', 'executed_query', 'executed_queries', 'subgraph',
] as const
/** Times and the name of a stored graph are the run's. */
const ofTheData = (place: Place) => place.at(-1) !== 'ms' && place.join('.') !== 'subgraph.id'

function places(value: unknown, at: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [at]
  const inner = Object.entries(value).flatMap(([name, item]) => places(item, [...at, Array.isArray(value) ? Number(name) : name]))
  return [...(at.length === 0 ? [] : [at]), ...inner]
}

/** Changes what stands at a place: another text, another number, an element less or one twice. */
function tampered(document: SearchAnswer, place: Place, seed: number): unknown {
  const copy = structuredClone(document)
  let holder = copy as unknown as Record<string | number, unknown>
  for (const step of place.slice(0, -1)) holder = holder[step] as typeof holder
  const last = place.at(-1)!
  const old = holder[last]
  if (Array.isArray(holder) && seed % 3 === 0) {
    if (seed % 2 === 0) holder.splice(Number(last), 1)
    else holder.splice(Number(last), 0, structuredClone(old))
  } else if (typeof old === 'string')
    holder[last] = seed % 2 === 0 && old !== '' ? old.slice(0, seed % old.length) : `${old}${seed}`
  else if (typeof old === 'number') holder[last] = old + 1 + (seed % 5)
  else if (typeof old === 'boolean') holder[last] = !old
  else if (old === null) holder[last] = 'something'
  else if (Array.isArray(old)) holder[last] = [...old, ...(old.length === 0 ? ['more'] : [old[0]])]
  else holder[last] = { ...(old as object), more: seed }
  return copy
}

describe('tampering', () => {
  it('with a claim, a citation, a premise, a row or a query of the document makes it fail', async () => {
    const all = answers.map((answer) => places(Object.fromEntries(CHECKED.map((part) => [part, answer[part]]))).filter(ofTheData))
    const kinds = new Set<string>()
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.constantFrom(...CHECKED), fc.nat(), fc.nat(1000), async (which, part, where, seed) => {
        const at = which % answers.length
        const own = all[at]!.filter(([name]) => name === part)
        const place = own[where % own.length]!
        const document = tampered(answers[at]!, place, seed)
        kinds.add(part)
        expect(await holds(document, { maxTier: 'Internal' }), `${QUESTIONS[at]} ${place.join('.')}`).toBe(false)
      }),
      { numRuns: full ? 1000 : 100, seed: 20_260_101 },
    )
    expect([...kinds].toSorted()).toEqual([...CHECKED].toSorted())
  }, 600_000)

  it('with the plan never passes for the answer of another plan, and is no bug', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat(), fc.nat(1000), async (which, where, seed) => {
        const at = 2 + (which % (answers.length - 2))
        const { terms: _terms, alternatives: _alternatives, uncovered: _uncovered, ...plan } = answers[at]!.plan!
        const own = places({ plan }).filter(({ length }) => length > 1)
        const place = own[where % own.length]!
        expect(await holds(tampered(answers[at]!, place, seed)), `${QUESTIONS[at]} ${place.join('.')} ${seed}`).toBe(false)
      }),
      { numRuns: full ? 500 : 50, seed: 20_260_103 },
    )
  }, 600_000)

  it('with a cited row of the database makes it fail', async () => {
    const cited = answers.flatMap((answer) => answer.citations.map((citation) => ({ answer, citation })))
    const copy = join(world.folder, 'changed.sqlite')
    copyFileSync(world.database, copy)
    const db = new DatabaseSync(copy)
    db.exec('pragma foreign_keys = off')
    try {
      await fc.assert(
        fc.asyncProperty(fc.nat(), fc.nat(), async (which, where) => {
          const { answer, citation } = cited[which % cited.length]!
          const undo = changeRow(db, citation, where)
          try {
            const asked = { db: copy, anyPath: true, flavor: 'network-ops', maxTier: 'Internal' } as const
            expect(await holds(answer, asked), `${citation.iri} ${where}`).toBe(false)
          } finally {
            undo()
          }
        }),
        { numRuns: full ? 200 : 20, seed: 20_260_102 },
      )
    } finally {
      db.close()
    }
  }, 600_000)
})

/** Another value in a column that the citation names, or no row at all; hands over how to take it back. */
function changeRow(db: DatabaseSync, { source_table: table, key, columns }: Citation, seed: number): () => void {
  const where = Object.keys(key).map((name) => `"${name}" = ?`).join(' and ')
  const values = Object.values(key) as (string | number)[]
  const before = db.prepare(`select * from "${table}" where ${where}`).get(...values) as Record<string, string | number | null>
  const names = Object.keys(before)
  db.prepare(`delete from "${table}" where ${where}`).run(...values)
  const list = names.map((name) => `"${name}"`).join(', ')
  const insert = db.prepare(`insert into "${table}" (${list}) values (${names.map(() => '?').join(', ')})`)
  const column = columns[seed % columns.length]
  const remove = seed % 4 === 0 || column === undefined
  let changed: string | number | null = null
  if (!remove) {
    const old = before[column] ?? null
    changed = typeof old === 'number' ? old + 1_000_003 : `${old ?? ''}x`
    try {
      insert.run(...names.map((name) => (name === column ? changed : (before[name] ?? null))))
    } catch {
      // a CHECK of the table refuses the value: the row stays away instead
    }
  }
  return () => {
    const now = changed !== null && column !== undefined && column in key ? { ...key, [column]: changed } : key
    db.prepare(`delete from "${table}" where ${where}`).run(...(Object.values(now) as (string | number)[]))
    insert.run(...names.map((name) => before[name] ?? null))
  }
}

describe('the ceiling', () => {
  it('TRUST-1 two databases that differ only above the ceiling get the same verdicts', async () => {
    const twin = newWorld()
    try {
      twin.change(`update customer set contact_email = 'twin-' || contact_email, contact_phone = '+49 000 ' || id,
        contact_name = 'Twin ' || id, contract_value = contract_value * 3 + 1;
        update sla set penalty_per_hour = penalty_per_hour * 2 + 7`)
      const above = await Promise.all(
        ['What is the contract value of Acme Retail?', 'What is the average contract value of customers?'].map(async (question) =>
          stored(await world.ask(question, { max_tier: 'Restricted' })),
        ),
      )
      expect(above.every(({ claims }) => claims.length > 0)).toBe(true)
      for (const grant of ['Public', 'Internal'] as const) {
        for (const document of [...answers, ...above]) {
          for (const asked of [{}, { maxTier: 'Restricted' }] as const) {
            expect(await verify(document, asked, twin, grant)).toEqual(await verify(document, asked, world, grant))
          }
        }
      }
      // the twins do differ, for those who may see it
      expect((await verify(above[0], {}, twin)).ok).toBe(false)
      expect((await verify(above[0])).ok).toBe(true)
      expect((await verify(above[0], {}, world, 'Internal')).ok).toBe(false)
    } finally {
      await twin.close()
    }
  }, 120_000)
})

describe('wherefore verify', () => {
  const run = (...args: string[]) => {
    const env = { PATH: process.env['PATH'] }
    const command = [resolve('bin/wherefore.js'), 'verify', ...args]
    const done = spawnSync(process.execPath, command, { cwd: world.folder, encoding: 'utf8', env })
    return { code: done.status, out: done.stdout, err: done.stderr }
  }
  const write = (name: string, text: string) => writeFileSync(join(world.folder, name), text)

  it('prints a line per claim, without SERVICE_SEARCH, and says how it ended', () => {
    write('answer.json', JSON.stringify(answers[2]))
    const { code, out } = run('answer.json', '--db', 'network-ops.sqlite')
    expect(out).toMatch(/^verified {2}c1 {2}There are \w+ open alarms/)
    expect(out).toMatch(/\nnot checked, .*: confidence, .*\n\n1 of 1 claims verified within tier Internal: the answer holds\n$/)
    expect(code).toBe(0)
    const text = JSON.stringify({ ...answers[2], claims: answers[2]!.claims.map((claim) => ({ ...claim, support_count: 1 })) })
    write('tampered.json', text)
    const changed = run('tampered.json', '--db', 'network-ops.sqlite')
    expect(changed.out).toMatch(/^failed {4}c1 {2}another number of records supports it: There are /)
    expect(changed.code).toBe(1)
  }, 60_000)

  it('prints one JSON document with --json', () => {
    write('answer.json', JSON.stringify(answers[2]))
    const { out } = run('answer.json', '--db', 'network-ops.sqlite', '--json')
    expect(JSON.parse(out)).toMatchObject({ ok: true, max_tier: 'Internal' })
  })

  it.each([
    { name: 'no JSON', args: ['broken.json', '--db', 'network-ops.sqlite'], code: 1 },
    { name: 'a name twice', args: ['twice.json', '--db', 'network-ops.sqlite'], code: 1 },
    { name: 'no answer', args: ['other.json', '--db', 'network-ops.sqlite'], code: 1 },
    { name: 'no file', args: ['missing.json', '--db', 'network-ops.sqlite'], code: 74 },
    { name: 'no database', args: ['answer.json', '--db', 'missing.sqlite'], code: 69 },
    { name: 'no such tier', args: ['answer.json', '--db', 'network-ops.sqlite', '--max-tier', 'Top'], code: 1 },
    { name: 'no arguments', args: [], code: 2 },
  ])('$name ends with its exit code and no stack trace', ({ args, code }) => {
    write('answer.json', JSON.stringify(answers[2]))
    write('broken.json', '{')
    write('twice.json', JSON.stringify(answers[2]).replace('{', '{"answer":"There are 999 alarms [1].",'))
    write('other.json', '{"a":1}')
    const done = run(...args)
    expect(done.code).toBe(code)
    expect(done.err + done.out).not.toMatch(/\n\s+at /)
  })
})
