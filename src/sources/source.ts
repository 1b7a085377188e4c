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
  readonly comment: string | null
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
  /** exact where counting is cheap, the engine's estimate otherwise */
  readonly rowCount: number
  readonly comment: string | null
  /** CHECK constraints as the engine spells them */
  readonly checks: readonly string[]
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

/** What the connection's role could do, for `wherefore doctor`. */
export interface RoleReport {
  readonly engine: string
  /** things a read-only role must not be able to do, in words; empty is what we want */
  readonly dangers: readonly string[]
  readonly notes: readonly string[]
}

export interface Source {
  readonly dialect: Dialect
  examineRole(): Promise<RoleReport>
  introspect(): Promise<Catalogue>
  /**
   * A text that differs whenever the data may, or null where that cannot be told without asking the database. It tells of data of
   * every tier, so it never leaves the host.
   */
  version(): Promise<string | null>
  /** throws ServiceError: deadline_exceeded, cancelled, source_unavailable */
  select(query: SqlQuery, limits: SelectLimits): Promise<Selected>
  close(): Promise<void>
}
