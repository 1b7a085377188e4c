/** What must not hold, or must not be there. */
import type { OntologyClass } from '../../../ontology/index.ts'
import { isLemma } from '../../language/wordnet.ts'
import { isTerm } from '../elements.ts'
import type { Reader } from '../reader.ts'
import { scopeBehind } from './against.ts'
import { equals } from './values.ts'

/** "without any order", "not in Oslo", "no nickname". Values and numbers are only marked here; their own pass places them. */
export function readNegations(reader: Reader): void {
  for (const { at } of reader.operations('negation')) {
    let next = reader.beside(at, 1, true)
    // "except those who ...", "not play football"
    while (isPassed(reader, next) || isVerbOf(reader, at, next)) {
      reader.take(next)
      next = reader.beside(next, 1, true)
    }
    readNegation(reader, at, next, reader.operation(at, 'negation')!.lacking)
    for (const [i] of reader.elements.entries()) if (i > at && AT_ALL.has(reader.word(i)) && reader.sentence(i) === reader.sentence(at)) reader.take(i)
  }
  for (const { at } of reader.operations('missing')) {
    const near = [reader.beside(at, -1, true), reader.beside(at, 1)].find((i) => reader.property(i) !== null && reader.free(i))
    const property = near === undefined ? null : reader.property(near)
    if (property === null) continue
    reader.sketch.restrictions.push({ ref: { cls: property.cls, property: property.property }, op: 'is_null', at })
    reader.take(at, near!)
  }
}

const AT_ALL: ReadonlySet<string> = new Set(['yet', 'anywhere', 'anything', 'anyone'])

const isPassed = (reader: Reader, at: number): boolean =>
  reader.operation(at, 'both') !== null || reader.operation(at, 'back') !== null || reader.operation(at, 'ask') !== null

/** A verb that sounds like a class, where what is denied comes after it. */
function isVerbOf(reader: Reader, not: number, at: number): boolean {
  if (at !== not + 1 || reader.cls(at) === null || reader.operation(not, 'negation')?.lacking === true) return false
  const word = reader.text(at).toLowerCase()
  const after = reader.elements[reader.beside(at, 1, true)]
  return !word.endsWith('s') && isLemma(word, 'verb') && (after?.kind === 'class' || after?.kind === 'value')
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
    const { scope, places } = scopeBehind(reader, next, cls.cls)
    reader.take(at, next, ...places)
    // "colours that have no lamp in Oslo": what is asked for is a value that no such record has
    const [head] = reader.elements.filter(isTerm)
    if (head?.kind === 'property' && head.cls.name === cls.cls.name && scope.length > 0) {
      sketch.restrictions.push(...scope.map((each) => ({ ...each, without: true })))
    } else sketch.absent.push({ cls: cls.cls, where: scope, at })
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
  const own = restrictions.findIndex((each) => each.at >= at && each.at <= at + 2)
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
