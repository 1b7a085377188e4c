import fc from 'fast-check'
import { expect, it } from 'vitest'
import { XSD } from '../../kernel/term.ts'
import type { Cell } from '../../sources/index.ts'
import { literalOf } from './lexical.ts'

const spelled = (cell: Cell, type: string): string | null => {
  const term = literalOf(cell, `${XSD}${type}`)
  return term?.kind === 'literal' ? `${term.value} ${term.datatype.slice(XSD.length)}` : null
}

it.each<[Cell, string, string | null]>([
  [null, 'string', null],
  ['', 'string', ' string'],
  [7, 'string', '7 string'],
  [7, 'integer', '7 integer'],
  ['007', 'integer', '7 integer'],
  [-0, 'integer', '0 integer'],
  [9007199254740993n, 'integer', '9007199254740993 integer'],
  [1e21, 'integer', '1000000000000000000000 integer'],
  [1.5, 'integer', '1.5 decimal'],
  ['n/a', 'integer', 'n/a string'],
  [30, 'decimal', '30 decimal'],
  ['1.50', 'decimal', '1.5 decimal'],
  ['-0.00', 'decimal', '0 decimal'],
  ['.5', 'decimal', '0.5 decimal'],
  [1e-7, 'decimal', '0.0000001 decimal'],
  [1.25e21, 'decimal', '1250000000000000000000 decimal'],
  ['12345678901234567890.10', 'decimal', '12345678901234567890.1 decimal'],
  ['.', 'decimal', '. string'],
  [Infinity, 'decimal', 'INF double'],
  [30, 'double', '3.0E1 double'],
  [80.25, 'double', '8.025E1 double'],
  [0, 'double', '0.0E0 double'],
  [-0.001, 'double', '-1.0E-3 double'],
  ['NaN', 'double', 'NaN double'],
  [1, 'boolean', 'true boolean'],
  [0n, 'boolean', 'false boolean'],
  ['T', 'boolean', 'true boolean'],
  ['maybe', 'boolean', 'maybe string'],
  [2, 'boolean', '2 integer'],
  ['2024-02-29', 'date', '2024-02-29 date'],
  ['2023-02-29', 'date', '2023-02-29 string'],
  ['0000-00-00', 'date', '0000-00-00 string'],
  [1772352000, 'date', '1772352000 integer'],
  ['2026-03-01 09:30:00', 'dateTime', '2026-03-01T09:30:00 dateTime'],
  ['2026-03-01T09:30', 'dateTime', '2026-03-01T09:30:00 dateTime'],
  ['2026-03-01 09:30:00.250', 'dateTime', '2026-03-01T09:30:00.25 dateTime'],
  ['2026-03-01 09:30:00+00:00', 'dateTime', '2026-03-01T09:30:00Z dateTime'],
  ['2026-03-01 09:30:00+0230', 'dateTime', '2026-03-01T09:30:00+02:30 dateTime'],
  ['2026-03-01 25:00:00', 'dateTime', '2026-03-01 25:00:00 string'],
  ['2026-03-01', 'dateTime', '2026-03-01 string'],
  ['12:30', 'time', '12:30:00 time'],
  [new Uint8Array([0x89, 0x0a]), 'hexBinary', '890A hexBinary'],
  [new Uint8Array([1]), 'string', '01 hexBinary'],
  ['text', 'hexBinary', 'text string'],
])('%o in a column of type %s is %s', (cell, type, expected) => {
  expect(spelled(cell, type)).toBe(expected)
})

it('spells a finite number so that reading it back gives the same number', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
      const [text = ''] = spelled(number, 'decimal')?.split(' ') ?? []
      expect(text).toMatch(/^-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/)
      expect(Number(text)).toBe(number === 0 ? 0 : number)
      expect(Number(spelled(number, 'double')?.split(' ')[0])).toBe(number)
    }),
  )
})

it('a canonical spelling is its own canonical spelling', () => {
  const cell = fc.oneof(fc.double(), fc.bigInt(), fc.string(), fc.constantFrom('2026-03-01 10:00', '10:00+01', '1e3', 'yes'))
  const type = fc.constantFrom('integer', 'decimal', 'double', 'boolean', 'date', 'dateTime', 'time', 'string')
  fc.assert(
    fc.property(cell, type, (value, name) => {
      const once = literalOf(value, `${XSD}${name}`)
      if (once?.kind === 'literal' && once.datatype === `${XSD}${name}`) expect(literalOf(once.value, once.datatype)).toEqual(once)
    }),
  )
})
