import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { sameRows } from '../src/evaluation/compare-rows.ts'
import { auroc, calibrationError } from '../src/evaluation/figures.ts'
import { classesOf, isOrdered, withPlainStrings, withValues } from '../src/evaluation/sql-text.ts'
import { openProject, runQuestionsEvaluation } from '../src/runtime/index.ts'
import type { Catalogue, Cell } from '../src/sources/index.ts'
import { main } from '../src/surfaces/cli/program.ts'
import { caller } from './support.ts'

const QUESTIONS = [
  { id: 'q1', question: 'How many books are there?', sql: 'SELECT count(*) FROM book' },
  { id: 'q2', question: 'How many books have genre poetry?', sql: 'SELECT count(*) FROM book WHERE genre = "poetry"' },
  { id: 'q3', question: 'How many books are there?', sql: 'SELECT count(*) FROM author ORDER BY 1' },
  { id: 'q4', question: 'List the frobnicators', sql: 'SELECT title FROM book WHERE author_id IN (SELECT id FROM author)' },
  { id: 'q5', question: 'How many books are there?', sql: 'SELECT count(*) FROM nothing_here' },
  { id: 'q6', question: 'How many books are there?', sql: "SELECT title FROM book WHERE title = 'none'" },
]

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wherefore-eval-'))
  fill('set', 'databases/library/library.sqlite', 'poetry')
  fill('broken', 'library.sqlite', 'poetry', [QUESTIONS[0]!, { id: 'x' }])
  writeSet('outside', { id: 'x', db: '../set/databases/library/library', question: 'q', sql: 'select 1' })
  writeSet('gone', { id: 'x', db: 'gone', question: 'q', sql: 'select 1' })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function fill(name: string, place: string, genre: string, questions: readonly object[] = QUESTIONS): string {
  const file = join(folder, name, place)
  mkdirSync(join(file, '..'), { recursive: true })
  const db = new DatabaseSync(file)
  db.exec(`create table author (id integer primary key, name text not null);
    create table book (id integer primary key, title text not null, genre text, author_id integer references author(id));
    insert into author values (1, 'Ada Lovelace'), (2, 'Blaise Pascal');
    insert into book values (1, 'Notes', 'science', 1), (2, 'Thoughts', '${genre}', 2), (3, 'Letters', '${genre}', 2)`)
  db.close()
  writeSet(name, ...questions.map((line) => ({ db: 'library', ...line })))
  return join(folder, name)
}

const run = (args: string[]) => {
  const done = spawnSync(process.execPath, [resolve('src/surfaces/cli/main.ts'), 'eval', 'questions', ...args], {
    cwd: folder, encoding: 'utf8', env: { PATH: process.env['PATH'] },
  })
  return { code: done.status, out: done.stdout, err: done.stderr }
}

async function evaluated(name: string, field = 'question') {
  const project = openProject({ cwd: folder, env: {} })
  return (await runQuestionsEvaluation(project, { folder: join(folder, name), field }, caller())).value
}

/** The command without a process of its own, for calls that end before anything is opened. */
async function called(args: string[]): Promise<{ code: number; err: string }> {
  const heard: string[] = []
  const hear = (text: unknown) => heard.push(String(text)) > 0
  const spies = [vi.spyOn(console, 'error').mockImplementation(hear), vi.spyOn(process.stderr, 'write').mockImplementation(hear)]
  const placed = args.map((arg, at) => (args[at - 1] === '--data' ? join(folder, arg) : arg))
  const code = await main(['eval', 'questions', ...placed])
  for (const spy of spies) spy.mockRestore()
  return { code, err: heard.join('\n') }
}

describe('wherefore eval questions', { timeout: 60_000 }, () => {
  it('scores each question by what both queries return, with search switched off', () => {
    const { code, out, err } = run(['--data', 'set', '--json'])
    expect(err).toContain('6 of 6 questions, 2 right')
    expect(code).toBe(0)
    const { figures, results } = JSON.parse(out)
    expect(results.map(({ id, status }: { id: string; status: string }) => `${id} ${status}`)).toEqual(
      ['q1 ok', 'q2 ok', 'q3 ok', 'q4 ungrounded', 'q5 ok', 'q6 ok'],
    )
    expect(Object.keys(results[0])).toEqual(['id', 'db', 'status', 'sql', 'confidence', 'ms'])
    expect(results[1].sql).toContain(`'poetry'`)
    expect(figures).toMatchObject({
      questions: 6, gold_failed: 1,
      execution_accuracy: { questions: 4, right: 2, accuracy: 0.5 },
      empty_gold: { questions: 1, right: 0 },
      with_empty_gold: { questions: 5, right: 2, accuracy: 0.4 },
      precision_at_answered: { questions: 3, right: 2, accuracy: 0.6667 },
      share_refused: 0.25,
      by_class: {
        'no join': { questions: 4, right: 2 }, order: { questions: 1, right: 0 }, nested: { questions: 1, right: 0 },
        group: { questions: 0, accuracy: null },
      },
    })
  })

  it('writes result lines and failures to files, and prints the figures', () => {
    const { code, out } = run(['--data', 'set', '--out', 'lines.jsonl', '--failures', 'failures.jsonl', '--limit', '4'])
    expect(code).toBe(0)
    expect(out).toMatch(/^execution accuracy +50\.0 % {2}2 of 4/)
    const lines = (name: string) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line))
    expect(lines('lines.jsonl').map(({ id }) => id)).toEqual(['q1', 'q2', 'q3', 'q4'])
    expect(lines('failures.jsonl').map(({ id, verdict }) => [id, verdict])).toEqual([['q3', 'wrong'], ['q4', 'not answered']])
  })

  it('reads the reworded text, and a database that lies beside the questions', async () => {
    const question = { question: 'nonsense words', syn_question: 'How many authors are there?' }
    fill('flat', 'library.sqlite', 'poetry', [{ id: 1, ...question, sql: 'SELECT count(*) FROM author;' }])
    expect(await evaluated('flat', 'syn_question')).toMatchObject({ figures: { execution_accuracy: { right: 1 } }, results: [{ id: '1', status: 'ok' }] })
  })

  it.each([
    { name: 'no folder', args: ['--data', 'missing'], code: 1, says: 'questions.jsonl' },
    { name: 'no data', args: [], code: 2, says: '--data' },
    { name: 'an unknown provider', args: ['--data', 'set', '--provider', 'nobody'], code: 1, says: 'no provider of that name' },
    { name: 'an unknown field', args: ['--data', 'set', '--field', 'sql'], code: 1, says: 'unknown field' },
    { name: 'a limit of words', args: ['--data', 'set', '--limit', 'few'], code: 1, says: 'whole number' },
    { name: 'a broken line', args: ['--data', 'broken'], code: 1, says: 'line 2' },
    { name: 'a database elsewhere', args: ['--data', 'outside'], code: 1, says: 'db is missing or not what it has to be' },
    { name: 'a database that is not there', args: ['--data', 'gone'], code: 69, says: 'no database file' },
  ])('$name is refused in words', async ({ args, code, says }) => {
    const done = await called(args)
    expect(done.err).toContain(says)
    expect(done.code).toBe(code)
    expect(done.err).not.toMatch(/\n\s+at /)
  })

  it('tells a caller who may not see whole databases nothing of them', async () => {
    const twins = [fill('one', 'library.sqlite', 'poetry'), fill('other', 'library.sqlite', 'secret')]
    const said = await Promise.all(
      twins.map(async (data) => {
        const heard: string[] = []
        const project = openProject({ cwd: folder, env: {} })
        const asked = { folder: data, progress: (line: string) => heard.push(line) }
        const refused = await runQuestionsEvaluation(project, asked, caller('Confidential')).catch((error: unknown) => error)
        return JSON.stringify([refused, String(refused), heard])
      }),
    )
    expect(said[0]).toContain('not_found')
    expect(said[0]).toBe(said[1])
  })

  it('a true query that writes does not run', async () => {
    fill('writes', 'library.sqlite', 'poetry', [
      { id: 'a', question: 'How many books are there?', sql: 'DELETE FROM book' },
      { id: 'b', question: 'How many books are there?', sql: 'SELECT 1; DELETE FROM book' },
      { id: 'c', question: 'How many books are there?', sql: 'SELECT count(*) FROM book' },
    ])
    const { figures } = await evaluated('writes')
    expect(figures).toMatchObject({ gold_failed: 2, execution_accuracy: { questions: 1, right: 1 } })
  })
})

function writeSet(name: string, ...lines: object[]): void {
  mkdirSync(join(folder, name), { recursive: true })
  writeFileSync(join(folder, name, 'questions.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}

describe('two results are the same', () => {
  const rows = (...list: Cell[][]) => ({ columns: (list[0] ?? []).map((_, at) => `c${at}`), rows: list })
  const twenty = (cell: Cell) => Array.from({ length: 20 }, () => cell)
  it.each([
    ['rows in any order', rows([1, 'a'], [2, 'b']), rows([2, 'b'], [1, 'a']), false, true],
    ['rows in an order that was asked for', rows([1], [2]), rows([2], [1]), true, false],
    ['columns in any order', rows([1, 'a'], [2, 'b']), rows(['a', 1], ['b', 2]), false, true],
    ['columns in any order, rows in order', rows([2, 'b'], [1, 'a']), rows(['b', 2], ['a', 1]), true, true],
    ['columns that fit one by one but not together', rows([1, 2], [2, 1], [3, 3]), rows([1, 1], [2, 2], [3, 3]), false, false],
    ['a row twice', rows([1], [1], [2]), rows([1], [2], [2]), false, false],
    ['one column more', rows([1, 1]), rows([1]), false, false],
    ['numbers within 1e-6', rows([0.1 + 0.2, 'x']), rows([0.3, 'x']), false, true],
    ['numbers on two sides of a rounding border', rows([0.4999995 + 1e-9]), rows([0.4999995 - 1e-9]), false, true],
    ['a whole number and its float', rows([5]), rows([5.0000001]), false, true],
    ['numbers further apart', rows([0.5]), rows([0.50001]), false, false],
    ['large numbers, exactly', rows([9007199254740993n]), rows([9007199254740992n]), false, false],
    ['a number and its text', rows([5]), rows(['5']), false, false],
    ['null and the word', rows([null]), rows(['null']), false, false],
    ['many equal columns', rows(twenty(null), twenty(1)), rows(twenty(1), twenty(null)), false, true],
  ] as const)('%s', (_, gold, found, ordered, same) => {
    expect(sameRows(gold, found, ordered)).toBe(same)
    expect(sameRows(found, gold, ordered)).toBe(same)
  })

  it('nothing is the same as nothing of as many columns', () => {
    expect(sameRows({ columns: ['a'], rows: [] }, { columns: ['b'], rows: [] }, false)).toBe(true)
    expect(sameRows({ columns: ['a'], rows: [] }, { columns: ['a', 'b'], rows: [] }, false)).toBe(false)
  })
})

describe('SQL text', () => {
  it('is classed by its words, not by its strings', () => {
    expect(classesOf(`SELECT "join order by group" FROM a`)).toEqual(['no join'])
    expect(classesOf('SELECT a FROM b JOIN c ON b.x = c.x GROUP BY a ORDER BY count(*)')).toEqual(['one join', 'group', 'order'])
    const both = 'SELECT a FROM b WHERE x NOT IN ( SELECT x FROM c) UNION SELECT 1'
    expect(classesOf(both)).toEqual(['no join', 'nested', 'set operation'])
  })

  it('orders only outside parentheses', () => {
    expect(isOrdered('SELECT a FROM b WHERE x IN (SELECT x FROM c ORDER BY y LIMIT 1)')).toBe(false)
    expect(isOrdered('SELECT a FROM b ORDER BY a')).toBe(true)
  })

  it('a quoted word that no table of the query has is a string', () => {
    const table = (name: string, columns: string[]) => ({ name, columns: columns.map((column) => ({ name: column })) })
    const catalogue = { tables: [table('Pet', ['Name', 'kind']), table('Other', ['dog'])] } as unknown as Catalogue
    expect(withPlainStrings(`SELECT "name" FROM pet WHERE kind = "dog" AND x = "it's"`, catalogue)).toBe(
      `SELECT "name" FROM pet WHERE kind = 'dog' AND x = 'it''s'`,
    )
  })

  it('bound values are written where they stand', () => {
    expect(withValues({ sql: 'select "a?" from t where b = ? and c > ? and d = \'?\'', params: [`o'x?`, 2.5] })).toBe(
      `select "a?" from t where b = 'o''x?' and c > 2.5 and d = '?'`,
    )
  })
})

describe('confidence against outcome', () => {
  it('is measured in ten bins', () => {
    expect(calibrationError([{ confidence: 0.9, right: true }, { confidence: 0.9, right: false }])).toBe(0.4)
    expect(calibrationError([{ confidence: 1, right: true }])).toBe(0)
    // twenty answers, two to a bin: by width the first ten would share one bin and their errors would cancel
    const crowded = Array.from({ length: 10 }, (_, at) => [
      { confidence: 0.5 + at / 1000, right: at % 2 === 0 }, { confidence: 0.5 + at / 1000 + 0.0001, right: at % 2 === 0 },
    ]).flat()
    expect(calibrationError(crowded)).toBeCloseTo(0.5, 2)
    expect(calibrationError([])).toBeNull()
  })

  it('is ranked over pairs', () => {
    const wrong = [0.5, 0.9].map((confidence) => ({ confidence, right: false }))
    expect(auroc([{ confidence: 0.9, right: true }, ...wrong])).toBe(0.75)
    expect(auroc([{ confidence: 0.9, right: true }])).toBeNull()
  })
})
