/**
 * All text columns of one cut ontology at one version of the data: those that are indexed, and those that are asked at question
 * time instead. What goes in depends on the cut's own columns alone, so nothing above the ceiling decides what is found.
 */
import { ServiceError } from '../../contracts/index.ts'
import type { Ontology } from '../../ontology/index.ts'
import type { Source } from '../../sources/index.ts'
import { ColumnValues } from './column-values.ts'
import { type TextColumn, canBeProbed, readValues, textColumns } from './text-columns.ts'

const MAX_BYTES = 64 * 1024 * 1024

export interface ValueIndex {
  readonly columns: ReadonlyMap<string, ColumnValues>
  /** names of the columns to be asked at question time */
  readonly probed: ReadonlySet<string>
  /** columns that could not be read in time, or not at all: worth another try */
  readonly late: number
  readonly bytes: number
}

export const nameOf = ({ cls, property }: Pick<TextColumn, 'cls' | 'property'>): string => `${cls.name}.${property.name}`

/** Nothing is indexed yet: all that can be asked is asked. */
export const emptyIndex = (ontology: Ontology): ValueIndex => ({
  columns: new Map(), probed: probedOf(textColumns(ontology)), late: 0, bytes: 0,
})

/**
 * Reads one column after the other, so that a search beside it finds a free reader. What an earlier build of the same data has
 * read already is taken over.
 */
export async function buildIndex(
  ontology: Ontology,
  source: Source,
  columnMs: number,
  before: ReadonlyMap<string, ColumnValues> = new Map(),
): Promise<ValueIndex> {
  const columns = new Map<string, ColumnValues>()
  const left: TextColumn[] = []
  let [bytes, late] = [0, 0]
  for (const column of textColumns(ontology)) {
    const name = nameOf(column)
    try {
      const read = before.get(name) ?? (await indexed(source, column, columnMs))
      if (read === null || bytes + read.bytes > MAX_BYTES) left.push(column)
      else {
        columns.set(name, read)
        bytes += read.bytes
      }
    } catch (error) {
      if (error instanceof ServiceError && error.code !== 'deadline_exceeded') throw error
      late += 1
      // a view that cannot be read to its end would fail every question: it is not asked then
      if (error instanceof ServiceError) left.push(column)
    }
  }
  return { columns, probed: probedOf(left), late, bytes }
}

async function indexed(source: Source, column: TextColumn, columnMs: number): Promise<ColumnValues | null> {
  const values = await readValues(source, column, columnMs)
  return values === null ? null : ColumnValues.of(values)
}

const probedOf = (columns: readonly TextColumn[]): Set<string> => new Set(columns.filter(canBeProbed).map(nameOf))
