/** The text columns of a cut ontology, and the statements that read their values. */
import { type Expression, type RawBuilder, type RawNode, sql } from 'kysely'
import { XSD } from '../../kernel/term.ts'
import type { Ontology, OntologyClass, OntologyProperty } from '../../ontology/index.ts'
import { type Cell, type Dialect, type Source, type SqlQuery, compileQuery } from '../../sources/index.ts'
import { asText } from '../compiler/fit.ts'
import { MAX_COLUMN_VALUES, type StoredValue } from './column-values.ts'

/** Longer texts can neither be quoted nor typed as a few words. */
const MAX_VALUE_CHARS = 200
/** A column of longer texts holds prose. */
const MAX_MEAN_CHARS = 64
/** Of a larger table a few rows tell first whether reading all is worth it. */
const FEW_ROWS = 1000
/** Without an index, so many rows are looked through while somebody waits. */
const SCAN_ROWS = 20_000

export interface TextColumn {
  readonly cls: OntologyClass
  readonly property: OntologyProperty
  readonly column: string
  /** reading it through takes a moment only */
  readonly small: boolean
}

/** In the ontology's order. */
export const textColumns = (ontology: Ontology): TextColumn[] =>
  ontology.classes.flatMap((cls) =>
    cls.properties.flatMap((property) => {
      const [column] = property.columns
      if (property.kind !== 'data' || property.range !== `${XSD}string` || column === undefined) return []
      return [{ cls, property, column, small: cls.instances <= SCAN_ROWS }]
    }),
  )

/** Whether it can be asked for a value while somebody waits: a key has an index. */
export const canBeProbed = ({ cls, column, small }: TextColumn): boolean => small || cls.key[0] === column

/** Every different value with its number of rows, or null for a column that holds prose or too many. */
export async function readValues(source: Source, { cls, column }: TextColumn, timeoutMs: number): Promise<StoredValue[] | null> {
  const { dialect } = source
  const text = asText(dialect, sql.id('t0', column))
  const from = sql`from ${sql.id(cls.table)} as ${sql.id('t0')} where ${sql.id('t0', column)} is not null`
  const ask = async (query: RawBuilder<unknown>, maxRows: number) => source.select(compiled(dialect, query), { maxRows, timeoutMs })
  const one = async (query: RawBuilder<unknown>) => Number((await ask(query, 1)).rows[0]?.[0] ?? 0)
  if (cls.instances > FEW_ROWS) {
    const few = sql`select ${lengthOf(dialect, text)} as ${sql.id('n')} ${from} limit ${sql.lit(FEW_ROWS)}`
    if ((await one(sql`select avg(${sql.id('n')}) from (${few}) as ${sql.id('few')}`)) >= MAX_MEAN_CHARS) return null
  }
  const value = spelled(dialect, text)
  if (cls.instances > MAX_COLUMN_VALUES) {
    // ends at the first value too many, where grouping would read and sort the whole table
    const different = sql`select distinct ${value} as ${sql.id('v')} ${from} limit ${sql.lit(MAX_COLUMN_VALUES + 1)}`
    if ((await one(sql`select count(*) from (${different}) as ${sql.id('d')}`)) > MAX_COLUMN_VALUES) return null
  }
  const short = sql`${lengthOf(dialect, text)} <= ${sql.lit(MAX_VALUE_CHARS)}`
  const all = sql`select ${value} as ${sql.id('value')}, count(*) as ${sql.id('n')} ${from} and ${short} group by ${value}`
  const { rows, truncated } = await ask(all, MAX_COLUMN_VALUES)
  if (truncated) return null
  const stored = rows.flatMap(([cell, count]): StoredValue[] => {
    const read = textOfCell(cell)
    return read === null || read === '' ? [] : [[read, Number(count)]]
  })
  const chars = stored.reduce((sum, [each]) => sum + each.length, 0)
  return chars >= MAX_MEAN_CHARS * Math.max(1, stored.length) ? null : stored
}

/** The values of one column that are spelled in one of these ways, whatever their case where the column is small. */
export function probeQuery(dialect: Dialect, { cls, column, small }: TextColumn, spellings: readonly string[]): SqlQuery {
  const text = asText(dialect, sql.id('t0', column))
  const asked = small ? sql`lower(${text})` : text
  const value = spelled(dialect, text)
  return compiled(
    dialect,
    sql`select ${value} as ${sql.id('value')}, count(*) as ${sql.id('n')} from ${sql.id(cls.table)} as ${sql.id('t0')}
      where ${asked} in (${sql.join(spellings)}) group by ${value}`,
  )
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export function textOfCell(cell: Cell | undefined): string | null {
  if (cell instanceof Uint8Array) return decoder.decode(cell)
  return typeof cell === 'string' ? cell : null
}

/** The value told apart by every byte: a column's own order may take "Oslo" and "oslo", or "é" and "e", for one. */
function spelled(dialect: Dialect, text: Expression<string>): RawBuilder<unknown> {
  switch (dialect) {
    case 'sqlite':
      return sql`${text} collate binary`
    case 'postgres':
      return sql`${text} collate "C"`
    case 'mysql':
      // every order of MySQL's that compares bytes still ignores blanks at the end, or is not known to MariaDB
      return sql`cast(convert(${text} using utf8mb4) as binary)`
  }
}

const lengthOf = (dialect: Dialect, text: Expression<string>): RawBuilder<unknown> =>
  dialect === 'sqlite' ? sql`length(${text})` : sql`char_length(${text})`

const compiled = (dialect: Dialect, query: RawBuilder<unknown>): SqlQuery => compileQuery(dialect, query.toOperationNode() as RawNode)
