import { expect, it } from 'vitest'
import { keyCandidates, withInferredKeys } from './infer-keys.ts'
import type { Column, Table, ValueType } from './source.ts'

const column = (name: string, valueType: ValueType = 'integer'): Column => ({
  name, declaredType: '', valueType, nullable: true, generated: false, comment: null, samples: [],
})
const table = (name: string, columns: readonly Column[], primaryKey: readonly string[] = ['id']): Table => ({
  name, kind: 'table', columns, primaryKey, uniques: [], foreignKeys: [], rowCount: 3, comment: null, checks: [],
})

const customers = table('customers', [column('id')])

it.each([
  ['customer_id', true],
  ['CustomerID', true],
  ['billing_customer_id', true],
  ['customer', false],
  ['id', false],
  ['custom_id', false],
])('a column %s leads to customers: %s', (name, found) => {
  const [candidate] = keyCandidates([customers, table('order', [column(name)], [])])
  expect(candidate?.refTable === 'customers').toBe(found)
})

it('takes the table whose name covers more of the column', () => {
  const [group, redundancy] = [table('group', [column('id')]), table('redundancy_group', [column('id')])]
  expect(keyCandidates([group, redundancy, table('r', [column('redundancy_group_id')], [])])).toEqual([
    { table: 'r', column: 'redundancy_group_id', refTable: 'redundancy_group', refColumn: 'id' },
  ])
})

it('wants the same type, one key column, and no key that is declared already', () => {
  expect(keyCandidates([customers, table('o', [column('customer_id', 'text')], [])])).toEqual([])
  const twoKeys = table('customers', [column('a'), column('b')], ['a', 'b'])
  expect(keyCandidates([twoKeys, table('o', [column('customer_id')], [])])).toEqual([])
  const declared = { columns: ['customer_id'], refTable: 'customers', refColumns: ['id'], inferred: null }
  expect(keyCandidates([customers, { ...table('o', [column('customer_id')], []), foreignKeys: [declared] }])).toEqual([])
})

it('does not lead a table to itself by its own key', () => {
  expect(keyCandidates([table('customer', [column('customer_id')], ['customer_id'])])).toEqual([])
})

it('keeps a candidate only when every value is borne out, and says so', () => {
  const tables = [customers, table('orders', [column('customer_id')], [])]
  expect(withInferredKeys(tables, () => ({ values: 3, orphans: 1 }))[1]?.foreignKeys).toEqual([])
  expect(withInferredKeys(tables, () => ({ values: 0, orphans: 0 }))[1]?.foreignKeys).toEqual([])
  const [key] = withInferredKeys(tables, () => ({ values: 3, orphans: 0 }))[1]?.foreignKeys ?? []
  expect(key).toMatchObject({ columns: ['customer_id'], refTable: 'customers', refColumns: ['id'] })
  expect(key?.inferred).toContain('each of its 3 values')
})
