/** What must not hold, or must not be there. */
import type { OntologyClass } from '../../../ontology/index.ts'
import type { Reader } from '../reader.ts'
import { equals } from './values.ts'

/** "without any order", "not in Oslo", "no nickname". Values and numbers are only marked here; their own pass places them. */
export function readNegations(reader: Reader): void {
  for (const { at } of reader.operations('negation')) {
    let next = reader.beside(at, 1, true)
    if (reader.operation(next, 'both') !== null) next = reader.beside(next, 1, true)
    readNegation(reader, at, next, reader.operation(at, 'negation')!.lacking)
  }
  for (const { at } of reader.operations('missing')) {
    const near = [reader.beside(at, -1, true), reader.beside(at, 1)].find((i) => reader.property(i) !== null && reader.free(i))
    const property = near === undefined ? null : reader.property(near)
    if (property === null) continue
    reader.sketch.restrictions.push({ ref: { cls: property.cls, property: property.property }, op: 'is_null', at })
    reader.take(at, near!)
  }
}

function readNegation(reader: Reader, at: number, next: number, lacking: boolean): void {
  const { sketch } = reader
  const [cls, property] = [reader.cls(next), reader.property(next)]
  const kept = lacking ? describedNoun(reader, next) : null
  if (kept !== null) {
    // "no open order": there may be others
    sketch.absent.push({ cls: kept.cls, where: kept.places.map((place) => equals(reader.value(place)!, place)), at })
    reader.take(at, kept.noun, ...kept.places)
  } else if (isDeniable(reader, next) && reader.free(next)) {
    reader.negated.add(next)
    reader.take(at)
  } else if (reader.used.has(next) && denyComparison(reader, next)) {
    reader.take(at)
  } else if (cls !== null && reader.free(next)) {
    const after = reader.beside(next, 1)
    const value = reader.value(after)
    const where = value !== null && value.cls.name === cls.cls.name && reader.free(after) ? [equals(value, after)] : []
    if (where.length > 0) reader.take(after)
    sketch.absent.push({ cls: cls.cls, where, at })
    reader.take(at, next)
  } else if (property !== null && reader.free(next)) {
    const after = reader.beside(next, 1, true)
    const ownValue = reader.value(after)?.property.iri === property.property.iri
    // "did not end in Oslo": the property is what happened, the value where
    const happened = reader.value(after) !== null && reader.free(after) && reader.saidByVerb(next)
    if (ownValue || happened || (!lacking && isFigureOrText(reader, after))) {
      reader.negated.add(after)
      reader.take(at, ...(happened && !ownValue ? [next] : []))
    } else if (lacking) {
      sketch.restrictions.push({ ref: { cls: property.cls, property: property.property }, op: 'is_null', at })
      reader.take(at, next)
    }
  }
}

/** "not more than 3 shelves", "never weighed less than 5": what an earlier pass has placed must not hold. */
function denyComparison(reader: Reader, at: number): boolean {
  const { restrictions, groupConditions } = reader.sketch
  const own = restrictions.findIndex((each) => each.at === at)
  if (own !== -1) restrictions[own] = { ...restrictions[own]!, denied: true }
  else if (groupConditions.length === 1) groupConditions[0] = { ...groupConditions[0]!, denied: true }
  else return false
  return true
}

/** A noun with the values of it that stand before it: "open orders". */
function describedNoun(reader: Reader, at: number): { cls: OntologyClass; noun: number; places: number[] } | null {
  const places: number[] = []
  let i = at
  for (; reader.value(i) !== null && reader.free(i); i = reader.beside(i, 1)) places.push(i)
  const cls = reader.cls(i)?.cls
  const own = places.length > 0 && places.every((place) => reader.value(place)!.cls.name === cls?.name)
  return cls !== undefined && own && reader.free(i) ? { cls, noun: i, places } : null
}

const isDeniable = (reader: Reader, at: number): boolean =>
  reader.value(at) !== null || isFigureOrText(reader, at) || reader.elements[at]?.kind === 'time' || reader.operation(at, 'like') !== null

const isFigureOrText = (reader: Reader, at: number): boolean =>
  reader.number(at) !== null || reader.elements[at]?.kind === 'text'
