/** Random plans of the whole language over the market. Some do not fit the vocabulary's rules; `faultsOf` says which. */
import fc from 'fast-check'
import { type Condition, type Filter, type Having, type Path, Plan, type Selection } from '../../src/contracts/index.ts'
import { STEPS, market } from './market.ts'

type Kind = 'number' | 'text'
interface Place {
  readonly path: Path
  readonly cls: string
}

const classNames = fc.constantFrom('City', 'Customer', 'Order', 'Line', 'Return')
const dataOf = (cls: string, kind?: Kind): string[] =>
  market.classes.find(({ name }) => name === cls)!.properties
    .filter((property) => property.kind === 'data' && (kind === undefined || property.range.endsWith('string') === (kind === 'text')))
    .map(({ name }) => name)
const kindOf = (name: string): Kind => (['name', 'number', 'reason'].includes(name) ? 'text' : 'number')
const valueOf = (kind: Kind): fc.Arbitrary<string | number> => (kind === 'number' ? fc.integer({ min: 0, max: 4 }) : fc.constantFrom('a', 'b', 'c'))

/** Somewhere at most `far` steps away. */
const placeFrom = (cls: string, far: number): fc.Arbitrary<Place> =>
  fc.array(fc.nat({ max: 9 }), { maxLength: far }).map((turns) =>
    turns.reduce<Place>(
      (place, turn) => {
        const { step, to } = STEPS[place.cls]![turn % STEPS[place.cls]!.length]!
        return { path: [...place.path, step], cls: to }
      },
      { path: [], cls },
    ),
  )
const dataFrom = (cls: string, far: number, kind?: Kind): fc.Arbitrary<Path> =>
  placeFrom(cls, far)
    .filter((place) => dataOf(place.cls, kind).length > 0)
    .chain((place) => fc.constantFrom(...dataOf(place.cls, kind)).map((name) => [...place.path, name]))

const COMPARE = ['=', '!=', '<', '<=', '>', '>='] as const

function filterFrom(cls: string, deep: number): fc.Arbitrary<Filter> {
  const compared = dataFrom(cls, 3).chain((path): fc.Arbitrary<Filter> => {
    const kind = kindOf(path.at(-1)!)
    const value = valueOf(kind)
    const fixed = fc.constant(path)
    const plain: fc.Arbitrary<Filter>[] = [
      fc.record({ path: fixed, op: fc.constantFrom(...COMPARE), value }),
      fc.record({ path: fixed, op: fc.constantFrom('in', 'not_in' as const), value: fc.array(value, { minLength: 1, maxLength: 2 }) }),
      fc.record({ path: fixed, op: fc.constant('between' as const), value: fc.tuple(value, value).map((pair) => [...pair]) }),
      fc.record({ path: fixed, op: fc.constantFrom('exists', 'not_exists', 'is_null' as const) }),
      fc.record({ path: fixed, op: fc.constantFrom('like', 'not_like' as const), value: fc.constantFrom('a%', '%b%', 'C') }),
    ]
    const nested: fc.Arbitrary<Filter>[] = [
      fc.record({ path: fixed, op: fc.constantFrom(...COMPARE), plan: scalarPlan(kind, deep - 1) }),
      fc.record({ path: fixed, op: fc.constantFrom('in', 'not_in' as const), plan: columnPlan(kind, deep - 1) }),
    ]
    return fc.oneof(...plain, ...(deep > 0 ? nested : []))
  })
  const reached = placeFrom(cls, 3).filter(({ path }) => path.length > 0)
  const existence = reached.chain(({ path, cls: end }): fc.Arbitrary<Filter> => {
    const op = fc.constantFrom('exists', 'not_exists' as const)
    return fc.oneof(
      fc.record({ path: fc.constant(path), op }),
      ...(deep > 0 ? [fc.record({ path: fc.constant(path), op, where: fc.array(conditionFrom(end, deep - 1), { maxLength: 2 }) })] : []),
    )
  })
  return fc.oneof({ weight: 3, arbitrary: compared }, { weight: 1, arbitrary: existence })
}

function conditionFrom(cls: string, deep: number): fc.Arbitrary<Condition> {
  const filter = filterFrom(cls, deep)
  if (deep <= 0) return filter
  const several = fc.array(conditionFrom(cls, deep - 1), { minLength: 2, maxLength: 3 })
  return fc.oneof<fc.Arbitrary<Condition>[]>(
    { weight: 4, arbitrary: filter } as never,
    { weight: 1, arbitrary: several.map((any) => ({ any })) } as never,
    { weight: 1, arbitrary: several.map((list) => ({ all: list })) } as never,
  )
}
const whereFrom = (cls: string, deep: number) => fc.array(conditionFrom(cls, deep), { maxLength: 2 })

const aggregateFrom = (cls: string, kind?: Kind): fc.Arbitrary<Selection> => {
  const numbers = fc.record({ path: dataFrom(cls, 2, 'number'), aggregate: fc.constantFrom('sum', 'avg', 'min', 'max', 'count', 'count_distinct' as const) })
  const records = fc.record({ path: placeFrom(cls, 2).filter(({ path }) => path.length > 0).map(({ path }) => path), aggregate: fc.constantFrom('count', 'count_distinct' as const) })
  const texts = dataFrom(cls, 2, 'text').chain((path) => fc.record({ path: fc.constant(path), aggregate: fc.constantFrom('min', 'max' as const) }))
  if (kind === 'text') return texts
  const count: fc.Arbitrary<Selection> = fc.constant({ aggregate: 'count' as const })
  return kind === 'number' ? fc.oneof(count, numbers, records) : fc.oneof(count, numbers, records, texts)
}
const direction = fc.constantFrom('asc', 'desc' as const)
const limit = fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined })

/** One row of one column. */
const scalarPlan = (kind: Kind, deep: number): fc.Arbitrary<Plan> =>
  classNames
    .filter((from) => kind === 'number' || from !== 'Line')
    .chain((from) =>
      fc.oneof(
        fc.record({ select: aggregateFrom(from, kind).map((one) => [one]), where: whereFrom(from, deep) }).map((body) => planOf({ intent: 'aggregate', from, ...body })),
        fc.record({ path: dataFrom(from, 1, kind), where: whereFrom(from, deep), direction }).map(({ path, where, direction: way }) =>
          planOf({ intent: 'list', from, select: [{ path }], where, order_by: [{ by: { path }, direction: way }], limit: 1 }),
        ),
      ),
    )

/** Some rows of one column. */
const columnPlan = (kind: Kind, deep: number): fc.Arbitrary<Plan> =>
  classNames.chain((from) =>
    fc.record({ path: dataFrom(from, 2, kind), where: whereFrom(from, deep), limit, distinct: fc.boolean(), other: deep > 0 ? fc.option(columnPlan(kind, deep - 1), { nil: undefined, freq: 3 }) : fc.constant(undefined), op: fc.constantFrom('union', 'intersect', 'except' as const) })
      .map(({ path, other, op, ...body }) => planOf({ intent: 'list', from, select: [{ path }], ...body, ...(other === undefined ? {} : { set_op: { op, plan: other } }) })),
  )

const listPlan = (deep: number): fc.Arbitrary<Plan> =>
  classNames.chain((from) =>
    fc.record({ paths: fc.array(dataFrom(from, 2), { minLength: 1, maxLength: 2 }), where: whereFrom(from, deep), limit, distinct: fc.boolean(), by: fc.array(fc.tuple(dataFrom(from, 1), direction), { maxLength: 2 }), pick: fc.boolean() })
      .map(({ paths, by, pick, ...body }) => {
        const order = body.distinct || pick ? by.map(([, way], at) => [paths[at % paths.length]!, way] as const) : by
        return planOf({ intent: 'list', from, select: paths.map((path) => ({ path })), order_by: order.map(([path, way]) => ({ by: { path }, direction: way })), ...body })
      }),
  )

/** Groups by records, by values or by nothing; shows what belongs to a group beside aggregates of it. */
const foldedPlan = (deep: number): fc.Arbitrary<Plan> =>
  classNames.chain((from) => {
    const byRecord = placeFrom(from, 2).chain(({ path, cls }) =>
      path.length === 0
        ? fc.constantFrom(...dataOf(from)).map((name) => ({ groups: from === 'Line' ? [['pos'], ['order']] : [['id']], shown: from === 'Line' ? ['pos'] : [name] }))
        : fc.constantFrom(...dataOf(cls)).map((name) => ({ groups: [path], shown: [...path, name] })),
    )
    const byValue = dataFrom(from, 2).map((path) => ({ groups: [path], shown: path }))
    const having = aggregateFrom(from, 'number').chain((by): fc.Arbitrary<Having> =>
      fc.oneof(
        fc.record({ by: fc.constant(by), op: fc.constantFrom(...COMPARE), value: fc.integer({ min: 0, max: 3 }) }),
        fc.record({ by: fc.constant(by), op: fc.constant('between' as const), value: fc.tuple(fc.constant(1), fc.constant(2)).map((pair) => [...pair]) }),
        ...(deep > 0 ? [fc.record({ by: fc.constant(by), op: fc.constantFrom(...COMPARE), plan: scalarPlan('number', deep - 1) })] : []),
      ),
    )
    return fc
      .record({ groups: fc.array(fc.oneof(byRecord, byValue), { maxLength: 2 }), folds: fc.array(aggregateFrom(from), { maxLength: 2 }), having: fc.array(having, { maxLength: 1 }), by: fc.array(fc.tuple(aggregateFrom(from), direction), { maxLength: 2 }), where: whereFrom(from, deep), limit, distinct: fc.nat({ max: 4 }) })
      .map(({ groups, folds, by, distinct, ...body }) => {
        const select = [...groups.map(({ shown }): Selection => ({ path: shown })), ...folds]
        const shown = select.length === 0 ? [{ aggregate: 'count' as const }] : select
        const order = distinct === 0 ? by.map(([, way], at) => [shown[at % shown.length]!, way] as const) : by
        return planOf({ intent: 'aggregate', from, select: shown, group_by: groups.flatMap((group) => group.groups), order_by: order.map(([one, way]) => ({ by: one, direction: way })), distinct: distinct === 0, ...body })
      })
  })

const setPlan = (deep: number): fc.Arbitrary<Plan> =>
  fc.constantFrom('number', 'text' as const).chain((kind) =>
    fc.tuple(columnPlan(kind, deep), columnPlan(kind, deep), fc.constantFrom('union', 'intersect', 'except' as const), direction).map(([first, other, op, way]) =>
      planOf({ ...first, order_by: [{ by: first.select[0], direction: way }], set_op: { op, plan: other } }),
    ),
  )

const planOf = (body: object): Plan => Plan.parse(body)

export const plans: fc.Arbitrary<Plan> = fc.oneof(listPlan(2), foldedPlan(2), setPlan(1), scalarPlan('number', 2))
