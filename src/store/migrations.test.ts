import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ServiceError } from '../contracts/index.ts'
import { SCHEMA_VERSION } from './migrations.ts'
import { COLUMNS } from './schema.ts'
import { openWorkspace } from './workspace.ts'

let folder: string
let file: string
const clock = () => new Date('2026-01-02T03:04:05.000Z')

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'store-'))
  file = join(folder, 'deep', 'store.db')
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Everything in a file: its schema and its rows, as one comparable value. */
function dump(path: string): unknown {
  const db = new DatabaseSync(path, { readOnly: true, readBigInts: true })
  const master = db.prepare('SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name')
  const schema = master.all() as { type: string; name: string }[]
  const rows = schema
    .filter(({ type, name }) => type === 'table' && !name.startsWith('sqlite_'))
    .map(({ name }) => [name, db.prepare(`SELECT * FROM "${name}"`).all()])
  db.close()
  return JSON.parse(JSON.stringify({ schema, rows }, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)))
}

function older(statements: string): void {
  const db = new DatabaseSync(join(folder, 'old.db'))
  db.exec(statements)
  db.close()
}

const OLDER = `
  CREATE TABLE ontology_evolution_proposals (
    proposal_id TEXT PRIMARY KEY,
    proposal_type TEXT NOT NULL CHECK (proposal_type IN ('NEW_CLASS', 'NEW_PROPERTY', 'NEW_CONSTRAINT', 'DEPRECATE')),
    detection_strategy TEXT NOT NULL CHECK (detection_strategy IN
      ('SHACL_VIOLATION_ACCUMULATION', 'CARDINALITY_BREACH', 'CLASS_COOCCURRENCE', 'NLP_CANDIDATE_PROMOTION')),
    candidate_turtle TEXT, confidence REAL, evidence TEXT,
    status TEXT DEFAULT 'PENDING' CHECK (status IN ('PENDING', 'APPROVED', 'REJECTED')),
    votes INTEGER NOT NULL, created_at TEXT
  );
  CREATE INDEX by_votes ON ontology_evolution_proposals (votes);
  CREATE VIEW open_proposals AS SELECT proposal_id FROM ontology_evolution_proposals WHERE status = 'PENDING';
  INSERT INTO ontology_evolution_proposals VALUES
    ('p-1', 'NEW_CLASS', 'CLASS_COOCCURRENCE', ':A a :B .', 0.9, '{"seen": 3}', 'APPROVED', 9007199254740993,
      '2024-05-01T00:00:00Z'),
    ('p-2', 'DEPRECATE', 'CARDINALITY_BREACH', NULL, 0.4, 'three rows', 'PENDING', 2, NULL);
  CREATE TABLE ontology_metadata (target_type TEXT, table_name TEXT, column_name TEXT, label TEXT);
  INSERT INTO ontology_metadata VALUES ('column', 'customer', 'name', 'Name');
  CREATE TABLE sessions (id TEXT PRIMARY KEY, version INTEGER, body TEXT);
  INSERT INTO sessions VALUES ('default', 4,
    '{"rules": [{"id": "r", "kind": "sparql", "body": "x", "meta": {"target_class": "A"}}], "step": 7}');
`

describe('a new store', () => {
  it('holds every table of the contract with its columns, in a private file', () => {
    openWorkspace(file, { clock }).close()
    const db = new DatabaseSync(file, { readOnly: true })
    for (const [table, columns] of Object.entries(COLUMNS)) {
      const present = db.prepare('SELECT name FROM pragma_table_xinfo(?)').all(table).map(({ name }) => name)
      expect(present, table).toEqual(Object.keys(columns))
    }
    db.close()
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(join(folder, 'deep')).mode & 0o777).toBe(0o700)
  })

  it('is not touched by opening it again', () => {
    openWorkspace(file, { clock }).close()
    const before = dump(file)
    const again = openWorkspace(file)
    expect(again.migrated).toEqual([])
    again.close()
    expect(dump(file)).toEqual(before)
  })
})

describe('a store of an older shape', () => {
  beforeEach(() => {
    older(OLDER)
    file = join(folder, 'old.db')
  })

  it('keeps every row and answers to both names of the id', () => {
    const workspace = openWorkspace(file, { clock })
    expect(workspace.migrated).toContain('rebuilt ontology_evolution_proposals')
    expect(workspace.proposals.get('p-1')).toMatchObject({
      proposal_type: 'NEW_CLASS', status: 'APPROVED', confidence: 0.9, candidate_turtle: ':A a :B .', evidence: { seen: 3 },
      tier: 'Restricted',
      created_at: '2024-05-01T00:00:00Z', edits: {}, version: 1,
    })
    expect(workspace.proposals.get('p-2')).toMatchObject({
      status: 'PENDING', evidence: { text: 'three rows' }, candidate_turtle: '', created_at: '2026-01-02T03:04:05.000Z',
    })
    expect(workspace.proposals.list().total).toBe(2)
    workspace.close()

    const db = new DatabaseSync(file, { readBigInts: true })
    expect(db.prepare('SELECT pid, proposal_id, votes FROM ontology_evolution_proposals ORDER BY pid').all()).toEqual([
      { __proto__: null, pid: 'p-1', proposal_id: 'p-1', votes: 9007199254740993n },
      { __proto__: null, pid: 'p-2', proposal_id: 'p-2', votes: 2n },
    ])
    expect(db.prepare('SELECT * FROM open_proposals').all()).toEqual([{ __proto__: null, proposal_id: 'p-2' }])
    expect(db.prepare("SELECT count(*) AS n FROM sqlite_master WHERE name = 'by_votes'").get()).toMatchObject({ n: 1n })
    db.close()
  })

  it('takes the new kinds afterwards and refuses unknown ones', () => {
    openWorkspace(file, { clock }).close()
    const db = new DatabaseSync(file)
    const columns = 'pid, proposal_type, detection_strategy'
    const insert = db.prepare(`INSERT INTO ontology_evolution_proposals (${columns}) VALUES (?, ?, ?)`)
    insert.run('n-1', 'LOG_CAUSAL_EDGE', 'GRANGER_CAUSALITY')
    expect(() => insert.run('n-2', 'LOG_GUESS', 'GRANGER_CAUSALITY')).toThrow(/CHECK/)
    const found = db.prepare("SELECT proposal_id FROM ontology_evolution_proposals WHERE pid = 'n-1'").get()
    expect(found).toMatchObject({ proposal_id: 'n-1' })
    db.close()
  })

  it('changes nothing the second time', () => {
    openWorkspace(file, { clock }).close()
    const before = dump(file)
    const again = openWorkspace(file)
    expect(again.migrated).toEqual([])
    again.close()
    expect(dump(file)).toEqual(before)
  })

  it('loads its session with defaults and saves it with the keys of other programs', () => {
    const workspace = openWorkspace(file, { clock })
    const { version, session } = workspace.session.load()
    expect(version).toBe(4)
    expect(session).toMatchObject({ causal_rules: [], events: [], rules: [{ id: 'r', nl_summary: '', enabled: true }] })
    workspace.session.save({ ...session, entities: [{ name: 'Node', key_slot: 'node', source: 'user' }] }, 4)
    expect(workspace.session.load().session).toMatchObject({ step: 7, rules: [{ meta: { target_class: 'A' } }] })
    workspace.close()
  })

  it('gives metadata its new columns as NULL', () => {
    openWorkspace(file, { clock }).close()
    const db = new DatabaseSync(file, { readOnly: true })
    expect(db.prepare('SELECT label, has_key_columns, disjoint_group FROM ontology_metadata').all()).toEqual([
      { __proto__: null, label: 'Name', has_key_columns: null, disjoint_group: null },
    ])
    db.close()
  })
})

it('no row is lost for a missing or repeated id, an unknown word or lower-case status', () => {
  older(`
    CREATE TABLE ontology_evolution_proposals (proposal_id, proposal_type TEXT, detection_strategy TEXT, status TEXT);
    INSERT INTO ontology_evolution_proposals VALUES
      ('twin', 'NEW_CLASS', 'CLASS_COOCCURRENCE', 'pending'), ('twin', 'NEW_CLASS', 'CLASS_COOCCURRENCE', 'REJECTED'),
      (NULL, 'NEW_CLASS', 'CLASS_COOCCURRENCE', NULL), (7, 'It''s odd', NULL, 'PARKED');`)
  const workspace = openWorkspace(join(folder, 'old.db'), { clock })
  const { proposals, total } = workspace.proposals.list()
  expect(total).toBe(3)
  expect(proposals.map(({ pid, status }) => [pid, status])).toEqual([['legacy', 'PENDING'], ['twin', 'PENDING'], ['twin-2',
    'REJECTED']])
  expect(workspace.proposals.counts().by_kind).toEqual({ "It's odd": { PARKED: 1 }, NEW_CLASS: { PENDING: 2, REJECTED: 1 } })
  expect(() => workspace.proposals.get('7')).toThrow(/does not know/)
  workspace.close()
})

it('a store newer than the program is refused and left as it is', () => {
  openWorkspace(file, { clock }).close()
  const db = new DatabaseSync(file)
  db.exec(`INSERT INTO schema_migrations VALUES (${SCHEMA_VERSION + 1}, 'later', ''); DROP TABLE log_events`)
  db.close()
  const before = dump(file)
  expect(() => openWorkspace(file)).toThrow(expect.objectContaining({ code: 'conflict' }))
  expect(dump(file)).toEqual(before)
})

it('a migration that fails leaves the old shape whole', () => {
  older(`
    CREATE TABLE log_templates (id INTEGER PRIMARY KEY, cluster_id TEXT);
    INSERT INTO log_templates (cluster_id) VALUES ('a'), ('a')`)
  const before = dump(join(folder, 'old.db'))
  expect(() => openWorkspace(join(folder, 'old.db'))).toThrow(/UNIQUE/)
  expect(dump(join(folder, 'old.db'))).toEqual(before)
})

it.each([
  ['a text file', 'this is no database, but it is long enough to have a header of some kind\n'.repeat(20)],
  ['a damaged database', `SQLite format 3\0${'x'.repeat(4000)}`],
])('%s is refused without being changed', (_, content) => {
  const path = join(folder, 'not.db')
  writeFileSync(path, content)
  let thrown: unknown
  try {
    openWorkspace(path)
  } catch (error) {
    thrown = error
  }
  expect(thrown).toBeInstanceOf(ServiceError)
  expect(thrown).toMatchObject({ code: 'source_unavailable' })
  expect((thrown as ServiceError).message).not.toContain(folder)
  expect(statSync(path).size).toBe(content.length)
})

it('a folder in place of the file is refused', () => {
  expect(() => openWorkspace(folder)).toThrow(expect.objectContaining({ code: 'source_unavailable' }))
})
