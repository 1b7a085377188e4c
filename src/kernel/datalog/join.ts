/** Runs the atoms of a body as nested loops over tables, in a fixed order. Loops are cursors, not calls: a body may be long. */
import { mix, SEED } from './table.ts'
import type { RangeIndex } from './range.ts'
import type { FactTable, Index } from './table.ts'
import type { Value } from '../values/index.ts'

/** Where a column's value comes from: a register, or (register -1) the constant `code`. */
export interface Slot {
  readonly column: number
  readonly register: number
  readonly code: number
}

/** A test on the registers; an aggregate writes its result into one as well. */
export type Test = (registers: Uint32Array) => boolean

/** The rows of a table that a step may see. */
export interface Window {
  lo: number
  hi: number
  minTier: number
  maxTier: number
}

export interface Step {
  readonly table: FactTable
  /** which atom of the body this is */
  readonly position: number
  /** columns whose value is known before the step */
  readonly key: readonly Slot[]
  readonly keyColumns: readonly number[]
  /** room for the values of the key */
  readonly keyValues: Uint32Array
  /** columns that give a register its value */
  readonly binds: readonly Slot[]
  /** columns that must equal a register which the same row has just bound */
  readonly repeats: readonly Slot[]
  /** what can be tested once the step has matched */
  readonly tests: readonly Test[]
  /** 'scan' walks the window, 'chain' an index, 'exact' asks for the one row with these cells, 'range' for rows between two values */
  readonly access: 'scan' | 'chain' | 'exact' | 'range'
  readonly range?: Range
  readonly window: Window
  index: Index | undefined
  cursor: number
}

/** Rows whose value lies between those of two slots. */
export interface Range {
  readonly index: RangeIndex
  readonly lower: Slot
  readonly upper: Slot
  valueOf(code: number): Value
  /** null: every row has to be looked at */
  found: ReturnType<RangeIndex['between']>
}

export interface JoinPlan {
  /** tests that need no atom */
  readonly before: readonly Test[]
  readonly steps: readonly Step[]
}

/** Counts the work down and asks now and then whether to stop. Once stopped, it says so at every step. */
export interface Pulse {
  left: number
  stopped: boolean
  ask(): boolean
}

const PULSE = 1024
const NO_ROW = -1
const STOP = -2

export function pulse(shouldStop: (() => boolean) | undefined): Pulse {
  return {
    left: PULSE,
    stopped: false,
    ask() {
      this.stopped ||= shouldStop?.() ?? false
      this.left = this.stopped ? 0 : PULSE
      return this.stopped
    },
  }
}

/**
 * Calls `onMatch` for each match, with registers set and `facts` holding the matched fact numbers by position.
 * Returns false if the pulse or `onMatch` ended it early.
 */
export function join(plan: JoinPlan, registers: Uint32Array, facts: number[], beat: Pulse, onMatch: () => boolean): boolean {
  const { steps } = plan
  if (!plan.before.every((test) => test(registers))) return true
  for (const step of steps) {
    step.index = step.access === 'chain' ? step.table.index(step.keyColumns) : undefined
    step.range?.index.catchUp()
  }
  let depth = 0
  if (steps[0] !== undefined) open(steps[0], registers)
  for (;;) {
    const step = steps[depth]
    if (step === undefined) {
      // behind the last atom: a match
      if (!onMatch()) return false
    } else {
      const row = advance(step, registers, beat)
      if (row === STOP) return false
      if (row !== NO_ROW) {
        facts[step.position] = step.table.ids[row] ?? 0
        const next = steps[++depth]
        if (next !== undefined) open(next, registers)
        continue
      }
    }
    if (--depth < 0) return true
  }
}

function open(step: Step, registers: Uint32Array): void {
  if (step.access === 'scan') step.cursor = step.window.lo
  else if (step.range !== undefined) openRange(step, step.range, registers)
  else if (step.access === 'exact') step.cursor = step.table.rowOf(keyIn(step, registers))
  else step.cursor = step.index?.first(hashOf(step.key, registers)) ?? NO_ROW
}

function openRange(step: Step, range: Range, registers: Uint32Array): void {
  const [lower, upper] = [range.valueOf(valueIn(range.lower, registers)), range.valueOf(valueIn(range.upper, registers))]
  range.found = range.index.between(lower, upper)
  step.cursor = range.found === null ? step.window.lo : range.found.from
}

/** The next row between the two values; the cursor counts places in their order. */
function nextInRange(step: Step, { found }: Range): number {
  const place = step.cursor++
  if (found === null) return place < step.table.size ? place : NO_ROW
  return place < found.to ? (found.rows[place] ?? NO_ROW) : NO_ROW
}

function keyIn({ key, keyValues }: Step, registers: Uint32Array): Uint32Array {
  for (let n = 0; n < key.length; n++) {
    const slot = key[n]
    if (slot !== undefined) keyValues[n] = valueIn(slot, registers)
  }
  return keyValues
}

/** Moves a step to its next row, with the row's values bound and its tests passed. */
function advance(step: Step, registers: Uint32Array, beat: Pulse): number {
  const { table, window, access } = step
  for (;;) {
    const row = step.range === undefined ? step.cursor : nextInRange(step, step.range)
    if (row < 0 || row >= table.size || (row >= window.hi && step.range === undefined)) return NO_ROW
    if (--beat.left <= 0 && beat.ask()) return STOP
    if (step.range !== undefined) {
      // rows stand in the order of their values here, so one that is too new says nothing about the next
      if (row >= window.hi) continue
    } else step.cursor = access === 'scan' ? row + 1 : access === 'exact' ? NO_ROW : (step.index?.next(row) ?? NO_ROW)
    const tier = table.tiers[row] ?? 0
    if (row < window.lo || tier < window.minTier || tier > window.maxTier) continue
    if (matches(step, row, registers) && passes(step.tests, registers)) return row
  }
}

function passes(tests: readonly Test[], registers: Uint32Array): boolean {
  for (const test of tests) if (!test(registers)) return false
  return true
}

function matches(step: Step, row: number, registers: Uint32Array): boolean {
  const { cells, arity } = step.table
  const start = row * arity
  for (const slot of step.key) if (cells[start + slot.column] !== valueIn(slot, registers)) return false
  for (const { column, register } of step.binds) {
    const cell = cells[start + column] ?? 0
    if (cell === 0) return false
    registers[register] = cell
  }
  for (const { column, register } of step.repeats) if (cells[start + column] !== registers[register]) return false
  return true
}

/** Whether a table holds a row with these values, whatever its other columns are. */
export function holds(table: FactTable, key: readonly Slot[], index: Index | undefined, registers: Uint32Array): boolean {
  if (index === undefined) return table.size > 0
  for (let row = index.first(hashOf(key, registers)); row >= 0; row = index.next(row)) {
    const start = row * table.arity
    if (key.every((slot) => table.cells[start + slot.column] === valueIn(slot, registers))) return true
  }
  return false
}

const valueIn = (slot: Slot, registers: Uint32Array): number => (slot.register < 0 ? slot.code : (registers[slot.register] ?? 0))

function hashOf(key: readonly Slot[], registers: Uint32Array): number {
  let hash = SEED
  for (const slot of key) hash = mix(hash, valueIn(slot, registers))
  return hash
}
