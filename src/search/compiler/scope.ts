/** The tables of one select: the class it starts from and the foreign keys it walks, each once however often it is used. */
import { type AliasableExpression, type SelectQueryBuilder, sql } from 'kysely'
import type { Ontology, OntologyClass } from '../../ontology/index.ts'
import type { ResolvedPath, Step } from './resolve.ts'
import { type AnyTables, queryBuilder } from './spans.ts'

export type Query = SelectQueryBuilder<AnyTables, string, Record<string, unknown>>

/** What a whole statement shares, sub-selects included: an inner query can never take the name of an outer table. */
export class Statement {
  readonly ontology: Ontology
  private count = 0

  constructor(ontology: Ontology) {
    this.ontology = ontology
  }

  nextAlias(): string {
    this.count += 1
    return `t${this.count - 1}`
  }

  from(cls: OntologyClass, alias: string): Query {
    return queryBuilder(this.ontology.dialect).selectFrom(sql<Record<string, unknown>>`${sql.id(cls.table)}`.as(alias)) as unknown as Query
  }

  /** A select over the rows of another. */
  over(rows: Query, alias: string): Query {
    return queryBuilder(this.ontology.dialect).selectFrom(rows.as(alias) as never) as unknown as Query
  }
}

export class Scope {
  readonly statement: Statement
  readonly root: string
  private readonly joined = new Map<string, { alias: string; from: string; step: Step; inner: boolean }>()

  constructor(statement: Statement) {
    this.statement = statement
    this.root = statement.nextAlias()
  }

  /** The column behind a path that ends on a data property. */
  column(path: ResolvedPath): AliasableExpression<unknown> {
    if (path.property === null) throw new Error('a path must end on a data property here')
    return sql.id(this.aliasAfter(path.steps), path.property.columns[0] ?? '')
  }

  /** Columns that say which record a path ends on: its key, or where there is none what joins it. */
  record(path: ResolvedPath): AliasableExpression<unknown>[] {
    const alias = this.aliasAfter(path.steps)
    const names = path.cls.key.length > 0 ? path.cls.key : joining(path.steps.at(-1))
    return names.map((name) => sql.id(alias, name))
  }

  /** A column that is never NULL where the last of the steps finds a record, and always where it finds none. */
  presence(steps: readonly Step[]): AliasableExpression<unknown> {
    return sql.id(this.aliasAfter(steps), joining(steps.at(-1))[0] ?? '')
  }

  aliasAfter(steps: readonly Step[]): string {
    let alias = this.root
    for (const step of steps) {
      const key = keyOf(alias, step)
      const known = this.joined.get(key)
      const next = known?.alias ?? this.statement.nextAlias()
      if (known === undefined) this.joined.set(key, { alias: next, from: alias, step, inner: false })
      alias = next
    }
    return alias
  }

  /** Keeps only rows that have a record at the end of the steps; false, and nothing done, when no such join is there. */
  require(steps: readonly Step[]): boolean {
    const way: { inner: boolean }[] = []
    let alias = this.root
    for (const step of steps) {
      const known = this.joined.get(keyOf(alias, step))
      if (known === undefined) return false
      way.push(known)
      alias = known.alias
    }
    for (const join of way) join.inner = true
    return true
  }

  /** Keys of the records that multiply the rows, to put rows of one root record in order. */
  manyKeys(): AliasableExpression<unknown>[] {
    return [...this.joined.values()].flatMap(({ alias, step }) => (step.backward ? step.to.key.map((key) => sql.id(alias, key)) : []))
  }

  /** True when records without a key multiply the rows. */
  hasKeyless(): boolean {
    return [...this.joined.values()].some(({ step }) => step.backward && step.to.key.length === 0)
  }

  applyTo(query: Query): Query {
    let next = query
    for (const { alias, from, step, inner } of this.joined.values()) {
      const table = sql<Record<string, unknown>>`${sql.id(step.to.table)}`.as(alias) as never
      const on = (join: { on(a: never, op: '=', b: never): unknown }) =>
        linksOf(step).reduce((joined, [own, theirs]) => joined.on(sql.id(alias, theirs) as never, '=', sql.id(from, own) as never) as typeof join, join) as never
      next = (inner ? next.innerJoin(table, on) : next.leftJoin(table, on)) as unknown as Query
    }
    return next
  }
}

/** Pairs of columns that meet along a step: on the near side, on the far side. */
export const linksOf = ({ property: { columns, refColumns }, backward }: Step): [near: string, far: string][] =>
  columns.map((column, i) => (backward ? [refColumns[i] ?? '', column] : [column, refColumns[i] ?? '']))

const joining = (step: Step | undefined): readonly string[] => (step === undefined ? [] : linksOf(step).map(([, far]) => far))
const keyOf = (alias: string, step: Step): string => JSON.stringify([alias, step.backward, step.property.iri])
