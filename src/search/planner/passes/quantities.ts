/** Counts, folds, and numbers that no comparison has claimed. */
import type { OntologyClass } from '../../../ontology/index.ts'
import { isTerm } from '../elements.ts'
import { measured } from '../measured.ts'
import type { Fold } from '../operators.ts'
import type { Reader } from '../reader.ts'
import { momentsOf } from './times.ts'
import { type Ref, type Shown, bare, isKey, isMoment, isNumeric, isSummable, isText, keyOf } from '../sketch.ts'

/** "the average age", "maximum and minimum price". */
export function readFolds(reader: Reader): void {
  for (const { at } of reader.operations('fold')) {
    const { fold } = reader.operation(at, 'fold')!
    if (isInTotal(reader, at)) {
      reader.take(at)
      continue
    }
    let next = reader.beside(at, 1)
    const passed: number[] = []
    // "the average number of guests", but "the maximum and the total number of guests" are two figures
    const countsProperty = (i: number) =>
      reader.operation(i, 'count') !== null && reader.property(reader.beside(i, 1)) !== null
    const isFold = (i: number) => reader.operation(i, 'fold') !== null || reader.operation(i, 'extreme') !== null
    for (let last = at; isFold(next) || countsProperty(next); last = next, next = reader.beside(next, 1)) {
      if (reader.operation(next, 'count') !== null && !reader.wordsBetween(last, next).includes('and')) passed.push(next)
    }
    next = pastOwner(reader, next)
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
        if (also === null || !plain || !canFold(fold, also) || isMoment(also) || !reader.free(more)) break
        reader.sketch.shown.push({ kind: 'fold', fold, ref: bare(also), at: more })
        reader.take(more)
        last = more
      }
    } else if (cls !== null && fold === 'sum' && reader.free(next)) {
      reader.sketch.shown.push({ kind: 'count', of: cls.cls, distinct: false, at })
      reader.take(at, next)
    } else if (cls !== null && reader.free(next) && figureOf(cls) !== null) {
      // "the average rating", where a rating is a record with a single figure
      reader.sketch.shown.push({ kind: 'fold', fold, ref: figureOf(cls)!, at })
      reader.take(at, next)
    }
  }
}

/** "how many lamp types", "the total lamp weight": the class only says whose they are. */
function pastOwner(reader: Reader, at: number): number {
  const own = reader.property(at + 1)
  if (own === null || reader.cls(at)?.cls.name !== own.cls.name || reader.paused(at + 1) || !reader.free(at + 1)) return at
  reader.take(at)
  return at + 1
}

/** "how many lamps in total", "altogether": says no more than the count. */
const isInTotal = (reader: Reader, at: number): boolean =>
  reader.word(at - 1) === 'in' && /^total$/i.test(reader.text(at)) && reader.property(at + 1) === null && reader.cls(at + 1) === null

/** "How old is the driver?", "how long is the total time": the quantity itself is asked for. */
export function readHow(reader: Reader): void {
  for (const { at } of reader.operations('how')) {
    const { degree } = reader.operation(at, 'how')!
    const named = reader.elements.some((element, i) => i > at && element.kind === 'property' && isSummable(element))
    const cls = reader.classAround(at)
    const found = named || cls === null ? null : measured(reader, cls, degree, at)
    if (!named && (found === null || isMoment(found.ref))) continue
    // "how old are they on average"
    const fold = reader.operations('fold').find((each) => reader.word(each.at - 1) === 'on')?.at ?? -1
    if (found !== null && fold !== -1) {
      reader.sketch.shown.push({ kind: 'fold', fold: reader.operation(fold, 'fold')!.fold, ref: found.ref, at })
      reader.take(fold)
    } else if (found !== null) reader.sketch.shown.push({ kind: 'property', ref: found.ref, at })
    reader.take(at)
  }
}

/** Figures that are no keys; of moments only the first and the last, of figures kept as text those have no sense. */
export function canFold(fold: Fold, property: Ref): boolean {
  const adds = fold === 'avg' || fold === 'sum'
  return !isKey(property) && (isNumeric(property) || (adds ? isSummable(property) : isMoment(property)))
}

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
    let distinct = /different/i.test(reader.text(at))
    if (reader.operation(next, 'distinct') !== null) {
      distinct = true
      reader.take(next)
      next = reader.beside(next, 1)
    }
    // "active guests": what is said of them has its place already
    while (reader.used.has(next) && reader.property(next) !== null) next = reader.beside(next, 1)
    // "garden chairs" are chairs, where there are gardens too
    while (reader.cls(next) !== null && reader.cls(next + 1) !== null && !reader.paused(next + 1)) {
      reader.sketch.named.push(reader.cls(next)!.cls)
      reader.take(next)
      next += 1
    }
    // "count how many", "find the number of": said twice
    if (reader.operation(next, 'count') !== null && !reader.paused(next) && !reader.wordsBetween(at, next).includes('and')) {
      reader.take(at)
      continue
    }
    // "how many total crates": the total is the number
    if (reader.operation(next, 'fold')?.fold === 'sum' && next === at + 1 && reader.used.has(next)) {
      reader.take(at)
      continue
    }
    next = pastOwner(reader, next)
    // "the count and the name"
    if (next !== -1 && (reader.paused(next) || reader.wordsBetween(at, next).includes('and'))) next = -1
    const [cls, property, value] = [reader.cls(next), reader.property(next), reader.value(next)]
    // "the number and average age of guests"
    const folded = reader.sketch.shown.find((shown) => shown.kind === 'fold' && shown.at === reader.beside(at, 1))
    if (next === -1 && folded?.kind === 'fold') {
      reader.sketch.shown.push({ kind: 'count', of: folded.ref.cls, distinct: false, at })
      reader.take(at)
      continue
    }
    const counted = reader.sketch.shown.some((shown) => shown.kind === 'count')
    if (cls === null && property === null && value === null && counted) {
      // "how many lamps has each shelf? List the number and the shelf."
      reader.take(at)
      continue
    }
    const most = reader.sketch.orders.find(({ measure }) => measure.kind === 'count')?.measure
    const often = most?.kind === 'count' ? (most.cls ?? reader.classAround(at)) : null
    if (cls === null && property === null && value === null && often !== null) {
      // "the shelves with the most lamps, and how many each of them has", "the most common colour, and how many are there"
      reader.sketch.shown.push({ kind: 'count', of: often, distinct: false, at })
      reader.take(at)
      for (let i = at + 1; i < reader.elements.length && !reader.opens(i); i += 1) {
        if (reader.operation(i, 'each') !== null || reader.operation(i, 'back') !== null) reader.take(i)
      }
      continue
    }
    const around = reader.operation(next, 'each') === null ? null : classBefore(reader, at)
    if (around !== null) {
      // "of the lamps, how many have each colour"
      reader.sketch.shown.push({ kind: 'count', of: around, distinct: false, at })
      reader.take(at)
      continue
    }
    const said = cls !== null && reader.saidByVerb(next + 1) ? reader.property(next + 1) : null
    if (said !== null && isNumeric(said) && !isKey(said) && said.cls.name !== cls!.cls.name) {
      // "the number of people injured"
      reader.sketch.shown.push(numberOf(reader, bare(said), at))
      reader.take(at, next, next + 1)
    } else if (cls !== null) {
      reader.sketch.shown.push({ kind: 'count', of: cls.cls, distinct: false, at })
      reader.take(at, next)
    } else if (property !== null && isCounter(property) && !isKey(property) && !distinct) {
      reader.sketch.shown.push(numberOf(reader, bare(property), at))
      reader.take(at, next)
    } else if (property !== null && isKey(property) && property.cls.key.length === 1) {
      reader.sketch.shown.push({ kind: 'count', of: property.cls, distinct: false, at })
      reader.take(at, next)
    } else if (property !== null && isText(property) && FIGURES.test(property.property.name)) {
      // figures that are kept as text: their different spellings are no answer
      continue
    } else if (property !== null) {
      // "how many cities": the different ones, or the rows that have one
      const rows = !distinct && reader.choices.turned('count of values is of records', at)
      reader.sketch.shown.push({ kind: 'count', of: rows ? property.cls : bare(property), distinct: !rows, at })
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

const classBefore = (reader: Reader, at: number): OntologyClass | null =>
  reader.elements.slice(0, at).findLast((element) => element.kind === 'class')?.cls ?? null

const FIGURES = /(?:^|_)(?:count|amount|quantity|num|total)(?:_|$)/

/** A number that says how many; a text only when its name says so too. */
const isCounter = (ref: Ref): boolean => isNumeric(ref) || (isSummable(ref) && FIGURES.test(ref.property.name))

/** What is asked for before it is of another class, each record of which has many of these figures. */
export function isOfAnother(reader: Reader, { cls }: Ref, at: number): boolean {
  const first = reader.elements.slice(0, at).find(isTerm)
  return first !== undefined && cls.properties.some(({ kind, range }) => kind === 'object' && range === first.cls.name)
}

/** "the number of floors", where the number stands in a column: as it is, summed over all, or after all a count of records. */
function numberOf(reader: Reader, ref: Ref, at: number): Shown {
  const folds = reader.sketch.shown.some(({ kind }) => kind === 'fold')
  const inTotal = reader.elements.some((_, i) => isInTotal(reader, i))
  const summed = folds || inTotal || /total/i.test(reader.text(at)) || reader.operations('each').length > 0 || isOfAnother(reader, ref, at)
  const way = reader.choices.pick('number of a figure', at, 3)
  if (way === 2) return { kind: 'count', of: ref.cls, distinct: false, at }
  return summed === (way === 0) ? { kind: 'fold', fold: 'sum', ref, at } : { kind: 'property', ref, at }
}

/** Numbers that nothing has claimed: "size 4", "customer 10", "shelf number 12". */
export function readNumbers(reader: Reader): void {
  for (const [at, element] of reader.elements.entries()) {
    const number = reader.number(at)
    if (number === null || reader.used.has(at) || (element.kind !== 'number' && element.kind !== 'time')) continue
    const not = reader.beside(at, -1)
    // "whose size is not 4"
    const before = reader.negated.has(at) && reader.operation(not, 'negation') !== null ? reader.beside(not, -1, true) : not
    const row = element.kind === 'number' || reader.property(before) !== null ? numbersFrom(reader, at) : { values: [number], places: [at] }
    const after = reader.beside(row.places.at(-1)!, 1)
    // "the two shelves with the most lamps"
    const few = element.kind === 'number' && Number.isInteger(number) && number > 1 && at <= 4
    if (few && reader.sketch.limit === 1 && (reader.cls(after) ?? reader.property(after)) !== null) {
      reader.sketch.limit = number
      reader.take(at)
      continue
    }
    const op = reader.negated.has(at) ? '!=' : '='
    // "used 3 times"
    if (reader.word(at + 1) === 'times') {
      reader.sketch.groupConditions.push({ measure: { kind: 'count', cls: null }, op, value: number })
      reader.take(at)
      continue
    }
    // "that have two shelves", "with 3 lamps"
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
      const values = row.values.map((each) => (isText(property) ? String(each) : each))
      pushNumbers(reader, bare(property), values, at)
      reader.take(...row.places, near!)
      // "a capacity of 400 Gbps": the unit may be part of the column's name
      if (reader.property(after)?.property.iri === property.property.iri) reader.take(after)
      continue
    }
    const cls = reader.cls(before)?.cls
    // "a trip in 2024" is of that year, where trips have one
    if (element.kind === 'time' && momentsOf(cls).length > 0) continue
    const key = cls === undefined ? undefined : keyOf(cls)
    if (cls !== undefined && key !== undefined && isNumeric({ cls, property: key })) {
      pushNumbers(reader, { cls, property: key }, row.values, at)
      reader.take(...row.places)
    }
  }
}

/** "size 3, 4 or 5": numbers that "or" joins in the end. */
function numbersFrom(reader: Reader, at: number): { values: number[]; places: number[] } {
  const alone = { values: [reader.number(at)!], places: [at] }
  const values = [...alone.values]
  const places = [at]
  let or = false
  for (let i = at + 1; i < reader.elements.length && !reader.opens(i); i += 1) {
    const number = reader.number(i)
    const isOr = reader.operation(i, 'or') !== null
    if (isOr) or = true
    else if (number !== null && reader.free(i) && (reader.paused(i) || reader.operation(i - 1, 'or') !== null)) values.push(number)
    else break
    places.push(i)
  }
  return or && reader.number(places.at(-1)!) !== null ? { values, places } : alone
}

function pushNumbers(reader: Reader, ref: Ref, values: readonly (number | string)[], at: number): void {
  const negated = reader.negated.has(at)
  if (values.length === 1) reader.sketch.restrictions.push({ ref, op: negated ? '!=' : '=', value: values[0]!, at })
  else reader.sketch.restrictions.push({ ref, op: negated ? 'not_in' : 'in', value: [...values], at })
}
