/** Declarations of schema.ts as CREATE TABLE statements. */
import { identifier, word } from './inspect.ts'
import { COLUMNS, PROPOSALS, PROPOSAL_WORDS, type TableName } from './schema.ts'

export interface Variant {
  /** another name, while the table is being rebuilt */
  readonly as?: string
  /** declarations of columns that are not ours and are kept */
  readonly extra?: readonly string[]
  /** words that the store holds already, beyond those this program knows */
  readonly words?: Readonly<Record<string, readonly string[]>>
}

export function createTable(table: TableName, { as = table, extra = [], words = {} }: Variant = {}): string {
  const columns = Object.entries<string>(COLUMNS[table]).map(([name, declaration]) => `${identifier(name)} ${declaration}`)
  const checks =
    table === PROPOSALS
      ? Object.entries(PROPOSAL_WORDS).map(([name, known]) => {
          const allowed = [...new Set<string>([...known, ...(words[name] ?? [])])]
          return `CHECK (${identifier(name)} IN (${allowed.map(word).join(', ')}))`
        })
      : []
  return `CREATE TABLE ${identifier(as)} (\n  ${[...columns, ...extra, ...checks].join(',\n  ')}\n)`
}
