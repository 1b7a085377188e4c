import { expect, it } from 'vitest'
import type { Table } from '../sources/index.ts'
import { cutOntology } from './cut.ts'
import { build, column, id, key, table } from './fixtures.test-support.ts'
import { recordQuads } from './instances/index.ts'
import { emptyRow } from './propose.ts'

const classNames = (tables: readonly Table[]) => new Map(build(tables).classes.map((cls) => [cls.table, cls.name]))
const onlyClass = (...of: Parameters<typeof table>) => {
  const [cls] = build([table(...of)]).classes
  if (cls === undefined) throw new Error('no class')
  return cls
}

it('makes a class of a table, a data property of a column, an object property of a foreign key', () => {
  const customers = table('customers', [id, column('name', { nullable: false })])
  const columns = [id, column('customerId', { valueType: 'integer' }), column('placedOn', { valueType: 'date' })]
  const orders = table('order_lines', columns, { foreignKeys: [key(['customerId'], 'customers')] })
  const { classes } = build([customers, orders])
  expect(classes.map(({ name, label, iri, key }) => [name, label, iri, key])).toEqual([
    ['Customer', 'Customer', 'https://example.org/o#Customer', ['id']],
    ['OrderLine', 'Order line', 'https://example.org/o#OrderLine', ['id']],
  ])
  expect(classes[0]).toMatchObject({ labelProperty: 'name', instances: 2, table: 'customers' })
  expect(classes[1]?.properties).toMatchObject([
    { name: 'id', kind: 'data', range: 'http://www.w3.org/2001/XMLSchema#integer', required: true, functional: false },
    { name: 'customer', kind: 'object', range: 'Customer', columns: ['customerId'], refColumns: ['id'], functional: true },
    { name: 'placed_on', kind: 'data', range: 'http://www.w3.org/2001/XMLSchema#date', required: false, label: 'placed on' },
  ])
  expect(classes[1]?.properties[1]?.iri).toBe('https://example.org/o#OrderLine.customer')
})

it.each([
  ['order details', 'OrderDetail'],
  ['3g_cells', 'T3gCell'],
  ['Größen', 'Größen'],
  ['顧客', '顧客'],
  ['a"b', 'AB'],
  ['status', 'Status'],
])('names the class of table %j %s', (name, expected) => {
  expect(onlyClass(name, [id]).name).toBe(expected)
})

it.each([
  ['causal_events', /^CausalEvent_[0-9a-f]{6}$/],
  ['CausalEvent', /^CausalEvent_[0-9a-f]{6}$/],
])('does not take a name that the product means something by: %s', (name, expected) => {
  expect(onlyClass(name, [id]).name).toMatch(expected)
})

it('takes two spellings of one letter for one name, and keeps the two tables apart', () => {
  const [one, two] = ['caf\u00E9', 'cafe\u0301']
  const names = classNames([table(one, [id]), table(two, [id])])
  expect([names.get(two), names.get(one)]).toEqual(['Caf\u00E9', expect.stringMatching(/^Caf\u00E9_[0-9a-f]{6}$/)])
  expect(onlyClass('\u0307x', [id]).name).toBe('\u1E6Ax')
})

it('treats a key that leads nowhere as a plain value, and one said twice as one', () => {
  const columns = [id, column('gone_id'), column('part_id')]
  const foreignKeys = [key(['gone_id'], 'gone'), key(['part_id'], 'part', ['no_such']), key(['nothing'], 'part')]
  const { classes } = build([table('part', [id]), table('whole', columns, { foreignKeys })])
  expect(classes[1]?.properties.map(({ kind }) => kind)).toEqual(['data', 'data', 'data'])
  const twice = table('twin', [id, column('part_id')], { foreignKeys: [key(['part_id'], 'part'), key(['part_id'], 'part')] })
  expect(build([table('part', [id]), twice]).classes[1]?.properties.map(({ name }) => name)).toEqual(['id', 'part'])
})

it.each([
  ['customer_id', 'customers', 'customer'],
  ['CustomerFK', 'customers', 'customer'],
  ['billing_customer_id', 'customers', 'billing_customer'],
  ['owner', 'customers', 'owner'],
  ['id', 'customers', 'customer'],
  ['deptid', 'departments', 'department'],
  ['did', 'departments', 'department'],
  ['pid', 'departments', 'pid'],
  ['paid', 'departments', 'paid'],
  ['postid', 'blog_post', 'postid'],
])('calls a reference by %s to %s "%s"', (name, to, expected) => {
  const { classes } = build([table(to, [id]), table('a', [column(name)], { primaryKey: [], foreignKeys: [key([name], to)] })])
  expect(classes.find(({ table: of }) => of === 'a')?.properties[0]?.name).toBe(expected)
})

it('keeps two references by one column apart', () => {
  const foreignKeys = [key(['owner'], 'person'), key(['owner'], 'firm')]
  const { classes } = build([table('firm', [id]), table('person', [id]), table('thing', [id, column('owner')], { foreignKeys })])
  const names = classes[2]?.properties.map(({ name, range }) => [name, range])
  expect(names).toEqual([['id', expect.anything()], [expect.stringMatching(/^owner_[0-9a-f]{6}$/), 'Person'], ['owner', 'Firm']])
})

it('gives a name without letters one that rules can spell', () => {
  expect(onlyClass('!!', [id]).name).toMatch(/^T[0-9a-f]{6}$/)
  const names = onlyClass('t', [id, column('%'), column('2nd')]).properties.map(({ name }) => name)
  expect(names).toEqual(['id', expect.stringMatching(/^c[0-9a-f]{6}$/), 'c_2nd'])
})

it('keeps apart what normalises to one name, and only the later one gets a mark', () => {
  const tables = [table('customer', [id]), table('Customers', [id]), table('customers', [id])]
  const names = classNames(tables)
  expect(names.get('Customers')).toBe('Customer')
  expect(names.get('customer')).toMatch(/^Customer_[0-9a-f]{6}$/)
  expect(new Set(names.values()).size).toBe(3)
  expect(classNames(tables.toReversed())).toEqual(names)
})

it('keeps a reference apart from a column of its name', () => {
  const resource = table('resource', [id])
  const columns = [id, column('resource'), column('resource_id')]
  const alarm = table('alarm', columns, { foreignKeys: [key(['resource_id'], 'resource')] })
  const [first] = build([resource, alarm]).classes
  expect(first?.properties.map(({ name }) => name)).toEqual(['id', 'resource', expect.stringMatching(/^resource_[0-9a-f]{6}$/)])
})

it('calls a composite reference after its class, and keeps the columns it shares', () => {
  const pair = table('pairs', [column('a'), column('b')], { primaryKey: ['a', 'b'] })
  const user = table('usage', [id, column('x'), column('y')], { foreignKeys: [key(['x', 'y'], 'pairs', ['a', 'b'])] })
  expect(build([pair, user]).classes[1]?.properties.map(({ name, columns }) => [name, columns])).toEqual([
    ['id', ['id']],
    ['x', ['x']],
    ['pair', ['x', 'y']],
    ['y', ['y']],
  ])
})

it('takes the first unique columns that are never empty where there is no primary key', () => {
  const columns = [column('a'), column('b', { nullable: false })]
  expect(onlyClass('t', columns, { primaryKey: [], uniques: [['a'], ['b']] }).key).toEqual(['b'])
  expect(onlyClass('t', columns, { primaryKey: [], uniques: [['a']] }).key).toEqual([])
})

it.each([
  [['id', 'code', 'title'], [], 'title'],
  [['id', 'product_name', 'kind'], [], 'product_name'],
  [['id', 'first_name', 't'], [], 't'],
  [['id', 'kind', 'serial'], [['serial']], 'serial'],
  [['id', 'kind'], [], null],
])('of the columns %j a record is called by %3$s', (names, uniques, label) => {
  const columns = names.map((name) => (name === 'id' ? id : column(name)))
  expect(onlyClass('t', columns, { uniques }).labelProperty).toBe(label)
})

it('lets a person overrule label, synonyms and tier, and a table raise all its columns', () => {
  const tables = [table('customer', [id, column('email')])]
  const [cls] = build(tables, [
    emptyRow('customer', 'email', { sensitivity_tier: 'Internal', label: 'contact', synonyms: ['mail'] }),
    emptyRow('customer', null, { sensitivity_tier: 'Confidential', label: 'Client' }),
  ]).classes
  expect(cls).toMatchObject({ label: 'Client', tier: 'Confidential' })
  expect(cls?.properties[0]).toMatchObject({ tier: 'Confidential' })
  expect(cls?.properties[1]).toMatchObject({ label: 'contact', synonyms: ['mail'], tier: 'Confidential' })
})

it('gives a reference the tier of where it leads, also in a circle and through a key', () => {
  const person = table('person', [column('ssn', { nullable: false }), column('boss')], {
    primaryKey: ['ssn'], foreignKeys: [key(['boss'], 'badge', ['owner'])],
  })
  const badge = table('badge', [column('owner', { nullable: false })], {
    primaryKey: ['owner'], foreignKeys: [key(['owner'], 'person', ['ssn'])],
  })
  const { classes } = build([person, badge])
  expect(classes.map(({ name, tier }) => [name, tier])).toEqual([['Badge', 'Restricted'], ['Person', 'Restricted']])
  expect(cutOntology(build([person, badge]), 'Confidential').classes).toEqual([])
})

it('carries a tier along a chain of keys, in whatever order the tables come', () => {
  const link = (name: string, to: string, at = 'k') =>
    table(name, [column('k')], { primaryKey: ['k'], foreignKeys: [key(['k'], to, [at])] })
  const tables = [link('a', 'b'), link('b', 'c'), link('c', 'd', 'ssn'), table('d', [column('ssn')], { primaryKey: ['ssn'] })]
  for (const each of [tables, tables.toReversed()]) {
    expect(build(each).classes.map(({ tier }) => tier)).toEqual(['Restricted', 'Restricted', 'Restricted', 'Restricted'])
  }
})

it('cuts what is above the ceiling and everything that leads there', () => {
  const person = table('person', [column('ssn', { nullable: false })], { primaryKey: ['ssn'] })
  const order = table('order', [id, column('full_name'), column('state'), column('person_ssn')], {
    foreignKeys: [key(['person_ssn'], 'person', ['ssn'])],
  })
  const whole = build([person, order])
  const [cls, ...others] = cutOntology(whole, 'Internal').classes
  expect(others).toEqual([])
  expect(cls?.properties.map(({ name }) => name)).toEqual(['id', 'state'])
  expect(whole.classes[0]?.labelProperty).toBe('full_name')
  expect(cls?.labelProperty).toBeNull()
  expect(cutOntology(whole, 'Restricted')).toEqual(whole)
})

it('cuts a reference to a class that is gone even if nobody raised its tier', () => {
  const { classes, ...rest } = build([
    table('person', [id]),
    table('order', [id, column('person_id')], { foreignKeys: [key(['person_id'], 'person')] }),
  ])
  const raised = classes.map((cls) => (cls.name === 'Person' ? { ...cls, tier: 'Restricted' as const } : cls))
  const [order] = cutOntology({ ...rest, classes: raised }, 'Internal').classes
  expect(order?.properties.map(({ name }) => name)).toEqual(['id'])
})

it('calls a record by the best name that is left, as if the hidden one had never been there', () => {
  const rows = [emptyRow('depot', 'name', { sensitivity_tier: 'Restricted' }), emptyRow('depot', 'title', { sensitivity_tier: 'Public' })]
  const whole = build([table('depot', [id, column('name'), column('title')])], rows)
  const cut = cutOntology(whole, 'Internal').classes[0]
  expect([whole.classes[0]?.labelProperty, cut?.labelProperty]).toEqual(['name', 'title'])
  const without = cutOntology(build([table('depot', [id, column('title')])], rows), 'Internal').classes[0]
  expect(cut).toEqual(without)
})

it('repeats no hidden name as the label of a record that others may see', () => {
  const rows = [emptyRow('depot', 'name', { sensitivity_tier: 'Restricted' }), emptyRow('depot', 'title', { sensitivity_tier: 'Internal' })]
  const labels = (columns: readonly string[]) => {
    const ontology = build([table('depot', [id, ...columns.map((name) => column(name))])], rows)
    const cells = new Map<string, string | bigint>([['id', 1n], ['name', 'Cape Fear'], ['title', 'North']])
    const quads = recordQuads(ontology, ontology.classes[0]!, cells)
    return quads.filter(({ predicate }) => predicate.value.endsWith('#label')).map(({ object }) => object.value)
  }
  expect([labels(['name']), labels(['name', 'title'])]).toEqual([[], ['North']])
})

it('leaves a column plain where only the values of something more sensitive say that it is a reference', () => {
  const read = { ...key(['person_id'], 'person'), inferred: 'each of its values occurs there' }
  const orders = (more: Partial<Table>) => table('order', [id, column('person_id', { valueType: 'integer' })], more)
  const kinds = (tier: 'Internal' | 'Restricted', more: Partial<Table>) =>
    build([table('person', [id]), orders(more)], [emptyRow('person', null, { sensitivity_tier: tier })]).classes[0]?.properties
  expect(kinds('Internal', { foreignKeys: [read] })?.map(({ kind }) => kind)).toEqual(['data', 'object'])
  expect(kinds('Restricted', { foreignKeys: [read] })).toEqual(kinds('Restricted', {}))
  // what is declared is part of the schema, and hides its column
  const declared = kinds('Restricted', { foreignKeys: [{ ...read, inferred: null }] })?.[1]
  expect([declared?.kind, declared?.tier]).toEqual(['object', 'Restricted'])
})

it.each([
  ['letters', 'text', ['Y', 'N'], 'Y'],
  ['words', 'text', ['no', 'Yes'], 'Yes'],
  ['digits', 'integer', ['0', '1'], 1],
  ['truth values', 'boolean', [], true],
  ['one value alone', 'text', ['Y'], undefined],
  ['a third value', 'text', ['Y', 'N', 'maybe'], undefined],
  ['more numbers', 'integer', ['0', '1', '2'], undefined],
] as const)('knows a column of yes and no: %s', (_, valueType, samples, yes) => {
  expect(onlyClass('trips', [id, column('insured', { valueType, samples })]).properties.find(({ name }) => name === 'insured')?.yes).toBe(yes)
})

it('knows texts that are numbers from texts, and from telephone numbers', () => {
  const texts = [['crates', ['7', '-2', '1.5']], ['code', ['7', 'A7']], ['phone', ['4712345678']], ['empty', []]] as const
  const { properties } = onlyClass('trips', [id, ...texts.map(([name, samples]) => column(name, { samples }))])
  expect(properties.filter(({ figures }) => figures === true).map(({ name }) => name)).toEqual(['crates'])
})
