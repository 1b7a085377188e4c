/** Comparisons: of a figure, of how many there are, of a fold, of an age; with a number or with a fold over all records. */
import type { Degree } from '../../language/degrees.ts'
import { splitIdentifier } from '../../../kernel/text/index.ts'
import { measured } from '../measured.ts'
import type { Comparison, Fold } from '../operators.ts'
import type { Reader } from '../reader.ts'
import { scopeBehind } from './against.ts'
import { canFold } from './quantities.ts'
import { readPeriod } from './times.ts'
import { type Measure, type Ref, bare, bend, isKey, isMoment, isNumeric, isSummable } from '../sketch.ts'

/** "more than 300", "between 10 and 15", "older than 30", "3 or more", "above the average". */
export function readComparisons(reader: Reader): void {
  for (const [at, element] of reader.elements.entries()) {
    if (element.kind !== 'operation' || reader.used.has(at)) continue
    const { operation } = element
    if (operation.kind === 'between') readBetween(reader, at)
    else if (operation.kind === 'bound') {
      const before = reader.beside(at, -1)
      const number = reader.number(before)
      const said = { from: before, to: at, op: operation.op, value: number ?? 0, degree: [] }
      if (number !== null && reader.free(before) && place(reader, said)) reader.take(at, before)
    } else if (operation.kind === 'several') {
      if (place(reader, { from: at, to: at, op: '>', value: 1, degree: [] })) reader.take(at)
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

/** The age of what is spoken of. */
function ageAround(reader: Reader, at: number): Ref | null {
  const cls = reader.classAround(at)
  const age = cls?.properties.find(({ name }) => splitIdentifier(name).some((word) => word === 'age'))
  return cls === null || age === undefined || !isNumeric({ cls, property: age }) ? null : { cls, property: age }
}

/** "18 years old" is an age. */
function readAged(reader: Reader, at: number): void {
  const before = reader.beside(at, -1)
  const number = reader.number(before)
  const age = ageAround(reader, at)
  if (number === null || age === null || !reader.free(before)) return
  const not = reader.beside(before, -1)
  const negated = reader.operation(not, 'negation') !== null
  reader.sketch.restrictions.push({ ref: age, op: negated ? '!=' : '=', value: number, at })
  reader.take(at, before)
  if (negated) reader.take(not)
}

function readBetween(reader: Reader, at: number): void {
  const low = reader.beside(at, 1)
  const high = low === -1 ? -1 : reader.beside(low, 1)
  const values = [low, high].map((i) => scalarAt(reader, i))
  if (values.some((value) => value === null)) return
  const said = { from: at, to: high, op: 'between' as const, value: values as (number | string)[], degree: [] }
  if (place(reader, said) || readPeriod(reader, at, low, high)) reader.take(at, low, high)
}

function scalarAt(reader: Reader, at: number): number | string | null {
  const number = reader.number(at)
  if (number !== null) return number
  const element = reader.elements[at]
  if (element?.kind === 'time') return element.from
  return element?.kind === 'text' ? element.text : null
}

function readCompare(reader: Reader, at: number, op: Comparison, degree: readonly Degree[]): void {
  const next = reader.beside(at, 1)
  const fold = reader.operation(next, 'fold')
  // "below the average of their kind" is an average for each
  if (fold !== null && /^(?:of|in|for)$/.test(reader.word(next + 1)) && /^(?:their|its|his|her|each)$/.test(reader.word(next + 2))) return
  if (fold !== null) return compareWithFold(reader, at, next, op, fold.fold, degree)
  const number = reader.number(next)
  if (number === null) return compareNamed(reader, at, next, op)
  if (degree.length === 0 && saidTogether(reader, at, next, op, number)) return
  if (place(reader, { from: at, to: next, op, value: number, degree })) reader.take(at, next)
}

/** "above the average", "older than the average age", "below the average toy price". */
function compareWithFold(reader: Reader, at: number, next: number, op: Comparison, fold: Fold, degree: readonly Degree[]): void {
  const limited = reader.value(reader.beside(next, 1))
  const named = limited === null ? reader.beside(next, 1) : reader.beside(reader.beside(next, 1), 1)
  const inner = reader.property(named)
  const own = inner !== null && isNumeric(inner) ? inner : null
  const left = reader.beside(at, -1, true)
  const before = reader.property(left)
  const around = reader.classAround(at)
  const found = degree.length === 0 || around === null ? null : measured(reader, around, degree, at)
  const ref = before !== null && isNumeric(before) ? before : (found?.ref ?? own)
  if (ref === null) return
  if (own !== null && own.property.iri !== ref.property.iri) return
  const outer = before === null ? -1 : reader.beside(left, -1)
  const folded = reader.operation(outer, 'fold')
  if (folded !== null && before !== null && before === ref) {
    // "with an average price above the average price": the group's average
    const measure = { kind: 'fold', fold: folded.fold, ref: bare(ref) } as const
    reader.sketch.groupConditions.push({ measure, op, value: null, fold })
    reader.take(at, next, outer, left)
    if (own !== null) reader.take(reader.beside(next, 1))
    return
  }
  const compared = found !== null && found.ref === ref ? strictly(found.descending) : op
  const narrowed = limited !== null && limited.cls.name === ref.cls.name && own !== null
  const limits = narrowed ? [{ ref: bare(limited), op: '=' as const, value: limited.value, at }] : []
  if (limited !== null && limits.length === 0) return
  // "above the average price of the toys in Oslo"
  const whose = own === null || !/^(?:of|for)$/.test(reader.word(named + 1)) ? -1 : reader.beside(named, 1)
  const behind = reader.cls(whose)?.cls.name === ref.cls.name ? scopeBehind(reader, whose, ref.cls) : { scope: [], places: [] }
  const scope = [...limits, ...behind.scope]
  if (behind.places.length > 0) reader.take(whose, ...behind.places)
  reader.sketch.restrictions.push({ ref: bare(ref), op: compared, fold, scope, at })
  reader.take(at, next)
  if (limited !== null) reader.take(reader.beside(next, 1))
  if (own !== null) reader.take(named)
  if (before !== null && before === ref) reader.take(left)
}

const strictly = (more: boolean): Comparison => (more ? '>' : '<')

/** "at least a weight of 100". */
function compareNamed(reader: Reader, at: number, next: number, op: Comparison): void {
  const property = reader.property(next)
  const behind = property === null ? -1 : reader.beside(next, 1)
  const bound = behind === -1 ? null : reader.number(behind)
  if (property === null || bound === null || !isNumeric(property)) return
  reader.sketch.restrictions.push({ ref: bare(property), op, value: bound, at })
  reader.take(at, next, behind)
}

/** "below 600 or above 900", "more than 5 but less than 10": both are said of what the first is said of. */
function saidTogether(reader: Reader, at: number, next: number, op: Comparison, number: number): boolean {
  const { restrictions } = reader.sketch
  const before = reader.beside(at, -1)
  const last = restrictions.at(-1)
  if (last === undefined || typeof last.value !== 'number') return false
  if (reader.operation(before, 'or') !== null) {
    restrictions[restrictions.length - 1] = { ...last, alternative: last.alternative ?? before }
    restrictions.push({ ref: last.ref, op, value: number, alternative: last.alternative ?? before, at })
    reader.take(at, next, before)
    return true
  }
  const joined = reader.wordsBetween(before, at).some((word) => word === 'and' || word === 'but')
  if (!joined || reader.number(before) !== last.value || reader.free(before) || isTermAt(reader, reader.beside(next, 1))) return false
  restrictions.push({ ref: last.ref, op, value: number, at })
  reader.take(at, next)
  return true
}

const isTermAt = (reader: Reader, at: number): boolean => (reader.cls(at) ?? reader.property(at)) !== null

interface Said {
  /** where what is compared with begins and ends */
  readonly from: number
  readonly to: number
  readonly op: Comparison | 'between'
  readonly value: number | (number | string)[]
  readonly degree: readonly Degree[]
}

/** Finds what a comparison speaks of, the likeliest first; each takes what it uses. */
const place = (reader: Reader, said: Said): boolean =>
  placeBefore(reader, said) || placeAged(reader, said) || placeTimes(reader, said) || placeDegree(reader, said)
  || placeAfter(reader, said) || placeBareAge(reader, said)

/** The property before it, the fold of one, the count of a class: "the average price is above 3", "the number of wheels is 4 or more". */
function placeBefore(reader: Reader, { from, to, op, value }: Said): boolean {
  const { sketch } = reader
  const before = reader.beside(from, -1, true)
  const after = reader.beside(to, 1)
  const [left, right] = [reader.property(before), reader.property(after)]
  const asText = [value].flat().every((each) => typeof each === 'string')
  const said = reader.operation(reader.beside(before, -1), 'fold')
  const foldable = left !== null && said !== null && isSummable(left) && canFold(said.fold, left)
  const comparable = left !== null && (isNumeric(left) || (isMoment(left) && asText) || foldable)
  if (left !== null && reader.free(before) && comparable) {
    const outer = reader.beside(before, -1)
    const fold = reader.operation(outer, 'fold')
    reader.take(before)
    // "between 10 and 40 kg": the unit may be part of the column's name
    if (right !== null && right.property.iri === left.property.iri) reader.take(after)
    if (fold !== null && reader.free(outer)) {
      reader.take(outer)
      sketch.groupConditions.push({ measure: { kind: 'fold', fold: fold.fold, ref: bare(left) }, op, value })
    } else {
      // "the number of floors is above 3", where the number stands in a column
      if (reader.operation(outer, 'count') !== null) reader.take(outer)
      sketch.restrictions.push({ ref: bare(left), op, value, at: from })
    }
    return true
  }
  const cls = reader.cls(before)
  const count = reader.beside(before, -1)
  const asks = /^how many/i.test(reader.text(count))
  if (cls !== null && !asks && reader.operation(count, 'count') !== null && !isTermAt(reader, after)) {
    reader.take(before, count)
    sketch.groupConditions.push({ measure: { kind: 'count', cls: cls.cls }, op, value })
    return true
  }
  // "costs on average 150 or more"
  const figure = reader.operation(before, 'fold') === null ? -1 : reader.beside(before, -1, true)
  const spoken = reader.property(figure)
  if (spoken === null || !isNumeric(spoken) || isTermAt(reader, after)) return false
  const measure: Measure = { kind: 'fold', fold: reader.operation(before, 'fold')!.fold, ref: bare(spoken) }
  reader.take(before, figure)
  sketch.groupConditions.push({ measure, op, value })
  return true
}

/** "over 20 years old". */
function placeAged(reader: Reader, { from, to, op, value }: Said): boolean {
  const after = reader.beside(to, 1)
  const age = reader.operation(after, 'aged') === null ? null : ageAround(reader, from)
  if (age === null) return false
  reader.sketch.restrictions.push({ ref: age, op, value, at: from })
  reader.take(after)
  return true
}

/** "used more than 3 times", "at least twice", "with two or more records": how often something is there. */
function placeTimes(reader: Reader, { to, op, value }: Said): boolean {
  const once = /^(?:once|twice)$/i.test(reader.text(to))
  if (!once && !/^(?:times|records|entries)$/.test(reader.word(to + 1))) return false
  // "at least once" says that it is so
  if (op === '>=' && value === 1) return true
  const after = reader.beside(to, 1)
  const cls = reader.free(after) ? (reader.cls(after)?.cls ?? null) : null
  if (cls !== null) reader.take(after)
  reader.sketch.groupConditions.push({ measure: { kind: 'count', cls }, op, value })
  return true
}

/** What its adjective measures: "longer than 300". */
function placeDegree(reader: Reader, { from, to, value, degree }: Said): boolean {
  if (degree.length === 0) return false
  const around = [reader.cls(reader.beside(to, 1))?.cls, reader.classAround(from) ?? undefined]
  for (const cls of around) {
    const found = cls === undefined ? null : measured(reader, cls, degree, from)
    if (found === null || !isNumeric(found.ref)) continue
    reader.sketch.restrictions.push({ ref: found.ref, op: strictly(found.descending), value, at: from })
    return true
  }
  return false
}

/** The things counted after it, or the figure: "more than 3 lamps", "at least 100 passengers". */
function placeAfter(reader: Reader, { from, to, op, value }: Said): boolean {
  const { sketch } = reader
  let after = reader.beside(to, 1)
  const different = reader.operation(after, 'distinct') !== null && reader.cls(reader.beside(after, 1)) !== null
  if (different) {
    reader.take(after)
    after = reader.beside(after, 1)
  }
  // "two or more open orders": what is counted comes after what is said of it
  if (reader.value(after) !== null) {
    let noun = after
    while (reader.value(noun) !== null) noun = reader.beside(noun, 1)
    if (reader.cls(noun) !== null) after = noun
  }
  const [counted, figure] = [reader.cls(after), reader.property(after)]
  if (counted !== null && reader.free(after)) {
    reader.take(after)
    const total = reader.beside(from, -1)
    // "a total of 10 or more lamps"
    if (reader.operation(total, 'fold')?.fold === 'sum') reader.take(total)
    sketch.groupConditions.push({ measure: { kind: 'count', cls: counted.cls, ...(different ? { distinct: true } : {}) }, op, value })
    return true
  }
  if (figure === null || !reader.free(after) || !isNumeric(figure) || isKey(figure)) return false
  reader.take(after)
  const outer = reader.beside(from, -1)
  const fold = reader.operation(outer, 'fold')?.fold ?? (reader.choices.turned('compared figure is a sum', from) ? 'sum' : null)
  // a part of a name is more often the name of something else
  if (figure.weight < NEARLY) bend(sketch, 'part of a name compared', 0.4)
  if (fold === null) sketch.restrictions.push({ ref: bare(figure), op, value, at: from })
  else {
    if (reader.operation(outer, 'fold') !== null) reader.take(outer)
    sketch.groupConditions.push({ measure: { kind: 'fold', fold, ref: bare(figure) }, op, value })
  }
  return true
}

const NEARLY = 0.95

/** "guests under 20": a number of nothing is an age, where there are ages. */
function placeBareAge(reader: Reader, { from, to, op, value }: Said): boolean {
  if (!/^(?:over|under|above|below)$/i.test(reader.text(from)) || isTermAt(reader, reader.beside(to, 1))) return false
  const age = reader.cls(reader.beside(from, -1, true)) === null ? null : ageAround(reader, from)
  if (age === null) return false
  bend(reader.sketch, 'number of nothing', 0.2)
  reader.sketch.restrictions.push({ ref: age, op, value, at: from })
  return true
}
