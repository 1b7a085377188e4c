/** A customer's database as the rest of the product sees it: a catalogue, and compiled selects. Nothing here can write. */
export type Dialect = 'sqlite' | 'postgres' | 'mysql'
export type Cell = string | number | bigint | boolean | Uint8Array | null

/** What a column holds, whatever the engine calls it. */
export type ValueType = 'integer' | 'decimal' | 'boolean' | 'text' | 'date' | 'datetime' | 'blob'

export interface Column {
  readonly name: string
  readonly declaredType: string
  readonly valueType: ValueType
  readonly nullable: boolean
  readonly generated: boolean
  /** a few distinct non-null values as text, for tier evidence; never leaves the host */
  readonly samples: readonly string[]
}

export interface ForeignKey {
  readonly columns: readonly string[]
  readonly refTable: string
  readonly refColumns: readonly string[]
  /** not declared by the schema but inferred, with the evidence in words */
  readonly inferred: string | null
}

export interface Table {
  readonly name: string
  readonly kind: 'table' | 'view'
  readonly columns: readonly Column[]
  readonly primaryKey: readonly string[]
  readonly uniques: readonly (readonly string[])[]
  readonly foreignKeys: readonly ForeignKey[]
  readonly rowCount: number
}

export interface Catalogue {
  readonly dialect: Dialect
  /** sorted by name in code-unit order */
  readonly tables: readonly Table[]
}

/** SQL that a compiler of ours made. Values are always bound. */
export interface SqlQuery {
  readonly sql: string
  readonly params: readonly (string | number | bigint | null)[]
}

export interface Selected {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
  /** more rows were there than the reader took */
  readonly truncated: boolean
  readonly ms: number
}

export interface SelectLimits {
  readonly maxRows: number
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

export interface Source {
  readonly dialect: Dialect
  introspect(): Promise<Catalogue>
  /** throws ServiceError: deadline_exceeded, cancelled, source_unavailable */
  select(query: SqlQuery, limits: SelectLimits): Promise<Selected>
  close(): Promise<void>
}
