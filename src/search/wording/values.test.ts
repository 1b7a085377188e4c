import { describe, expect, it } from 'vitest'
import { XSD } from '../../kernel/term.ts'
import type { OntologyProperty } from '../../ontology/index.ts'
import { labelBesideUnit, unitOf } from './units.ts'
import { type Column, sayDate, sayText, sayValue } from './values.ts'

const property = (name: string, range: string, more: Partial<OntologyProperty> = {}): OntologyProperty => ({
  name, iri: name, label: name.replaceAll('_', ' '), synonyms: [], tier: 'Internal', kind: 'data', columns: [name],
  range: `${XSD}${range}`, refColumns: [], required: false, functional: false, inferred: null, ...more,
})
const column = (of: OntologyProperty, amount = false): Column => ({ property: of, cls: null, amount, unit: unitOf(of) })

describe('a value in a sentence', () => {
  it.each([
    [1234, 'height', 'integer', '1234'],
    [12345, 'height', 'integer', '12,345'],
    [12345, 'order_number', 'integer', '12345'],
    [20260312, 'customer_id', 'integer', '20260312'],
    [-1234567.5, 'height', 'decimal', '-1,234,567.5'],
    [0.1 + 0.2, 'height', 'decimal', '0.3'],
    ['123456789012345678.256', 'height', 'decimal', '123,456,789,012,345,678.25'],
    [Number.NaN, 'height', 'decimal', 'unknown'],
    [-0, 'height', 'decimal', '0'],
    [1, 'lag_days', 'integer', '1 day'],
    [12, 'lag_ms', 'integer', '12 ms'],
    [1500, 'lag_ms', 'integer', '1,500 ms'],
    [93, 'load_percent', 'decimal', '93 %'],
    ['12 ms', 'lag_ms', 'string', '12 ms'],
    [true, 'open', 'boolean', 'yes'],
    [0, 'open', 'boolean', 'no'],
    ['2026-03-12', 'day', 'date', '12 March 2026'],
    ['2026-03-12', 'day', 'string', '2026-03-12'],
    ['2026-13-12', 'day', 'date', '2026-13-12'],
  ])('%j of %s (%s) reads "%s"', (value, name, range, text) => {
    expect(sayValue(value, column(property(name, range)))).toBe(text)
  })

  it('keeps every digit of a whole number that no number type holds', () => {
    expect(sayValue(9007199254740993n, column(property('height', 'integer')))).toBe('9,007,199,254,740,993')
  })

  it('says seconds and zones only where there are any', () => {
    expect(sayDate('2026-03-12 10:15:00')).toBe('12 March 2026, 10:15')
    expect(sayDate('2026-03-12T10:15:07.120+01:00')).toBe('12 March 2026, 10:15:07.12 +01:00')
    expect(sayDate('12.3.2026')).toBeNull()
  })

  it('cuts a long text, keeps it on one line, and never looks like a citation', () => {
    expect([...sayText('é'.repeat(500))]).toHaveLength(120)
    expect(sayText('a\nb\u2028c [12]')).toBe('a b c (12)')
    expect(sayText(' \t ')).toBe('(empty)')
  })
})

describe('a unit', () => {
  it.each([
    ['volume_mm3', {}, 'mm³', 'volume'],
    ['value', { label: 'hemoglobin (g/dL)' }, 'g/dL', 'hemoglobin'],
    ['value', { description: 'What was measured (mmol/L).' }, 'mmol/L', 'value'],
    ['percent', {}, '%', 'percent'],
  ])('of %s %j is %s, beside "%s"', (name, more, unit, label) => {
    const of = property(name, 'decimal', more)
    expect(unitOf(of)?.many).toBe(unit)
    expect(labelBesideUnit(of)).toBe(label)
  })

  it.each([
    ['status', 'string', {}],
    ['address', 'decimal', {}],
    ['value', 'decimal', { label: 'value (optional)' }],
    ['constructor', 'decimal', {}],
  ])('of %s is not made up', (name, range, more) => {
    expect(unitOf(property(name, range, more))).toBeNull()
  })
})
