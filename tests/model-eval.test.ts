/** wherefore eval questions --provider: a model that replays recorded plans is measured end to end. */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { fakeModels } from './support-models.ts'

const folder = mkdtempSync(join(tmpdir(), 'wherefore-model-eval-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const count = { intent: 'count', from: 'Book', select: [{ aggregate: 'count' }] }
/** What was recorded; the second question is one that the embedded planner does not read. */
const RECORDED = [
  { id: 'q1', question: 'How many books are there?', sql: 'SELECT count(*) FROM book', plan: count },
  { id: 'q2', question: 'Which wordsmiths have penned something?', sql: 'SELECT name FROM author WHERE id IN (SELECT author_id FROM book)', plan: { intent: 'list', from: 'Author', select: [{ path: ['name'] }], where: [{ path: ['^Book.author'], op: 'exists' }] } },
  { id: 'q3', question: 'How many books have genre poetry?', sql: "SELECT count(*) FROM book WHERE genre = 'poetry'", plan: { ...count, from: 'Tome' } },
]

it('answers what the model plans, and falls back where its plan does not hold', async () => {
  mkdirSync(join(folder, 'set'))
  const db = new DatabaseSync(join(folder, 'set', 'library.sqlite'))
  db.exec(`create table author (id integer primary key, name text not null);
    create table book (id integer primary key, title text not null, genre text, author_id integer references author(id));
    insert into author values (1, 'Ada Lovelace'), (2, 'Blaise Pascal'), (3, 'Nobody');
    insert into book values (1, 'Notes', 'science', 1), (2, 'Thoughts', 'poetry', 2)`)
  db.close()
  writeFileSync(join(folder, 'set', 'questions.jsonl'), RECORDED.map(({ id, question, sql }) => JSON.stringify({ db: 'library', id, question, sql })).join('\n'))
  const fake = await fakeModels()
  fake.answer(({ body }) => ({ text: JSON.stringify({ plan: RECORDED.find(({ question }) => body.includes(question))?.plan ?? null, missing: [] }) }))
  writeFileSync(join(folder, 'wherefore.json'), JSON.stringify({ providers: { catalogue: { ollama: { base_url: `${fake.origin}/v1` } } } }))
  try {
    const args = ['eval', 'questions', '--data', 'set', '--provider', 'ollama', '--timeout-ms', '30000', '--json']
    const { PATH = '' } = process.env
    const { stdout } = await promisify(execFile)(process.execPath, [resolve('src/surfaces/cli/main.ts'), ...args], { cwd: folder, env: { PATH } })
    const { figures, results } = JSON.parse(stdout) as { figures: { execution_accuracy: object }; results: { id: string; status: string }[] }
    expect(figures.execution_accuracy).toMatchObject({ right: 3, questions: 3 })
    expect(results.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok'])
    expect(fake.requests.length).toBe(4) // one each, and a repair
  } finally {
    await fake.close()
  }
})
