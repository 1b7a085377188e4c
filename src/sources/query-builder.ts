/** Builds and compiles queries for each dialect without a connection: what runs them is a `Source`, and nothing else. */
import {
  type Kysely, type RootOperationNode, DummyDriver, Kysely as KyselyClass, MysqlAdapter, MysqlIntrospector, MysqlQueryCompiler,
  PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler,
  createQueryId,
} from 'kysely'
import type { Dialect, SqlQuery } from './source.ts'

/** Tables are named at run time, so rows have no static type here; the ontology is what says which columns exist. */
export type AnyTables = Record<string, Record<string, unknown>>

export type CompilerClass = new () => SqliteQueryCompiler | PostgresQueryCompiler | MysqlQueryCompiler

export const COMPILERS: Readonly<Record<Dialect, CompilerClass>> = {
  sqlite: SqliteQueryCompiler,
  postgres: PostgresQueryCompiler,
  mysql: MysqlQueryCompiler,
}

const builders = new Map<Dialect, Kysely<AnyTables>>()

/** A query builder that can only build: it has no connection to run anything on. */
export function queryBuilder(dialect: Dialect): Kysely<AnyTables> {
  const builder = builders.get(dialect) ?? newBuilder(dialect)
  builders.set(dialect, builder)
  return builder
}

function newBuilder(dialect: Dialect): Kysely<AnyTables> {
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

export function compileQuery(dialect: Dialect, node: RootOperationNode): SqlQuery {
  const { sql, parameters } = new COMPILERS[dialect]().compileQuery(node, createQueryId())
  return { sql, params: parameters.map(bindable) }
}

/** What every engine can be given as a parameter. */
export function bindable(value: unknown): string | number | bigint | null {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') return value
  if (typeof value === 'boolean') return value ? 1 : 0
  throw new Error('a value of this kind cannot be bound')
}
