/** A folder of labelled logs: sub-folders with `*.log_structured.csv`, one row a line with its true template. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ServiceError } from '../contracts/index.ts'
import { compareText } from '../kernel/term.ts'

export interface LabelledLine {
  readonly lineId: string
  readonly content: string
  readonly eventId: string
  readonly eventTemplate: string
}

export interface LogSet {
  readonly name: string
  readonly lines: readonly LabelledLine[]
}

const ENDING = '.log_structured.csv'

/** The sets of a folder in the order of their names; the folder itself may be one. */
export function readLogSets(folder: string): LogSet[] {
  const files = [folder, ...readdirSync(folder).map((name) => join(folder, name)).filter((path) => statSync(path).isDirectory())]
    .flatMap((place) => readdirSync(place).filter((name) => name.endsWith(ENDING)).map((name) => join(place, name)))
  if (files.length === 0) {
    const hint = `sub-folders with *${ENDING} (columns LineId, Content, EventId, EventTemplate)`
    throw new ServiceError('invalid_request', 'the folder has no labelled logs', { hint })
  }
  return files.map(readLogSet).toSorted((x, y) => compareText(x.name, y.name))
}

function readLogSet(path: string): LogSet {
  const name = (path.split(/[/\\]/).at(-1) ?? '').slice(0, -ENDING.length).replace(/_2k$/, '')
  const [header = [], ...rows] = csvRows(readFileSync(path, 'utf8'))
  const column = (title: string): number => {
    const at = header.indexOf(title)
    if (at < 0) throw new ServiceError('invalid_request', `${name}: the column ${title} is missing`)
    return at
  }
  const [line, content, event, template] = ['LineId', 'Content', 'EventId', 'EventTemplate'].map(column) as [
    number, number, number, number,
  ]
  if (rows.length === 0) throw new ServiceError('invalid_request', `${name}: there is no line below the header`, { hint: 'one row for each line of the log' })
  const cell = (row: readonly string[], at: number): string => row[at] ?? ''
  const lines = rows.map((row) => ({
    lineId: cell(row, line), content: cell(row, content), eventId: cell(row, event), eventTemplate: cell(row, template),
  }))
  return { name, lines }
}

/** RFC 4180, and lenient: a quote inside a bare cell is a character. */
export function csvRows(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let at = text.startsWith('\uFEFF') ? 1 : 0
  while (at < text.length) {
    let value = ''
    if (text[at] === '"') {
      at += 1
      for (;;) {
        const close = text.indexOf('"', at)
        if (close < 0) throw new ServiceError('invalid_request', `row ${rows.length + 1} has a quote that is not closed`, { hint: 'a quote inside a quoted cell is written twice' })
        value += text.slice(at, close)
        at = close + 1
        if (text[at] !== '"') break
        value += '"'
        at += 1
      }
    }
    const from = at
    while (at < text.length && text[at] !== ',' && text[at] !== '\n' && text[at] !== '\r') at += 1
    row.push(value + text.slice(from, at))
    const ends = at >= text.length || text[at] !== ','
    at += text.startsWith('\r\n', at) ? 2 : 1
    if (!ends && at >= text.length) row.push('')
    if (!ends && at < text.length) continue
    if (row.length > 1 || row[0] !== '') rows.push(row)
    row = []
  }
  return rows
}
