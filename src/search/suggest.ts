/**
 * Suggestions for a question that is being typed: terms of the cut ontology, and values found by bound look-ups in its text
 * columns, one statement at a time, so that a search beside them finds a free reader. All columns answer in time, or no value is
 * used: half a list would change by chance.
 */
import { type RawBuilder, type RawNode, sql } from 'kysely'
import { type Flavor, ServiceError } from '../contracts/index.ts'
import { XSD } from '../kernel/term.ts'
import type { Ontology } from '../ontology/index.ts'
import { type Dialect, type Source, type SqlQuery, compileQuery } from '../sources/index.ts'
import { asText } from './compiler/fit.ts'
import {
  type Candidate, type Fragment, type Suggestion, exampleQuestions, fragmentsOf, mayStandInside, rankSuggestions, saysEnough,
  termsOf,
} from './completions.ts'

export type { Suggestion } from './completions.ts'

const SCAN_ROWS = 50_000 // a larger table is looked into by its key alone, which has an index
const COLUMNS_AT_ONCE = 40
const MAX_VALUES_PER_COLUMN = 50
const MAX_VALUE_CHARS = 80 // longer texts are prose, not names

export interface Typing {
  readonly question: string
  readonly limit: number
  readonly flavor: Flavor
  /** cut to the ceiling */
  readonly ontology: Ontology
  /** null: without values */
  readonly source: Source | null
  /** when looking for values ends, by the clock of `now` */
  readonly dueAt: number
  readonly now: () => number
}

/** `late` says that values were looked for and did not come in time. */
export async function suggest(typing: Typing): Promise<{ suggestions: Suggestion[]; late: boolean }> {
  const { question, limit, flavor, ontology } = typing
  if (question.trim() === '') return { suggestions: exampleQuestions(flavor).slice(0, limit), late: false }
  const terms = termsOf(ontology, flavor)
  const beginning = await valuesAt('beginning', typing)
  const first = rankSuggestions(question, [...terms, ...(beginning ?? [])], limit)
  // what stands inside comes after all that begins with the words: only a list with room for it is worth the look
  if (beginning === null) return { suggestions: first, late: typing.source !== null }
  if (first.length >= limit) return { suggestions: first, late: false }
  const inside = await valuesAt('inside', typing)
  const suggestions = inside === null ? first : rankSuggestions(question, [...terms, ...beginning, ...inside], limit)
  return { suggestions, late: inside === null }
}

const valuesAt = async (place: Place, { question, ontology, source, dueAt, now }: Typing): Promise<Candidate[] | null> =>
  source === null ? null : valuesLike(ontology, source, fragmentsOf(question), { place, dueAt, now })

export interface ValueColumn {
  readonly table: string
  readonly column: string
  /** whether its table is small enough to be read through */
  readonly small: boolean
}

/** Text columns worth looking into, in the ontology's order. */
export function valueColumns(ontology: Ontology): ValueColumn[] {
  return ontology.classes.flatMap((cls) => {
    const small = cls.instances <= SCAN_ROWS
    return cls.properties
      .filter(({ kind, range }) => kind === 'data' && range === `${XSD}string`)
      .flatMap(({ columns: [column] }) => (column === undefined ? [] : [{ table: cls.table, column, small }]))
      .filter(({ column }) => small || (cls.key.length === 1 && cls.key[0] === column))
  })
}

/** Troubles of the database that leave the terms as useful as they were. */
const DOES_WITHOUT: ReadonlySet<string> = new Set(['deadline_exceeded', 'source_unavailable'])

export type Place = 'beginning' | 'inside'

/** null when the time ran out or the source did not answer: then the suggestions do without values. */
export async function valuesLike(
  ontology: Ontology,
  source: Source,
  fragments: readonly Fragment[],
  { place, dueAt, now }: { place: Place; dueAt: number; now: () => number },
): Promise<Candidate[] | null> {
  const wanted = fragments.filter(place === 'inside' ? mayStandInside : saysEnough)
  if (wanted.length === 0) return []
  const found: Candidate[] = []
  const columns = valueColumns(ontology).filter(({ small }) => small || place === 'beginning')
  for (let at = 0; at < columns.length; at += COLUMNS_AT_ONCE) {
    const timeoutMs = Math.ceil(dueAt - now())
    if (timeoutMs <= 0) return null
    const query = lookUp(ontology.dialect, columns.slice(at, at + COLUMNS_AT_ONCE), wanted, place)
    try {
      const { rows } = await source.select(query, { maxRows: MAX_VALUES_PER_COLUMN * COLUMNS_AT_ONCE, timeoutMs })
      for (const [cell] of rows) if (typeof cell === 'string' && isName(cell)) found.push({ text: cell, kind: 'value' })
    } catch (error) {
      if (error instanceof ServiceError && DOES_WITHOUT.has(error.code)) return null
      throw error
    }
  }
  return found
}

const isName = (text: string): boolean => text.length <= MAX_VALUE_CHARS && text.trim() === text && !/\p{Cc}/u.test(text)

/** Many columns in one statement: a server far away is asked once, not once for each. */
function lookUp(dialect: Dialect, columns: readonly ValueColumn[], fragments: readonly Fragment[], place: Place): SqlQuery {
  const parts = columns.map((column, at) => {
    const few = sql`${lookUpOne(dialect, column, fragments, place)} limit ${sql.lit(MAX_VALUES_PER_COLUMN)}`
    return sql`select ${sql.id('value')} from (${few}) as ${sql.id(`c${at}`)}`
  })
  return compileQuery(dialect, sql.join(parts, sql` union all `).toOperationNode() as RawNode)
}

function lookUpOne(dialect: Dialect, { table, column, small }: ValueColumn, fragments: readonly Fragment[], place: Place) {
  const text = asText(dialect, sql.id('t0', column))
  const lower = sql`lower(${text})`
  const tests = fragments.map(({ text: typed }) => {
    if (place === 'inside') return sql`${sql.raw(dialect === 'postgres' ? 'strpos' : 'instr')}(${lower}, ${typed}) > 0`
    return small ? sql`substr(${lower}, 1, ${[...typed].length}) = ${typed}` : inRange(text, typed)
  })
  // columns of one MySQL table may be collated differently, and such do not stand in one list
  const value = dialect === 'mysql' ? sql`convert(${text} using utf8mb4)` : text
  return sql`select distinct ${value} as ${sql.id('value')} from ${sql.id(table)} as ${sql.id('t0')}
    where (${sql.join(tests, sql` or `)}) and length(${text}) <= ${MAX_VALUE_CHARS * 4} order by ${value}`
}

/** From the text itself to just before what comes after all that begin with it: a range, which an index answers. */
function inRange(text: ReturnType<typeof asText>, fragment: string): RawBuilder<unknown> {
  const titled = fragment.replaceAll(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase())
  const spellings = [...new Set([fragment, fragment.toUpperCase(), fragment.charAt(0).toUpperCase() + fragment.slice(1), titled])]
  return sql`(${sql.join(spellings.map((from) => sql`(${text} >= ${from} and ${text} < ${after(from)})`), sql` or `)})`
}

function after(text: string): string {
  const signs = [...text]
  const last = signs.pop()?.codePointAt(0) ?? 0
  return signs.join('') + String.fromCodePoint(last === 0xd7ff ? 0xe000 : Math.min(last + 1, 0x10ffff))
}
