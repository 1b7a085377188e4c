import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Filter, Plan } from '../src/contracts/index.ts'
import { compilePlan } from '../src/search/compiler/compile.ts'
import { secondOpinion } from '../src/search/compiler/second-opinion.ts'
import { shop } from '../src/search/fixtures.test-support.ts'

/** Rows by table; a plain evaluator walks them without any SQL. */
type Row = Record<string, string | number | null>
type World = Record<'city' | 'customer' | 'orders', Row[]>

const small = fc.integer({ min: 0, max: 4 })
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null, freq: 4 })
const rows = (shape: Record<string, fc.Arbitrary<string | number | null>>) =>
  fc.array(fc.record(shape), { maxLength: 5 }).map((list) => list.map((row, at): Row => ({ id: at, ...row })))
const worlds: fc.Arbitrary<World> = fc.record({
  city: rows({ name: maybe(fc.constantFrom('a', 'b')) }),
  customer: rows({ name: maybe(fc.constantFrom('a', 'b')), age: maybe(small), city_id: maybe(small) }),
  orders: rows({ number: maybe(fc.constantFrom('a', 'b')), total: maybe(small), customer_id: maybe(small) }),
})

const LINKS: Record<string, { step: string; to: string }[]> = {
  City: [{ step: '^Customer.city', to: 'Customer' }],
  Customer: [{ step: 'city', to: 'City' }, { step: '^Order.customer', to: 'Order' }],
  Order: [{ step: 'customer', to: 'Customer' }],
}
const DATA: Record<string, string[]> = { City: ['name'], Customer: ['name', 'age'], Order: ['number', 'total'] }
const TABLE: Record<string, keyof World> = { City: 'city', Customer: 'customer', Order: 'orders' }

const filterFrom = (cls: string, depth: number): fc.Arbitrary<Filter> =>
  fc
    .array(fc.integer({ min: 0, max: 1 }), { maxLength: depth })
    .chain((turns) => {
      let at = cls
      const path: string[] = []
      for (const turn of turns) {
        const link = LINKS[at]![turn % LINKS[at]!.length]!
        path.push(link.step)
        at = link.to
      }
      const onProperty = fc.constantFrom(...DATA[at]!).chain((name) => {
        const value: fc.Arbitrary<string | number> = name === 'age' || name === 'total' ? small : fc.constantFrom('a', 'b')
        return fc.oneof(
          fc.record({ path: fc.constant([...path, name]), op: fc.constantFrom('=', '!=', '<', '>=' as const), value }),
          fc.record({ path: fc.constant([...path, name]), op: fc.constant('in' as const), value: fc.array(value, { minLength: 1, maxLength: 2 }) }),
          fc.record({ path: fc.constant([...path, name]), op: fc.constantFrom('exists', 'is_null' as const) }),
        )
      })
      const onClass = fc.record({ path: fc.constant(path), op: fc.constantFrom('exists', 'not_exists' as const) })
      return (path.at(-1)?.startsWith('^') ? fc.oneof(onProperty, onClass) : onProperty) as fc.Arbitrary<Filter>
    })
const plans = fc.constantFrom('City', 'Customer', 'Order').chain((from) =>
  fc.array(filterFrom(from, 3), { maxLength: 3 }).map((where) => Plan.parse({ intent: 'list', from, select: [{ path: [DATA[from]![0]!] }], where })),
)

function matching(world: World, { from, where }: Plan): number[] {
  return world[TABLE[from]!].filter((row) => all(world, from, row, where)).map((row) => Number(row['id']))
}

/** Filters with the same way to many records, up to the first step back, must be met by one and the same record. */
function all(world: World, cls: string, row: Row, where: readonly Filter[]): boolean {
  const together = new Map<string, Filter[]>()
  for (const [at, filter] of where.entries()) {
    const many = filter.path.findIndex((step) => step.startsWith('^'))
    const key = many === -1 || filter.op === 'not_exists' ? String(at) : filter.path.slice(0, many + 1).join(' ')
    together.set(key, [...(together.get(key) ?? []), filter])
  }
  return [...together.values()].every((filters) => meets(world, cls, row, filters))
}

function meets(world: World, cls: string, row: Row, filters: readonly Filter[]): boolean {
  const [first] = filters
  const step = first?.path[0] ?? ''
  const link = LINKS[cls]!.find((candidate) => candidate.step === step)
  if (link === undefined) return filters.every((filter) => holds(row[step] ?? null, filter))
  const rest = filters.filter(({ path }) => path.length > 1).map((filter): Filter => ({ ...filter, path: filter.path.slice(1) }))
  const near = step.startsWith('^')
    ? world[TABLE[link.to]!].filter((other) => other[`${step.split('.')[1]}_id`] === row['id'])
    : world[TABLE[link.to]!].filter((other) => other['id'] === row[`${step}_id`])
  if (first?.op === 'not_exists') return !near.some((other) => all(world, link.to, other, rest.map((filter) => ({ ...filter, op: 'exists' as const }))))
  // a left join keeps a row without a parent, whose columns are then unknown
  if (!step.startsWith('^') && near.length === 0) return filters.every(({ op, path }) => op === 'is_null' && !path.some((part) => part.startsWith('^')))
  return near.some((other) => all(world, link.to, other, rest))
}

function holds(cell: string | number | null, { op, value }: Filter): boolean {
  if (op === 'is_null') return cell === null
  if (op === 'exists') return cell !== null
  if (cell === null) return false
  if (op === 'in') return (value as (string | number)[]).includes(cell)
  const other = value as string | number
  return { '=': cell === other, '!=': cell !== other, '<': cell < other, '>=': cell >= other }[op as '=' | '!=' | '<' | '>='] ?? false
}

function run(world: World, query: { sql: string; params: readonly unknown[] }): number[] {
  const db = new DatabaseSync(':memory:')
  try {
    db.exec('create table city (id integer primary key, name text)')
    db.exec('create table customer (id integer primary key, name text, age integer, city_id integer)')
    db.exec('create table orders (id integer primary key, number text, total integer, customer_id integer)')
    for (const [table, list] of Object.entries(world)) {
      for (const row of list) {
        const names = Object.keys(row)
        db.prepare(`insert into ${table} (${names.join()}) values (${names.map(() => '?').join()})`).run(...Object.values(row))
      }
    }
    return db.prepare(query.sql).all(...(query.params as never[])).map((row) => Number(row['key0']))
  } finally {
    db.close()
  }
}

describe('two compilers and a plain evaluator agree', () => {
  const runs = process.env['WHEREFORE_FULL'] === '1' ? 5000 : 250
  it(`on ${runs} random plans over random rows`, () => {
    fc.assert(
      fc.property(worlds, plans, (world, plan) => {
        const expected = matching(world, plan)
        expect(run(world, compilePlan(shop, plan).evidence!)).toEqual(expected)
        const second = secondOpinion(shop, plan)
        if (second !== null && !leftJoinOnly(plan)) expect(run(world, second).toSorted((a, b) => a - b)).toEqual(expected)
      }),
      { numRuns: runs, seed: 7 },
    )
  })
})

/** "is null" along a way forward also holds where the way breaks off, which membership in a set cannot say. */
const leftJoinOnly = ({ where }: Plan): boolean => where.some(({ path, op }) => op === 'is_null' && path.length > 1)
