import { expect, it } from 'vitest'
import { MetadataRow, TIERS } from '../contracts/index.ts'
import { catalogue, column, id, key, linking, table, time } from './fixtures.test-support.ts'
import { proposeMetadata } from './propose.ts'

const site = table('sites', [id, column('name', { nullable: false })], { comment: '  Radio access network (RAN)\n site ' })
const resource = table(
  'resources',
  [
    id,
    column('resource_name', { nullable: false }),
    column('contact_email'),
    column('site_id', { valueType: 'integer' }),
    column('price', { valueType: 'decimal' }),
    column('kind', { samples: ['router', 'switch'] }),
    column('cpu', { comment: 'processor load', valueType: 'decimal' }),
    column('total', { valueType: 'integer', generated: true }),
    time('updated_at'),
  ],
  { foreignKeys: [key(['site_id'], 'sites')], rowCount: 50 },
)
const window = table('maintenance_window', [id, time('starts_at')])
const alarm = table('alarm', [id])
const view = table('resource_list', [column('ID')], { kind: 'view', primaryKey: [] })
const rows = proposeMetadata(catalogue([site, resource, window, alarm, view, linking('uses', ['sites', 'resources'])]))
const row = (name: string, of: string | null = null) =>
  rows.find((each) => each.table_name === name && each.column_name === of) ?? expect.fail(`no row for ${name}.${of}`)

it('says something about every table and column, in rows that the contract accepts', () => {
  expect(rows).toHaveLength(6 + 2 + 9 + 2 + 1 + 1 + 2)
  for (const each of rows) {
    expect(MetadataRow.parse(each)).toEqual(each)
    expect(each.label).not.toBe('')
    expect(each.description).toMatch(/\S/)
    expect(each.semantic_type).toMatch(/^[a-z_]+$/)
    if (each.target_type === 'column') expect(TIERS).toContain(each.sensitivity_tier)
    else expect(each.sensitivity_tier).toBeNull()
  }
})

it.each([
  ['sites', null, 'Site', 'entity', 'Radio access network (RAN) site'],
  ['resources', null, 'Resource', 'entity', 'One record of the table resources, identified by id.'],
  ['alarm', null, 'Alarm', 'event', 'Something that happened: one record of the table alarm, identified by id.'],
  ['uses', null, 'Use', 'relationship', 'Connects sites with resources: one record of the table uses.'],
  ['resource_list', null, 'Resource list', 'view', 'One row of the view resource_list.'],
  ['resource_list', 'ID', 'id', 'text', 'Id in the view resource_list: a text.'],
  ['resources', 'id', 'id', 'identifier', 'Identifies the resource: a whole number.'],
  ['resources', 'resource_name', 'resource name', 'name', 'Resource name of the resource: a text, always present.'],
  ['resources', 'contact_email', 'contact email', 'email', 'Contact email of the resource: a text, may be missing.'],
  ['resources', 'site_id', 'site', 'reference', 'Site of the resource: a reference to sites, may be missing.'],
  ['resources', 'price', 'price', 'money', 'Price of the resource: a number, may be missing.'],
  ['resources', 'kind', 'kind', 'category', 'Kind of the resource: a text, may be missing.'],
  ['resources', 'cpu', 'cpu', 'measure', 'processor load'],
  ['resources', 'total', 'total', 'measure', 'Total of the resource: a whole number, computed by the database, may be missing.'],
  ['resources', 'updated_at', 'updated at', 'bookkeeping_time', 'Updated at of the row: a date and time, may be missing.'],
  ['uses', 'sites_id', 'sites', 'reference', 'Sites of the use (part of its key): a reference to sites.'],
])('%s.%s is "%s", a %s', (name, of, label, type, description) => {
  expect(row(name, of)).toMatchObject({ label, semantic_type: type, description })
})

it.each([
  ['sites', null, ['RAN']],
  ['resources', 'resource_name', ['name']],
  ['resources', 'cpu', ['processor load']],
  ['resources', 'contact_email', []],
  ['maintenance_window', null, ['window']],
  ['alarm', null, []],
  ['resource_list', null, []],
])('%s.%s is also called %j', (name, of, synonyms) => {
  expect(row(name, of).synonyms).toEqual(synonyms)
})

it('does not offer a word that another table or column could be meant by', () => {
  const customer = table('customer', [id, column('name'), column('customer_name')])
  const tables = [table('maintenance_window', [id]), table('opening', [id, column('shop_window')]), customer]
  const found = proposeMetadata(catalogue(tables))
  expect(found.flatMap(({ synonyms }) => synonyms)).toEqual([])
})

it('calls a reference by its whole name where another column has the short one', () => {
  const alarms = table('alarm', [id, column('site'), column('site_id')], { foreignKeys: [key(['site_id'], 'sites')] })
  const found = proposeMetadata(catalogue([site, alarms])).filter((each) => each.table_name === 'alarm')
  const labels = found.map(({ label }) => label)
  expect(labels).toEqual(['Alarm', 'id', 'site', 'site id'])
})

it('does not name a table in a sentence that one may see without seeing that table', () => {
  const ids = linking('holds', ['sites', 'resources'])
  const own = { ...ids, columns: [id, ...ids.columns], primaryKey: ['id'] }
  const found = proposeMetadata(catalogue([site, resource, own]))
  const said = found.find((each) => each.table_name === 'holds' && each.column_name === null)
  expect(said?.description).toBe('One record of the table holds, identified by id.')
})

it('keeps long comments within what a row can hold', () => {
  const [first] = proposeMetadata(catalogue([table('t', [id], { comment: 'word '.repeat(1000) })]))
  expect(MetadataRow.parse(first).description).toMatch(/word…$/)
})
