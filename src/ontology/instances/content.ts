/** Rows by what they hold: one text per content, and names for records that have no key. */
import { createHash } from 'node:crypto'
import type { Cell } from '../../sources/index.ts'
import { hexBinary } from './lexical.ts'

/** A text that two rows share exactly when they hold the same values. */
export const contentKey = (cells: readonly Cell[]): string => JSON.stringify(cells.map(cellKey))

/** The same question without making the texts, for rows that are asked about once. */
export const sameContent = (x: readonly Cell[], y: readonly Cell[]): boolean =>
  x.every((cell, at) => {
    const other = y[at] ?? null
    return cell === other || (typeof cell === 'object' && typeof other === 'object' && cellKey(cell) === cellKey(other))
  })

function cellKey(cell: Cell): string | null {
  if (cell === null) return null
  if (typeof cell === 'string') return `t${cell}`
  if (cell instanceof Uint8Array) return `x${hexBinary(cell)}`
  return `n${typeof cell === 'boolean' ? Number(cell) : cell}`
}

/** The label of a blank node: the same content gives the same label in every run, and equal rows are told apart by a number. */
export function blankLabel(table: string, cells: readonly Cell[], ordinal: number): string {
  // cryptographic, so that nobody can write two rows into a table that come out as one
  const hash = createHash('sha256').update(contentKey([table, ...cells])).digest('hex').slice(0, 32)
  return ordinal === 0 ? `r${hash}` : `r${hash}-${ordinal}`
}
