/** What the sentences about rows share: the plan in words, how each column is said, and the records behind a row. */
import type { Claim, Condition, Plan, Selection } from '../../contracts/index.ts'
import { XSD } from '../../kernel/term.ts'
import { type Ontology, type OntologyClass, recordIri } from '../../ontology/index.ts'
import type { Cell } from '../../sources/index.ts'
import { pathKey, sameSelection } from '../compiler/shape.ts'
import type { ClaimDraft, Piece } from '../draft.ts'
import type { Executed } from '../execute.ts'
import { wireText } from '../records.ts'
import { type Words, recordsOf } from './conditions.ts'
import { wordsOf } from './describe-plan.ts'
import { capitalised, spelled } from './english.ts'
import { isCount } from './measures.ts'
import { type Column, isYes, sayValue } from './values.ts'
import { classNoun, classOf, columnNoun, columnOf, wayOf } from './ways.ts'

export interface Told {
  readonly ontology: Ontology
  readonly words: Words
  readonly executed: Executed
  readonly plan: Plan
  readonly cls: OntologyClass | null
  /** one per selected column */
  readonly columns: readonly (Column & { readonly noun: string })[]
}

export function tell(ontology: Ontology, executed: Executed): Told {
  const { plan } = executed
  const cls = classOf(ontology, plan.from)
  const columns = plan.select.map((selection) => ({
    ...columnOf(ontology, cls, selection, plan.select),
    noun: selection.path === undefined ? 'number' : columnNoun(ontology, cls, selection.path),
  }))
  return { ontology, words: wordsOf(ontology), executed, plan, cls, columns }
}

/** "open alarms", "open alarm" */
export const recordsIn = ({ words, plan, cls }: Told, count = 2): string => recordsOf(words, plan, cls, count === 1)

/** A cell by itself: what is missing is named. */
export function sayCell({ columns }: Told, row: readonly Cell[], at: number): string {
  const column = columns[at]
  const cell = row[at] ?? null
  if (column === undefined) return 'unknown'
  return cell === null ? `no ${column.noun}` : sayValue(cell, column)
}

/** A cell after the name of its column: "status active", "no vendor", "not active". */
export function sayDetail(told: Told, row: readonly Cell[], at: number): string {
  const { noun = '', property = null } = told.columns[at] ?? {}
  const cell = row[at] ?? null
  if (cell === null) return `no ${noun}`
  const yesOrNo = property?.range === `${XSD}boolean` ? /^(is|has) (.+)$/.exec(noun) : null
  if (yesOrNo === null) return `${noun} ${sayCell(told, row, at)}`
  const [, verb, what] = yesOrNo
  return verb === 'is' ? `${isYes(cell) ? '' : 'not '}${what}` : `${isYes(cell) ? 'has' : 'has no'} ${what}`
}

export const sayDetails = (told: Told, row: readonly Cell[]): string =>
  told.columns.map((_, at) => sayDetail(told, row, at)).join(', ')

/** "crt-07 (site Berlin, no vendor)"; a record without a name is called by its key. */
export function sayNamed(told: Told, row: readonly Cell[], at: number, without = -1): string {
  const key = told.executed.evidence[at]?.key.map(wireText).join(', ') ?? ''
  const unnamed = () => `${classNoun(told.cls, told.plan.from)} ${key || 'without a name'}`
  const head = (row[0] ?? null) === null ? unnamed() : sayCell(told, row, 0)
  const details = row.flatMap((_, i) => (i === 0 || i === without ? [] : [sayDetail(told, row, i)]))
  return details.length === 0 ? head : `${head} (${details.join(', ')})`
}

/** A yes-or-no question is answered before it is explained. */
export function opening({ plan }: Told, found: boolean, text: string, startsWithValue = false): string {
  if (plan.intent === 'exists') return `${found ? 'Yes' : 'No'}: ${text}`
  return startsWithValue ? text : capitalised(text)
}

/** True when the record's own label is the column. */
export const isOwnLabel = ({ cls }: Told, selection: Selection | undefined): boolean =>
  selection?.aggregate === undefined && selection?.path?.length === 1 && selection.path[0] === cls?.labelProperty

/** What the first rows are the first by, where it stands in them, and whether it is known of all of them. */
export interface Ranking {
  readonly by: Selection
  readonly direction: 'asc' | 'desc'
  readonly shownAt: number
  readonly known: boolean
}

/** Null for a plan that wants all rows, in whatever order. */
export function rankingOf({ plan, words, cls, executed }: Told): Ranking | null {
  const [order] = plan.order_by
  if (order === undefined || plan.limit === undefined || plan.set_op !== undefined) return null
  const { by, direction } = order
  const shownAt = plan.select.findIndex((selection) => sameSelection(selection, by))
  const isBound = (condition: Condition) =>
    'path' in condition && condition.op !== 'is_null' && condition.op !== 'not_exists' && pathKey(condition.path) === pathKey(by.path)
  const required = by.path?.length === 1 && wayOf(words.ontology, cls, by.path).property?.required === true
  // what is unknown is sorted before or behind everything else, and is neither highest nor lowest
  const isShown = shownAt !== -1 && executed.rows.every((row) => (row[shownAt] ?? null) !== null)
  const known = isCount(by) || (shownAt === -1 ? required || plan.where.some(isBound) : isShown)
  return { by, direction, shownAt, known }
}

/** How many further rows are equal in the order to the last one; none where nobody counted them. */
export const tiesOf = ({ executed }: Told): number => executed.ties ?? 0

/** "two", "at least 10,000": where reading stopped before the last of them, there may be more. */
export const tiesSaid = (told: Told): string => `${told.executed.cut?.atLeast === true ? 'at least ' : ''}${spelled(tiesOf(told))}`

/** The record that a key names, with the columns that the claim reads of it. */
export function citeOf(told: Told, key: readonly Cell[], needed: boolean): Piece['cites'][number][] {
  const { cls, ontology } = told
  if (cls === null || key.length === 0 || key.includes(null)) return []
  return [{ iri: recordIri(ontology, cls, key.map(wireText)), columns: columnsRead(told), needed }]
}

/** Key columns, and the columns of the root class that are selected or filtered on. */
function columnsRead({ plan, cls }: Told): string[] {
  const selected = plan.select.flatMap(({ path }) => (path === undefined ? [] : [path]))
  const own = [...selected, ...plan.group_by, ...plan.where.flatMap(pathsOf)]
    .filter((path) => path.length === 1)
    .flatMap(([name]) => cls?.properties.find((property) => property.name === name)?.columns ?? [])
  return [...new Set([...(cls?.key ?? []), ...own])]
}

const pathsOf = (condition: Condition): readonly (readonly string[])[] =>
  'any' in condition ? condition.any.flatMap(pathsOf) : 'all' in condition ? condition.all.flatMap(pathsOf) : [condition.path]

/** A claim about rows: it rests on the select list and each filter of the main query. */
export function claimOfRows({ executed }: Told, kind: Claim['kind'], pieces: readonly Piece[], supportCount: number): ClaimDraft {
  const { compiled, columns } = executed
  const selected = columns.flatMap((column) => {
    const span = compiled.main.columns.get(column)
    return span === undefined ? [] : [span]
  })
  const sqlSpans = [...selected, ...compiled.main.filters].map(([from, to]): Claim['sql_spans'][number] => [0, from, to])
  return { kind, pieces, sqlSpans, ruleIds: [], factIds: [], supportCount, check: { by: 'rows' } }
}
