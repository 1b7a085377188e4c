import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readCsv, writeCsv } from './csv.ts'

const cellsOf = (text: string) => {
  const read = readCsv(text)
  return read.ok ? read.records.map(({ cells }) => cells) : read.faults
}

describe('CSV', () => {
  it.each([
    ['plain cells', 'a,b\r\nc,d\r\n', [['a', 'b'], ['c', 'd']]],
    ['no break at the end', 'a,b\nc,d', [['a', 'b'], ['c', 'd']]],
    ['line breaks, commas and quotes inside quotes', '"a\r\nb","c,d","e""f"\n', [['a\r\nb', 'c,d', 'e"f']]],
    ['empty cells', ',,\n"",x,', [['', '', ''], ['', 'x', '']]],
    ['empty lines', 'a\n\n\r\nb\n', [['a'], ['b']]],
    ['a byte-order mark', '\uFEFFa,b', [['a', 'b']]],
    ['old line ends', 'a\rb\r', [['a'], ['b']]],
    ['an empty text', '', []],
    ['an open quote', 'a\n"b,c\n', [{ message: 'a quoted cell is never closed', line: 2 }]],
    ['text behind a quote', '"a"b,c', [{ message: 'text follows the closing quotation mark of a cell', line: 1 }]],
    ['a quote inside', 'a"b', [{ message: 'a quotation mark stands inside a cell that does not begin with one', line: 1 }]],
  ])('reads %s', (_, text, expected) => {
    expect(cellsOf(text)).toEqual(expected)
  })

  it('names the line where a record starts, behind cells that span lines', () => {
    const read = readCsv('h\n"two\nlines"\nx\n')
    expect(read.ok && read.records.map(({ line }) => line)).toEqual([1, 2, 4])
  })

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', "'=1", '＝1', '=HYPERLINK("http://x","y")'])('disarms %j for spreadsheets and gives it back', (text) => {
    const written = writeCsv([[text]])
    expect(written.replace(/^"/, '')[0]).toBe("'")
    expect(cellsOf(written)).toEqual([[text]])
  })

  it('leaves an ordinary apostrophe alone', () => {
    expect(writeCsv([["'tis", "don't"]])).toBe("'tis,don't\r\n")
    expect(cellsOf("'tis")).toEqual([["'tis"]])
  })

  it('every table of text comes back, and no cell starts a formula', () => {
    const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('=', "'", '"', ',', '\n', '\r', '-', ' ', '@', ';', '\\', 'a') }))
    fc.assert(
      fc.property(fc.array(fc.array(text, { minLength: 2, maxLength: 4 }), { maxLength: 4 }), (rows) => {
        const written = writeCsv(rows)
        expect(cellsOf(written)).toEqual(rows)
        for (const row of rows) for (const each of row) expect(writeCsv([[each]])).not.toMatch(/^"?[=+\-@\t]/)
      }),
    )
  })
})
