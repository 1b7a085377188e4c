/** Order, extremes and "most": what the answer is sorted by, and how many of it are wanted. */
import type { Degree } from '../../language/degrees.ts'
import { isTime, measured, runsDown } from '../measured.ts'
import { type Measure, type Ref, bare, bend, isKey, isMoment, isNumeric, isText } from '../sketch.ts'
import type { Reader } from '../reader.ts'
import { canFold, figureOf, isOfAnother } from './quantities.ts'
import { type OperationElement, isTerm } from '../elements.ts'

/** "ordered by age", "in descending order of the number of wheels", "alphabetically", "by age and then by name". */
export function readOrders(reader: Reader): void {
  const { sketch } = reader
  for (const { at } of reader.operations('order')) {
    const order = reader.operation(at, 'order')!
    reader.take(at)
    let next = reader.beside(at, 1)
    // "ordered descending by age", "in order of descending age"
    const leading = reader.operation(next, 'direction')
    if (leading !== null) {
      reader.take(next)
      next = reader.beside(next, 1)
    }
    const said = leading?.up ?? order.up
    const known = sketch.orders.at(-1)
    const measure = next === -1 || reader.operation(next, 'order') !== null ? null : measureAt(reader, next)
    if (measure === null) {
      // "sorted by age in descending order" is one order said in two places
      const turns = known !== undefined && said !== null && !order.alphabetical
      const counted = turns || order.alphabetical ? null : countedBefore(reader, at)
      if (turns) sketch.orders[sketch.orders.length - 1] = { ...known, up: said }
      else if (counted !== null) sketch.orders.push({ measure: counted, up: said ?? true })
      else if (order.alphabetical || reader.beside(at, -1) !== -1) reader.shownOrder = said ?? true
      continue
    }
    const end = pushOrder(reader, measure, said)
    readFurtherOrders(reader, end, said)
  }
  for (const { at } of reader.operations('direction')) {
    const direction = reader.operation(at, 'direction')!
    const known = sketch.orders.at(-1)
    // "by ascending price"
    const measure = reader.word(at - 1) === 'by' || reader.word(at - 1) === 'in' ? measureAt(reader, reader.beside(at, 1)) : null
    if (measure !== null) sketch.orders.push({ measure: measure.measure, up: direction.up })
    else if (known !== undefined) sketch.orders[sketch.orders.length - 1] = { ...known, up: direction.up }
    else continue
    reader.take(at)
  }
}

/** "the colours and the number of lamps in descending order": by the number, unless it is by what is shown first. */
function countedBefore(reader: Reader, at: number): Measure | null {
  const before = reader.beside(at, -1)
  const cls = reader.cls(before)
  if (cls === null || reader.operation(reader.beside(before, -1), 'count') === null) return null
  return reader.choices.turned('order by what is shown first', at) ? null : { kind: 'count', cls: cls.cls }
}

/** Adds an order with the direction that may follow it; where it ends. */
function pushOrder(reader: Reader, { measure, end }: { measure: Measure; end: number }, up: boolean | null): number {
  const direction = reader.beside(end, 1)
  const said = reader.operation(direction, 'direction')
  reader.sketch.orders.push({ measure, up: said?.up ?? up ?? true })
  if (said === null) return end
  reader.take(direction)
  return direction
}

/** "by title and price", "by age, then by name": what decides where the first is the same. */
function readFurtherOrders(reader: Reader, from: number, up: boolean | null): void {
  for (let end = from; ; ) {
    const next = reader.beside(end, 1)
    const words = next === -1 ? [] : reader.wordsBetween(end, next)
    const joined = next !== -1 && (reader.paused(end + 1) || words.includes('and') || words.includes('then'))
    const plain = words.every((word) => ['and', 'then', 'by', 'their', 'the', 'its', 'finally'].includes(word))
    if (!joined || !plain || reader.property(next) === null || !reader.free(next)) return
    const measure = measureAt(reader, next)
    if (measure === null) return
    end = pushOrder(reader, measure, words.includes('then') ? true : up)
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
    const counted = reader.operation(reader.beside(at, 1), 'count') === null ? at : reader.beside(at, 1)
    const inner = reader.beside(counted, 1)
    const folded = reader.property(inner)
    if (folded === null || !canFold(fold.fold, folded)) return null
    reader.take(at, counted, inner)
    return { measure: { kind: 'fold', fold: fold.fold, ref: folded }, end: inner }
  }
  if (reader.operation(at, 'count') !== null) return countAt(reader, at)
  const cls = reader.cls(at)
  const label = cls?.cls.properties.find(({ name }) => name === cls.cls.labelProperty)
  if (cls === null) return null
  const next = reader.beside(at, 1)
  // "by the lamp count"
  if (next === at + 1 && reader.operation(next, 'count') !== null && reader.text(next).toLowerCase() === 'count') {
    reader.take(at, next)
    return { measure: { kind: 'count', cls: cls.cls }, end: next }
  }
  // "by the lamp's price"
  const own = reader.property(next)
  const possessed = !reader.paused(next) && reader.wordsBetween(at, next).every((word) => word === 's')
  if (own !== null && own.cls.name === cls.cls.name && own.property.kind === 'data' && possessed && reader.free(next)) {
    reader.take(at, next)
    return { measure: { kind: 'property', ref: own }, end: next }
  }
  if (label === undefined) return null
  reader.take(at)
  return { measure: { kind: 'property', ref: { cls: cls.cls, property: label } }, end: at }
}

/** "the number of lamps", "the number of floors" where the number stands in a column, "the count" of what is counted anyway. */
function countAt(reader: Reader, at: number): { measure: Measure; end: number } | null {
  const inner = reader.beside(at, 1)
  const counted = reader.cls(inner)
  // "the number of people injured"
  const said = counted !== null && reader.saidByVerb(inner + 1) && reader.property(inner + 1)!.cls.name !== counted.cls.name
  const place = said ? inner + 1 : inner
  const figure = reader.property(place)
  if (figure !== null && isNumeric(figure) && !isKey(figure)) {
    reader.take(at, inner, place)
    return { measure: figureOrSum(reader, bare(figure), at), end: place }
  }
  if (counted !== null) {
    reader.take(at, inner)
    return { measure: { kind: 'count', cls: counted.cls }, end: inner }
  }
  const again = reader.operations('count').length > 1 && /^(?:the )?numbers?$/i.test(reader.text(at))
  if (!again && !/^counts?$/i.test(reader.text(at))) return null
  reader.take(at)
  return { measure: { kind: 'count', cls: null }, end: at }
}

/** A figure of a record as it is, or summed over the records of what is asked for. */
const figureOrSum = (reader: Reader, ref: Ref, at: number): Measure =>
  reader.choices.turned('number of a figure is its sum', at) === isOfAnother(reader, ref, at) ? { kind: 'property', ref } : { kind: 'fold', fold: 'sum', ref }

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
  const first = reader.beside(reader.beside(at, 1), 1)
  const figure = reader.property(first)
  // "with the top 5 prices", "the top 3 number of lamps"
  const named = reader.operation(first, 'count') !== null || (figure !== null && isNumeric(figure) && !isKey(figure))
  const own = named ? measureAt(reader, first) : null
  if (own !== null) {
    reader.sketch.orders.push({ measure: own.measure, up: false })
    return
  }
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
  for (const { at, up, degree } of extremesOf(reader)) {
    const wanted = wantedBefore(reader, at)
    let next = afterRow(reader, at)
    const value = reader.value(next)
    // "the highest night temperature"
    const figure = value === null ? null : reader.property(reader.beside(next, 1))
    if (figure !== null && isNumeric(figure)) next = reader.beside(next, 1)
    const around = reader.cls(next)?.cls ?? reader.property(next)?.cls ?? reader.classAround(at)
    const spoken = reader.property(next) ?? (value === null || isTime(degree) ? null : figureOf(value))
    const before = reader.beside(at, -1)
    const lead = reader.property(before)
    // "launched first": the moment of what the verb says
    const verb = next === -1 && lead !== null && isMoment(lead) && reader.free(before) ? lead : null
    const property = verb ?? spoken
    if (verb !== null) next = before
    const fold = reader.operation(next, 'fold')
    if (property !== null && isOrdered(reader, property, degree.length > 0 && isTime(degree))) {
      const downwards = runsDown(degree, property, up)
      reader.take(at)
      if (reader.property(next) !== null) reader.take(next)
      if (isHead(reader, at) && wanted === null) {
        sketch.shown.push({ kind: 'fold', fold: downwards ? 'max' : 'min', ref: property, at })
        continue
      }
      order(reader, { kind: 'property', ref: property }, downwards, wanted)
      continue
    }
    if (fold !== null || reader.operation(next, 'count') !== null) {
      const measure = measureAt(reader, next)
      if (measure === null) continue
      reader.take(at)
      order(reader, measure.measure, up, wanted)
      continue
    }
    // "the last name" is no order
    if (property !== null && isTime(degree)) continue
    const found = around === null ? null : measured(reader, around, degree, at)
    if (found !== null) {
      reader.take(at)
      order(reader, { kind: 'property', ref: found.ref }, found.descending, wanted)
      continue
    }
    // "the highest rating", where a rating is a record with a single figure
    const record = isTime(degree) ? null : reader.cls(next)
    const only = record === null ? null : figureOf(record)
    if (only === null) continue
    reader.take(at, next)
    order(reader, { kind: 'property', ref: only }, up, wanted)
  }
}

/** "the highest, lowest and average price": what the last of the row stands before. */
function afterRow(reader: Reader, at: number): number {
  let next = reader.beside(at, 1)
  for (let last = at; isFigure(reader, next); last = next, next = reader.beside(next, 1)) {
    if (!reader.paused(next) && !reader.wordsBetween(last, next).includes('and')) return next
  }
  return next
}
const isFigure = (reader: Reader, at: number): boolean =>
  reader.operation(at, 'extreme') !== null || reader.operation(at, 'fold') !== null

interface Extreme {
  readonly at: number
  readonly up: boolean
  readonly degree: readonly Degree[]
}

/** "the highest", "the oldest", and "with the maximum", which asks for the one that has it. */
function extremesOf(reader: Reader): Extreme[] {
  return reader.elements.flatMap((element, at): Extreme[] => {
    if (element.kind !== 'operation' || reader.used.has(at)) return []
    const { operation } = element
    if (operation.kind === 'extreme') return [{ at, up: operation.up, degree: operation.degree }]
    if (operation.kind !== 'fold' || (operation.fold !== 'max' && operation.fold !== 'min')) return []
    return isRelative(reader, at) ? [{ at, up: operation.fold === 'max', degree: [] }] : []
  })
}

/** It stands in a clause that says which: "that can lift the maximum weight". */
function isRelative(reader: Reader, at: number): boolean {
  for (let i = at - 1; i > 0 && !reader.opens(i + 1); i -= 1) {
    if (reader.paused(i + 1) || reader.word(i) === 'and' || isFigure(reader, i)) return false
    if (SAYING_WHICH.has(reader.word(i)) || reader.operation(i, 'ask') !== null) return reader.elements.slice(0, i).some(isTerm)
  }
  return false
}
const SAYING_WHICH: ReadonlySet<string> = new Set(['with', 'has', 'have', 'had', 'having', 'that', 'which', 'whose', 'got', 'gets'])

/** Figures and moments; a text that is said to be high or low holds figures. */
function isOrdered(reader: Reader, ref: Ref, time: boolean): boolean {
  if (isNumeric(ref) || isMoment(ref)) return true
  if (time || !isText(ref) || isKey(ref) || ref.property.name === ref.cls.labelProperty) return false
  bend(reader.sketch, 'figure kept as text', 0.3)
  return true
}

/** "from the youngest to the oldest" says a direction, not a single one. */
function readRange(reader: Reader): boolean {
  const [first, last] = reader.operations('extreme')
  if (first === undefined || last === undefined || reader.word(last.at - 1) === '') return false
  const between = reader.elements.slice(first.at + 1, last.at)
  const isRange = reader.wordsBetween(first.at, last.at).includes('to') && between.every(({ kind }) => kind === 'word')
  if (!isRange) return false
  const { degree } = first.element.operation as Extract<OperationElement['operation'], { kind: 'extreme' }>
  const around = reader.classAround(first.at)
  const found = around === null ? null : measured(reader, around, degree, first.at)
  const known = reader.sketch.orders.at(-1)
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
    const distinct = reader.operation(next, 'distinct') !== null
    if (distinct) {
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
    if (property !== null && isNumeric(property) && !isKey(property)) {
      reader.take(at, next)
      order(reader, figureOrSum(reader, bare(property), at), up, wanted)
    } else if (property !== null && (isKey(property) || property.property.name === property.cls.labelProperty)) {
      reader.take(at, next)
      order(reader, { kind: 'count', cls: property.cls }, up, wanted)
    } else if (property !== null) {
      if (property.weight < WHOLE || isMoment(property) || !isOrdered(reader, property, false)) continue
      reader.take(at, next)
      order(reader, { kind: 'property', ref: bare(property) }, up, wanted)
    } else {
      reader.take(at)
      if (cls !== null) reader.take(next)
      order(reader, { kind: 'count', cls: cls?.cls ?? null, ...(distinct ? { distinct } : {}) }, up, wanted)
    }
  }
}

/** A column that is named whole. */
const WHOLE = 0.9

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
    // "for each city, the highest price"
    if (reader.operation(reader.beside(i, -1), 'each') !== null) continue
    // "the lowest price and the highest weight"
    const folded = reader.property(i)
    if (folded !== null && reader.sketch.shown.some((shown) => shown.kind === 'fold' && shown.ref.property.iri === folded.property.iri)) continue
    if (element.kind === 'class' || element.kind === 'property') return false
    if (reader.operation(i, 'ask') !== null || reader.operation(i, 'count') !== null) return false
    if (['with', 'has', 'have', 'having', 'had'].includes(reader.word(i))) return false
  }
  return reader.sketch.orders.length === 0
}
