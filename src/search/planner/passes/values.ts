/** Values of the data as conditions: alone, in a row, joined by "or", or each of a record of its own. */
import { splitIdentifier } from '../../../kernel/text/index.ts'
import type { ValueElement } from '../elements.ts'
import type { Reader } from '../reader.ts'
import type { Ref, Restriction } from '../sketch.ts'

/** Values of the data, alone or in a row: "red or blue", "both Oslo and Bergen". */
export function readValues(reader: Reader): void {
  for (const [at] of reader.elements.entries()) {
    const first = reader.value(at)
    if (first === null || reader.used.has(at)) continue
    // "open lamps", where lamps are never open: what it is said of must have it
    const noun = reader.cls(at + 1)
    const ofAnother = noun !== null && noun.cls.name !== first.cls.name
    if (first.describes === true && ofAnother && !soundsLike(reader.text(at), first.cls.name)) continue
    const run = runFrom(reader, at)
    reader.take(...run.places, ...run.joints)
    for (const i of run.places) takeOwnName(reader, i)
    const values = run.places.map((i) => reader.value(i)!)
    const negated = reader.negated.has(at)
    const same = values.every(({ property }) => property.iri === first.property.iri)
    const ref: Ref = { cls: first.cls, property: first.property }
    const both = reader.beside(at, -1)
    const { restrictions } = reader.sketch
    const each = values.map((value, i) => equals(value, run.places[i]!))
    const op = negated ? '!=' : '='
    const ofRecord = negated && namedBefore(reader, at)
    if (values.length === 1) restrictions.push({ ...equals(first, at), op, stray: isStray(reader, at, first), ofRecord })
    else if (same && reader.operation(both, 'both') !== null && !negated) {
      reader.take(both)
      restrictions.push(...each.map((one) => ({ ...one, apart: true })))
    } else if (same) restrictions.push({ ref, op: negated ? 'not_in' : 'in', value: values.map(({ value }) => value), at })
    else if (run.or && !negated) restrictions.push(...each.map((one) => ({ ...one, alternative: at })))
    else restrictions.push(...each.map((one): Restriction => ({ ...one, op })))
  }
}

/** A describing word, and nothing else in the question speaks of the class that it describes. */
const isStray = (reader: Reader, at: number, { describes, cls }: ValueElement): boolean =>
  describes === true &&
  !reader.elements.some((_, i) => i !== at && (reader.cls(i) ?? reader.property(i))?.cls.name === cls.name)

/** "an order that is not open": the record stands before what is denied of it. */
function namedBefore(reader: Reader, at: number): boolean {
  const own = reader.value(at)!.cls.name
  return reader.elements.slice(0, at).some((element) => element.kind === 'class' && element.cls.name === own)
}

/** "delivered goods" have a delivery. */
const soundsLike = (word: string, className: string): boolean =>
  splitIdentifier(className).some((part) => part.length > 4 && part.slice(0, 5).toLowerCase() === word.slice(0, 5).toLowerCase())

/** Values joined by "or", "and" or commas; those joined by "or" may be of different properties. */
function runFrom(reader: Reader, at: number): { places: number[]; joints: number[]; or: boolean } {
  const places = [at]
  const joints: number[] = []
  let or = false
  for (let last = at; ; ) {
    let i = last + 1
    let joined = false
    const own: number[] = []
    let orHere = false
    for (; i < reader.elements.length; i += 1) {
      if (reader.opens(i)) return { places, joints, or }
      if (reader.paused(i)) joined = true
      if (reader.operation(i, 'or') !== null) {
        own.push(i)
        orHere = true
      } else if (reader.word(i) === 'and') joined = true
      else if (reader.property(i) !== null && reader.property(i)?.property.iri === reader.value(at)?.property.iri) own.push(i)
      else if (reader.elements[i]?.kind !== 'word' || reader.word(i) === 'with' || reader.word(i) === 'from') break
    }
    const next = reader.value(i)
    const prior = reader.value(last)!
    const alike = next?.property.iri === prior.property.iri
    if (next === null || !(orHere || (joined && alike))) return { places, joints, or }
    if (orHere) or = true
    joints.push(...own)
    places.push(i)
    last = i
  }
}

/** "colour red", "the country Norway": the word beside a value that names its property is spoken for. */
function takeOwnName(reader: Reader, at: number): void {
  const value = reader.value(at)!
  for (const near of [reader.beside(at, -1), reader.beside(at, 1)]) {
    const property = reader.property(near)
    if (property === null || !reader.free(near)) continue
    // one that follows after a comma or an "and" is the next thing asked for
    const parted = reader.paused(near) || reader.elements.slice(at + 1, near).some(({ kind }) => kind === 'word')
    if (near > at && parted) continue
    if (property.property.iri === value.property.iri) reader.take(near)
  }
}

/** "older than 60 or from Oslo": alternatives of any kind, said on either side of the word. */
export function readOr(reader: Reader): void {
  const { restrictions } = reader.sketch
  restrictions.sort((a, b) => a.at - b.at)
  for (const { at } of reader.operations('or')) {
    const before = restrictions.findLastIndex((each) => each.at < at && reader.sentence(each.at) === reader.sentence(at))
    const after = restrictions.findIndex((each) => each.at > at && reader.sentence(each.at) === reader.sentence(at))
    const [left, right] = [restrictions[before], restrictions[after]]
    if (left === undefined || right === undefined || right.alternative !== undefined) continue
    const alternative = left.alternative ?? at
    restrictions[before] = { ...left, alternative }
    restrictions[after] = { ...right, alternative }
    reader.take(at)
  }
}

/** Two values of one property cannot both hold of one record: each speaks of a record of its own. */
export function readBoth(reader: Reader): void {
  const { restrictions } = reader.sketch
  for (const [at, restriction] of restrictions.entries()) {
    const { ref, value } = restriction
    const twin = restrictions.some(
      (other, i) => i !== at && other.op === '=' && other.ref.property.iri === ref.property.iri && other.value !== value,
    )
    const single = restriction.alternative === undefined && restriction.fold === undefined
    if (restriction.op === '=' && single && twin) restrictions[at] = { ...restriction, apart: true }
  }
}

export const equals = ({ cls, property, value }: ValueElement, at: number): Restriction => ({
  ref: { cls, property }, op: '=', value, at,
})
