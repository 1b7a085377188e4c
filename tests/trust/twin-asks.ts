/** What is asked of a draft: questions and edited plans within a ceiling, and such that reach for what it hides. */
import { type Condition, type Path, type Plan, type Selection, type Tier, within } from '../../src/contracts/index.ts'
import { type ColumnDraft, type Draft, type TableDraft, capital, heldTiers, hiddenAt } from './twin-draft.ts'
import type { Rows } from './twin-rows.ts'

const plural = (noun: string): string => `${noun.replaceAll('_', ' ')}s`
const spoken = (column: string): string => column.replace(/_id$/, '').replaceAll('_', ' ')
export const className = (table: string): string => table.split('_').map(capital).join('')
export const propertyOf = ({ name, to, undeclared }: ColumnDraft): string =>
  to === undefined || undeclared === true ? name : name.replace(/_id$/, '')

/** Tables and columns that the ceiling leaves. */
export function openAt(draft: Draft, ceiling: Tier): { table: TableDraft; columns: ColumnDraft[] }[] {
  const held = heldTiers(draft)
  return draft.tables
    .filter(({ name }) => within(held.table(name), ceiling))
    .map((table) => ({ table, columns: table.columns.filter(({ name }) => within(held.column(table.name, name), ceiling)) }))
}

/** Questions that stay within the ceiling: their answers rest on tables where only hidden things differ. */
export function openQuestions(draft: Draft, ceiling: Tier): string[] {
  return openAt(draft, ceiling).flatMap(({ table: { name }, columns }) => {
    const words = columns.filter(({ kind }) => kind === 'word')
    const numbers = columns.filter(({ kind, name: column, to }) => (kind === 'real' || kind === 'integer') && column !== 'id' && to === undefined)
    return [
      `How many ${plural(name)} are there?`,
      `List the ${plural(name)}`,
      ...words.map((column) => `How many ${plural(name)} per ${spoken(column.name)}?`),
      ...words.map((column) => `Which ${plural(name)} have the ${spoken(column.name)} amber?`),
      ...numbers.map((column) => `What is the average ${spoken(column.name)} of the ${plural(name)}?`),
      ...numbers.map((column) => `Which ${plural(name)} have a ${spoken(column.name)} greater than 500?`),
      ...numbers.slice(0, 1).map((column) => `Which ${name} has the highest ${spoken(column.name)}?`),
    ]
  })
}

/** Questions that name what the ceiling hides, rightly and misspelt. */
export function reachingQuestions(draft: Draft, ceiling: Tier): string[] {
  const { tables, columns } = hiddenAt(draft, ceiling)
  const asked = [
    ...tables.flatMap(({ name }) => [`How many ${plural(name)} are there?`, `Which ${plural(draft.tables[0]?.name ?? '')} have no ${plural(name)}?`]),
    ...columns.flatMap(([{ name }, column]) => [
      `What is the ${spoken(column.name)} of the ${plural(name)}?`,
      `How many ${plural(name)} have a ${spoken(column.name)} above 100?`,
      `What is the average ${spoken(column.name)} of the ${plural(name)}?`,
      `How many ${plural(name)} per ${spoken(column.name)}?`,
      `Which ${name} has the highest ${spoken(column.name)}?`,
    ]),
  ]
  return [...asked, ...asked.filter((_, at) => at % 4 === 0).map(misspelt)]
}

const misspelt = (question: string): string =>
  question.replace(/(\w{3})(\w)(\w)(\w*)(?=\W*$)/, '$1$3$2$4').replace(/(\w{4,})( of| have| are)/, (_, word: string, rest: string) => word.slice(0, -2) + word.slice(-1) + rest)

/** Questions that quote hidden values of the one database and of the other. */
export function quotingQuestions(draft: Draft, ceiling: Tier, ...both: Rows[]): string[] {
  const { tables, columns } = hiddenAt(draft, ceiling)
  const places = [...columns, ...tables.flatMap((table) => table.columns.filter(({ kind }) => kind === 'text').map((column) => [table, column] as const))]
  return places.flatMap(([{ name }, column]) =>
    both.flatMap((rows) => {
      const value = rows.get(name)?.map((row) => row[column.name]).find((each) => each !== null && each !== undefined)
      const text = String(value).slice(0, 60)
      return value === undefined ? [] : [
        `Which ${plural(draft.tables[0]?.name ?? '')} have "${text}"?`,
        `Show ${text}`,
        `How many ${plural(name)} have the ${spoken(column.name)} "${text.slice(0, -1)}"?`,
      ]
    }),
  )
}

export function whyQuestions(draft: Draft, rows: Rows, negated: boolean): string[] {
  const thing = draft.tables[0]?.name ?? ''
  const names = (rows.get(thing) ?? []).map((row) => String(row['name'])).slice(0, 2)
  return draft.phrases.flatMap((phrase) => [
    ...(negated ? [] : [`Which ${plural(thing)} are ${phrase}, and why?`]),
    ...names.map((name) => (negated ? `Why is ${name} not ${phrase}?` : `Why is ${name} ${phrase}?`)),
  ])
}

export const plan = (from: string, select: Selection[], more: Partial<Plan> = {}): Plan => ({
  intent: select.some(({ aggregate }) => aggregate !== undefined) ? 'aggregate' : 'list',
  from, select, where: [], group_by: [], having: [], order_by: [], distinct: false, ...more,
})

/** Every aggregate over every open class. */
export function foldingPlans(draft: Draft, ceiling: Tier): Plan[] {
  return openAt(draft, ceiling).flatMap(({ table, columns }) => {
    const from = className(table.name)
    const data = columns.filter(({ to }) => to === undefined)
    const numbers = data.filter(({ kind }) => kind === 'integer' || kind === 'real')
    return [
      plan(from, [{ aggregate: 'count' }]),
      plan(from, [{ aggregate: 'count' }, ...numbers.flatMap(({ name }) => (['sum', 'avg', 'min', 'max'] as const).map((aggregate) => ({ path: [name], aggregate })))]),
      plan(from, data.map(({ name }) => ({ path: [name], aggregate: 'count_distinct' as const }))),
      ...data.slice(1, 3).map(({ name }) => plan(from, [{ path: [name] }, { aggregate: 'count' }], { group_by: [[name]] })),
      ...data.slice(2, 3).map(({ name }) =>
        plan(from, [{ path: [name] }, { aggregate: 'count' }], { group_by: [[name]], having: [{ by: { aggregate: 'count' }, op: '>', value: 2 }] }),
      ),
    ]
  })
}

/** Orders, limits and distinct values, where an index over hidden columns would show in the order of rows. */
export function orderingPlans(draft: Draft, ceiling: Tier): Plan[] {
  return openAt(draft, ceiling).flatMap(({ table, columns }) => {
    const from = className(table.name)
    const data = columns.filter(({ to }) => to === undefined).map(({ name }): Path => [name])
    const [first, last] = [data[0], data.at(-1)]
    if (first === undefined || last === undefined) return []
    const all = data.map((path) => ({ path }))
    return [
      plan(from, all),
      plan(from, all, { limit: 3 }),
      plan(from, [{ path: last }], { limit: 2, order_by: [{ by: { path: last }, direction: 'desc' }] }),
      ...data.slice(1, 4).map((path) => plan(from, [{ path }], { distinct: true, limit: 4 })),
      ...data.slice(1, 3).map((path) => plan(from, [{ path }, { aggregate: 'count' }], { group_by: [path], order_by: [{ by: { aggregate: 'count' }, direction: 'desc' }], limit: 1 })),
    ]
  })
}

/** Ways along open references, both directions, with conditions, alternatives, sub-plans and set operations. */
export function joiningPlans(draft: Draft, ceiling: Tier): Plan[] {
  const open = openAt(draft, ceiling)
  return open.flatMap(({ table, columns }) =>
    columns.flatMap((column) => {
      const target = open.find((each) => each.table.name === column.to)
      if (target === undefined || column.undeclared === true) return []
      const [from, to, step] = [className(table.name), className(target.table.name), propertyOf(column)]
      const [own, far] = [dataName(columns), dataName(target.columns)]
      const back = `^${from}.${step}`
      return [
        plan(from, [{ path: [own] }, { path: [step, far] }]),
        plan(to, [{ path: [far] }, { path: [back, own] }]),
        plan(to, [{ path: [far] }], { where: [{ path: [back], op: 'exists' }] }),
        plan(to, [{ path: [far] }], { where: [{ path: [back], op: 'not_exists' }] }),
        plan(to, [{ path: [far] }], { where: [{ path: [back], op: 'exists', where: [{ path: [own], op: '!=', value: 'amber' }] }] }),
        plan(to, [{ path: [far] }], { where: [{ any: [{ path: [back], op: 'not_exists' }, { path: [far], op: '=', value: 'amber' }] }] }),
        plan(to, [{ path: [far] }], { where: [{ path: ['id'], op: 'in', plan: plan(from, [{ path: [step, 'id'] }]) }] }),
        plan(to, [{ path: [far] }], { set_op: { op: 'except', plan: plan(from, [{ path: [step, far] }]) } }),
        plan(to, [{ path: [far] }, { path: [back, own], aggregate: 'count' }], { group_by: [[far]] }),
      ]
    }),
  )
}

const dataName = (columns: readonly ColumnDraft[]): string => columns.find(({ to, name }) => to === undefined && name !== 'id')?.name ?? 'id'

/** A hidden term in every place that a plan has for one. */
export function reachingPlans(draft: Draft, ceiling: Tier): Plan[] {
  const { tables, columns } = hiddenAt(draft, ceiling)
  const main = draft.tables[0]
  if (main === undefined) return []
  const byColumn = columns.flatMap(([table, column]) => {
    const from = className(table.name)
    return placesOf(from, propertyOf(column) === column.name ? [propertyOf(column)] : [propertyOf(column), 'name'])
  })
  const byTable = tables.flatMap((table) => {
    const from = className(table.name)
    const back = table.columns.find(({ to }) => to === main.name)
    const named = dataName(table.columns)
    return [
      plan(from, [{ aggregate: 'count' }]),
      plan(from, [{ path: [named] }]),
      plan(className(main.name), [{ path: ['name'] }], { where: [{ path: ['id'], op: 'in', plan: plan(from, [{ path: ['id'] }]) }] }),
      plan(className(main.name), [{ path: ['name'] }], { set_op: { op: 'union', plan: plan(from, [{ path: [named] }]) } }),
      ...(back === undefined ? [] : placesOf(className(main.name), [`^${from}.${propertyOf(back)}`, named])),
      ...(back === undefined ? [] : [plan(className(main.name), [{ aggregate: 'count' }], { where: [{ path: [`^${from}.${propertyOf(back)}`], op: 'not_exists' }] })]),
    ]
  })
  return [...byColumn, ...byTable]
}

function placesOf(from: string, path: Path): Plan[] {
  const shown: Selection[] = [{ path: ['id'] }]
  const condition: Condition = { path, op: '>', value: 10 }
  const inner = plan(from, [{ path, aggregate: 'max' }])
  const where = (...conditions: Condition[]): Plan => plan(from, shown, { where: conditions })
  return [
    plan(from, [{ path }]),
    plan(from, [{ path, aggregate: 'count_distinct' }]),
    where(condition),
    where({ path, op: 'is_null' }),
    where({ path, op: 'exists' }),
    where({ any: [condition, { path: ['id'], op: '>', value: 3 }] }),
    where({ all: [condition] }),
    where({ path: ['id'], op: '<', plan: inner }),
    where({ path: ['id'], op: 'in', plan: plan(from, [{ path }]) }),
    plan(from, [{ path }, { aggregate: 'count' }], { group_by: [path] }),
    plan(from, [{ path: ['id'] }, { aggregate: 'count' }], { group_by: [['id']], having: [{ by: { path, aggregate: 'max' }, op: '>', value: 5 }] }),
    plan(from, [{ path: ['id'] }, { aggregate: 'count' }], { group_by: [['id']], having: [{ by: { aggregate: 'count' }, op: '>', plan: inner }] }),
    plan(from, shown, { order_by: [{ by: { path }, direction: 'asc' }], limit: 1 }),
    plan(from, shown, { set_op: { op: 'intersect', plan: plan(from, [{ path }]) } }),
    plan(from, shown, { set_op: { op: 'except', plan: where(condition) } }),
  ]
}

/** Sixty-four steps of a binary search for one hidden value: each must be answered alike. */
export function oraclePlans(draft: Draft, ceiling: Tier, columns: number): Plan[][] {
  return hiddenAt(draft, ceiling).columns.filter(([, { to }]) => to === undefined).slice(0, columns).map(([table, { name }]) =>
    Array.from({ length: 64 }, (_, at) =>
      plan(className(table.name), [{ aggregate: 'count' }], {
        where: [{ path: ['id'], op: '=', value: 1 }, { path: [name], op: at % 2 === 0 ? '<' : '>=', value: at % 3 === 0 ? `badge ${at}` : 2 ** (at % 60) }],
      }),
    ),
  )
}
