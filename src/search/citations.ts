/** Numbers the records that claims rest on, in the order in which the answer first mentions them. */
import { type Citation, maxTier } from '../contracts/index.ts'
import { compareText } from '../kernel/term.ts'
import { wireCell } from './context.ts'
import { type RecordSet, recordLabel } from './records.ts'

export class CitationList {
  private readonly numbers = new Map<string, number>()
  private readonly columns = new Map<string, Set<string>>()
  private readonly records: Pick<RecordSet, 'get'>

  constructor(records: Pick<RecordSet, 'get'>) {
    this.records = records
  }

  /** True for a record that was read, so that a citation can show it. */
  has(iri: string): boolean {
    return this.records.get(iri) !== undefined
  }

  /** The number of a record; `columns` are what the claim reads of it. */
  cite(iri: string, columns: readonly string[]): number {
    const known = this.columns.get(iri) ?? new Set<string>()
    for (const column of columns) known.add(column)
    this.columns.set(iri, known)
    const number = this.numbers.get(iri) ?? this.numbers.size + 1
    this.numbers.set(iri, number)
    return number
  }

  list(): Citation[] {
    return [...this.numbers.entries()].flatMap(([iri, n]) => {
      const record = this.records.get(iri)
      if (record === undefined) return []
      const columns = [...(this.columns.get(iri) ?? [])].toSorted(compareText)
      const tiers = record.cls.properties.filter((property) => property.columns.some((column) => columns.includes(column))).map(({ tier }) => tier)
      return [
        {
          n,
          iri,
          label: recordLabel(record),
          source_table: record.cls.table,
          key: Object.fromEntries(record.cls.key.map((column) => [column, wireCell(record.cells.get(column) ?? null)])),
          columns,
          tier: maxTier(record.cls.tier, ...tiers),
          inferred: false,
        },
      ]
    })
  }
}

export const markers = (numbers: readonly number[]): string => (numbers.length === 0 ? '' : ` ${numbers.map((n) => `[${n}]`).join('')}`)
