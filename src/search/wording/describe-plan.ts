/** A plan in a few English words, for a question back and for the sentence around a result. */
import type { Condition, Filter, Plan } from '../../contracts/index.ts'
import { plural } from '../../kernel/text/index.ts'
import type { Ontology } from '../../ontology/index.ts'
import { type Words, recordsOf } from './conditions.ts'
import { listed, spelled } from './english.ts'
import { extremeWords, groupNouns, havingWords, measureNoun, measureOf } from './measures.ts'
import { classNoun, classOf, columnNoun, spoken } from './ways.ts'

export { nounOf } from './ways.ts'

/** The words of an ontology, with nested plans said as what they come to. */
export function wordsOf(ontology: Ontology): Words {
  const words: Words = { ontology, sayPlan: (plan, op) => saidValue(words, plan, op) }
  return words
}

/** "the average total of orders", "the cities of suppliers": what a nested plan gives. */
function saidValue(words: Words, plan: Plan, op: Filter['op']): string {
  const cls = classOf(words.ontology, plan.from)
  const [first] = plan.select
  if (first?.aggregate !== undefined) return `the ${measureOf(words, plan, first, cls)}${refinements(words, plan)}`
  const noun = first?.path === undefined ? classNoun(cls, plan.from) : columnNoun(words.ontology, cls, first.path)
  const many = op === 'in' || op === 'not_in'
  return `the ${many ? plural(noun) : noun} of ${recordsOf(words, plan, cls)}${refinements(words, plan)}`
}

/** "open alarms of the resource crt-07" */
export const describeRecords = (ontology: Ontology, plan: Pick<Plan, 'from' | 'where'>): string =>
  recordsOf(wordsOf(ontology), plan, classOf(ontology, plan.from))

export function describePlan(ontology: Ontology, plan: Plan): string {
  const words = wordsOf(ontology)
  if (plan.intent !== 'exists') return `${core(words, plan)}${refinements(words, plan)}`
  return `whether there are ${recordsOf(words, plan, classOf(ontology, plan.from))}${refinements(words, plan)}`
}

function core(words: Words, plan: Plan): string {
  const { ontology } = words
  const cls = classOf(ontology, plan.from)
  if (plan.why !== undefined) return whyWords(words, plan)
  const records = recordsOf(words, plan, cls)
  const folds = plan.select.filter(({ aggregate }) => aggregate !== undefined)
  const [fold] = folds
  const groups = groupNouns(ontology, plan, cls)
  if (fold === undefined && plan.group_by.length > 0) {
    return groups.join() === classNoun(cls, plan.from) ? records : `the ${plural(listed(groups))} of ${records}`
  }
  if (fold === undefined) {
    const columns = plan.select.flatMap(({ path }) => (path === undefined ? [] : [path]))
    const own = columns.length === 1 && columns[0]?.length === 1 && columns[0][0] === cls?.labelProperty
    if (own && !plan.distinct) return records
    const nouns = columns.map((path) => columnNoun(ontology, cls, path))
    return plan.distinct ? `the different ${plural(listed(nouns))} of ${records}` : `the ${listed(nouns)} of ${records}`
  }
  const per = plan.group_by.length === 0 ? '' : ` per ${listed(groups)}`
  if (folds.length === 1 && fold.path === undefined) return `how many ${records}${per}`
  return `the ${listed(folds.map((each) => measureNoun(ontology, cls, each)))} of ${records}${per}`
}

/** What a plan asks beyond its records: groups, order, how many, and what it is put together with. */
function refinements(words: Words, plan: Plan): string {
  const cls = classOf(words.ontology, plan.from)
  const having = plan.having.map((condition) => havingWords(words, plan, condition, cls))
  const groups = plural(listed(groupNouns(words.ontology, plan, cls))) || 'groups'
  const orders = listed(plan.order_by.map(({ by, direction }) => extremeWords(words, plan, by, direction, cls)))
  const most = plan.limit === undefined ? 'first those' : `only ${plan.limit === 1 ? 'the one' : spelled(plan.limit)}`
  const other = plan.set_op
  return [
    having.length === 0 ? '' : `, only ${groups} with ${listed(having)}`,
    orders === '' && plan.limit === undefined ? '' : `, ${most}${orders === '' ? '' : ` ${orders}`}`,
    other === undefined ? '' : ` ${SET_WORDS[other.op]} ${core(words, other.plan)}${refinements(words, other.plan)}`,
  ].join('')
}

const SET_WORDS = { union: 'together with', intersect: 'that are also among', except: 'but not' } as const

/** "why at risk, for customers and resources named crt-07" */
function whyWords(words: Words, plan: Plan): string {
  const said = (from: string, where: Condition[]) => recordsOf(words, { from, where }, classOf(words.ontology, from))
  const { predicate = '', negated = false, given = [] } = plan.why ?? {}
  const about = [said(plan.from, plan.where), ...given.map((each) => said(each.class, each.where))]
  return `why ${negated ? 'not ' : ''}${spoken(predicate)}, for ${listed([...new Set(about)])}`
}

/** Plans that are offered as a choice, each told apart from the others: by its ways, and at last by its number. */
export function describePlans(ontology: Ontology, plans: readonly Plan[]): string[] {
  const labels = plans.map((plan) => describePlan(ontology, plan))
  const twice = (all: readonly string[], label: string) => all.indexOf(label) !== all.lastIndexOf(label)
  const longer = plans.map((plan, at) => {
    const label = labels[at] ?? ''
    return twice(labels, label) ? `${label} (by ${listed(waysOf(plan))})` : label
  })
  return longer.map((label, at) => (twice(longer, label) ? `${label} (reading ${at + 1})` : label))
}

function waysOf(plan: Plan): string[] {
  const filtered = (where: readonly Condition[]): string[][] =>
    where.flatMap((each) => ('any' in each ? filtered(each.any) : 'all' in each ? filtered(each.all) : [each.path]))
  const paths = [...plan.select.flatMap(({ path }) => (path === undefined ? [] : [path])), ...filtered(plan.where), ...plan.group_by]
  return [...new Set(paths.map((path) => path.join(' ').replaceAll('^', '').replaceAll(/[._]/g, ' ')))]
}
