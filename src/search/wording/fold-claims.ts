/** Claims whose rows are groups of records, or all of them together: counts, aggregates, groups, the most and the fewest. */
import { LIMITS } from '../../contracts/index.ts'
import { plural } from '../../kernel/text/index.ts'
import type { Cell } from '../../sources/index.ts'
import type { ClaimDraft } from '../draft.ts'
import { wireText } from '../records.ts'
import { MAX_LISTED, listed, spelled } from './english.ts'
import { detailsOf, foldsOf, nameOf, plainOf } from './group-words.ts'
import { groupNouns, groupsOwners, havingWords, heldWords, isCount, leavesOutEmptyGroups, measureNoun, measureOf } from './measures.ts'
import { rankedGroups } from './ranked-groups.ts'
import { type Told, citeOf, claimOfRows, opening, rankingOf, recordsIn, sayCell } from './told.ts'
import { isShortened } from './values.ts'

type Row = readonly Cell[]

export function foldClaim(told: Told): ClaimDraft {
  const { plan, executed } = told
  const grouped = plan.group_by.length > 0 || plainOf(told).length > 0
  const text = grouped ? groupText(told) : wholeText(told, executed.rows[0] ?? [])
  const behind = grouped ? recordsBehind(told, executed.rows.slice(0, MAX_LISTED)) : executed.evidence
  const cites = behind.slice(0, LIMITS.max_k).flatMap(({ key }) => citeOf(told, key, false))
  return claimOfRows(told, 'aggregate', [{ text, cites, joint: '' }], executed.support)
}

/** The records of the groups that the sentence names. */
function recordsBehind(told: Told, rows: readonly Row[]): Told['executed']['evidence'] {
  const { plan, executed } = told
  const plain = plainOf(told)
  if (plain.length === 0) return executed.evidence
  // evidence begins with the selected paths, one value each
  const place = (at: number) => plan.select.slice(0, at).filter(({ path }) => path !== undefined).length
  const keyOf = (cells: readonly (Cell | undefined)[]) => JSON.stringify(cells.map((cell) => wireText(cell ?? null)))
  const named = new Set(rows.map((row) => keyOf(plain.map((at) => row[at]))))
  return executed.evidence.filter(({ values }) => named.has(keyOf(plain.map((at) => values[place(at)]))))
}

/** "There are 12 open alarms", "The average total of orders is 12.4 and the highest total is 30" */
function wholeText(told: Told, row: Row): string {
  const { plan, ontology, cls } = told
  const [only] = plan.select
  const number = Number(row[0] ?? 0)
  if (plan.select.length === 1 && only !== undefined && plan.having.length === 0 && Number.isSafeInteger(number)) {
    const lead = `there ${number === 1 ? 'is' : 'are'} ${spelled(number)}`
    if (only.aggregate === 'count' && only.path === undefined) return opening(told, number > 0, `${lead} ${recordsIn(told, number)}`)
    if (only.aggregate === 'count_distinct') {
      const noun = told.columns[0]?.noun ?? 'value'
      return opening(told, number > 0, `${lead} different ${number === 1 ? noun : plural(noun)} of ${recordsIn(told)}`)
    }
  }
  const parts = plan.select.map((selection, at) => {
    const whole = at === 0 || selection.path === undefined
    const what = whole ? measureOf(told.words, plan, selection, cls) : measureNoun(ontology, cls, selection)
    return `the ${what} is ${measured(told, row, at)}`
  })
  const held = plan.having.length === 0 ? '' : `, so it holds that ${heldWords(told)}`
  const found = held !== '' || row.some((cell, at) => (isCount(plan.select[at] ?? {}) ? Number(cell) > 0 : cell !== null))
  return opening(told, found, `${listed(parts)}${held}`)
}

/** The value of an aggregate; one that is shortened says so. */
function measured(told: Told, row: Row, at: number): string {
  const column = told.columns[at]
  const cell = row[at] ?? null
  if (cell === null || column === undefined) return 'unknown (no value is recorded)'
  return `${isShortened(cell, column) ? 'about ' : ''}${sayCell(told, row, at)}`
}

function groupText(told: Told): string {
  const { plan, executed, ontology, cls, words } = told
  const { rows, truncated } = executed
  const group = listed(groupNouns(ontology, plan, cls)) || 'group'
  const having = plan.having.map((condition) => havingWords(words, plan, condition, cls))
  const ranking = rankingOf(told)
  if (ranking !== null) return rankedGroups(told, ranking, group, having)
  const items = itemsOf(told, rows)
  const groups = `${truncated ? 'at least ' : ''}${spelled(rows.length)} ${rows.length === 1 ? group : plural(group)}`
  if (having.length > 0) {
    const cut = plan.having.some(({ by, op }) => !['>', '>=', '='].includes(op) && leavesOutEmptyGroups(ontology, plan, cls, by))
    const over = plan.where.length > 0 && plan.having.every(({ by }) => by.path !== undefined) ? ` over ${recordsIn(told)}` : ''
    const has = rows.length === 1 ? 'has' : 'have'
    return opening(told, true, `${groups} ${has} ${listed(having)}${over}${cut ? ', those with none left out' : ''}: ${items}`)
  }
  const folds = foldsOf(told)
  const fold = plan.select[folds[0] ?? -1]
  if (fold === undefined) {
    const owners = groupsOwners(ontology, plan, cls) ? 'with' : 'of'
    return opening(told, true, `there ${rows.length === 1 ? 'is' : 'are'} ${groups} ${owners} ${recordsIn(told)}: ${items}`)
  }
  const subject = folds.length > 1 || fold.path === undefined ? recordsIn(told) : measureOf(words, plan, fold, cls)
  const cut = truncated ? ` (${groups}; more were not read)` : ''
  return opening(told, true, `${subject} by ${group}${cut}: ${items}${plan.intent === 'compare' ? comparedEnd(told) : ''}`)
}

/** "critical 4, major 7 and minor 2"; after names that end in a digit the numbers stand in brackets. */
function itemsOf(told: Told, rows: readonly Row[]): string {
  const shown = rows.slice(0, MAX_LISTED)
  const names = shown.map((row) => nameOf(told, row))
  const folds = foldsOf(told)
  const runsOn = names.some((name) => /[\d)]$/.test(name) || name.includes(' / '))
  const bracketed = folds.length > 1 || told.plan.having.length > 0 || runsOn
  const items = shown.map((row, i) => {
    const name = names[i] ?? ''
    if (folds.length === 0) return name
    const values = detailsOf(told, row, folds)
    return name === '' ? values : bracketed ? `${name} (${values})` : `${name} ${values}`
  })
  return listed(items, rows.length)
}

/** "; crt-07 has more": said of two groups with one number each. */
function comparedEnd(told: Told): string {
  const [a, b, ...others] = told.executed.rows
  const [at = -1, ...more] = foldsOf(told)
  if (a === undefined || b === undefined || others.length + more.length > 0) return ''
  const [x, y] = [a[at] ?? null, b[at] ?? null]
  if (!isNumber(x) || !isNumber(y)) return ''
  if (!(x > y) && !(y > x)) return '; the two are equal'
  return `; ${nameOf(told, x > y ? a : b)} has ${isCount(told.plan.select[at] ?? {}) ? 'more' : 'the higher value'}`
}

const isNumber = (cell: Cell): cell is number | bigint => typeof cell === 'number' || typeof cell === 'bigint'
