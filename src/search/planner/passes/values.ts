/** Values of the data as conditions: alone, in a row, joined by "or", or each of a record of its own. */
import { compareText } from '../../../kernel/term.ts'
import { splitIdentifier } from '../../../kernel/text/index.ts'
import type { ValueElement } from '../elements.ts'
import type { Reader } from '../reader.ts'
import type { Ref, Restriction, Side } from '../sketch.ts'

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
    const both = bothBefore(reader, at)
    const { restrictions } = reader.sketch
    const each = values.map((value, i) => equals(value, run.places[i]!))
    const op = negated ? '!=' : '='
    const ofRecord = negated && namedBefore(reader, at)
    if (values.length === 1) restrictions.push({ ...equals(first, at), op, stray: isStray(reader, at, first), ofRecord, ...sideOf(reader, at), ...(negated ? saidOf(reader, at) : {}) })
    else if (same && both !== -1 && !negated) {
      reader.take(both)
      restrictions.push(...each.map((one, branch) => ({ ...one, apart: true, branch })))
    } else if (same) {
      const allOf = !run.or && !negated
      restrictions.push({ ref, op: negated ? 'not_in' : 'in', value: values.map(({ value }) => value), at, each: allOf })
    }
    else if (run.or && !negated) restrictions.push(...each.map((one) => ({ ...one, alternative: at })))
    else restrictions.push(...each.map((one): Restriction => ({ ...one, op })))
  }
}

function sideOf(reader: Reader, at: number): { side?: Side } {
  const word = reader.word(at - 1)
  return word === 'from' || word === 'to' ? { side: word } : {}
}

/** "both Oslo and Bergen", "both the cities of Oslo and Bergen"; -1: nobody says so. */
function bothBefore(reader: Reader, at: number): number {
  const { cls } = reader.value(at)!
  for (let i = at - 1; i >= Math.max(0, at - 4); i -= 1) {
    if (reader.operation(i, 'both') !== null) return i
    const own = (reader.cls(i) ?? reader.property(i))?.cls.name === cls.name
    if (reader.elements[i]?.kind !== 'word' && !own) return -1
  }
  return -1
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

/** "lamps not sold by X": the last class named before. */
function saidOf(reader: Reader, at: number): { of?: string } {
  const owner = reader.elements.slice(0, at).findLast((element) => element.kind === 'class')
  return owner?.kind === 'class' ? { of: owner.cls.name } : {}
}

/** "delivered goods" have a delivery. */
const soundsLike = (word: string, className: string): boolean =>
  splitIdentifier(className).some((part) => part.length > 4 && part.slice(0, 5) === word.slice(0, 5).toLowerCase())

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
    if (orHere && !alike && beginsPair(reader, last, next)) return { places, joints, or }
    if (orHere) or = true
    joints.push(...own)
    places.push(i)
    last = i
  }
}

/** "Oslo, Norway or Lima, Peru": the value before the last one is of the property of the next. */
function beginsPair(reader: Reader, last: number, next: ValueElement): boolean {
  const first = reader.beside(last, -1)
  return reader.value(first)?.property.iri === next.property.iri
}

/** "colour red", "the country Norway": the word beside a value that names its property is spoken for. */
function takeOwnName(reader: Reader, at: number): void {
  const value = reader.value(at)!
  for (const near of [reader.beside(at, -1), reader.beside(at, 1)]) {
    const property = reader.property(near)
    if (property === null || !reader.free(near)) continue
    // one that follows after a comma or an "and" is the next thing asked for
    const words = near > at ? reader.wordsBetween(at, near) : []
    // "with white as their colour", "white in colour"
    const said = /^(?:as|for|in|is|are)$/.test(words[0] ?? '') && words.every((word) => /^(?:as|for|in|is|are|the|their|its|a|an|his|her)$/.test(word))
    const parted = reader.paused(near) || (words.length > 0 && !said)
    if (near > at && parted) continue
    if (property.property.iri === value.property.iri) reader.take(near)
  }
}

/** "older than 60 or from Oslo": alternatives of any kind, said on either side of the word. */
export function readOr(reader: Reader): void {
  const { restrictions } = reader.sketch
  restrictions.sort((a, b) => a.at - b.at)
  for (const { at } of reader.operations('or')) {
    // "actors or actresses", where both are records of one class
    const one = reader.cls(reader.beside(at, -1))
    if (one !== null && reader.cls(reader.beside(at, 1))?.cls.name === one.cls.name) {
      reader.take(at)
      continue
    }
    const before = restrictions.findLastIndex((each) => each.at < at && reader.sentence(each.at) === reader.sentence(at))
    const after = restrictions.findIndex((each) => each.at > at && reader.sentence(each.at) === reader.sentence(at))
    const [left, right] = [restrictions[before], restrictions[after]]
    if (left === undefined || right === undefined || right.alternative !== undefined) continue
    const alternative = left.alternative ?? at
    const width = left.alternative === undefined ? pairWidth(restrictions, before, after) : 1
    // both bounds of a period stand on its side
    const same = width > 1 ? [] : restrictions.flatMap((each, i) => (each.at === left.at || each.at === right.at ? [i] : []))
    for (const i of same) restrictions[i] = { ...restrictions[i]!, alternative }
    for (let i = 0; i < (width > 1 ? width : 0); i += 1) {
      const [one, two] = [before - i, after + i]
      restrictions[one] = { ...restrictions[one]!, alternative, branch: 0 }
      restrictions[two] = { ...restrictions[two]!, alternative, branch: 1 }
    }
    reader.take(at)
  }
}

/** "in March 2024 or May 2025", "in Oslo, Norway or Lima, Peru": how many on either side hold together. */
function pairWidth(restrictions: readonly Restriction[], before: number, after: number): number {
  const iris = (from: number, width: number) =>
    restrictions.slice(from, from + width).map(({ ref, op }) => `${ref.property.iri} ${op}`).toSorted(compareText).join('|')
  for (const width of [3, 2]) {
    const from = before - width + 1
    if (from >= 0 && after + width <= restrictions.length && iris(from, width) === iris(after, width)) return width
  }
  return 1
}

/** "in Oslo but not in Lima", "made in 2024 but not in 2025": what one has and the other must not have. */
export function readContrasts(reader: Reader): void {
  const { restrictions } = reader.sketch
  const sameProperty = (one: Restriction, two: Restriction) => one.ref.property.iri === two.ref.property.iri
  const at = restrictions.findIndex((each, i) =>
    HELD[each.op] !== undefined && restrictions.some((other, k) => k < i && sameProperty(each, other) && isHeld(other)))
  const denied = restrictions[at]
  if (denied === undefined) return
  restrictions[at] = { ...denied, op: HELD[denied.op]!, without: true }
  for (const [i, later] of restrictions.entries()) {
    if (i > at && restrictions.slice(0, at).some((other) => sameProperty(later, other) && other.value !== later.value)) {
      restrictions[i] = { ...later, without: true }
    }
  }
}

const HELD: Partial<Record<Restriction['op'], Restriction['op']>> = { '!=': '=', not_in: 'in', not_like: 'like' }
const isHeld = ({ op, alternative }: Restriction): boolean => alternative === undefined && Object.values(HELD).includes(op)

/** Two values of one property, or ranges of it that do not meet, cannot both hold of one record: each speaks of a record of its own. */
export function readBoth(reader: Reader): void {
  const { restrictions } = reader.sketch
  const twins = restrictions.filter((each) => restrictions.some((other) => excludes(each, other)))
  for (const [i, restriction] of restrictions.entries()) {
    const { ref: { property: { iri } }, at } = restriction
    const places = [...new Set(twins.filter(({ ref }) => ref.property.iri === iri).map((twin) => twin.at))]
    const branch = places.indexOf(at)
    if (branch !== -1) restrictions[i] = { ...restriction, apart: true, branch }
  }
}

function excludes(one: Restriction, two: Restriction): boolean {
  const plain = ({ alternative, fold, denied, without }: Restriction) =>
    alternative === undefined && fold === undefined && denied !== true && without !== true
  if (one.ref.property.iri !== two.ref.property.iri || !plain(one) || !plain(two)) return false
  if (one.op === '=' && two.op === '=') return one.value !== two.value
  const [low, high] = one.op.startsWith('>') ? [one, two] : [two, one]
  if (!low.op.startsWith('>') || !high.op.startsWith('<')) return false
  const [from, to] = [low.value, high.value]
  if (typeof from === 'number' && typeof to === 'number') return from >= to
  return typeof from === 'string' && typeof to === 'string' && compareText(from, to) >= 0
}

export const equals = ({ cls, property, value }: ValueElement, at: number): Restriction => ({
  ref: { cls, property }, op: '=', value, at,
})
