/** The records that come first in an order: "The order with the highest total is A1, with 30". */
import { isDate } from './comparisons.ts'
import { spelled } from './english.ts'
import type { Form, Items } from './list-claims.ts'
import { extremeOf, extremeWords } from './measures.ts'
import { type Ranking, type Told, isOwnLabel, opening, recordsIn, sayCell, sayNamed, tiesOf, tiesSaid } from './told.ts'
import { columnNoun } from './ways.ts'

export function rankedRecords(told: Told, { by, direction, shownAt, known }: Ranking, { say, by: shown }: Items): Form {
  const { plan, words, cls, executed } = told
  const count = executed.rows.length
  const ties = tiesOf(told)
  const are = count === 1 ? 'is' : 'are'
  const records = `${count === 1 ? '' : `${spelled(count)} `}${recordsIn(told, count)}`
  const begin = (text: string) => opening(told, true, text)
  if (!known) {
    const order = `in ${direction === 'asc' ? 'ascending' : 'descending'} order of ${columnNoun(words.ontology, cls, by.path ?? [])}`
    return { lead: begin(`${order}, the first ${records}${shown} ${are} `), say }
  }
  const end = ties === 0 ? '' : `; ${tiesSaid(told)} more ${ties === 1 ? 'ties' : 'tie'} with ${count === 1 ? 'it' : 'the last'}`
  const extreme = extremeOf(words, plan, by, direction, cls)
  if (shownAt === 0 && plan.select.length === 1) {
    const of = `${extreme} of ${recordsIn(told)}`
    return { lead: begin(count === 1 ? `${of} is ` : `the ${spelled(count)} first by ${of} are `), say, end }
  }
  const which = extremeWords(words, plan, by, direction, cls)
  if (count > 1) return { lead: begin(`the ${records} ${which}${shown} are `), say, end }
  if (!isOwnLabel(told, plan.select[0])) return { lead: begin(`the ${records} ${which}${shown} is `), say, end }
  const on = isDate(told.columns[shownAt]?.property ?? null) ? 'on' : 'with'
  const value = shownAt > 0 ? `, ${on} ${sayCell(told, executed.rows[0] ?? [], shownAt)}` : ''
  if (ties === 0) return { lead: begin(`the ${records} ${which} is `), say: (row, at) => `${sayNamed(told, row, at, shownAt)}${value}` }
  const tied = `${tiesSaid(told)} ${ties === 1 ? 'other' : 'others'} tie for ${extreme}${value}`
  return { lead: opening(told, true, '', true), say: (row, at) => `${sayNamed(told, row, at, shownAt)} and ${tied}` }
}
