import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { MetadataRow, TIERS } from '../contracts/index.ts'
import { PROPOSER } from './metadata.ts'
import { openWorkspace } from './workspace.ts'

const NOW = '2026-01-01T00:00:00.000Z'
const LATER = '2026-02-01T00:00:00.000Z'
const row = (table: string, column: string | null, more: Partial<MetadataRow> = {}): MetadataRow =>
  MetadataRow.parse({ target_type: column === null ? 'table' : 'column', table_name: table, column_name: column, ...more })

const folders: string[] = []
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })))

function fresh() {
  return openWorkspace(':memory:').metadata
}

function older(statements: string) {
  const folder = mkdtempSync(join(tmpdir(), 'store-'))
  folders.push(folder)
  const file = join(folder, 'old.db')
  const db = new DatabaseSync(file)
  db.exec(statements)
  db.close()
  return { file, ...openWorkspace(file) }
}

describe('metadata', () => {
  it('a proposal is refreshed by the next one, and a decision of a person by none', () => {
    const metadata = fresh()
    const email = row('customer', 'email', { sensitivity_tier: 'Internal', label: 'e-mail' })
    expect(metadata.propose([row('customer', null), email], NOW)).toEqual({ inserted: 2, updated: 0, kept: 0 })
    expect(metadata.propose([{ ...email, label: 'e-mail address' }], LATER)).toEqual({ inserted: 0, updated: 1, kept: 0 })
    metadata.set([{ ...email, sensitivity_tier: 'Restricted' }], 'ann', LATER)
    expect(metadata.propose([email, row('customer', null)], LATER)).toEqual({ inserted: 0, updated: 0, kept: 1 })
    expect(metadata.list()).toEqual([
      expect.objectContaining({ column_name: null, author: PROPOSER, proposed: true, created_at: NOW, updated_at: NOW }),
      expect.objectContaining({ column_name: 'email', sensitivity_tier: 'Restricted', author: 'ann', proposed: false, created_at: NOW, updated_at: LATER }),
    ])
  })

  it('a person who repeats a proposal has confirmed it', () => {
    const metadata = fresh()
    metadata.propose([row('a', 'b', { label: 'B' })], NOW)
    expect(metadata.set([row('a', 'b', { label: 'B' })], 'ann', LATER)).toMatchObject([{ proposed: false, author: 'ann', label: 'B' }])
    metadata.set([row('a', 'b', { label: 'B' })], 'bob', LATER)
    expect(metadata.list()).toMatchObject([{ author: 'ann' }])
  })

  it('keeps who said what before, oldest first, and lets nobody rewrite it', () => {
    const each = older('')
    each.metadata.propose([row('t', 'c'), row('t', null)], NOW)
    each.metadata.set([row('t', 'c', { sensitivity_tier: 'Public' })], 'ann', NOW)
    each.metadata.set([row('t', 'c', { sensitivity_tier: 'Internal' }), row('t', null, { label: 'T' })], 'bob', LATER)
    const changes = each.metadata.history('t', 'c')
    expect(changes.map(({ author, before, after }) => [author, before?.['sensitivity_tier'], after['sensitivity_tier']])).toEqual([
      ['ann', null, 'Public'],
      ['bob', 'Public', 'Internal'],
    ])
    expect(each.metadata.history('t', null)).toMatchObject([{ author: 'bob', column_name: null, at: LATER }])
    expect(each.metadata.history('t')).toHaveLength(3)
    expect(each.metadata.history('other')).toEqual([])
    each.close()
    const db = new DatabaseSync(each.file)
    expect(() => db.exec("UPDATE ontology_metadata_history SET author = 'eve'")).toThrow(/append-only/)
    expect(() => db.exec('DELETE FROM ontology_metadata_history')).toThrow(/append-only/)
    db.close()
  })

  it('rows of an older program count as decisions of a person, odd words and all', () => {
    const each = older(`
      CREATE TABLE ontology_metadata (target_type TEXT, table_name TEXT, column_name TEXT, label TEXT, synonyms TEXT, sensitivity_tier TEXT, is_functional TEXT);
      INSERT INTO ontology_metadata VALUES
        ('TABLE', 'customer', '', 'Customer', 'client, account', NULL, NULL),
        ('column', 'customer', 'name', 'Old', NULL, 'confidential', '1'),
        ('column', 'customer', 'name', 'Name', '["full name"]', 'top secret', 'false'),
        ('column', NULL, 'lost', NULL, NULL, NULL, NULL);`)
    expect(each.metadata.list()).toMatchObject([
      { target_type: 'table', column_name: null, label: 'Customer', synonyms: ['client', 'account'], sensitivity_tier: null, proposed: false },
      { column_name: 'name', label: 'Name', synonyms: ['full name'], sensitivity_tier: 'Restricted', is_functional: false, has_key_columns: null },
    ])
    expect(each.metadata.propose([row('customer', 'name', { label: 'x' })], NOW)).toEqual({ inserted: 0, updated: 0, kept: 1 })
    each.metadata.set([row('customer', 'name', { label: 'Full name' })], 'ann', NOW)
    expect(each.metadata.list()[1]).toMatchObject({ label: 'Full name', author: 'ann' })
    each.close()
  })

  it('of two lines about one place the later one counts', () => {
    const metadata = fresh()
    expect(metadata.propose([row('t', 'c', { label: 'one' }), row('t', 'c', { label: 'two' })], NOW)).toEqual({ inserted: 1, updated: 0, kept: 0 })
    expect(metadata.list()).toMatchObject([{ label: 'two' }])
  })

  it('what is set comes back as it was said, whatever its characters', () => {
    const word = fc.string({ minLength: 1, maxLength: 20, unit: 'binary' }).filter((text) => !text.includes('\0') && text.isWellFormed())
    const flag = fc.constantFrom(true, false, null)
    fc.assert(
      fc.property(
        fc.uniqueArray(
          fc.record({
            table_name: word, column_name: fc.option(word), label: fc.option(word), description: fc.option(word),
            synonyms: fc.array(word, { maxLength: 3 }), sensitivity_tier: fc.constantFrom(...TIERS, null), is_event_class: flag,
            is_transitive: flag, has_key_columns: fc.option(fc.array(word, { minLength: 1, maxLength: 2 })), inverse_of: fc.option(word),
          }),
          { maxLength: 4, selector: (each) => JSON.stringify([each.table_name, each.column_name]) },
        ),
        (drafts) => {
          const rows = drafts.map(({ table_name, column_name, ...more }) => row(table_name, column_name, more))
          const metadata = fresh()
          metadata.set(rows, 'ann', NOW)
          const back = new Map(metadata.list().map((each) => [JSON.stringify([each.table_name, each.column_name]), each]))
          for (const each of rows) expect(back.get(JSON.stringify([each.table_name, each.column_name]))).toMatchObject(each)
          expect(back.size).toBe(rows.length)
        },
      ),
      { numRuns: 40 },
    )
  })
})
