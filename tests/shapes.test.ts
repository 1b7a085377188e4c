import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Store as Oxigraph } from 'oxigraph'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { generateNetworkOps } from '../examples/network-ops/generate.ts'
import { MetadataRow, ServiceError, type Tier } from '../src/contracts/index.ts'
import { parseTurtle } from '../src/kernel/rdf/index.ts'
import {
  type CheckOutcome, type CrossCheck, type Ontology, type ValidationOptions, type ValidationReport, buildOntology, crossCheck, cutOntology,
  reportMarkdown, reportTurtle, runValidation, shapesTurtle,
} from '../src/ontology/index.ts'
import { type Catalogue, type Source, openSource } from '../src/sources/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'wherefore-shapes-'))
const open: Source[] = []
afterEach(async () => {
  for (const source of open.splice(0)) await source.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let files = 0
/** Constraints are off while the rows are put in, as in a file that another program wrote. */
function database(sql: string): string {
  const file = join(folder, `${(files += 1)}.sqlite`)
  const db = new DatabaseSync(file)
  db.exec('PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON;')
  db.enableDefensive?.(false)
  db.exec(sql)
  db.close()
  return file
}

interface Checked {
  readonly source: Source
  readonly catalogue: Catalogue
  readonly ontology: Ontology
  readonly report: ValidationReport
  readonly cross: CrossCheck
  /** everything that leaves, as one text */
  readonly bytes: string
}

async function check(file: string, { metadata = [], ceiling = 'Restricted' }: { metadata?: MetadataRow[]; ceiling?: Tier } = {}): Promise<Checked> {
  const source = await openSource(file, { processes: 1 })
  open.push(source)
  const catalogue = await source.introspect()
  const whole = buildOntology(catalogue, { baseIri: 'https://example.org/ontology#', recordBase: 'https://example.org/record/', metadata })
  const ontology = cutOntology(whole, ceiling)
  const report = await runValidation(source, ontology, { catalogue })
  const cross = await crossCheck(source, ontology, { catalogue })
  const bytes = [
    shapesTurtle(ontology, { catalogue, header: [`tier ${ceiling}`] }), reportTurtle(ontology, report), reportMarkdown(report, cross), JSON.stringify({ report, cross }),
  ].join('\n')
  return { source, catalogue, ontology, report, cross, bytes }
}

/** id -> violations, of the checks that do not hold */
const broken = ({ checks }: ValidationReport): Record<string, number | null> =>
  Object.fromEntries(checks.flatMap(({ id, status, violations }) => (status === 'holds' ? [] : [[id, violations]])))
const outcome = ({ checks }: ValidationReport, id: string): CheckOutcome => checks.find((each) => each.id === id) ?? expect.fail(`no check ${id}`)
const keys = (check: CheckOutcome): string[] => check.samples.map(({ key }) => Object.values(key).join('/'))
const said = (table_name: string, column_name: string | null, more: Partial<MetadataRow>): MetadataRow =>
  MetadataRow.parse({ target_type: column_name === null ? 'table' : 'column', table_name, column_name, ...more })

const PLANTED = `
  CREATE TABLE city (id INTEGER PRIMARY KEY, name TEXT);
  CREATE TABLE customer (
    code TEXT PRIMARY KEY, vat TEXT, city_id INTEGER REFERENCES city (id), status TEXT CHECK (status IN ('active', 'closed')),
    score INTEGER CHECK (score >= 0 AND score < 100), visits INTEGER, born DATE, zip TEXT CHECK (zip LIKE 'N_-%')
  );
  INSERT INTO city VALUES (1, 'Oslo'), (2, 'Lima');
  INSERT INTO customer VALUES
    ('a', 'v1', 1, 'active', 5, 3, '2001-02-28', 'NO-1'),
    ('b', 'v1', 2, 'closed', 0, 'many', '2001-02-30', 'no-2'),       -- vat again; visits is text; no such day; LIKE takes either case
    ('c', 'v2', 9, 'Active', -1, 7, '2004-02-29', 'SE-1'),           -- no city 9; status in capitals; score below; zip
    ('d', 'v1', NULL, NULL, 100, 'few', 'May 2001', NULL),           -- vat a third time; score above; visits; born
    (NULL, NULL, 8, 'open', 99, NULL, NULL, 'NO'),                   -- no key; no city 8; status; zip too short
    ('e', NULL, 2, 'gone', NULL, 1.5, '2001-01-01 10:00', 'NO-');    -- status; half a visit
`
const identifies = [said('customer', null, { has_key_columns: ['vat'] })]

describe('planted violations', () => {
  it('are counted as by hand, each with its keys', async () => {
    const { report } = await check(database(PLANTED), { metadata: identifies })
    expect(broken(report)).toEqual({
      'Customer.code required': 1,
      'Customer.vat unique': 3,
      'Customer.city reference': 2,
      'Customer.status in': 3,
      'Customer.score range >=': 1,
      'Customer.score range <': 1,
      'Customer.visits declared': 3,
      'Customer.born declared': 2,
      'Customer.zip pattern': 2,
    })
    expect(report.conforms).toBe(false)
    expect(keys(outcome(report, 'Customer.vat unique'))).toEqual(['a', 'b', 'd'])
    expect(outcome(report, 'Customer.city reference').samples).toEqual([
      { iri: null, key: { code: null } },
      { iri: 'https://example.org/record/Customer/c', key: { code: 'c' } },
    ])
  })

  it('the SHACL library finds the same records', async () => {
    const { cross } = await check(database(PLANTED), { metadata: identifies })
    expect(cross).toMatchObject({ records: 7, disagreements: [], unnamed: 0 })
    expect(cross.uncovered).toEqual(['City.id unique', 'Customer.code unique', 'Customer.vat unique'])
    expect(cross.compared).toBeGreaterThan(15)
  })

  it('values of another type than all those around them', async () => {
    // introspection looks at a thousand rows from either end; the key order puts these four first all the same
    const { report, cross, ontology } = await check(database(`
      CREATE TABLE reading (id TEXT PRIMARY KEY, value INTEGER, day TEXT, raw BLOB);
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
        INSERT INTO reading SELECT 'm' || i, i, date('2020-01-01', '+' || i || ' days'), x'00ff' FROM n;
      INSERT INTO reading VALUES ('a1', 'high', '2020-02-30', 'text'), ('a2', 3.7, 'never', NULL), ('a3', '8', NULL, x''), ('a4', x'38', '2020-01-01', 5);
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
        INSERT INTO reading SELECT 'z' || i, i, date('2020-01-01', '+' || i || ' days'), x'00ff' FROM n;
    `))
    expect(ontology.classes[0]?.properties.map(({ range }) => range.split('#')[1])).toEqual(['string', 'integer', 'date', 'hexBinary'])
    expect(broken(report)).toEqual({ 'Reading.value datatype': 3, 'Reading.day datatype': 2, 'Reading.raw datatype': 2 })
    expect(keys(outcome(report, 'Reading.value datatype'))).toEqual(['a1', 'a2', 'a4'])
    expect(cross).toMatchObject({ records: 200, disagreements: [] })
  })

  it('NULL in a NOT NULL column, which SQLite itself does not look for', async () => {
    const file = database(`
      CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT);
      INSERT INTO note VALUES (1, 'x'), (2, NULL), (3, NULL);
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = 'CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT NOT NULL)' WHERE name = 'note';
    `)
    const { report, cross } = await check(file)
    expect(broken(report)).toEqual({ 'Note.body required': 2 })
    expect(keys(outcome(report, 'Note.body required'))).toEqual(['2', '3'])
    expect(cross.disagreements).toEqual([])
  })

  it('composite keys: a reference is whole or none, and samples come in key order', async () => {
    const { report, cross } = await check(database(`
      CREATE TABLE line (order_no INTEGER, line_no INTEGER, PRIMARY KEY (order_no, line_no));
      CREATE TABLE shipment (
        order_no INTEGER, line_no INTEGER, part INTEGER, PRIMARY KEY (order_no, line_no, part), FOREIGN KEY (order_no, line_no) REFERENCES line (order_no, line_no)
      );
      CREATE TABLE claim (id INTEGER PRIMARY KEY, order_no INTEGER, line_no INTEGER, FOREIGN KEY (order_no, line_no) REFERENCES line (order_no, line_no));
      INSERT INTO line VALUES (1, 1), (1, 2);
      INSERT INTO shipment VALUES (1, 1, 1), (1, 3, 1), (2, 1, 1), (1, 3, 2), (9, 9, 1), (9, 9, 2), (9, 9, 3);
      INSERT INTO claim VALUES (1, 1, 2), (2, 1, NULL), (3, NULL, 7), (4, 2, 2);
    `))
    expect(broken(report)).toEqual({ 'Shipment.line reference': 6, 'Claim.line reference': 1 })
    expect(keys(outcome(report, 'Shipment.line reference'))).toEqual(['1/3/1', '1/3/2', '2/1/1', '9/9/1', '9/9/2'])
    expect(cross.disagreements).toEqual([])
  })

  it('a reference to something other than the key', async () => {
    const { report, cross } = await check(database(`
      CREATE TABLE person (id INTEGER PRIMARY KEY, badge TEXT UNIQUE);
      CREATE TABLE visit (id INTEGER PRIMARY KEY, badge TEXT REFERENCES person (badge));
      INSERT INTO person VALUES (1, 'x'), (2, 'y');
      INSERT INTO visit VALUES (1, 'x'), (2, 'z'), (3, NULL), (4, 'y');
    `))
    expect(broken(report)).toEqual({ 'Visit.badge reference': 1 })
    expect(cross).toMatchObject({ records: 6, disagreements: [] })
  })

  it('a key that was inferred from the data and has been broken since', async () => {
    const file = database(`
      CREATE TABLE team (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE player (id INTEGER PRIMARY KEY, team_id INTEGER);
      INSERT INTO team VALUES (1, 'x'); INSERT INTO player VALUES (1, 1), (2, 1);
    `)
    const { source, ontology, report } = await check(file)
    expect(report.conforms).toBe(true)
    const db = new DatabaseSync(file)
    db.exec('INSERT INTO player VALUES (3, 2)')
    db.close()
    const again = await runValidation(source, ontology)
    expect(broken(again)).toEqual({ 'Player.team reference': 1 })
    expect(outcome(again, 'Player.team reference').says).toBe('lead to a record of Team, by a key that is inferred and not declared')
  })
})

describe('odd schemas', () => {
  it.each([
    ['names that need quotes', `CREATE TABLE "Odd ""name""; drop table x" ("select" INTEGER PRIMARY KEY, "größe in cm" TEXT NOT NULL CHECK ("größe in cm" IN ('it''s', '"'))); INSERT INTO "Odd ""name""; drop table x" VALUES (1, 'it''s'), (2, '"')`],
    ['empty tables', 'CREATE TABLE a (id INTEGER PRIMARY KEY, b_id INTEGER REFERENCES b (id)); CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INTEGER NOT NULL REFERENCES a (id))'],
    ['no tables', 'CREATE TABLE x (id); DROP TABLE x'],
    ['a reference to itself', 'CREATE TABLE node (id INTEGER PRIMARY KEY, parent_id INTEGER REFERENCES node (id)); INSERT INTO node VALUES (1, NULL), (2, 1), (3, 3)'],
    ['integers beyond 2^53', 'CREATE TABLE big (id INTEGER PRIMARY KEY, n INTEGER NOT NULL); INSERT INTO big VALUES (9007199254740993, 9223372036854775807)'],
    ['a view, and a generated column', 'CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER GENERATED ALWAYS AS (a * 2) STORED); CREATE VIEW v AS SELECT * FROM t; INSERT INTO t (id, a) VALUES (1, 2)'],
    ['a class called as another shape', 'CREATE TABLE part (id INTEGER PRIMARY KEY); CREATE TABLE part_shape (id INTEGER PRIMARY KEY)'],
    ['a reference to a column that repeats', `
      CREATE TABLE term (id INTEGER PRIMARY KEY, year INTEGER); CREATE TABLE exam (id INTEGER PRIMARY KEY, year INTEGER REFERENCES term (year));
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) INSERT INTO term SELECT i, 2000 + (i = 300) FROM n;
      INSERT INTO exam VALUES (1, 2000), (2, 2001)`],
    ['bytes as a key', "CREATE TABLE doc (hash BLOB PRIMARY KEY, next BLOB REFERENCES doc (hash)); INSERT INTO doc VALUES (x'01', x'02'), (x'02', NULL)"],
  ])('%s: shapes that two parsers read, and data that conforms', async (_, sql) => {
    const { report, cross, ontology, catalogue } = await check(database(sql))
    expect(broken(report)).toEqual({})
    expect(report.conforms).toBe(true)
    expect(cross.disagreements).toEqual([])
    expectTurtle(shapesTurtle(ontology, { catalogue }))
    expectTurtle(reportTurtle(ontology, report))
  })

  it('a table without a key is counted, though none of its records can be named', async () => {
    const { report, ontology } = await check(database(`
      CREATE TABLE site (id INTEGER PRIMARY KEY); CREATE TABLE log (site_id INTEGER REFERENCES site (id)); INSERT INTO log VALUES (1), (2);
    `))
    expect(outcome(report, 'Log.site reference')).toMatchObject({ violations: 2, samples: [] })
    expectTurtle(reportTurtle(ontology, report))
    expect(reportMarkdown(report)).toContain('| Log | site | lead to a record of Site | 2 | the class has no key |')
  })

  it('constraints that we do not translate are listed, never passed over', async () => {
    const { report } = await check(database('CREATE TABLE span (id INTEGER PRIMARY KEY, low INTEGER, high INTEGER, CHECK (low < high))'))
    expect(report.left).toEqual([{ class: 'Span', text: 'low < high' }])
    expect(reportMarkdown(report)).toContain('| Span | low \\< high |')
  })
})

function expectTurtle(text: string): void {
  expect(parseTurtle(text)).toMatchObject({ ok: true })
  const store = new Oxigraph()
  store.load(text, { format: 'text/turtle' })
}

describe('a check that cannot run', () => {
  const failing = (source: Source, error: unknown): Source => ({
    ...source,
    select: (query, limits) => (query.sql.includes('"status" in') ? Promise.reject(error) : source.select(query, limits)),
  })
  const run = async (error: unknown, options: ValidationOptions = {}) => {
    const { source, ontology, catalogue } = await check(database(PLANTED))
    return { ontology, report: await runValidation(failing(source, error), ontology, { catalogue, ...options }) }
  }

  it('is in the report with its reason, and the others still run', async () => {
    const { ontology, report } = await run(new ServiceError('deadline_exceeded', 'the database did not answer within 1 ms'))
    expect(outcome(report, 'Customer.status in')).toMatchObject({ status: 'failed', violations: null, reason: 'the database did not answer within 1 ms' })
    expect(outcome(report, 'Customer.city reference').violations).toBe(2)
    expect(report.conforms).toBe(false)
    expect(reportMarkdown(report)).toMatch(/; 1 could not run\.[^]*\| Customer\.status in \| be one of "active", "closed" \| the database did not answer/)
    expect(reportTurtle(ontology, report)).toContain('failureReason "the database did not answer within 1 ms"')
  })

  it('says nothing of what the engine said', async () => {
    const { report } = await run(new Error('near "SECRET": syntax error'))
    expect(JSON.stringify(report)).not.toContain('SECRET')
    expect(outcome(report, 'Customer.status in').reason).toBe('the database refused to run this check')
  })

  it('but a caller who leaves ends it all', async () => {
    await expect(run(new ServiceError('cancelled', 'gone'))).rejects.toMatchObject({ code: 'cancelled' })
    await expect(run(null, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'cancelled' })
  })
})

it('the cross-check notices when SQL and the library disagree', async () => {
  const { source, ontology, catalogue } = await check(database(PLANTED))
  const blind: Source = {
    ...source,
    select: async (query, limits) => {
      const found = await source.select(query, limits)
      return query.sql.includes('"status" in') ? { ...found, rows: [] } : found
    },
  }
  const cross = await crossCheck(blind, ontology, { catalogue })
  const libraryOnly = ['c', 'e'].map((code) => `https://example.org/record/Customer/${code}`)
  expect(cross.disagreements).toEqual([{ id: 'Customer.status in', sqlOnly: [], libraryOnly }])
  expect(reportMarkdown({ conforms: true, checks: [], left: [] }, cross)).toContain('the two disagree 1 times')
})

describe('TRUST-1 two databases that differ only above the ceiling give the same bytes', () => {
  const SCHEMA = `
    CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, ssn TEXT UNIQUE, email TEXT CHECK (email LIKE 'a%'));
    CREATE TABLE account (id INTEGER PRIMARY KEY, owner TEXT REFERENCES person (ssn), person_id INTEGER REFERENCES person (id));
  `
  const metadata = [
    said('person', 'ssn', { sensitivity_tier: 'Restricted' }), said('person', 'email', { sensitivity_tier: 'Restricted' }),
    said('person', 'name', { sensitivity_tier: 'Internal' }), said('account', 'owner', { sensitivity_tier: 'Internal' }),
    said('account', 'id', { sensitivity_tier: 'Internal' }), said('account', 'person_id', { sensitivity_tier: 'Internal' }), said('person', 'id', { sensitivity_tier: 'Internal' }),
  ]
  const rows = (people: string) => `${SCHEMA} INSERT INTO person VALUES ${people}; INSERT INTO account VALUES (1, '111', 1), (2, '222', 7);`
  const one = database(rows("(1, 'x', '111', 'a@x'), (2, 'y', '222', 'a@y')"))
  const other = database(rows("(1, 'x', '333', 'z@x'), (2, 'y', NULL, NULL)"))

  it('below it: shapes, report, page, cross-check', async () => {
    const [a, b] = [await check(one, { metadata, ceiling: 'Internal' }), await check(other, { metadata, ceiling: 'Internal' })]
    expect(b.bytes).toBe(a.bytes)
    expect(broken(a.report)).toEqual({ 'Account.person reference': 1 })
    // whether an owner is found would tell which numbers there are
    expect(a.bytes).not.toMatch(/ssn|email|Account\.owner reference/)
  })

  it('above it the difference is seen', async () => {
    const [a, b] = [await check(one, { metadata }), await check(other, { metadata })]
    expect(broken(a.report)).toEqual({ 'Account.person reference': 1 })
    expect(broken(b.report)).toEqual({ 'Account.person reference': 1, 'Account.owner reference': 2, 'Person.email pattern': 1 })
  })
})

it('the network-ops example conforms, and nothing of it is changed', async () => {
  const file = join(folder, 'network-ops.sqlite')
  generateNetworkOps(file)
  const before = createHash('sha256').update(readFileSync(file)).digest('hex')
  const { report, cross } = await check(file)
  expect(broken(report)).toEqual({})
  expect(cross.disagreements).toEqual([])
  expect(cross.records).toBeGreaterThan(1000)
  expect(createHash('sha256').update(readFileSync(file)).digest('hex')).toBe(before)
}, 30_000)

it('the same data gives the same bytes', async () => {
  const file = database(PLANTED)
  expect((await check(file)).bytes).toBe((await check(file)).bytes)
})

const shared = process.env['SHARED_DATA'] ?? join(import.meta.dirname, '..', '..', 'shared', 'data')
for (const name of ['chinook', 'sakila', 'northwind']) {
  const file = join(shared, 'questions', name, `${name}.sqlite`)
  it.skipIf(!existsSync(file))(`${name} runs without a failed check, and the library agrees${existsSync(file) ? '' : ' (skipped: set SHARED_DATA)'}`, async () => {
    const { report, cross, ontology, catalogue } = await check(file)
    expect(report.checks.filter(({ status }) => status === 'failed')).toEqual([])
    expect(cross.disagreements).toEqual([])
    expectTurtle(shapesTurtle(ontology, { catalogue }))
    expectTurtle(reportTurtle(ontology, report))
  }, 30_000)
}
