/**
 * Rows of a table in CSV (RFC 4180) out of a stream, whatever its size: at most one row is held. A row that cannot be read is
 * counted by reason and passed over; reading goes on behind the next line break.
 */
import type { Chunks } from './unpack.ts'

/** Why rows were passed over, and how many. */
export type RowFaults = Record<string, number>

export const countFault = (faults: RowFaults, reason: string): void => {
  faults[reason] = (faults[reason] ?? 0) + 1
}

/** Longer than any row that somebody wrote; what is longer is a quote that was never closed. */
const MAX_ROW_CHARS = 4 * 1024 * 1024

export async function* csvRows(chunks: Chunks, faults: RowFaults): AsyncGenerator<string[]> {
  const decoder = new TextDecoder('utf-8')
  let rest = ''
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true })
    let at = 0
    for (;;) {
      const row = rowAt(rest, at, false)
      if (row === null) break
      at = row.end
      if (row.fault !== null) countFault(faults, row.fault)
      else if (row.cells.length > 1 || row.cells[0] !== '') yield row.cells
    }
    rest = rest.slice(at)
    if (rest.length > MAX_ROW_CHARS) {
      countFault(faults, 'endless_row')
      rest = rest.slice(afterBreak(rest))
    }
  }
  rest += decoder.decode()
  for (let at = 0; at < rest.length; ) {
    const row = rowAt(rest, at, true)
    if (row === null) {
      countFault(faults, 'unclosed_quote')
      at += afterBreak(rest.slice(at))
      continue
    }
    at = row.end
    if (row.fault !== null) countFault(faults, row.fault)
    else if (row.cells.length > 1 || row.cells[0] !== '') yield row.cells
  }
}

const afterBreak = (text: string): number => {
  const at = text.indexOf('\n')
  return at === -1 ? text.length : at + 1
}

interface Row {
  readonly cells: string[]
  /** where the next row starts */
  readonly end: number
  readonly fault: string | null
}

/** The row that starts here; null when its end is not in the text. */
function rowAt(text: string, start: number, last: boolean): Row | null {
  const cells: string[] = []
  let at = text.charCodeAt(start) === 0xfeff ? start + 1 : start
  if (at >= text.length) return null
  for (;;) {
    if (text[at] === '"') {
      const close = closingQuote(text, at + 1)
      if (close === -1) return null
      const cell = text.slice(at + 1, close)
      cells.push(cell.includes('""') ? cell.replaceAll('""', '"') : cell)
      at = close + 1
      if (at >= text.length && !last) return null
    } else {
      const end = bareEnd(text, at)
      if (end === text.length && !last) return null
      cells.push(text.slice(at, end))
      at = end
    }
    const mark = text[at]
    if (mark === ',') {
      at += 1
      if (at >= text.length && !last) return null
      continue
    }
    if (mark === undefined) return { cells, end: at, fault: null }
    if (mark === '\n') return { cells, end: at + 1, fault: null }
    if (mark === '\r' && text[at + 1] === '\n') return { cells, end: at + 2, fault: null }
    if (mark === '\r' && text[at + 1] === undefined) return last ? { cells, end: at + 1, fault: null } : null
    // text behind a closing quote: the row is damaged, the next one begins behind the line break
    const end = text.indexOf('\n', at)
    if (end === -1 && !last) return null
    return { cells, end: end === -1 ? text.length : end + 1, fault: 'text_behind_quote' }
  }
}

/** The quote that closes the cell, not one of a doubled pair; -1 when it is not in the text. */
function closingQuote(text: string, from: number): number {
  for (let at = from; ; ) {
    const quote = text.indexOf('"', at)
    if (quote === -1 || text[quote + 1] !== '"') return quote
    at = quote + 2
  }
}

function bareEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 44 || code === 10 || (code === 13 && text.charCodeAt(at + 1) === 10)) return at
  }
  return text.length
}
