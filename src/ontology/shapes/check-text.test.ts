import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ColumnFact, enumValues, readCheck } from './check-text.ts'

const COLUMNS = ['status', 'price', 'list price', 'Größe', 'ends']
const inList = (column: string, ...values: (string | number)[]): ColumnFact => ({ kind: 'in', column, values })
const range = (column: string, bound: '>=' | '>' | '<=' | '<', value: string | number): ColumnFact => ({ kind: 'range', column, bound, value })

describe('readCheck', () => {
  it.each<[engine: string, text: string, facts: ColumnFact[]]>([
    ['SQLite', "CHECK (status IN ('open', 'closed'))", [inList('status', 'open', 'closed')]],
    ['SQLite, bare', 'price >= 0', [range('price', '>=', 0)]],
    ['SQLite, named', 'CONSTRAINT positive CHECK ("price" > 0)', [range('price', '>', 0)]],
    ['SQLite, quoted name with a space', '"list price" < 10.5', [range('list price', '<', 10.5)]],
    ['SQLite, brackets', '[list price]>=(0) AND [price]<=(1)', [range('list price', '>=', 0), range('price', '<=', 1)]],
    ['SQLite, Unicode', 'Größe <= 5', [range('Größe', '<=', 5)]],
    ['another case', "STATUS = 'x'", [inList('status', 'x')]],
    ['turned round', '0 < price', [range('price', '>', 0)]],
    ['negative', 'price >= -1.5', [range('price', '>=', -1.5)]],
    ['beyond what a number holds', 'price <= 99999999999999999999', [range('price', '<=', '99999999999999999999')]],
    ['between', 'price BETWEEN 1 AND 5', [range('price', '>=', 1), range('price', '<=', 5)]],
    ['a conjunction', "price > 0 AND price BETWEEN 1 AND 5 AND status = 'a'", [
      range('price', '>', 0), range('price', '>=', 1), range('price', '<=', 5), inList('status', 'a'),
    ]],
    ['alternatives', "status = 'a' OR status IN ('b', 'a')", [inList('status', 'a', 'b')]],
    ['NULL let through in so many words', "status IS NULL OR (status IN ('a'))", [inList('status', 'a')]],
    ['NULL beside a range', 'price IS NULL OR price BETWEEN 0 AND 1', [range('price', '>=', 0), range('price', '<=', 1)]],
    ['not null', 'status IS NOT NULL', [{ kind: 'required', column: 'status' }]],
    ['like', "status LIKE 'A%'", [{ kind: 'like', column: 'status', like: 'A%' }]],
    ['a quote in a value', "status IN ('it''s')", [inList('status', "it's")]],
    ['PostgreSQL', 'CHECK ((price >= (0)::numeric))', [range('price', '>=', 0)]],
    ['PostgreSQL list', "CHECK ((status = ANY (ARRAY['a'::text, 'b'::text])))", [inList('status', 'a', 'b')]],
    [
      'PostgreSQL list of varchar',
      "CHECK (((status)::text = ANY ((ARRAY['a'::character varying, 'b'::character varying(10)])::text[])))",
      [inList('status', 'a', 'b')],
    ],
    ['PostgreSQL conjunction', 'CHECK (((price >= (0)::numeric) AND (price <= (5)::numeric)))', [range('price', '>=', 0), range('price', '<=', 5)]],
    ['PostgreSQL date', "CHECK ((ends > '2020-01-01'::date))", [range('ends', '>', '2020-01-01')]],
    ['MariaDB', "`status` in ('a','b')", [inList('status', 'a', 'b')]],
    ['MySQL', "(`status` in (_utf8mb4'a',_utf8mb4\\'b\\'))", [inList('status', 'a', 'b')]],
  ])('%s: %s', (_, text, facts) => {
    expect(readCheck(text, COLUMNS)).toMatchObject({ facts, complete: true })
  })

  it.each([
    'price < "list price"', 'price + 1 > 0', 'lower(status) = status', "status NOT IN ('a')", 'NOT (price > 0)', "status <> 'a'", 'price > 0 OR price < -5',
    "status = 'a' OR price > 0", "status LIKE 'a!%' ESCAPE '!'", "status ~ '^a'", "status IN (SELECT 'a')", '((', '', "status = 'unfinished", 'status IS NULL',
    "status = 'a\\'b'", 'other > 5', 'status IN ("a", "b")',
  ])('does not guess at %s', (text) => {
    expect(readCheck(text, COLUMNS)).toMatchObject({ facts: [], complete: false })
  })

  it('keeps the parts of a conjunction that it can read, and says that there are others', () => {
    expect(readCheck('price > 0 AND price < "list price"', COLUMNS)).toEqual({
      facts: [range('price', '>', 0)], complete: false, columns: ['price', 'list price'],
    })
  })

  it('a text that it cannot even take apart may name any column', () => {
    expect(readCheck('price @> $$', COLUMNS).columns).toEqual(COLUMNS)
  })

  it('takes any text without failing, and never finds a column that is not there', () => {
    const word = fc.constantFrom('status', 'price', '(', ')', '[', 'AND', 'OR', 'IN', 'BETWEEN', 'IS', 'NULL', '::', 'ANY', 'ARRAY', ',', "'a'", '1', '=', '<', '-', 'CHECK')
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.array(word).map((words) => words.join(' '))), (text) => {
        expect(COLUMNS).toEqual(expect.arrayContaining(readCheck(text, COLUMNS).facts.map(({ column }) => column)))
      }),
    )
  })
})

it.each([
  ["enum('new','paid')", ['new', 'paid']],
  ["ENUM('it''s', 'b')", ["it's", 'b']],
  ['enum()', null],
  ['enumeration', null],
  ['text', null],
  ["set('a','b')", null],
])('the values of %s', (type, values) => {
  expect(enumValues(type)).toEqual(values)
})
