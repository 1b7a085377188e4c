import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Source, openSource } from '../../sources/index.ts'
import { buildOntology } from '../build.ts'
import { findByKey, normalisedKey } from './find-by-key.ts'

describe('a name after normalisation', () => {
  it.each([
    [' CRT-07 ', 'crt-07'],
    ['"crt-07"', 'crt-07'],
    ["'Crt-07 '", 'crt-07'],
    ['cafe\u0301', 'caf\u00e9'],
    ['STRASSE', 'strasse'],
    ['straße', 'strasse'],
    ['"', '"'],
    ['', ''],
  ])('%j is %j', (text, expected) => {
    expect(normalisedKey(text)).toBe(expected)
  })

  it('is its own normalisation', () => {
    for (const text of ['"a"', ' İ ', 'ǆ', 'ΣΣ']) expect(normalisedKey(normalisedKey(text))).toBe(normalisedKey(text))
  })
})

describe('records by key', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wherefore-keys-'))
  let source: Source
  beforeAll(async () => {
    const path = join(folder, 'd.sqlite')
    const db = new DatabaseSync(path)
    db.exec(`create table router (id integer primary key, name text not null unique, note text);
      insert into router values (1, 'CRT-07', 'crt-08'), (2, 'crt-08 ', null), (3, 'Crt-08', null);
      create table port (router text, no integer, primary key (router, no)); insert into port values ('crt-07', 1)`)
    db.close()
    source = await openSource(path)
  })
  afterAll(async () => {
    await source.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const find = async (wanted: string[], maxRecords?: number) => {
    const catalogue = await source.introspect()
    const ontology = buildOntology(catalogue, { baseIri: 'http://e/o#', recordBase: 'http://e/r/' })
    const { matches, unread } = await findByKey(source, ontology, catalogue, new Set(wanted), maxRecords === undefined ? {} : { maxRecords })
    return { unread, found: Object.fromEntries([...matches].map(([name, all]) => [name, all.map(({ record, property }) => `${record} by ${property.name}`)])) }
  }

  it('are found by keys and unique columns only, every record that a name fits', async () => {
    expect((await find(['crt-07', 'crt-08', 'nobody'])).found).toEqual({
      'crt-07': ['http://e/r/Router/1 by name'], 'crt-08': ['http://e/r/Router/2 by name', 'http://e/r/Router/3 by name'],
    })
    expect((await find(['2'])).found).toEqual({ '2': ['http://e/r/Router/2 by id'] })
    expect((await find([])).found).toEqual({})
  })

  it('are not looked for in a table that is too large, and that is said', async () => {
    expect(await find(['crt-07'], 2)).toEqual({ unread: ['Router'], found: {} })
  })
})
