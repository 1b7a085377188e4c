/** Tables whose columns are found by name, in any order, with or without others between them. */
import { ServiceError } from '../../../contracts/index.ts'
import { type RowFaults, countFault, csvRows } from './csv-rows.ts'
import type { Chunks } from './unpack.ts'

/** The cell of a column that was asked for; empty where the table has no such column. */
export type Cells<Name extends string> = (name: Name) => string

const plainName = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

export interface TableAsked<Name extends string> {
  /** what each column may be called, best first; case and punctuation do not count */
  readonly columns: Readonly<Record<Name, readonly string[]>>
  readonly needed: readonly NoInfer<Name>[]
  /** how the table is called when something is wrong with it */
  readonly called: string
}

export async function* tableRows<Name extends string>(
  chunks: Chunks, { columns, needed, called }: TableAsked<Name>, faults: RowFaults,
): AsyncGenerator<Cells<Name>> {
  let places: Map<Name, number> | null = null
  let width = 0
  for await (const row of csvRows(chunks, faults)) {
    if (places === null) {
      places = placesOf(row, columns)
      width = row.length
      const missing = needed.filter((name) => !places?.has(name))
      if (missing.length > 0) {
        const names = missing.map((name) => columns[name][0]).join(', ')
        throw new ServiceError('invalid_request', `${called} has no column ${names}`, { hint: `it has: ${row.slice(0, 20).join(', ')}` })
      }
      continue
    }
    if (row.length !== width) {
      countFault(faults, 'wrong_number_of_cells')
      continue
    }
    const found: Map<Name, number> = places
    yield (name) => row[found.get(name) ?? -1] ?? ''
  }
}

function placesOf<Name extends string>(header: readonly string[], columns: Readonly<Record<Name, readonly string[]>>): Map<Name, number> {
  const names = header.map(plainName)
  const places = new Map<Name, number>()
  for (const [name, spellings] of Object.entries(columns) as [Name, readonly string[]][]) {
    const place = spellings.map((spelling) => names.indexOf(plainName(spelling))).find((at) => at >= 0)
    if (place !== undefined) places.set(name, place)
  }
  return places
}
