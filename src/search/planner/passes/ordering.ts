/** Order, extremes and "most": what the answer is sorted by, and how many of it are wanted. */
import type { Degree } from '../operators.ts'
import { figureOf } from './quantities.ts'
import { type Reader, measured } from '../reader.ts'
import { type Measure, isKey, isMoment, isNumeric } from '../sketch.ts'
import type { OperationElement } from '../elements.ts'

/** "ordered by age", "in descending order of the number of wheels", "alphabetically". */
export function readOrders(reader: Reader): void {
  const { sketch } = reader
  for (const { at } of reader.operations('order')) {
    const order = reader.operation(at, 'order')!
    reader.take(at)
    let up = order.up
    let next = reader.beside(at, 1)
    // "sorted by age in descending order" is one order said in two places
    const known = sketch.orders.at(-1)
    const measure = next === -1 || reader.operation(next, 'order') !== null ? null : measureAt(reader, next)
    if (measure === null) {
      const leading = reader.beside(at, -1)
      const turns = known !== undefined && order.up !== null && !order.alphabetical
      if (turns) sketch.orders[sketch.orders.length - 1] = { ...known, up: order.up }
      else if (order.alphabetical || leading !== -1) reader.shownOrder = order.up ?? true
      continue
    }
    next = measure.end
    const direction = reader.beside(next, 1)
    const said = reader.operation(direction, 'direction')
    if (said !== null) {
      up = said.up
      reader.take(direction)
    }
    sketch.orders.push({ measure: measure.measure, up: up ?? true })
  }
  for (const { at } of reader.operations('direction')) {
    const known = sketch.orders.at(-1)
    const direction = reader.operation(at, 'direction')!
    if (known === undefined) continue
    sketch.orders[sketch.orders.length - 1] = { ...known, up: direction.up }
    reader.take(at)
  }
}

/** A measure that begins at an element: a property, a fold of one, a count. Takes what it uses. */
function measureAt(reader: Reader, at: number): { measure: Measure; end: number } | null {
  const property = reader.property(at)
  if (property !== null && property.property.kind === 'data') {
    reader.take(at)
    return { measure: { kind: 'property', ref: property }, end: at }
  }
  const fold = reader.operation(at, 'fold')
  if (fold !== null) {
    const inner = reader.beside(at, 1)
    const folded = reader.property(inner)
    if (folded === null || !isNumeric(folded)) return null
    reader.take(at, inner)
    return { measure: { kind: 'fold', fold: fold.fold, ref: folded }, end: inner }
  }
  if (reader.operation(at, 'count') !== null) {
    const inner = reader.beside(at, 1)
    const counted = reader.cls(inner)
    if (counted === null) return null
    reader.take(at, inner)
    return { measure: { kind: 'count', cls: counted.cls }, end: inner }
  }
  const cls = reader.cls(at)
  const label = cls?.cls.properties.find(({ name }) => name === cls.cls.labelProperty)
  if (cls === null || label === undefined) return null
  reader.take(at)
  return { measure: { kind: 'property', ref: { cls: cls.cls, property: label } }, end: at }
}

/** "top 5", "the 3 largest": how many are wanted. */
export function readTop(reader: Reader): void {
  for (const { at } of reader.operations('top')) {
    const next = reader.beside(at, 1)
    const count = reader.number(next)
    if (count === null || count < 1 || !Number.isInteger(count)) continue
    reader.sketch.limit = count
    reader.take(at, next)
    reader.topAt = at
  }
}

/** "top 8 shelves by total weight": after everything else has its place, what stands behind "by" orders them. */
export function readTopOrder(reader: Reader): void {
  const at = reader.topAt
  if (at === null || reader.sketch.orders.length > 0) return
  for (let i = at + 1; i < reader.elements.length; i += 1) {
    if (reader.word(i) !== 'by' && reader.word(i) !== 'with') continue
    const next = reader.beside(i, 1)
    const measure = next === -1 ? null : measureAt(reader, next)
    if (measure === null) continue
    reader.sketch.orders.push({ measure: measure.measure, up: false })
    return
  }
}

function wantedBefore(reader: Reader, at: number): number | null {
  const before = reader.beside(at, -1)
  const count = before === -1 || !reader.free(before) ? null : reader.number(before)
  if (count === null || count < 1 || !Number.isInteger(count)) return reader.sketch.limit
  reader.take(before)
  return count
}

/** "the highest price", "the oldest guest", "which shelf is the largest". */
export function readExtremes(reader: Reader): void {
  const { sketch } = reader
  if (readRange(reader)) return
  for (const { at, element } of reader.operations('extreme')) {
    const { up, degree } = element.operation as Extract<OperationElement['operation'], { kind: 'extreme' }>
    const downwards = degree?.up ?? up
    const wanted = wantedBefore(reader, at)
    let next = reader.beside(at, 1)
    const value = reader.value(next)
    // "the highest night temperature"
    const figure = value === null ? null : reader.property(reader.beside(next, 1))
    if (figure !== null && isNumeric(figure)) next = reader.beside(next, 1)
    const spoken = reader.property(next) ?? (value === null || degree !== null ? null : figureOf(value))
    const before = reader.beside(at, -1)
    const lead = reader.property(before)
    // "launched first": the moment of what the verb says
    const verb = next === -1 && lead !== null && isMoment(lead) && reader.free(before) ? lead : null
    const property = verb ?? spoken
    if (verb !== null) next = before
    const fold = reader.operation(next, 'fold')
    if (property !== null && (isNumeric(property) || isMoment(property))) {
      reader.take(at)
      if (reader.property(next) !== null) reader.take(next)
      if (isHead(reader, at) && wanted === null) {
        sketch.shown.push({ kind: 'fold', fold: downwards ? 'max' : 'min', ref: property, at })
        continue
      }
      order(reader, { kind: 'property', ref: property }, downwards, wanted)
      continue
    }
    if (fold !== null) {
      const measure = measureAt(reader, next)
      if (measure === null) continue
      reader.take(at)
      order(reader, measure.measure, downwards, wanted)
      continue
    }
    // "the last name" is no order
    if (property !== null && isTime(degree)) continue
    const around = reader.cls(next)?.cls ?? property?.cls ?? reader.classAround(at)
    const found = around === null || degree === null ? null : measured(around, degree)
    if (found === null) continue
    reader.take(at)
    order(reader, { kind: 'property', ref: found.ref }, found.descending, wanted)
  }
}

const isTime = (degree: Degree | null): boolean => degree?.measures.includes('date') === true

/** "from the youngest to the oldest" says a direction, not a single one. */
function readRange(reader: Reader): boolean {
  const [first, last] = reader.operations('extreme')
  if (first === undefined || last === undefined || reader.word(last.at - 1) === '') return false
  const between = reader.elements.slice(first.at + 1, last.at)
  const isRange = reader.wordsBetween(first.at, last.at).includes('to') && between.every(({ kind }) => kind === 'word')
  const { degree } = first.element.operation as Extract<OperationElement['operation'], { kind: 'extreme' }>
  const around = reader.classAround(first.at)
  const found = !isRange || degree === null || around === null ? null : measured(around, degree)
  const known = reader.sketch.orders.at(-1)
  if (!isRange) return false
  if (found !== null) {
    reader.take(first.at, last.at)
    if (known === undefined) reader.sketch.orders.push({ measure: { kind: 'property', ref: found.ref }, up: !found.descending })
    else reader.sketch.orders[reader.sketch.orders.length - 1] = { ...known, up: !found.descending }
  }
  return true
}

/** "the most orders", "most common colour". */
export function readMost(reader: Reader): void {
  const { sketch } = reader
  for (const { at } of reader.operations('most')) {
    const { up, often } = reader.operation(at, 'most')!
    const wanted = wantedBefore(reader, at)
    let next = reader.beside(at, 1, true)
    if (reader.operation(next, 'distinct') !== null) {
      reader.take(next)
      next = reader.beside(next, 1, true)
    }
    if (often !== 'no' && reader.saidByVerb(next)) {
      reader.take(next)
      next = reader.beside(next, 1, true)
    }
    // "the most broken lamps": what is counted comes after what is said of it
    if (often === 'no' && reader.value(next) !== null) {
      let noun = next
      while (reader.value(noun) !== null) noun = reader.beside(noun, 1, true)
      if (reader.cls(noun) !== null) next = noun
    }
    if (often !== 'no') {
      const [after, before] = [next, reader.beside(at, -1, true)].map((i) => reader.property(i) ?? reader.cls(i))
      const target = often === 'which' ? (after ?? before) : (firstTerm(reader, at) ?? before ?? after)
      if (target === null || target === undefined) continue
      reader.take(at)
      sketch.groups.push(target.kind === 'class' ? target.cls : { cls: target.cls, property: target.property })
      order(reader, { kind: 'count', cls: null }, up, wanted)
      continue
    }
    const [cls, property] = [reader.cls(next), reader.property(next)]
    if (property !== null && isNumeric(property)) {
      reader.take(at, next)
      order(reader, { kind: 'property', ref: property }, up, wanted)
    } else if (property !== null && (isKey(property) || property.property.name === property.cls.labelProperty)) {
      reader.take(at, next)
      order(reader, { kind: 'count', cls: property.cls }, up, wanted)
    } else if (property !== null) {
      continue
    } else {
      reader.take(at)
      if (cls !== null) reader.take(next)
      order(reader, { kind: 'count', cls: cls?.cls ?? null }, up, wanted)
    }
  }
}

const firstTerm = (reader: Reader, before: number) => {
  for (let i = 0; i < before; i += 1) {
    const found = reader.property(i) ?? reader.cls(i)
    if (found !== null) return found
  }
  return null
}

function order(reader: Reader, measure: Measure, downwards: boolean, wanted: number | null): void {
  reader.sketch.orders.push({ measure, up: !downwards })
  reader.sketch.limit = wanted ?? 1
}

/** Nothing that could be the answer stands before it: the extreme itself is asked for. */
function isHead(reader: Reader, at: number): boolean {
  for (let i = at - 1; i >= 0 && !reader.opens(i + 1); i -= 1) {
    const element = reader.elements[i]!
    if (element.kind === 'class' || element.kind === 'property') return false
    if (reader.operation(i, 'ask') !== null || reader.operation(i, 'count') !== null) return false
    if (['with', 'has', 'have', 'having', 'had'].includes(reader.word(i))) return false
  }
  return reader.sketch.orders.length === 0
}
