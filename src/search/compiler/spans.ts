/** Query compilers that note where in the SQL text each selected column and each filter stands. */
import {
  type AliasNode, type BinaryOperationNode, type JoinNode, type RootOperationNode, type UnaryOperationNode, createQueryId,
} from 'kysely'
import { type CompilerClass, type Dialect, COMPILERS, bindable } from '../../sources/index.ts'

export { type AnyTables, queryBuilder } from '../../sources/index.ts'

export type Span = readonly [from: number, to: number]

interface Notes {
  readonly columns: Map<string, Span>
  readonly filters: Span[]
}

type Constructor<T> = new () => T

/** kysely's compilers append to one buffer, so its length before and after a node is that node's span. */
function noting(Base: CompilerClass, notes: Notes) {
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

export interface SpannedQuery {
  readonly sql: string
  readonly params: readonly (string | number | bigint | null)[]
  /** the span of each selected column, by its alias */
  readonly columns: ReadonlyMap<string, Span>
  /** the spans of the conditions, in text order */
  readonly filters: readonly Span[]
}

export function compileSpanned(dialect: Dialect, node: RootOperationNode): SpannedQuery {
  const notes: Notes = { columns: new Map(), filters: [] }
  const Compiler = noting(COMPILERS[dialect], notes)
  const { sql, parameters } = new Compiler().compileQuery(node, createQueryId())
  return { sql, params: parameters.map(bindable), ...notes }
}
