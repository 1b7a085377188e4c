/** The groups that come first in an order: "The resource with the most open alarms is crt-07, with 5". */
import { plural } from '../../kernel/text/index.ts'
import { MAX_LISTED, listed, spelled } from './english.ts'
import { detailsOf, foldsOf, nameOf, sayFold } from './group-words.ts'
import { extremeOf, extremeWords, leavesOutEmptyGroups, measureNoun } from './measures.ts'
import { type Ranking, type Told, opening, recordsIn, tiesOf, tiesSaid } from './told.ts'

export function rankedGroups(told: Told, ranking: Ranking, group: string, having: readonly string[]): string {
  const { plan, words, cls, executed, ontology } = told
  const { by, direction, shownAt, known } = ranking
  const [row = []] = executed.rows
  const count = executed.rows.length
  const ties = tiesOf(told)
  const folds = foldsOf(told)
  const some = having.length === 0 ? '' : `of the ${plural(group)} with ${listed(having)}, `
  const cut = direction === 'asc' && leavesOutEmptyGroups(ontology, plan, cls, by)
  const among = `${some}${cut ? `${some === '' ? 'among' : 'and'} those that have any, ` : ''}`
  const one = some === '' ? group : 'one'
  const first = `that ${count === 1 ? 'comes' : 'come'} first by ${measureNoun(ontology, cls, by)}`
  // a count of the records says which they are; what else is measured does not
  const over = by.path === undefined || plan.where.length === 0 ? '' : ` over ${recordsIn(told)}`
  const which = `${known ? extremeWords(words, plan, by, direction, cls) : first}${over}`
  if (count > 1) {
    const items = executed.rows.slice(0, MAX_LISTED).map((each) => {
      const name = nameOf(told, each) || one
      return folds.length === 0 ? name : `${name} (${detailsOf(told, each, folds)})`
    })
    const end = ties === 0 ? '' : `; ${tiesSaid(told)} more ${ties === 1 ? 'ties' : 'tie'} with the last`
    const many = `${spelled(count)}${some === '' ? ` ${plural(group)}` : ''}`
    return opening(told, true, `${among}the ${many} ${which} are ${listed(items, count)}${end}`)
  }
  const others = folds.filter((at) => at !== shownAt)
  const name = `${nameOf(told, row) || one}${others.length === 0 ? '' : ` (${detailsOf(told, row, others, true)})`}`
  const value = shownAt === -1 ? '' : `, with ${sayFold(told, row, shownAt)}`
  if (ties === 0 || !known) return opening(told, true, `${among}the ${one} ${which} is ${name}${value}`)
  const rest = `${tiesSaid(told)} ${ties === 1 ? 'other' : 'others'}`
  const tied = `${name} and ${rest} tie for ${extremeOf(words, plan, by, direction, cls)}${over}${value === '' ? '' : `${value} each`}`
  return opening(told, true, `${among}${tied}`, among === '')
}
