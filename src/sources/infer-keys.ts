/** Foreign keys that no schema declares but its names give away: `order.customer_id` where `customer` has one key column. */
import { singular, splitIdentifier } from '../kernel/text/index.ts'
import type { Column, ForeignKey, Table } from './source.ts'

export interface KeyCandidate {
  readonly table: string
  readonly column: string
  readonly refTable: string
  readonly refColumn: string
}

/** Columns whose name ends in a table's name and `id`, with the type of that table's only key column. */
export function keyCandidates(tables: readonly Table[]): KeyCandidate[] {
  const targets = tables.flatMap((table) => {
    const key = soleKey(table)
    return key === null ? [] : [{ table, key, words: nounOf(table.name) }]
  })
  return tables.filter(({ kind }) => kind === 'table').flatMap((table) => {
    const declared = new Set(table.foreignKeys.flatMap(({ columns }) => columns))
    return table.columns.filter(({ name }) => !declared.has(name)).flatMap((column) => {
      const words = splitIdentifier(column.name)
      if (words.length < 2 || words.at(-1) !== 'id') return []
      const noun = nounOf(words.slice(0, -1).join(' '))
      const [best] = targets
        .filter((target) => endsWith(noun, target.words) && target.key.valueType === column.valueType)
        .filter((target) => target.table !== table || target.key !== column)
        .toSorted((x, y) => y.words.length - x.words.length)
      return best === undefined
        ? []
        : [{ table: table.name, column: column.name, refTable: best.table.name, refColumn: best.key.name }]
    })
  })
}

/** The tables with the candidates that the data bears out. `check` counts a column's values, and those without a counterpart. */
export function withInferredKeys(
  tables: readonly Table[],
  check: (candidate: KeyCandidate) => { readonly values: number; readonly orphans: number },
): Table[] {
  const found = new Map<string, ForeignKey[]>()
  for (const candidate of keyCandidates(tables)) {
    const { values, orphans } = check(candidate)
    if (values === 0 || orphans > 0) continue
    const { table, column, refTable, refColumn } = candidate
    const inferred =
      `${column} is named after ${refTable}, has the type of its key ${refColumn}, and each of its ${values} values occurs there`
    found.set(table, [...(found.get(table) ?? []), { columns: [column], refTable, refColumns: [refColumn], inferred }])
  }
  return tables.map((table) => ({ ...table, foreignKeys: [...table.foreignKeys, ...(found.get(table.name) ?? [])] }))
}

/** As `withInferredKeys`, for a database that answers later. */
export async function inferKeys(
  tables: readonly Table[],
  check: (candidate: KeyCandidate) => Promise<{ readonly values: number; readonly orphans: number }>,
): Promise<Table[]> {
  const counted = new Map<string, { readonly values: number; readonly orphans: number }>()
  const keyOf = ({ table, column }: KeyCandidate): string => `${table}\0${column}`
  for (const candidate of keyCandidates(tables)) counted.set(keyOf(candidate), await check(candidate))
  return withInferredKeys(tables, (candidate) => counted.get(keyOf(candidate)) ?? { values: 0, orphans: 0 })
}

function soleKey(table: Table): Column | null {
  const [only, ...more] = table.primaryKey
  if (table.kind !== 'table' || only === undefined || more.length > 0) return null
  return table.columns.find(({ name }) => name === only) ?? null
}

/** `redundancy_groups` and `redundancyGroup` are the same noun. */
function nounOf(name: string): string[] {
  const words = splitIdentifier(name)
  return words.map((word, i) => (i === words.length - 1 ? singular(word) : word))
}

const endsWith = (words: readonly string[], tail: readonly string[]): boolean =>
  tail.length > 0 && tail.length <= words.length && tail.every((word, i) => words[words.length - tail.length + i] === word)
