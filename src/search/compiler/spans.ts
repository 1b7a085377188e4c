/** Query compilers that note where in the SQL text each selected column and each filter stands. */
import {
  type AliasNode, type BinaryOperationNode, type JoinNode, type Kysely, type RootOperationNode, type UnaryOperationNode, DummyDriver, Kysely as KyselyClass, MysqlAdapter,
  MysqlIntrospector, MysqlQueryCompiler, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, SqliteAdapter,
  SqliteIntrospector, SqliteQueryCompiler, createQueryId,
} from 'kysely'
import type { Dialect } from '../../sources/index.ts'

export type Span = readonly [from: number, to: number]
/** Tables are named at run time, so rows have no static type here; the ontology is what says which columns exist. */
export type AnyTables = Record<string, Record<string, unknown>>

interface Notes {
  readonly columns: Map<string, Span>
  readonly filters: Span[]
}

type Constructor<T> = new () => T
type CompilerBase = SqliteQueryCompiler | PostgresQueryCompiler | MysqlQueryCompiler

/** kysely's compilers append to one buffer, so its length before and after a node is that node's span. */
function noting(Base: Constructor<CompilerBase>, notes: Notes) {
  const Widened = Base as unknown as Constructor<{
    getSql(): string
    visitAlias(node: AliasNode): void
    visitBinaryOperation(node: BinaryOperationNode): void
    visitUnaryOperation(node: UnaryOperationNode): void
    visitJoin(node: JoinNode): void
    compileQuery(node: RootOperationNode, id: ReturnType<typeof createQueryId>): { sql: string; parameters: readonly unknown[] }
  }>
  return class extends Widened {
    depth = 0
    override visitAlias(node: AliasNode): void {
      const from = this.getSql().length
      super.visitAlias(node)
      // the select list comes first in the text, so a table alias of the same name never takes a column's place
      const name = node.alias.kind === 'IdentifierNode' ? (node.alias as unknown as { name: string }).name : null
      if (name !== null && this.depth === 0 && !notes.columns.has(name)) notes.columns.set(name, [from, this.getSql().length])
    }
    override visitBinaryOperation(node: BinaryOperationNode): void {
      this.note(() => super.visitBinaryOperation(node))
    }
    override visitUnaryOperation(node: UnaryOperationNode): void {
      this.note(() => super.visitUnaryOperation(node))
    }
    override visitJoin(node: JoinNode): void {
      this.depth += 1
      super.visitJoin(node)
      this.depth -= 1
    }
    note(visit: () => void): void {
      const from = this.getSql().length
      this.depth += 1
      visit()
      this.depth -= 1
      if (this.depth === 0) notes.filters.push([from, this.getSql().length])
    }
  }
}

const COMPILERS: Record<Dialect, Constructor<CompilerBase>> = {
  sqlite: SqliteQueryCompiler,
  postgres: PostgresQueryCompiler,
  mysql: MysqlQueryCompiler,
}

export interface SpannedQuery {
  readonly sql: string
  readonly params: readonly (string | number | bigint | null)[]
  /** the span of each selected column, by its alias */
  readonly columns: ReadonlyMap<string, Span>
  /** the spans of the filters, in the order of the plan's `where` */
  readonly filters: readonly Span[]
}

export function compileSpanned(dialect: Dialect, node: RootOperationNode): SpannedQuery {
  const notes: Notes = { columns: new Map(), filters: [] }
  const Compiler = noting(COMPILERS[dialect], notes)
  const { sql, parameters } = new Compiler().compileQuery(node, createQueryId())
  return { sql, params: parameters.map(bindable), ...notes }
}

function bindable(value: unknown): string | number | bigint | null {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') return value
  if (typeof value === 'boolean') return value ? 1 : 0
  throw new Error('a value of this kind cannot be bound')
}

/** A query builder that can only build: it has no connection to run anything on. */
export function queryBuilder(dialect: Dialect): Kysely<AnyTables> {
  const parts = {
    sqlite: { adapter: SqliteAdapter, introspector: SqliteIntrospector },
    postgres: { adapter: PostgresAdapter, introspector: PostgresIntrospector },
    mysql: { adapter: MysqlAdapter, introspector: MysqlIntrospector },
  }[dialect]
  return new KyselyClass<AnyTables>({
    dialect: {
      createAdapter: () => new parts.adapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new parts.introspector(db),
      createQueryCompiler: () => new COMPILERS[dialect]() as SqliteQueryCompiler,
    },
  })
}
