/** Comparisons with other records: "dearer than any toy", "heavier than the lamps of Oslo", "above the average price of toys". */
import type { OntologyClass } from '../../../ontology/index.ts'
import type { Degree } from '../../language/degrees.ts'
import { measured, runsDown } from '../measured.ts'
import type { Comparison, Fold } from '../operators.ts'
import type { Reader } from '../reader.ts'
import { type Ref, type Restriction, bare, isKey, isMoment, isNumeric } from '../sketch.ts'
import { momentsOf } from './times.ts'
import { equals } from './values.ts'

const BEFORE_AFTER: Readonly<Record<string, Comparison>> = { before: '<', after: '>' }

export function readAgainst(reader: Reader): void {
  for (const [at, element] of reader.elements.entries()) {
    if (reader.used.has(at)) continue
    if (element.kind === 'operation' && element.operation.kind === 'compare') compareWith(reader, at, element.operation.op, element.operation.degree)
    else if (element.kind === 'word') {
      const op = BEFORE_AFTER[element.lower]
      if (op !== undefined && !compareMoments(reader, at, op)) compareWith(reader, at, op, [])
    }
  }
}

function compareWith(reader: Reader, at: number, op: Comparison, degree: readonly Degree[]): void {
  if (compareWithExtreme(reader, at, op)) return
  const others = othersAfter(reader, at)
  if (others === null) return
  const place = reader.beside(at, -1, true)
  const before = reader.property(place)
  const own = before !== null && isComparable(before) && reader.free(place) ? before : null
  const found = degree.length === 0 ? null : measured(reader, others.cls, degree, at)
  const moment = reader.elements[at]?.kind === 'word' ? momentsOf(others.cls) : []
  const ref = own ?? others.named ?? found?.ref ?? (moment.length === 1 ? moment[0]! : null)
  if (ref === null || ref.cls.name !== others.cls.name) return
  if (others.named !== null && others.named.property.iri !== ref.property.iri) return
  const way = found !== null && own === null ? (found.descending ? '>' : '<') : op
  reader.sketch.restrictions.push({
    ref: bare(ref), op: way, fold: foldFor(way, others.some), scope: others.scope, at,
  })
  reader.take(at, ...others.places, ...(own === null ? [] : [place]))
}

/** "after 12:30", where moments stand as texts. */
function compareMoments(reader: Reader, at: number, op: Comparison): boolean {
  const next = reader.beside(at, 1)
  const value = reader.value(next)
  if (value === null || !reader.free(next) || !/^\d+(?:[:/.-]\d+)+$/.test(reader.text(next))) return false
  reader.sketch.restrictions.push({ ...equals(value, at), op })
  reader.take(at, next)
  const named = reader.beside(at, -1, true)
  if (reader.property(named)?.property.iri === value.property.iri) reader.take(named)
  return true
}

/** "a price below the highest price" */
function compareWithExtreme(reader: Reader, at: number, op: Comparison): boolean {
  const next = reader.beside(at, 1)
  const extreme = reader.operation(next, 'extreme')
  const named = reader.beside(next, 1)
  const [place, property] = [reader.beside(at, -1, true), reader.property(named)]
  const own = reader.property(place)
  if (extreme === null || property === null || !isComparable(property) || own?.property.iri !== property.property.iri) return false
    reader.sketch.restrictions.push({ ref: bare(own), op, fold: runsDown(extreme.degree, own, extreme.up) ? 'max' : 'min', scope: [], at })
  reader.take(at, next, named, place)
  return true
}

/** More than all of them is more than the largest, more than some of them more than the smallest. */
const foldFor = (op: Comparison, some: boolean): Fold => (op.startsWith('>') !== some ? 'max' : 'min')

const isComparable = (ref: Ref): boolean => !isKey(ref) && (isNumeric(ref) || isMoment(ref))

interface Others {
  readonly cls: OntologyClass
  /** the property that is named on their side */
  readonly named: Ref | null
  readonly some: boolean
  readonly scope: readonly Restriction[]
  readonly places: readonly number[]
}

const PASSED: ReadonlySet<string> = new Set('that those of the any all some every each a an one other'.split(' '))

/** The records that stand behind a comparison: "that of all toys in Oslo", "the price of the blue lamp". */
function othersAfter(reader: Reader, at: number): Others | null {
  const places: number[] = []
  let some = false
  let named: Ref | null = null
  let next = at + 1
  for (; next < reader.elements.length && !reader.opens(next); next += 1) {
    const text = reader.text(next).toLowerCase()
    const property = reader.property(next)
    const oneOfThem = /^at least$/.test(text) && reader.number(next + 1) === 1
    if (oneOfThem || (some && reader.number(next) === 1) || PASSED.has(text) || reader.operation(next, 'back') !== null) {
      some ||= text === 'some' || oneOfThem
      places.push(next)
    } else if (named === null && property !== null && isComparable(property) && reader.word(next + 1) === 'of') {
      named = { cls: property.cls, property: property.property }
      places.push(next)
    } else break
  }
  // a figure that happens to stand in a text is a figure
  if (/^[\d.,:-]+$/.test(reader.text(next))) return null
  const cls = reader.cls(next)?.cls ?? null
  // "before the year of 2024" names a period, no record
  const behind = scopeBehind(reader, cls === null ? next - 1 : next, cls)
  const owner = cls ?? named?.cls ?? behind.scope[0]?.ref.cls ?? null
  // without a word that says which of them, one that has a name is meant
  if (owner === null || (behind.scope.length === 0 && !some && !/^(?:any|all|every)$/i.test(reader.text(at + 1)))) return null
  return { cls: owner, named, some, scope: behind.scope, places: [...places, ...(cls === null ? [] : [next]), ...behind.places] }
}

const JOINING: ReadonlySet<string> = new Set('in of from with whose is are was were the a an that by as for which on at to named called any'.split(' '))

/** What is said of them, as far as the clause goes. */
export function scopeBehind(reader: Reader, at: number, cls: OntologyClass | null): { scope: Restriction[]; places: number[] } {
  const scope: Restriction[] = []
  const places: number[] = []
  for (let i = at + 1; i < reader.elements.length && !reader.opens(i); i += 1) {
    const element = reader.elements[i]!
    const value = reader.value(i)
    if (value !== null && reader.free(i)) {
      scope.push(equals(value, i))
      places.push(i)
    } else if (element.kind === 'time' && cls !== null && reader.free(i)) {
      const moments = momentsOf(cls)
      const [only] = moments
      if (only === undefined || moments.length > 1 || !isNumeric(only) || element.from === null) break
      scope.push({ ref: only, op: '=', value: Number(element.from.slice(0, 4)), at: i })
      places.push(i)
    } else if (element.kind === 'word' && (element.content === 'verb' || JOINING.has(element.lower))) {
      if (reader.paused(i) && places.length > 0) break
    } else if (element.kind === 'operation' && element.operation.kind === 'ask') places.push(i)
    else if ((element.kind === 'property' || element.kind === 'class') && saysOwn(reader, i)) places.push(i)
    else break
  }
  return scope.length === 0 ? { scope, places: [] } : { scope, places }
}

/** The name of what a value beside it is of: "the city Oslo", "the Oslo city". */
function saysOwn(reader: Reader, at: number): boolean {
  const element = reader.elements[at]!
  const owner = element.kind === 'property' || element.kind === 'class' ? element.cls.name : ''
  return [reader.beside(at, 1), reader.beside(at, -1)].some((i) => {
    const value = reader.value(i)
    return value !== null && value.cls.name === owner && (element.kind === 'class' || element.kind === 'property' && element.property.iri === value.property.iri)
  })
}
