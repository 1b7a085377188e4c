import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Config, MetadataRow } from '../contracts/index.ts'
import { type MetadataSupply, OpenSources } from './open-sources.ts'

let folder = ''
let open: OpenSources | null = null
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wherefore-sources-'))
})
afterEach(async () => {
  await open?.close()
  rmSync(folder, { recursive: true })
})

const make = (name: string, sql: string) => {
  const db = new DatabaseSync(join(folder, name))
  db.exec(sql)
  db.close()
}
function sourcesOver(name: string, metadata?: MetadataSupply) {
  open = new OpenSources(Config.parse({ sources: { main: { path: join(folder, name) } } }), metadata)
  return { sources: open, main: open.find('main', undefined, false) }
}
const said = (row: object) => MetadataRow.parse({ target_type: 'column', ...row })

it('opens a file once, however many ask at the same time', async () => {
  make('a.sqlite', 'create table a (id integer primary key)')
  const { sources, main } = sourcesOver('a.sqlite')
  expect(sources.state(main)).toEqual({ state: 'untried' })
  const opened = await Promise.all([1, 2, 3].map(() => sources.open(main)))
  expect(new Set(opened.map(({ source }) => source)).size).toBe(1)
  expect(new Set(opened.map(({ ontology }) => ontology)).size).toBe(1)
  expect(sources.state(main)).toEqual({ state: 'ready', dialect: 'sqlite' })
})

it('sees a table that was added, and another database that was put in the place of the first', async () => {
  make('a.sqlite', 'create table a (id integer primary key)')
  const { sources, main } = sourcesOver('a.sqlite')
  const tables = async () => (await sources.open(main)).ontology.classes.map(({ table }) => table)
  expect(await tables()).toEqual(['a'])
  make('a.sqlite', 'create table b (id integer primary key)')
  expect(await tables()).toEqual(['a', 'b'])
  make('new.sqlite', 'create table c (id integer primary key)')
  renameSync(join(folder, 'new.sqlite'), join(folder, 'a.sqlite'))
  expect(await tables()).toEqual(['c'])
  rmSync(join(folder, 'a.sqlite'))
  await expect(sources.open(main)).rejects.toMatchObject({ code: 'source_unavailable' })
  expect(sources.state(main).state).toBe('unavailable')
})

it('builds the ontology anew when what was said has another version, without reading the source again', async () => {
  make('a.sqlite', 'create table a (id integer primary key, note_code text)')
  let version = 1
  const rows = () => (version === 1 ? [] : [said({ table_name: 'a', column_name: 'note_code', label: 'remark', sensitivity_tier: 'Restricted' })])
  const { sources, main } = sourcesOver('a.sqlite', { version: () => String(version), rows })
  const property = async () => (await sources.open(main)).ontology.classes[0]!.properties.find(({ columns }) => columns[0] === 'note_code')
  expect((await property())?.tier).toBe('Internal')
  const before = await sources.open(main)
  version = 2
  expect(await property()).toMatchObject({ label: 'remark', tier: 'Restricted' })
  expect((await sources.open(main)).source).toBe(before.source)
})

it('takes what a source says of itself, below what people said here', async () => {
  make('a.sqlite', `create table a (id integer primary key, x_code text, y_code text);
    create table ontology_metadata (table_name text, column_name text, label text, sensitivity_tier text);
    insert into ontology_metadata values ('a', 'x_code', 'from the source', 'Confidential'), ('a', 'y_code', 'from the source', 'Confidential')`)
  const rows = [said({ table_name: 'a', column_name: 'y_code', label: 'from a person' })]
  const { sources, main } = sourcesOver('a.sqlite', { version: () => '1', rows: () => rows })
  const { classes } = (await sources.open(main)).ontology
  expect(classes.map(({ table }) => table)).toEqual(['a'])
  const labels = classes[0]!.properties.map(({ label, tier }) => [label, tier])
  expect(labels.slice(1)).toEqual([['from the source', 'Confidential'], ['from a person', 'Confidential']])
})
