/**
 * CSV as RFC 4180 has it, safe to open in a spreadsheet. A cell that a spreadsheet would run as a formula gets an apostrophe
 * in front when written and loses it when read, so that every text comes back as it was.
 */
import type { Fault } from '../contracts/index.ts'

export interface CsvRecord {
  /** where the record starts; a quoted cell may hold line breaks of its own */
  readonly line: number
  readonly cells: readonly string[]
}

export type Csv =
  | { readonly ok: true; readonly records: readonly CsvRecord[] }
  | { readonly ok: false; readonly faults: readonly Fault[] }

export function writeCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}

/** `=`, `+`, `-`, `@` also in their full-width forms, and the white space that some programs skip before looking. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/
const ARMED = /^''*[=+\-@\t\r\n＝＋－＠]/

function cell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Empty lines are passed over; a byte-order mark in front is not part of the text. */
export function readCsv(text: string): Csv {
  const records: CsvRecord[] = []
  const faults: Fault[] = []
  let at = text.startsWith('\uFEFF') ? 1 : 0
  let line = 1
  while (at < text.length) {
    const start = line
    const cells: string[] = []
    for (;;) {
      const read = text[at] === '"' ? quoted(text, at) : bare(text, at)
      line += read.breaks
      if (read.fault !== null) return { ok: false, faults: [...faults, { message: read.fault, line: start }] }
      cells.push(ARMED.test(read.value) ? read.value.slice(1) : read.value)
      at = read.end
      if (text[at] !== ',') break
      at += 1
    }
    at += text.startsWith('\r\n', at) ? 2 : 1
    line += 1
    if (cells.length > 1 || cells[0] !== '') records.push({ line: start, cells })
  }
  return { ok: true, records }
}

interface Cell {
  readonly value: string
  readonly end: number
  readonly breaks: number
  readonly fault: string | null
}

function bare(text: string, start: number): Cell {
  let end = start
  while (end < text.length && text[end] !== ',' && text[end] !== '\n' && text[end] !== '\r') end += 1
  const value = text.slice(start, end)
  const fault = value.includes('"') ? 'a quotation mark stands inside a cell that does not begin with one' : null
  return { value, end, breaks: 0, fault }
}

function quoted(text: string, start: number): Cell {
  let value = ''
  for (let at = start + 1; ; ) {
    const close = text.indexOf('"', at)
    if (close === -1) return { value, end: text.length, breaks: 0, fault: 'a quoted cell is never closed' }
    value += text.slice(at, close)
    if (text[close + 1] === '"') {
      value += '"'
      at = close + 2
      continue
    }
    const end = close + 1
    const ends = end >= text.length || text[end] === ',' || text[end] === '\n' || text[end] === '\r'
    const breaks = value.split(/\r\n|\r|\n/).length - 1
    return { value, end, breaks, fault: ends ? null : 'text follows the closing quotation mark of a cell' }
  }
}
