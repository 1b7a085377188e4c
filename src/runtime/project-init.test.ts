import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Config, Flavor } from '../contracts/index.ts'
import { parseRules } from '../kernel/datalog/index.ts'
import { buildOntology, cutOntology, datalogRelations } from '../ontology/index.ts'
import { introspect } from '../sources/sqlite/introspect.ts'
import { firstFlavor } from './first-rule.ts'
import { initProject } from './project-init.ts'
import { openProject } from './project.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wherefore-init-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function database(name: string, sql: string): void {
  const db = new DatabaseSync(join(folder, name))
  db.exec(sql)
  db.close()
}
const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'))

const NAMED = 'id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE'

/** The rule for a schema, checked against its tables; read in this process, as opening a source starts others. */
function ruleFor(sql: string): string | null {
  const db = new DatabaseSync(':memory:', { readBigInts: true, returnArrays: true })
  db.exec(sql)
  const ontology = cutOntology(buildOntology(introspect(db), { baseIri: 'https://x/#', recordBase: 'https://x/r/' }), 'Internal')
  db.close()
  const flavor = Flavor.parse(firstFlavor('x', 'X', ontology))
  for (const { body, id } of flavor.rules) expect(parseRules(body, { relations: datalogRelations(ontology), id })).toMatchObject({ ok: true })
  return flavor.rules[0]?.body ?? null
}

describe('the first rule', () => {
  it.each([
    [
      'a junction', `CREATE TABLE film (${NAMED}); CREATE TABLE actor (${NAMED});
      CREATE TABLE film_actor (film_id INT NOT NULL REFERENCES film, actor_id INT NOT NULL REFERENCES actor, PRIMARY KEY (film_id, actor_id))`,
      'linked_to(?a, ?b) :- FilmActor(film: ?a, actor: ?b).',
    ],
    [
      'a chain of references', `CREATE TABLE country (${NAMED}); CREATE TABLE city (${NAMED}, country_id INT REFERENCES country);
      CREATE TABLE shop (${NAMED}, city_id INT REFERENCES city)`,
      'related_to(?a, ?c) :- Shop(?a, city: ?b), City(?b, country: ?c).',
    ],
    ['one reference', `CREATE TABLE city (${NAMED}); CREATE TABLE shop (${NAMED}, city_id INT REFERENCES city)`, 'belongs_to(?a, ?b) :- Shop(?a, city: ?b).'],
    ['no reference', `CREATE TABLE shop (${NAMED})`, 'on_record(?a) :- Shop(?a).'],
    ['a table that refers to itself', `CREATE TABLE part (${NAMED}, parent_id INT REFERENCES part)`, 'on_record(?a) :- Part(?a).'],
    ['records without a name', 'CREATE TABLE reading (id INTEGER PRIMARY KEY, value REAL)', null],
    ['an empty database', '', null],
    [
      'names that need quotes', `CREATE TABLE "order lines" (${NAMED}); CREATE TABLE "2nd ""table""" (${NAMED}, "order lines id" INT REFERENCES "order lines")`,
      expect.stringContaining('belongs_to'),
    ],
  ])('is made from %s and fits the tables', (_, sql, rule) => {
    expect(ruleFor(sql)).toEqual(rule)
  })
})

describe('init', () => {
  it('writes a project that opens, with the flavor of the database', async () => {
    database('My Shop.db', `CREATE TABLE shop (${NAMED})`)
    const report = await initProject(folder, {})
    expect(report).toMatchObject({ name: 'my-shop', files: ['wherefore.json', 'flavors/my-shop.json'], tables: 1, variables: [], warnings: [] })
    expect(read('wherefore.json')).toEqual({ sources: { 'my-shop': { path: 'My Shop.db', flavor: 'my-shop' } }, flavors_dir: 'flavors', log_roots: [] })
    const project = openProject({ cwd: folder, env: {} })
    expect(project.config.sources['my-shop']?.path).toBe(join(folder, 'My Shop.db'))
    expect(project.flavors.get('my-shop')?.example).toBe('Which shops are on record, and why?')
  })

  it('speaks only of what an ordinary question may see', async () => {
    database('x.sqlite', `
      CREATE TABLE patient (id INTEGER PRIMARY KEY, ssn TEXT NOT NULL UNIQUE); CREATE TABLE ward (${NAMED});
      CREATE TABLE stay (ssn TEXT NOT NULL REFERENCES patient (ssn), ward_id INT NOT NULL REFERENCES ward, PRIMARY KEY (ssn, ward_id));
      INSERT INTO patient VALUES (1, '123-45-6789'); INSERT INTO ward VALUES (1, 'A'); INSERT INTO stay VALUES ('123-45-6789', 1)`)
    expect((await initProject(folder, { db: 'x.sqlite' })).rule).toBe('on_record(?a) :- Ward(?a).')
  })

  it('changes nothing that is there, unless forced', async () => {
    database('a.db', `CREATE TABLE shop (${NAMED})`)
    writeFileSync(join(folder, 'wherefore.json'), '{"port": 7}')
    await expect(initProject(folder, { db: 'a.db' })).rejects.toMatchObject({ code: 'conflict' })
    expect(read('wherefore.json')).toEqual({ port: 7 })
    expect(existsSync(join(folder, 'flavors'))).toBe(false)
    await initProject(folder, { db: 'a.db', force: true })
    expect(read('wherefore.json')).toMatchObject({ sources: { a: {} } })
  })

  it('asks which of several databases is meant, and does without one', async () => {
    expect(await initProject(folder, {})).toMatchObject({ name: null, files: ['wherefore.json'] })
    expect(Config.parse(read('wherefore.json')).sources).toEqual({})
    rmSync(join(folder, 'wherefore.json'))
    database('a.db', 'CREATE TABLE t (a)')
    database('b.sqlite3', 'CREATE TABLE t (a)')
    await expect(initProject(folder, {})).rejects.toMatchObject({ about: { hint: expect.stringContaining('--db a.db, --db b.sqlite3') } })
  })

  it.each([
    [{ db: 'missing.sqlite' }, 'source_unavailable'],
    [{ db: 'oracle://h/d' }, 'invalid_request'],
    [{ db: 'a.db', name: 'No Name' }, 'invalid_request'],
    [{ db: 'a.db', name: '../x' }, 'invalid_request'],
  ])('refuses %j without writing anything', async (options, code) => {
    database('a.db', 'CREATE TABLE t (a)')
    await expect(initProject(folder, options)).rejects.toMatchObject({ code })
    expect(existsSync(join(folder, 'wherefore.json'))).toBe(false)
  })
})
