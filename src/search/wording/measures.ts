/** Aggregates and orders in words: "the average total of orders", "with the most open alarms", "raised last". */
import type { Having, Path, Plan, Scalar, Selection } from '../../contracts/index.ts'
import { plural } from '../../kernel/text/index.ts'
import { XSD } from '../../kernel/term.ts'
import type { Ontology, OntologyClass } from '../../ontology/index.ts'
import { amountWords, isDate, numberWords, participleOf } from './comparisons.ts'
import { type Words, recordsOf } from './conditions.ts'
import { listed, spelled, withArticle } from './english.ts'
import { isNumeric } from './units.ts'
import { sayValue } from './values.ts'
import { classNoun, columnNoun, columnOf, strideNoun, wayOf } from './ways.ts'

export const isCount = ({ aggregate }: Selection): boolean => aggregate === 'count' || aggregate === 'count_distinct'

/** "average total", "number of different vendors", "number": what is measured, without what it is measured of. */
export function measureNoun(ontology: Ontology, cls: OntologyClass | null, { path, aggregate }: Selection): string {
  if (path === undefined) return 'number'
  const noun = columnNoun(ontology, cls, path)
  switch (aggregate) {
    case undefined:
      return noun
    case 'count':
      return `number of ${countedNoun(ontology, cls, path)}`
    case 'count_distinct':
      return `number of different ${countedNoun(ontology, cls, path)}`
    case 'avg':
      return `average ${noun}`
    case 'sum':
      return /(^| )(total|sum)( |$)/.test(noun) ? `sum of the ${plural(noun)}` : `total ${noun}`
    case 'min':
      return firstNoun(ontology, cls, path, 'asc')
    case 'max':
      return firstNoun(ontology, cls, path, 'desc')
  }
}

/** "highest total", "earliest installed on date", "alphabetically last name": by what kind of value it is. */
function firstNoun(ontology: Ontology, cls: OntologyClass | null, path: Path, direction: 'asc' | 'desc'): string {
  const noun = columnNoun(ontology, cls, path)
  const { property } = wayOf(ontology, cls, path)
  const up = direction === 'asc'
  if (isNumeric(property)) return `${up ? 'lowest' : 'highest'} ${noun}`
  if (!isDate(property)) return `alphabetically ${up ? 'first' : 'last'} ${noun}`
  const moment = participleOf(property) === null ? '' : property?.range === `${XSD}date` ? ' date' : ' time'
  return `${up ? 'earliest' : 'latest'} ${noun}${moment}`
}

/** "alarms", "vendors": what a count over a way counts. */
function countedNoun(ontology: Ontology, cls: OntologyClass | null, path: Path): string {
  const way = wayOf(ontology, cls, path)
  const last = way.strides.at(-1)
  const ends = last !== undefined && way.strides.length === path.length
  return plural(ends ? strideNoun(last) : columnNoun(ontology, cls, path))
}

/** "number of open alarms", "average total of orders of the customer Ann" */
export function measureOf(words: Words, plan: Plan, selection: Selection, cls: OntologyClass | null): string {
  const records = recordsOf(words, plan, cls)
  return selection.path === undefined ? `number of ${records}` : `${measureNoun(words.ontology, cls, selection)} of ${records}`
}

/** "the most open alarms", "the highest average total": what sets the first rows of an order apart. */
export function extremeOf(words: Words, plan: Plan, by: Selection, direction: 'asc' | 'desc', cls: OntologyClass | null): string {
  const { ontology } = words
  const most = direction === 'desc' ? 'the most' : 'the fewest'
  if (by.path === undefined) return `${most} ${recordsOf(words, plan, cls)}`
  if (isCount(by)) return `${most} ${by.aggregate === 'count_distinct' ? 'different ' : ''}${countedNoun(ontology, cls, by.path)}`
  if (by.aggregate === undefined) return `the ${firstNoun(ontology, cls, by.path, direction)}`
  const earlyOrLow = isDate(wayOf(ontology, cls, by.path).property) ? ['earliest', 'latest'] : ['lowest', 'highest']
  return `the ${earlyOrLow[direction === 'asc' ? 0 : 1]} ${measureNoun(ontology, cls, by)}`
}

/** "with the highest total", "raised last": what describes the record or group that comes first. */
export function extremeWords(words: Words, plan: Plan, by: Selection, direction: 'asc' | 'desc', cls: OntologyClass | null): string {
  const way = by.path === undefined ? null : wayOf(words.ontology, cls, by.path)
  const verb = by.aggregate === undefined && way?.strides.length === 0 ? participleOf(way.property) : null
  return verb === null ? `with ${extremeOf(words, plan, by, direction, cls)}` : `${verb} ${direction === 'desc' ? 'last' : 'first'}`
}

/** "more than two open subscriptions", "an average total above 12.4": what a group must have. */
export function havingWords(words: Words, plan: Plan, { by, op, value, plan: nested }: Having, cls: OntologyClass | null): string {
  const { ontology } = words
  const column = columnOf(ontology, cls, by)
  const values: readonly Scalar[] = Array.isArray(value) ? value : [value ?? null]
  if (nested !== undefined || !isCount(by)) {
    const said = nested === undefined ? values.map((each) => sayValue(each, column)) : [words.sayPlan(nested, op)]
    const noun = by.path === undefined ? measureOf(words, plan, by, cls) : measureNoun(ontology, cls, by)
    return withArticle(`${noun} ${numberWords(op, said, nested !== undefined)}`)
  }
  const say = (each: Scalar) => (typeof each === 'number' && each !== 0 ? spelled(each) : sayValue(each, column))
  const one = values.at(-1) === 1 && op !== '>'
  const noun = by.path === undefined ? recordsOf(words, plan, cls, one) : countedNoun(ontology, cls, by.path)
  return `${amountWords({ op, value }, say)} ${by.aggregate === 'count_distinct' ? `different ${noun}` : noun}`
}

/** "there are more than two customers", "customers have an average age above 12": what must hold of all records together. */
export function heldWords({ words, plan, cls }: { words: Words; plan: Plan; cls: OntologyClass | null }): string {
  return listed(
    plan.having.map((having) => {
      const must = havingWords(words, plan, having, cls)
      const isNumberOfThem = having.by.path === undefined && having.plan === undefined
      return isNumberOfThem ? `there are ${must}` : `${recordsOf(words, plan, cls)} have ${must}`
    }),
  )
}

/** What one group is: a record of a class ("resource"), or a value of a property ("severity"). */
export function groupNouns(ontology: Ontology, plan: Plan, cls: OntologyClass | null): string[] {
  const shown = plan.select.flatMap(({ path, aggregate }) => (path === undefined || aggregate !== undefined ? [] : [path]))
  const nouns = (shown.length > 0 ? shown : plan.group_by).map((path) => {
    const way = wayOf(ontology, cls, path)
    const own = way.strides.length === 0 && way.property !== null && way.property.name === cls?.labelProperty
    return own ? classNoun(cls, plan.from) : columnNoun(ontology, cls, path)
  })
  return [...new Set(nouns)]
}

/** True when the groups are records that the counted ones belong to: one that has none of them is not among the rows. */
export function groupsOwners(ontology: Ontology, plan: Plan, cls: OntologyClass | null): boolean {
  return plan.group_by.some((path) => wayOf(ontology, cls, path).strides[0]?.back === false)
}

export const leavesOutEmptyGroups = (ontology: Ontology, plan: Plan, cls: OntologyClass | null, by: Selection): boolean =>
  by.path === undefined && by.aggregate === 'count' && groupsOwners(ontology, plan, cls)
