/** In which order the atoms of a body are looked up, by which way each, and where its tests hang. */
import type { JoinPlan, Range, Slot, Step, Test } from './join.ts'
import type { FactTable } from './table.ts'
import type { Value } from '../values/index.ts'

type ValueOf = (code: number) => Value

/** An atom over registers. Open columns have no slot. */
export interface CompiledAtom {
  readonly table: FactTable
  readonly slots: readonly Slot[]
}

/** A test with the registers it waits for and the one it sets. */
export interface Pending {
  /** which of two values is the smaller, where the test asks for that */
  readonly order?: { readonly smaller: Slot; readonly greater: Slot }
  readonly needs: readonly number[]
  readonly gives: number | null
  readonly test: Test
}

/** Orders the atoms, the driver first, and hangs each test behind the first atom that completes its registers. */
export function planOf(
  atoms: readonly CompiledAtom[],
  { filters, folds }: { readonly filters: readonly Pending[]; readonly folds: readonly Pending[] },
  driver: number | null,
  given: readonly number[],
  valueOf: ValueOf,
): JoinPlan {
  const bound = new Set(given)
  let waiting = [...filters]
  let late = [...folds]
  const due = (atomsLeft: number): Test[] => {
    const tests: Test[] = []
    for (;;) {
      // folds are dear: they come last, and the comparisons with their results after them
      const ready = waiting.find(isReady) ?? (atomsLeft === 0 ? late.find(isReady) : undefined)
      if (ready === undefined) return tests
      waiting = waiting.filter((pending) => pending !== ready)
      late = late.filter((pending) => pending !== ready)
      if (ready.gives !== null) bound.add(ready.gives)
      tests.push(ready.test)
    }
  }
  const isReady = (pending: Pending) => pending.needs.every((register) => bound.has(register))

  const left = new Set(atoms.keys())
  const before = due(left.size)
  const steps: Step[] = []
  // an atom without variables (an axiom, say) is looked up once, before the driver walks its rows
  const ground = [...left].filter((position) => position !== driver && isGround(atoms[position]))
  while (left.size > 0) {
    const isDriver = driver !== null && left.has(driver) && ground.length === 0
    const fixed = ground.shift() ?? (isDriver ? driver : undefined)
    const best = fixed ?? bestAtom(atoms, left, bound)
    const closer = fixed === undefined ? closerRange(atoms, left, best, { bound, waiting, valueOf }) : undefined
    const position = closer?.position ?? best
    left.delete(position)
    const atom = atoms[position]
    if (atom === undefined) throw new Error(`no atom ${position}`)
    const step = stepOf(atom, position, bound, position === driver)
    const ranged = closer === undefined ? step : { ...step, access: 'range' as const, range: closer.range }
    steps.push({ ...ranged, tests: due(left.size) })
  }
  return { before, steps }
}

const isGround = (atom: CompiledAtom | undefined): boolean =>
  atom !== undefined && atom.slots.length > 0 && atom.slots.every(({ register }) => register < 0)

/**
 * The atom that the known values narrow most: fully known, then one that shares a variable with what is matched by now (a
 * constant alone narrows, but does not join), then most known columns, then fewest rows, then first in the body.
 */
function bestAtom(atoms: readonly CompiledAtom[], left: ReadonlySet<number>, bound: ReadonlySet<number>): number {
  let best = -1
  let bestRank: readonly number[] = []
  for (const position of left) {
    const atom = atoms[position]
    if (atom === undefined) continue
    const known = atom.slots.filter(({ register }) => register < 0 || bound.has(register)).length
    const joins = atom.slots.some(({ register }) => register >= 0 && bound.has(register))
    const rank = [known === atom.table.arity ? 1 : 0, joins ? 1 : 0, known, -atom.table.size]
    const firstDifference = rank.findIndex((part, i) => part !== bestRank[i])
    if (best < 0 || (firstDifference >= 0 && (rank[firstDifference] ?? 0) > (bestRank[firstDifference] ?? 0))) {
      best = position
      bestRank = rank
    }
  }
  return best
}

/** Adds the registers that the atom binds to `bound`. */
function stepOf({ table, slots }: CompiledAtom, position: number, bound: Set<number>, drives: boolean): Step {
  const key = slots.filter(({ register }) => register < 0 || bound.has(register))
  const binds: Slot[] = []
  const repeats: Slot[] = []
  for (const slot of slots) {
    if (key.includes(slot)) continue
    if (bound.has(slot.register)) repeats.push(slot)
    else binds.push(slot)
    bound.add(slot.register)
  }
  // a driver walks the few rows that are new, so it needs no index
  const access = drives || (key.length === 0 && table.arity > 0) ? 'scan' : key.length === table.arity ? 'exact' : 'chain'
  const window = { lo: 0, hi: Infinity, minTier: -Infinity, maxTier: Infinity }
  const keyColumns = key.map(({ column }) => column)
  return { table, position, key, keyColumns, keyValues: new Uint32Array(key.length), binds, repeats, tests: [], access, window, index: undefined, cursor: -1 }
}

interface Known {
  readonly bound: ReadonlySet<number>
  readonly waiting: readonly Pending[]
  readonly valueOf: ValueOf
}

/** Of so many rows one is taken to lie between two values: a window is short beside the time that a log covers. */
const ROWS_PER_RANGE_ROW = 1000
/** Fewer rows than this are not worth an order. */
const FEW_ROWS = 8

/** An atom of which two comparisons close in a value from both sides, if that leaves fewer rows than the best atom has otherwise. */
function closerRange(
  atoms: readonly CompiledAtom[],
  left: ReadonlySet<number>,
  best: number,
  known: Known,
): { readonly position: number; readonly range: Range } | undefined {
  const columnsKnown = atoms[best]?.slots.filter((slot) => isKnown(slot, known.bound)).map(({ column }) => column) ?? []
  const rows = atoms[best]?.table.arity === columnsKnown.length ? 1 : (atoms[best]?.table.rowsPerKey(columnsKnown) ?? 0)
  for (const position of left) {
    const atom = atoms[position]
    if (atom === undefined || Math.max(FEW_ROWS, atom.table.size / ROWS_PER_RANGE_ROW) >= rows) continue
    const range = rangeOf(atom, known)
    if (range !== undefined) return { position, range }
  }
  return undefined
}

function rangeOf({ table, slots }: CompiledAtom, { bound, waiting, valueOf }: Known): Range | undefined {
  for (const { column, register } of slots) {
    if (register < 0 || bound.has(register)) continue
    const orders = waiting.flatMap(({ order }) => (order === undefined ? [] : [order]))
    const lower = orders.find(({ smaller, greater }) => greater.register === register && isKnown(smaller, bound))?.smaller
    const upper = orders.find(({ smaller, greater }) => smaller.register === register && isKnown(greater, bound))?.greater
    if (lower !== undefined && upper !== undefined) return { index: table.range(column, valueOf), lower, upper, valueOf, found: null }
  }
  return undefined
}

const isKnown = ({ register }: Slot, bound: ReadonlySet<number>): boolean => register < 0 || bound.has(register)
