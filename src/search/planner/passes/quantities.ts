/** Numbers, comparisons, counts and folds. */
import { type Reader, measured } from '../reader.ts'
import { type Ref, isKey, isMoment, isNumeric, isText, keyOf } from '../sketch.ts'
import type { OntologyClass } from '../../../ontology/index.ts'
import type { Comparison, Fold } from '../operators.ts'

/** "more than 300", "between 10 and 15", "older than 30", "3 or more", "above the average". */
export function readComparisons(reader: Reader): void {
  for (const [at, element] of reader.elements.entries()) {
    if (element.kind !== 'operation' || reader.used.has(at)) continue
    const { operation } = element
    if (operation.kind === 'between') readBetween(reader, at)
    else if (operation.kind === 'bound') {
      const before = reader.beside(at, -1)
      const number = reader.number(before)
      if (number !== null && reader.free(before) && place(reader, before, at, operation.op, number, null)) reader.take(at, before)
    } else if (operation.kind === 'several') {
      if (place(reader, at, at, '>', 1, null)) reader.take(at)
    } else if (operation.kind === 'aged') readAged(reader, at)
    else if (operation.kind === 'graded') readGraded(reader, at, operation.op)
    else if (operation.kind === 'compare') readCompare(reader, at, operation.op, operation.degree)
  }
}

/** "a higher price than the average", "a larger weight than 50". */
function readGraded(reader: Reader, at: number, op: Comparison): void {
  const named = reader.beside(at, 1)
  const property = reader.property(named)
  if (property === null || !isNumeric(property) || reader.word(named + 1) !== 'than') return
  const next = reader.beside(named, 1)
  const fold = reader.operation(next, 'fold')
  const number = reader.number(next)
  if (fold === null && number === null) return
  reader.sketch.restrictions.push({ ref: bare(property), op, ...(fold === null ? { value: number } : { fold: fold.fold }), at })
  reader.take(at, named, next)
  const again = reader.property(reader.beside(next, 1))
  if (fold !== null && again?.property.iri === property.property.iri) reader.take(reader.beside(next, 1))
}

/** "18 years old" is an age. */
function readAged(reader: Reader, at: number): void {
  const before = reader.beside(at, -1)
  const number = reader.number(before)
  const around = reader.classAround(at)
  const age = around?.properties.find(({ name }) => name.split('_').includes('age'))
  if (number === null || around === null || age === undefined || !reader.free(before)) return
  const not = reader.beside(before, -1)
  const negated = reader.operation(not, 'negation') !== null
  reader.sketch.restrictions.push({ ref: { cls: around, property: age }, op: negated ? '!=' : '=', value: number, at })
  reader.take(at, before)
  if (negated) reader.take(not)
}

function readBetween(reader: Reader, at: number): void {
  const low = reader.beside(at, 1)
  const high = low === -1 ? -1 : reader.beside(low, 1)
  const values = [low, high].map((i) => scalarAt(reader, i))
  if (values.some((value) => value === null)) return
  if (place(reader, at, high, 'between', values as (number | string)[], null)) reader.take(at, low, high)
}

function scalarAt(reader: Reader, at: number): number | string | null {
  const number = reader.number(at)
  if (number !== null) return number
  const element = reader.elements[at]
  if (element?.kind === 'time') return element.from
  return element?.kind === 'text' ? element.text : null
}

function readCompare(reader: Reader, at: number, op: Comparison, degree: Parameters<typeof measured>[1] | null): void {
  const next = reader.beside(at, 1)
  const fold = reader.operation(next, 'fold')
  // "below the average of their kind" is an average for each
  if (fold !== null && /^(?:of|in|for)$/.test(reader.word(next + 1)) && /^(?:their|its|his|her|each)$/.test(reader.word(next + 2))) return
  if (fold !== null) {
    // "above the average", "older than the average age", "below the average toy price"
    const limited = reader.value(reader.beside(next, 1))
    const named = limited === null ? reader.beside(next, 1) : reader.beside(reader.beside(next, 1), 1)
    const inner = reader.property(named)
    const own = inner !== null && isNumeric(inner) ? inner : null
    const before = reader.property(reader.beside(at, -1, true))
    const around = reader.classAround(at)
    const found = degree === null || around === null ? null : measured(around, degree)
    const ref = before !== null && isNumeric(before) ? before : (found?.ref ?? own)
    if (ref === null) return
    if (own !== null && own.property.iri !== ref.property.iri) return
    const outer = before === null ? -1 : reader.beside(reader.beside(at, -1, true), -1)
    const folded = reader.operation(outer, 'fold')
    if (folded !== null && before !== null && before === ref) {
      // "with an average price above the average price": the group's average
      const measure = { kind: 'fold', fold: folded.fold, ref: bare(ref) } as const
      reader.sketch.groupConditions.push({ measure, op, value: null, fold: fold.fold })
      reader.take(at, next, outer, reader.beside(at, -1, true))
      if (own !== null) reader.take(reader.beside(next, 1))
      return
    }
    const flipped = found !== null && found.ref === ref && !found.descending
    const narrowed = limited !== null && limited.cls.name === ref.cls.name && own !== null
    const scope = narrowed ? [{ ref: bare(limited), op: '=' as const, value: limited.value, at }] : []
    if (limited !== null && scope.length === 0) return
    reader.sketch.restrictions.push({ ref: bare(ref), op: flipped ? turned(op) : op, fold: fold.fold, scope, at })
    reader.take(at, next)
    if (limited !== null) reader.take(reader.beside(next, 1))
    if (own !== null) reader.take(named)
    if (before !== null && before === ref) reader.take(reader.beside(at, -1, true))
    return
  }
  const number = reader.number(next)
  const or = reader.beside(at, -1)
  const last = reader.sketch.restrictions.at(-1)
  if (number !== null && reader.operation(or, 'or') !== null && last !== undefined && typeof last.value === 'number') {
    // "below 600 or above 900"
    reader.sketch.restrictions[reader.sketch.restrictions.length - 1] = { ...last, alternative: last.alternative ?? or }
    reader.sketch.restrictions.push({ ref: last.ref, op, value: number, alternative: last.alternative ?? or, at })
    reader.take(at, next, or)
    return
  }
  if (number !== null) {
    if (place(reader, at, next, op, number, degree)) reader.take(at, next)
    return
  }
  // "at least a weight of 100"
  const property = reader.property(next)
  const behind = property === null ? -1 : reader.beside(next, 1)
  const bound = behind === -1 ? null : reader.number(behind)
  if (property === null || bound === null || !isNumeric(property)) return
  reader.sketch.restrictions.push({ ref: bare(property), op, value: bound, at })
  reader.take(at, next, behind)
}

const bare = ({ cls, property }: Ref): Ref => ({ cls, property })
const TURNED = { '>': '<', '>=': '<=', '<': '>', '<=': '>=', '=': '=', '!=': '!=' } as const
const turned = (op: Comparison): Comparison => TURNED[op]

/** Finds what a comparison speaks of: the property before it, the things counted after it, or what its adjective measures. */
function place(
  reader: Reader,
  from: number,
  to: number,
  op: Comparison | 'between',
  value: number | (number | string)[],
  degree: Parameters<typeof measured>[1] | null,
): boolean {
  const { sketch } = reader
  const before = reader.beside(from, -1, true)
  let after = reader.beside(to, 1)
  // "two or more open orders": what is counted comes after what is said of it
  if (reader.value(after) !== null) {
    let noun = after
    while (reader.value(noun) !== null) noun = reader.beside(noun, 1)
    if (reader.cls(noun) !== null) after = noun
  }
  const [left, right] = [reader.property(before), reader.property(after)]
  const counted = reader.cls(after)
  const around = counted?.cls ?? reader.classAround(from)
  if (degree !== null && around !== null) {
    const spokenOf = reader.classAround(from)
    const found = measured(around, degree) ?? (spokenOf === null ? null : measured(spokenOf, degree))
    if (found !== null && isNumeric(found.ref)) {
      const own = op === 'between' ? op : found.descending ? op : turned(op)
      sketch.restrictions.push({ ref: found.ref, op: own, value, at: from })
      return true
    }
  }
  const asText = [value].flat().every((each) => typeof each === 'string')
  const comparable = left !== null && (isNumeric(left) || (isMoment(left) && asText))
  if (left !== null && reader.free(before) && comparable) {
    const folded = reader.beside(before, -1)
    const fold = reader.operation(folded, 'fold')
    reader.take(before)
    // "between 10 and 40 kg": the unit may be part of the column's name
    if (right !== null && right.property.iri === left.property.iri) reader.take(after)
    if (fold !== null) {
      reader.take(folded)
      sketch.groupConditions.push({ measure: { kind: 'fold', fold: fold.fold, ref: bare(left) }, op, value })
    } else sketch.restrictions.push({ ref: bare(left), op, value, at: from })
    return true
  }
  const leftClass = reader.cls(before)
  if (leftClass !== null && reader.operation(reader.beside(before, -1), 'count') !== null && counted === null && right === null) {
    // "the number of wheels is above 3"
    reader.take(before, reader.beside(before, -1))
    sketch.groupConditions.push({ measure: { kind: 'count', cls: leftClass.cls }, op, value })
    return true
  }
  if (counted !== null && reader.free(after)) {
    reader.take(after)
    sketch.groupConditions.push({ measure: { kind: 'count', cls: counted.cls }, op, value })
    return true
  }
  if (right !== null && reader.free(after) && isNumeric(right) && !isKey(right)) {
    reader.take(after)
    sketch.restrictions.push({ ref: bare(right), op, value, at: from })
    return true
  }
  return false
}

/** "the average age", "maximum and minimum price". */
export function readFolds(reader: Reader): void {
  for (const { at } of reader.operations('fold')) {
    const { fold } = reader.operation(at, 'fold')!
    let next = reader.beside(at, 1)
    const passed: number[] = []
    const countsProperty = (i: number) => reader.operation(i, 'count') !== null && reader.property(reader.beside(i, 1)) !== null
    while (reader.operation(next, 'fold') !== null || countsProperty(next)) {
      if (reader.operation(next, 'count') !== null) passed.push(next)
      next = reader.beside(next, 1)
    }
    const value = reader.value(next)
    const property = reader.property(next) ?? (value === null ? null : figureOf(value))
    if (value !== null && reader.property(next) === null && property !== null) {
      // "the average night temperature", where readings of many kinds stand in one column
      const said = reader.beside(next, 1)
      if (reader.property(said)?.property.iri === property.property.iri) reader.take(said)
      reader.sketch.shown.push({ kind: 'fold', fold, ref: bare(property), at })
      reader.take(at)
      continue
    }
    const cls = reader.cls(next)
    if (property !== null && fold === 'sum' && SHARE.test(property.property.name)) continue
    if (property !== null && canFold(fold, property)) {
      reader.sketch.shown.push({ kind: 'fold', fold, ref: bare(property), at })
      reader.take(at, next, ...passed)
      // "the average age and height": one fold of both
      for (let last = next; ; ) {
        const more = reader.beside(last, 1)
        const also = reader.property(more)
        const words = reader.wordsBetween(last, more)
        const joined = more !== -1 && (reader.paused(more) || words.includes('and'))
        const plain = joined && words.every((word) => word === 'and')
        if (also === null || !plain || !isNumeric(also) || isKey(also) || !reader.free(more)) break
        reader.sketch.shown.push({ kind: 'fold', fold, ref: bare(also), at: more })
        reader.take(more)
        last = more
      }
    } else if (cls !== null && fold === 'sum' && reader.free(next)) {
      reader.sketch.shown.push({ kind: 'count', of: cls.cls, distinct: false, at })
      reader.take(at, next)
    }
  }
}

/** Figures that are no keys; of moments only the first and the last. */
const canFold = (fold: Fold, property: Ref): boolean =>
  !isKey(property) && (isNumeric(property) || ((fold === 'max' || fold === 'min') && isMoment(property)))

/** Shares do not add up. */
const SHARE = /(?:^|_)(?:percent|percentage|pct|ratio|rate|share)(?:_|$)/

/** The only figure of the records that a value describes. */
export function figureOf({ cls }: { readonly cls: OntologyClass }): Ref | null {
  const figures = cls.properties.map((property): Ref => ({ cls, property })).filter((ref) => isNumeric(ref) && !isKey(ref))
  return figures.length === 1 ? figures[0]! : null
}

/** "how many lamps", "the number of different colours". */
export function readCounts(reader: Reader): void {
  for (const { at } of reader.operations('count')) {
    let next = reader.beside(at, 1)
    let distinct = false
    if (reader.operation(next, 'distinct') !== null) {
      distinct = true
      reader.take(next)
      next = reader.beside(next, 1)
    }
    // "garden chairs" are chairs, where there are gardens too
    while (reader.cls(next) !== null && reader.cls(next + 1) !== null && !reader.paused(next + 1)) {
      reader.sketch.named.push(reader.cls(next)!.cls)
      reader.take(next)
      next += 1
    }
    const [cls, property, value] = [reader.cls(next), reader.property(next), reader.value(next)]
    const most = reader.sketch.orders.find(({ measure }) => measure.kind === 'count')?.measure
    if (cls === null && property === null && value === null && most?.kind === 'count' && most.cls !== null) {
      // "the shelves with the most lamps, and how many each of them has"
      reader.sketch.shown.push({ kind: 'count', of: most.cls, distinct: false, at })
      reader.take(at)
      for (let i = at + 1; i < reader.elements.length && !reader.opens(i); i += 1) {
        if (reader.operation(i, 'each') !== null || reader.operation(i, 'back') !== null) reader.take(i)
      }
      continue
    }
    if (cls !== null) {
      reader.sketch.shown.push({ kind: 'count', of: cls.cls, distinct: false, at })
      reader.take(at, next)
    } else if (property !== null && isNumeric(property) && !isKey(property) && !distinct) {
      const summed = /total/i.test(reader.text(at)) || reader.operations('each').length > 0
      const ref = bare(property)
      reader.sketch.shown.push(summed ? { kind: 'fold', fold: 'sum', ref, at } : { kind: 'property', ref, at })
      reader.take(at, next)
    } else if (property !== null && isKey(property) && property.cls.key.length === 1) {
      reader.sketch.shown.push({ kind: 'count', of: property.cls, distinct: false, at })
      reader.take(at, next)
    } else if (property !== null) {
      reader.sketch.shown.push({ kind: 'count', of: bare(property), distinct: true, at })
      reader.take(at, next)
    } else if (value !== null) {
      // "how many open orders": the class follows its values, or is the one that they describe
      let noun = next
      while (reader.value(noun) !== null || reader.operation(noun, 'or') !== null) noun = reader.beside(noun, 1)
      const named = reader.cls(noun)
      reader.sketch.shown.push({ kind: 'count', of: named?.cls ?? value.cls, distinct: false, at })
      reader.take(at)
      if (named !== null) reader.take(noun)
    }
  }
}

/** Numbers that nothing has claimed: "size 4", "customer 10", "shelf number 12". */
export function readNumbers(reader: Reader): void {
  for (const [at, element] of reader.elements.entries()) {
    const number = reader.number(at)
    if (number === null || reader.used.has(at) || (element.kind !== 'number' && element.kind !== 'time')) continue
    const not = reader.beside(at, -1)
    // "whose size is not 4"
    const before = reader.negated.has(at) && reader.operation(not, 'negation') !== null ? reader.beside(not, -1, true) : not
    const after = reader.beside(at, 1)
    // "the two shelves with the most lamps"
    const few = element.kind === 'number' && Number.isInteger(number) && number > 1 && at <= 4
    if (few && reader.sketch.limit === 1 && (reader.cls(after) ?? reader.property(after)) !== null) {
      reader.sketch.limit = number
      reader.take(at)
      continue
    }
    // "that have two shelves", "with 3 lamps"
    const op = reader.negated.has(at) ? '!=' : '='
    const counted = reader.cls(after)
    if (counted !== null && reader.free(after) && element.kind === 'number' && reader.property(before) === null && at > 0) {
      reader.sketch.groupConditions.push({ measure: { kind: 'count', cls: counted.cls }, op, value: number })
      reader.take(at, after)
      continue
    }
    const near = [before, after].find((i) => {
      const property = reader.property(i)
      if (property === null || !reader.free(i) || (i === after && reader.paused(i))) return false
      return isNumeric(property) || isText(property)
    })
    const property = near === undefined ? null : reader.property(near)
    const upper = reader.word(at + 1) === 'to' || reader.word(at + 1) === 'and' ? reader.number(at + 2) : null
    if (property !== null && near === before && upper !== null && upper > number && reader.word(at + 1) === 'to') {
      reader.sketch.restrictions.push({ ref: bare(property), op: 'between', value: [number, upper], at })
      reader.take(at, before, at + 2)
      continue
    }
    if (property !== null) {
      reader.sketch.restrictions.push({ ref: bare(property), op, value: isText(property) ? String(number) : number, at })
      reader.take(at, near!)
      // "a capacity of 400 Gbps": the unit may be part of the column's name
      if (reader.property(after)?.property.iri === property.property.iri) reader.take(after)
      continue
    }
    const cls = reader.cls(before)?.cls
    const key = cls === undefined ? undefined : keyOf(cls)
    if (cls !== undefined && key !== undefined && isNumeric({ cls, property: key })) {
      reader.sketch.restrictions.push({ ref: { cls, property: key }, op, value: number, at })
      reader.take(at)
    }
  }
}
