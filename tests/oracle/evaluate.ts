/** What a plan means, walked row by row in plain code without any SQL. */
import type { Condition, Filter, Having, Path, Plan, Selection } from '../../src/contracts/index.ts'
import { type Cell, type Row, type World, market } from './market.ts'

const classOf = (name: string) => market.classes.find((cls) => cls.name === name)!
const isNull = (cell: Cell | undefined): boolean => cell === null || cell === undefined

/** The records one step away. */
function near(world: World, cls: string, row: Row, step: string): { to: string; found: readonly Row[] } {
  const back = step.startsWith('^')
  const [owner, name] = back ? (step.slice(1).split('.') as [string, string]) : [cls, step]
  const { columns, refColumns, range } = classOf(owner).properties.find((property) => property.name === name)!
  const to = back ? owner : range
  const [mine, theirs] = back ? [refColumns, columns] : [columns, refColumns]
  const found = (world[classOf(to).table] ?? []).filter((other) => mine.every((column, i) => !isNull(row[column]) && row[column] === other[theirs[i]!]))
  return { to, found }
}
const isStep = (cls: string, name: string): boolean =>
  name.startsWith('^') || classOf(cls).properties.some((property) => property.name === name && property.kind === 'object')

/** The conditions of one list; filters without conditions of their own that share a way to many records mean one of them. */
function all(world: World, cls: string, row: Row, where: readonly Condition[]): boolean {
  const together = new Map<string, Filter[]>()
  for (const [at, condition] of where.entries()) {
    if ('any' in condition) {
      if (!condition.any.some((each) => all(world, cls, row, [each]))) return false
    } else if ('all' in condition) {
      if (!all(world, cls, row, condition.all)) return false
    } else {
      const many = condition.path.findIndex((step) => step.startsWith('^'))
      const alone = many === -1 || condition.op === 'not_exists' || condition.where !== undefined
      const key = alone ? String(at) : JSON.stringify(condition.path.slice(0, many + 1))
      together.set(key, [...(together.get(key) ?? []), condition])
    }
  }
  return [...together.values()].every((filters) => meets(world, cls, row, filters))
}

function meets(world: World, cls: string, row: Row, filters: readonly Filter[]): boolean {
  const [first] = filters as [Filter]
  const step = first.path[0]!
  if (!isStep(cls, step)) return filters.every((filter) => holds(world, row[step] ?? null, filter))
  if (first.op === 'not_exists') return !meets(world, cls, row, [{ ...first, op: 'exists' }])
  const { to, found } = near(world, cls, row, step)
  const rest = filters.flatMap((filter): Condition[] => (filter.path.length > 1 ? [{ ...filter, path: filter.path.slice(1) }] : (filter.where ?? [])))
  // where a way forward breaks off, what lies behind it is unknown
  const plain = filters.every(({ path }) => path.every((part) => !part.startsWith('^')))
  if (plain && found.length === 0) return filters.every(({ op }) => op === 'is_null')
  return found.some((other) => all(world, to, other, rest))
}

const listOf = (world: World, { plan, value }: Pick<Filter, 'plan' | 'value'>): Cell[] =>
  plan === undefined ? (value as Cell[]) : rowsOf(world, plan).map(([cell]) => cell ?? null).filter((cell) => cell !== null)

function holds(world: World, cell: Cell, filter: Pick<Filter, 'op' | 'value' | 'plan'>): boolean {
  const { op, value, plan } = filter
  if (op === 'is_null' || op === 'not_exists') return cell === null
  if (op === 'exists') return cell !== null
  if (cell === null) return false
  if (op === 'in') return listOf(world, filter).includes(cell)
  if (op === 'not_in') return !listOf(world, filter).includes(cell)
  if (op === 'between') return cell >= (value as Cell[])[0]! && cell <= (value as Cell[])[1]!
  if (op === 'like' || op === 'not_like') return new RegExp(`^${String(value).replaceAll('%', '.*')}$`, 'i').test(String(cell)) === (op === 'like')
  const other = plan === undefined ? (value as Cell) : (rowsOf(world, plan)[0]?.[0] ?? null)
  if (other === null) return false
  return { '=': cell === other, '!=': cell !== other, '<': cell < other, '<=': cell <= other, '>': cell > other, '>=': cell >= other }[op]
}

/** One row before folding: the record at the end of every way that the plan reads, or null. */
type Wide = ReadonlyMap<string, Row | null>
const wayKey = (path: Path): string => JSON.stringify(path)

function wideRows(world: World, plan: Plan): { rows: Wide[]; keys: (wide: Wide) => Cell[] } {
  const { select, group_by: groups, having, order_by: order } = plan
  const paths = [...select.map(({ path }) => path), ...groups, ...having.map(({ by }) => by.path), ...order.map(({ by }) => by.path)]
  let rows: Wide[] = world[classOf(plan.from).table]!.filter((row) => all(world, plan.from, row, plan.where)).map((row) => new Map([['[]', row]]))
  const classes = new Map([['[]', plan.from]])
  const many: string[] = []
  for (const path of paths) {
    for (const [at, step] of (path ?? []).entries()) {
      const [before, after] = [wayKey(path!.slice(0, at)), wayKey(path!.slice(0, at + 1))]
      const cls = classes.get(before)!
      if (!isStep(cls, step) || classes.has(after)) continue
      rows = rows.flatMap((wide) => {
        const from = wide.get(before) ?? null
        const { to, found } = from === null ? { to: '', found: [] } : near(world, cls, from, step)
        if (to !== '') classes.set(after, to)
        return (found.length === 0 ? [null] : found).map((row) => new Map([...wide, [after, row]]))
      })
      classes.set(after, near(world, cls, {}, step).to)
      if (step.startsWith('^')) many.push(after)
    }
  }
  const keys = (wide: Wide): Cell[] => ['[]', ...many].flatMap((way) => classOf(classes.get(way)!).key.map((column) => wide.get(way)?.[column] ?? null))
  return { rows, keys }
}

/** The cells behind a path: a value, or the key of the record it ends on. */
function cellsAt(plan: Plan, wide: Wide, path: Path): Cell[] {
  if (wide.has(wayKey(path))) {
    let cls = plan.from
    for (const step of path) cls = near({}, cls, {}, step).to
    return classOf(cls).key.map((column) => wide.get(wayKey(path))?.[column] ?? null)
  }
  return [wide.get(wayKey(path.slice(0, -1)))?.[path.at(-1)!] ?? null]
}

/** One row for each record that the path reads, however often ways to many beside it repeat that record. */
function once(members: readonly Wide[], path: Path): Wide[] {
  const numbers = new Map<Row | null, number>()
  const ways = [[], ...path.map((_, at) => path.slice(0, at + 1)).filter((way) => way.at(-1)?.startsWith('^'))]
  const identity = (wide: Wide): string =>
    ways.map((way) => {
      const record = wide.get(wayKey(way)) ?? null
      if (!numbers.has(record)) numbers.set(record, numbers.size)
      return numbers.get(record)
    }).join()
  return [...new Map(members.map((wide) => [identity(wide), wide])).values()]
}

function shown(plan: Plan, members: readonly Wide[], { path, aggregate }: Selection): Cell {
  if (aggregate === undefined) return members[0] === undefined ? null : cellsAt(plan, members[0], path!)[0]!
  const each = once(members, path ?? [])
  if (path === undefined) return each.length
  const cells = each.map((wide) => cellsAt(plan, wide, path)).filter((each) => !each.includes(null))
  if (aggregate === 'count') return cells.length
  if (aggregate === 'count_distinct') return new Set(cells.map((each) => JSON.stringify(each))).size
  const values = cells.map(([cell]) => cell!)
  if (values.length === 0) return null
  const sum = values.reduce<number>((total, cell) => total + Number(cell), 0)
  if (aggregate === 'sum') return sum
  if (aggregate === 'avg') return sum / values.length
  return values.reduce((best, cell) => ((aggregate === 'min' ? cell! < best! : cell! > best!) ? cell : best))
}

const compare = (a: Cell, b: Cell): number => (a === b ? 0 : a === null ? -1 : b === null ? 1 : a < b ? -1 : 1)
const selectionKey = ({ path, aggregate }: Selection): string => JSON.stringify([aggregate, path])

export function rowsOf(world: World, plan: Plan): Cell[][] {
  const { rows, keys } = wideRows(world, plan)
  const folded = plan.group_by.length > 0 || plan.having.length > 0 || [...plan.select, ...plan.order_by.map(({ by }) => by)].some(({ aggregate }) => aggregate !== undefined)
  const plain = [...plan.select, ...plan.order_by.map(({ by }) => by)].flatMap(({ path, aggregate }) => (path === undefined || aggregate !== undefined ? [] : [path]))
  const groupPaths = [...new Map([...plan.group_by, ...plain].map((path) => [wayKey(path), path])).values()]
  const groups = new Map<string, Wide[]>()
  if (folded && groupPaths.length === 0) groups.set('[]', [])
  for (const [at, wide] of rows.entries()) {
    const key = folded ? JSON.stringify(groupPaths.map((path) => cellsAt(plan, wide, path))) : String(at)
    groups.set(key, [...(groups.get(key) ?? []), wide])
  }
  let made = [...groups.values()]
    .filter((members) => plan.having.every((having: Having) => holds(world, shown(plan, members, having.by), having)))
    .map((members) => ({
      row: plan.select.map((selection) => shown(plan, members, selection)),
      order: plan.order_by.map(({ by }) => shown(plan, members, by)),
      ties: folded ? (members[0] === undefined ? [] : groupPaths.flatMap((path) => cellsAt(plan, members[0]!, path))) : keys(members[0]!),
    }))
  if (plan.set_op !== undefined) {
    const other = rowsOf(world, plan.set_op.plan).map((row) => JSON.stringify(row))
    const own = made.map(({ row }) => JSON.stringify(row))
    const kept = { union: [...own, ...other], intersect: own.filter((row) => other.includes(row)), except: own.filter((row) => !other.includes(row)) }[plan.set_op.op]
    const places = plan.order_by.map(({ by }) => plan.select.findIndex((each) => selectionKey(each) === selectionKey(by)))
    made = [...new Set(kept)].map((text) => {
      const row = JSON.parse(text) as Cell[]
      return { row, order: places.map((at) => row[at]!), ties: row }
    })
  } else if (plan.distinct) {
    made = [...new Map(made.map((each) => [JSON.stringify(each.row), { ...each, ties: each.row }])).values()]
  }
  made.sort((a, b) => {
    for (const [at, { direction }] of plan.order_by.entries()) {
      const by = compare(a.order[at]!, b.order[at]!)
      if (by !== 0) return direction === 'asc' ? by : -by
    }
    for (const [at, cell] of a.ties.entries()) {
      const by = compare(cell, b.ties[at]!)
      if (by !== 0) return by
    }
    return 0
  })
  return made.slice(0, plan.limit).map(({ row }) => row)
}

/** The keys of the records that meet the plan's conditions. */
export const keysOf = (world: World, plan: Plan): Cell[][] =>
  world[classOf(plan.from).table]!.filter((row) => all(world, plan.from, row, plan.where)).map((row) => classOf(plan.from).key.map((column) => row[column]!))
