/** Negation, values, texts and periods: what must hold of a record, or must not. */
import { splitIdentifier } from '../../../kernel/text/index.ts'
import type { OntologyClass } from '../../../ontology/index.ts'
import type { ValueElement } from '../elements.ts'
import type { Reader } from '../reader.ts'
import { type Ref, type Restriction, bend, isMoment, isNumeric, isText } from '../sketch.ts'

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

const equals = ({ cls, property, value }: ValueElement, at: number): Restriction => ({
  ref: { cls, property }, op: '=', value, at,
})

/** "whose name contains 'ee'", "starting with A". */
export function readLikes(reader: Reader): void {
  for (const { at } of reader.operations('like')) {
    const { place } = reader.operation(at, 'like')!
    const before = reader.beside(at, -1, true)
    // a single letter is a letter here, not an article
    const next = /^\p{L}$/u.test(reader.text(at + 1)) ? at + 1 : reader.beside(at, 1)
    const property = reader.property(before)
    const element = reader.elements[next]
    if (property === null || !isText(property) || !reader.free(before) || element === undefined) continue
    if (element.kind !== 'text' && element.kind !== 'value' && element.kind !== 'number' && element.kind !== 'word') continue
    const text = reader.text(next)
    const pattern = `${place === 'start' ? '' : '%'}${text}${place === 'end' ? '' : '%'}`
    const op = reader.negated.has(at) ? 'not_like' : 'like'
    reader.take(at, before, next)
    const ref = { cls: property.cls, property: property.property }
    const or = reader.beside(next, 1)
    const other = reader.operation(or, 'or') === null ? -1 : reader.beside(or, 1)
    const second = reader.elements[other]
    if (second?.kind === 'text' || second?.kind === 'value') {
      // 'contains "x" or "y"'
      reader.sketch.restrictions.push({ ref, op, value: pattern, alternative: at, at })
      reader.sketch.restrictions.push({ ref, op, value: pattern.replace(text, reader.text(other)), alternative: at, at: other })
      reader.take(or, other)
    } else reader.sketch.restrictions.push({ ref, op, value: pattern, at })
  }
}

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

/** A quoted text that stands nowhere in the data, beside the property it is said to be of: it finds nothing, and says so. */
export function readTexts(reader: Reader): void {
  for (const [at, element] of reader.elements.entries()) {
    if (element.kind !== 'text' || reader.used.has(at)) continue
    const before = reader.beside(at, -1)
    const property = reader.property(before)
    if (property === null || !isText(property) || !reader.free(before)) continue
    reader.sketch.restrictions.push({
      ref: { cls: property.cls, property: property.property }, op: reader.negated.has(at) ? '!=' : '=', value: element.text, at,
    })
    bend(reader.sketch, 'text not in the data', 0.4)
    reader.take(at, before)
  }
}

const stem = (word: string): string => word.replace(/(?:ing|ed|ment|ion|ions|s|e|ed|er|ers|or)$/, '').slice(0, 6)

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

/** Periods: of the moment that stands beside them, that a verb of the sentence names, or the only one of what is asked for. */
export function readTimes(reader: Reader): void {
  for (const [at, element] of reader.elements.entries()) {
    if (element.kind !== 'time' || reader.used.has(at)) continue
    const ref = momentFor(reader, at)
    if (ref === null) continue
    const { from, to } = element
    if (isNumeric(ref)) {
      const [low, high] = [from?.slice(0, 4), to?.slice(0, 4)].map((year) => (year === undefined ? null : Number(year)))
      if (low !== null && high === low! + 1) push(reader, ref, '=', low, at)
      else {
        if (low !== null) push(reader, ref, '>=', low, at)
        if (high !== null) push(reader, ref, '<', high, at)
      }
    } else {
      if (from !== null) push(reader, ref, '>=', from, at)
      if (to !== null) push(reader, ref, '<', to, at)
    }
    reader.take(at)
  }
}

const push = (reader: Reader, ref: Ref, op: Restriction['op'], value: string | number | null | undefined, at: number): void => {
  if (value !== null && value !== undefined) reader.sketch.restrictions.push({ ref, op, value, at })
}

function momentFor(reader: Reader, at: number): Ref | null {
  const before = reader.beside(at, -1, true)
  const own = reader.property(before)
  const isYear = (ref: Ref) => isNumeric(ref) && splitIdentifier(ref.property.name).some((word) => /^years?$/i.test(word))
  if (own !== null && (isMoment(own) || isNumeric(own)) && reader.free(before)) {
    reader.take(before)
    return { cls: own.cls, property: own.property }
  }
  // "arrived in Oslo before August": the verb names the moment, wherever it stands
  for (const [i] of reader.elements.entries()) {
    const said = reader.property(i)
    if (said !== null && isMoment(said) && reader.free(i) && reader.saidByVerb(i) && reader.sentence(i) === reader.sentence(at)) {
      reader.take(i)
      return { cls: said.cls, property: said.property }
    }
  }
  const classes = [...new Set(reader.elements.flatMap((element) => ('cls' in element ? [element.cls] : [])))]
  const refs = classes.flatMap((cls) => cls.properties.map((property): Ref => ({ cls, property })))
  const moments = refs.filter((ref) => isMoment(ref) || isYear(ref))
  const passed = reader.elements.filter((element) => element.kind === 'word').filter(({ content }) => content !== 'other')
  const verbs = new Set(passed.map(({ lower }) => stem(lower)))
  const isSaid = (word: string) => word.length > 3 && verbs.has(stem(word.toLowerCase()))
  const said = moments.filter(({ property }) => splitIdentifier(property.name).some(isSaid))
  if (said.length === 1) return said[0]!
  const focus = moments.filter(({ cls }) => cls.name === classes[0]?.name)
  const [only] = focus.length > 0 ? focus : moments
  if (only === undefined) return null
  if ((focus.length > 0 ? focus : moments).length > 1) bend(reader.sketch, 'one of several moments', 0.6)
  return only
}
