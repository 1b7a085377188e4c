/** What a plan's answer must be, said from the records behind it alone: groups, aggregates, conditions on groups, set operations. */
import type { Plan, Selection } from '../contracts/index.ts'
import type { Cell } from '../sources/index.ts'
import type { CompiledPlan } from './compiler/compile.ts'
import { groupedPaths, isFolded, pathKey, readsWhole, sameSelection } from './compiler/shape.ts'
import { sameCell, wireText } from './records.ts'

export interface EvidenceRow {
  readonly key: readonly Cell[]
  /** the selected columns before aggregation, then what else was read (`CompiledPlan.read`) */
  readonly values: readonly Cell[]
}

/** What was read of the records behind a plan's rows. */
export interface Behind {
  readonly evidence: readonly EvidenceRow[]
  readonly truncated: boolean
  /** the value of the sub-plan of each `having`, null where there is none */
  readonly bounds: readonly Cell[]
  /** of the second plan of a set operation */
  readonly other: Behind | null
}

/** A row that the records give, with the records it comes from. */
export interface Made {
  readonly row: readonly Cell[]
  readonly order: readonly Cell[]
  readonly from: readonly EvidenceRow[]
  readonly fromOther: readonly EvidenceRow[]
  /** false where two numbers are so near that rounding decides whether the row stands */
  readonly sure: boolean
}

type Read = Pick<CompiledPlan, 'read' | 'other'>

/** Every row before order and limit. */
export function rowsFrom(plan: Plan, compiled: Read, behind: Behind): Made[] {
  const own = isFolded(plan) ? groupsFrom(plan, compiled, behind) : recordsFrom(plan, compiled, behind)
  if (plan.set_op === undefined || compiled.other === null || behind.other === null) return plan.distinct ? merged(own) : own
  const other = cut(rowsFrom(plan.set_op.plan, compiled.other, behind.other), plan.set_op.plan)
  return combined(merged(own), merged(other), plan.set_op.op, plan)
}

const recordsFrom = (plan: Plan, { read }: Read, { evidence }: Behind): Made[] =>
  evidence.map((item) => {
    const row = plan.select.map(({ path }) => cellsAt(read, item, path)[0] ?? null)
    return { row, order: shownOrder(plan, row), from: [item], fromOther: [], sure: true }
  })

/** What a row is ordered by, where the row shows it. */
const shownOrder = (plan: Plan, row: readonly Cell[]): Cell[] =>
  plan.order_by.map(({ by }) => row[plan.select.findIndex((shown) => sameSelection(shown, by))] ?? null)

function groupsFrom(plan: Plan, { read }: Read, { evidence, bounds }: Behind): Made[] {
  return grouped(evidence, groupedPaths(plan).flatMap((path) => read.get(pathKey(path)) ?? [])).flatMap((from): Made[] => {
    const shown = (selection: Selection): Cell => folded(read, selection, from)
    const verdicts = plan.having.map(({ by, op, value, plan: inner }, at) => {
      const other = inner === undefined ? (value ?? null) : (bounds[at] ?? null)
      return op === 'between'
        ? both(compared(shown(by), '>=', (other as Cell[])[0] ?? null), compared(shown(by), '<=', (other as Cell[])[1] ?? null))
        : compared(shown(by), op, other as Cell)
    })
    if (verdicts.includes('no')) return []
    return [{ row: plan.select.map(shown), order: plan.order_by.map(({ by }) => shown(by)), from, fromOther: [], sure: !verdicts.includes('near') }]
  })
}

/** Records that are equal in these places; without places all of them, also none. */
function grouped(evidence: readonly EvidenceRow[], places: readonly number[]): (readonly EvidenceRow[])[] {
  if (places.length === 0) return [evidence]
  const groups = new Map<string | null, EvidenceRow[]>()
  const [only = 0, ...more] = places
  for (const item of evidence) {
    const cell = item.values[only] ?? null
    const key = more.length > 0 ? rowKey(places.map((at) => item.values[at] ?? null)) : cell === null ? null : wireText(cell)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return [...groups.values()]
}

const cellsAt = (read: Read['read'], item: EvidenceRow, path: Selection['path']): Cell[] => (read.get(pathKey(path)) ?? []).map((at) => item.values[at] ?? null)

function folded(read: Read['read'], { path, aggregate }: Selection, from: readonly EvidenceRow[]): Cell {
  if (aggregate === undefined) return from[0] === undefined ? null : (cellsAt(read, from[0], path)[0] ?? null)
  if (path === undefined) return from.length
  const [first = -1, ...more] = read.get(pathKey(path)) ?? []
  if (more.length > 0) {
    const cells = from.map((item) => cellsAt(read, item, path)).filter((each) => !each.includes(null))
    if (aggregate === 'count') return cells.length
    return aggregate === 'count_distinct' ? new Set(cells.map(rowKey)).size : fold(aggregate, cells.map(([cell]) => cell ?? null))
  }
  const cells: Cell[] = []
  for (const { values } of from) if ((values[first] ?? null) !== null) cells.push(values[first]!)
  if (aggregate === 'count') return cells.length
  return aggregate === 'count_distinct' ? new Set(cells.map(wireText)).size : fold(aggregate, cells)
}

function fold(aggregate: 'sum' | 'avg' | 'min' | 'max', cells: readonly Cell[]): Cell {
  if (cells.length === 0) return null
  // the least and the greatest text, in code-unit order as the databases are asked to compare
  if ((aggregate === 'min' || aggregate === 'max') && cells.some((cell) => typeof cell === 'string')) {
    return cells.map(wireText).reduce((a, b) => (aggregate === 'min' ? a < b : a > b) ? a : b)
  }
  // of texts that are numbers, one that is none is unknown
  const numbers = cells.filter((cell) => typeof cell !== 'string' || FIGURE.test(cell)).map(numberOf)
  if (numbers.length === 0) return null
  if (aggregate === 'min') return numbers.reduce((a, b) => (b < a ? b : a))
  if (aggregate === 'max') return numbers.reduce((a, b) => (b > a ? b : a))
  const sum = numbers.every(isWhole) ? plainly(numbers.reduce((a: bigint, b) => a + BigInt(b), 0n)) : numbers.reduce((a: number, b) => a + Number(b), 0)
  return aggregate === 'sum' ? sum : Number(sum) / numbers.length
}

const FIGURE = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i

const plainly = (sum: bigint): number | bigint => (Number.isSafeInteger(Number(sum)) ? Number(sum) : sum)

type Answer = 'yes' | 'no' | 'near'
const both = (a: Answer, b: Answer): Answer => (a === 'no' || b === 'no' ? 'no' : a === 'near' || b === 'near' ? 'near' : 'yes')

function compared(cell: Cell, op: string, other: Cell | boolean): Answer {
  if (cell === null || other === null) return 'no'
  const numeric = typeof cell !== 'string' && !(cell instanceof Uint8Array) && !Number.isNaN(Number(other))
  const [one, two] = [numberOf(cell), numberOf(other)]
  if (numeric && !(isWhole(one) && isWhole(two)) && differ(one, two) === 0) return 'near'
  const [a, b] = numeric ? [differ(one, two), 0] : ([cell, other].map(String) as [string, string])
  const holds = { '=': a === b, '!=': a !== b, '<': a < b, '<=': a <= b, '>': a > b, '>=': a >= b }[op] ?? false
  return holds ? 'yes' : 'no'
}

const numberOf = (cell: Cell): number | bigint => (typeof cell === 'bigint' ? cell : Number(cell))

/** A number that no rounding has touched: a whole one beyond what a double holds comes as a bigint. */
const isWhole = (value: number | bigint): boolean => typeof value === 'bigint' || Number.isSafeInteger(value)

/** Whole numbers are compared exactly; where another takes part, what rounding may have made of it counts as equal. */
function differ(a: number | bigint, b: number | bigint): number {
  if (isWhole(a) && isWhole(b)) return a < b ? -1 : a > b ? 1 : 0
  return isNear(Number(a), Number(b)) ? 0 : Number(a) - Number(b)
}

const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b))

/** Equal rows become one. */
function merged(made: readonly Made[]): Made[] {
  const rows = new Map<string, Made & { from: EvidenceRow[] }>()
  for (const each of made) {
    const key = rowKey(each.row)
    const known = rows.get(key) ?? { ...each, from: [], sure: false }
    for (const item of each.from) known.from.push(item)
    rows.set(key, each.sure ? { ...known, sure: true } : known)
  }
  return [...rows.values()]
}

function combined(own: readonly Made[], other: readonly Made[], op: NonNullable<Plan['set_op']>['op'], plan: Plan): Made[] {
  const there = new Map(other.map((each) => [rowKey(each.row), each]))
  const here = new Set(own.map((each) => rowKey(each.row)))
  const kept = own.flatMap((each): Made[] => {
    const match = there.get(rowKey(each.row))
    if (op === 'union') return [{ ...each, fromOther: match?.from ?? [] }]
    if (op === 'intersect') return match === undefined ? [] : [{ ...each, sure: each.sure && match.sure }]
    return match?.sure === true ? [] : [{ ...each, sure: each.sure && match === undefined }]
  })
  const added = op === 'union' ? other.filter((each) => !here.has(rowKey(each.row))).map((each) => ({ ...each, from: [], fromOther: each.from })) : []
  return [...kept, ...added].map((each) => ({ ...each, order: shownOrder(plan, each.row) }))
}

/** A second plan that cuts its rows: which of them are left, as far as numbers decide it; others may be. */
function cut(made: readonly Made[], plan: Plan): Made[] {
  if (plan.limit === undefined || made.length <= plan.limit || !readsWhole(plan)) return [...made]
  const sorted = made.toSorted((a, b) => byOrder(plan, a, b))
  const last = sorted[plan.limit - 1]
  return sorted.filter((each, at) => at < (plan.limit ?? 0) || (last !== undefined && byOrder(plan, last, each) === 0)).map((each) => {
    const tied = last !== undefined && byOrder(plan, last, each) === 0
    return tied ? { ...each, sure: false } : each
  })
}

/** 0 as soon as something other than numbers decides: engines order texts in their own ways. */
export function byOrder(plan: Plan, a: Pick<Made, 'order'>, b: Pick<Made, 'order'>): number {
  for (const [at, { direction }] of plan.order_by.entries()) {
    const [x, y] = [a.order[at] ?? null, b.order[at] ?? null]
    if (typeof x === 'string' || typeof y === 'string' || x instanceof Uint8Array || y instanceof Uint8Array) return 0
    const difference = x === y ? 0 : x === null ? -1 : y === null ? 1 : differ(numberOf(x), numberOf(y))
    if (difference !== 0) return direction === 'asc' ? difference : -difference
  }
  return 0
}

/** True when the rows are what the records give: the same ones, as many as there must be, and the first of them by the plan's order. */
export function recompute(plan: Plan, compiled: Read, said: { readonly rows: readonly (readonly Cell[])[]; readonly truncated: boolean }, behind: Behind): boolean {
  const { rows, truncated } = said
  const made = rowsFrom(plan, compiled, behind)
  if (!readsWhole(plan)) {
    if (!truncated && rows.length !== made.length) return false
    return rows.every((row, at) => made[at] !== undefined && row.every((cell, i) => sameCell(cell, made[at]?.row[i])))
  }
  const plain = plan.select.flatMap(({ aggregate }, at) => (aggregate === undefined ? [at] : []))
  const left = new Map<string, Made[]>()
  // rows that show the same come in the plan's order too
  for (const each of made.toSorted((a, b) => byOrder(plan, a, b))) {
    const key = rowKey(plain.map((at) => each.row[at] ?? null))
    const bucket = left.get(key)
    if (bucket === undefined) left.set(key, [each])
    else bucket.push(each)
  }
  const matched: Made[] = []
  for (const row of rows) {
    const candidates = left.get(rowKey(plain.map((at) => row[at] ?? null))) ?? []
    const at = candidates.findIndex((each) => row.every((cell, i) => sameValue(cell, each.row[i] ?? null)))
    const [found] = at === -1 ? [] : candidates.splice(at, 1)
    if (found === undefined) return false
    matched.push(found)
  }
  const missing = [...left.values()].flat().filter(({ sure }) => sure)
  const cutHere = plan.limit !== undefined && rows.length === plan.limit
  if (missing.length > 0 && !truncated && !cutHere) return false
  const last = matched.at(-1)
  const inOrder = matched.every((each, at) => at === 0 || byOrder(plan, matched[at - 1]!, each) <= 0)
  return inOrder && (last === undefined || missing.every((each) => byOrder(plan, last, each) <= 0))
}

/** The records behind the rows that stand: of the plan's own class, which the second plan of a union may share. */
export function recordsBehind(plan: Plan, compiled: Read, rows: readonly (readonly Cell[])[], behind: Behind): readonly EvidenceRow[] {
  const shares = plan.set_op?.op === 'union' && plan.set_op.plan.from === plan.from && behind.other !== null
  const read = shares ? [...behind.evidence, ...(behind.other?.evidence ?? [])] : behind.evidence
  if (!readsWhole(plan)) return read
  if (plan.having.length === 0 && plan.set_op === undefined) return shownFirst(plan, rows, read)
  const standing = new Set<EvidenceRow>()
  if (isTruncated(behind)) {
    // not all of them were read: what the rows show tells which ones stand
    const plain = plan.select.flatMap(({ path, aggregate }, at) => (aggregate === undefined ? [{ path, at }] : []))
    const said = new Set(rows.map((row) => rowKey(plain.map(({ at }) => row[at] ?? null))))
    for (const item of behind.evidence) if (said.has(rowKey(plain.map(({ path }) => cellsAt(compiled.read, item, path)[0] ?? null)))) standing.add(item)
  } else {
    for (const { from, fromOther } of rowsFrom(plan, compiled, behind)) for (const item of [...from, ...fromOther]) standing.add(item)
  }
  const once = new Map(read.filter((item) => standing.has(item)).map((item) => [shares ? rowKey(item.key) : item, item]))
  return shownFirst(plan, rows, [...once.values()])
}

/** What a row shows as it stands in the records: its place in the row, and in the values of a record. */
export function shownPlaces({ select }: Plan): { at: number; place: number }[] {
  const withPath = select.flatMap(({ path, aggregate }, at) => (path === undefined ? [] : [{ at, plain: aggregate === undefined }]))
  return withPath.flatMap((each, place) => (each.plain ? [{ at: each.at, place }] : []))
}

/** One record for each row comes first: of many records only so many are looked at more closely. */
function shownFirst(plan: Plan, rows: readonly (readonly Cell[])[], read: readonly EvidenceRow[]): EvidenceRow[] {
  const plain = shownPlaces(plan)
  const first = new Map<string, EvidenceRow>()
  for (const item of read) {
    const key = rowKey(plain.map(({ place }) => item.values[place] ?? null))
    if (!first.has(key)) first.set(key, item)
  }
  const shown = rows.flatMap((row) => first.get(rowKey(plain.map(({ at }) => row[at] ?? null))) ?? [])
  return [...new Set([...shown, ...read])]
}

/** The records behind what a union adds from another class; those of the plan's own class are `recordsBehind`. */
export function recordsBeside({ set_op: together, from }: Plan, { other }: Read, behind: Behind): readonly EvidenceRow[] {
  if (together?.op !== 'union' || together.plan.from === from || other === null || behind.other === null) return []
  if (isTruncated(behind.other)) return behind.other.evidence
  return [...new Set(rowsFrom(together.plan, other, behind.other).flatMap((made) => made.from))]
}

export const isTruncated = ({ truncated, other }: Behind): boolean => truncated || (other !== null && isTruncated(other))

export const rowKey = (cells: readonly Cell[]): string => JSON.stringify(cells.map((cell) => (cell === null ? null : wireText(cell))))

/** The same, but for what adding up in another order does to a number that is not whole. */
export const sameValue = (a: Cell, b: Cell): boolean =>
  sameCell(a, b) || ((typeof a === 'number' || typeof a === 'bigint') && (typeof b === 'number' || typeof b === 'bigint') && differ(a, b) === 0)
