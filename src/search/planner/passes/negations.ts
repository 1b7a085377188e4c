/** What must not hold, or must not be there. */
import type { OntologyClass } from '../../../ontology/index.ts'
import type { Reader } from '../reader.ts'
import { equals } from './values.ts'

/** "without any order", "not in Oslo", "no nickname". Values and numbers are only marked here; their own pass places them. */
export function readNegations(reader: Reader): void {
  const { sketch } = reader
  for (const { at } of reader.operations('negation')) {
    const { lacking } = reader.operation(at, 'negation')!
    let next = reader.beside(at, 1, true)
    if (reader.operation(next, 'both') !== null) next = reader.beside(next, 1, true)
    const [cls, property] = [reader.cls(next), reader.property(next)]
    const kept = lacking ? describedNoun(reader, next) : null
    if (kept !== null) {
      // "no open order": there may be others
      sketch.absent.push({ cls: kept.cls, where: kept.places.map((place) => equals(reader.value(place)!, place)), at })
      reader.take(at, kept.noun, ...kept.places)
    } else if (reader.value(next) !== null || isFigureOrText(reader, next) || reader.operation(next, 'like') !== null) {
      reader.negated.add(next)
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
      if (!lacking && (ownValue || isFigureOrText(reader, after))) {
        reader.negated.add(after)
        reader.take(at)
      } else if (lacking) {
        sketch.restrictions.push({ ref: { cls: property.cls, property: property.property }, op: 'is_null', at })
        reader.take(at, next)
      }
    }
  }
  for (const { at } of reader.operations('missing')) {
    const near = [reader.beside(at, -1, true), reader.beside(at, 1)].find((i) => reader.property(i) !== null && reader.free(i))
    const property = near === undefined ? null : reader.property(near)
    if (property === null) continue
    sketch.restrictions.push({ ref: { cls: property.cls, property: property.property }, op: 'is_null', at })
    reader.take(at, near!)
  }
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

const isFigureOrText = (reader: Reader, at: number): boolean =>
  reader.number(at) !== null || reader.elements[at]?.kind === 'text'
