/** What the answer shows, and what it is grouped by: whatever no condition has claimed. */
import type { OntologyClass, OntologyProperty } from '../../../ontology/index.ts'
import type { ClassElement, PropertyElement } from '../elements.ts'
import { isTerm } from '../elements.ts'
import type { Reader } from '../reader.ts'
import type { Token } from '../tokens.ts'
import { type Ref, type Restriction, type Shown, bend, isKey, isMoment, isText } from '../sketch.ts'

/** "for each shelf", "by colour". */
export function readGroups(reader: Reader): void {
  const { sketch } = reader
  const showsFold = sketch.shown.some(({ kind }) => kind === 'count' || kind === 'fold')
  const ordersByFold = sketch.orders.some(({ measure }) => measure.kind !== 'property')
  const folds = showsFold || ordersByFold || sketch.groupConditions.length > 0
  // "for different colours" says "for each colour"
  const forDifferent = reader.operations('distinct').filter(({ at }) => reader.word(at - 1) === 'for')
  for (const { at } of [...reader.operations('each'), ...forDifferent]) {
    const next = reader.beside(at, 1)
    const target = sameWord(reader, next) ?? reader.cls(next) ?? reader.property(next)
    // "the tallest in each" is one for each, which no plan here can say
    if (!folds && sketch.limit !== null) continue
    reader.take(at)
    if (target === null || !folds || !reader.free(next)) continue
    sketch.each = true
    pushGroups(reader, next, target)
  }
  if (!showsFold) return
  for (const [at] of reader.elements.entries()) {
    if (reader.word(at) !== 'by') continue
    const next = at + 1
    const target = reader.cls(next) ?? reader.property(next)
    if (target === null || !reader.free(next) || reader.value(next + 1) !== null || isDoneBy(reader, at)) continue
    pushGroups(reader, next, target)
  }
}

/** "lamps made by guests": who does it, not what is grouped by. */
function isDoneBy(reader: Reader, at: number): boolean {
  const before = reader.elements[at - 1]
  return (before?.kind === 'word' && before.content === 'verb') || reader.saidByVerb(at - 1)
}

/** A group, and those joined to it: "by maker and colour". */
function pushGroups(reader: Reader, at: number, target: PropertyElement | ClassElement): void {
  reader.sketch.groups.push(target.kind === 'class' ? target.cls : { cls: target.cls, property: target.property })
  reader.take(at)
  const next = reader.beside(at, 1)
  const joined = next !== -1 && (reader.paused(next) || reader.wordsBetween(at, next).every((word) => word === 'and'))
  const more = reader.property(next) ?? reader.cls(next)
  if (joined && next > at + (reader.paused(next) ? 0 : 1) && more !== null && reader.free(next)) pushGroups(reader, next, more)
}

/** "wrapping papers and the number of gifts in each paper": the paper is the wrapping paper named before. */
function sameWord(reader: Reader, at: number): PropertyElement | null {
  const last = (i: number) => reader.tokens[(reader.elements[i]?.end ?? 0) - 1]?.lemma
  if (at === -1) return null
  for (let i = at - 1; i >= 0; i -= 1) if (reader.property(i) !== null && last(i) === last(at)) return reader.property(i)
  return null
}

const RELATIVE: ReadonlySet<string> = new Set('that which whose with having where for in on at from to'.split(' '))

export function readShown(reader: Reader): void {
  const { sketch } = reader
  const free = [...reader.elements.keys()].filter((at) => reader.free(at) && (reader.cls(at) ?? reader.property(at)) !== null)
  const properties = free.filter((at) => reader.property(at) !== null)
  const lastSentence = Math.max(0, ...[...properties, ...sketch.shown.map(({ at }) => at)].map((at) => reader.sentence(at)))
  const manySentences = lastSentence > 0
  for (const { at } of reader.operations('distinct')) {
    sketch.distinct = true
    reader.take(at)
  }
  for (const at of properties) {
    const element = reader.property(at)!
    // "Which driver has gone furthest? Show the last name.": the later sentence says what to show
    if (manySentences && reader.sentence(at) < lastSentence) {
      reader.take(at)
      sketch.named.push(element.cls)
      continue
    }
    reader.take(at)
    const ref = { cls: element.cls, property: element.property }
    if (standsFor(reader, at) || isFoldedBefore(reader, at)) continue
    if (reader.saidByVerb(at) && sketch.shown.length + termsBeside(reader, at) > 0) {
      bend(sketch, 'verb of a property', 0.15)
      // "orders that were shipped" have a moment at which they were
      if (isDone(reader, at)) sketch.restrictions.push({ ref, ...holds(element.property), at })
      if (element.weight >= 0.75) sketch.named.push(element.cls)
      continue
    }
    if (qualifiesCount(reader, at)) {
      bend(sketch, 'property of what is counted', 0.5)
      // "how many guests have a nickname"
      if (reader.wordsBetween(at - 3, at).some((word) => HAVING.has(word))) sketch.restrictions.push({ ref, ...holds(element.property), at })
      sketch.named.push(element.cls)
      continue
    }
    if (isRestrictive(reader, at)) {
      // "guests who have a nickname"
      bend(sketch, 'property as condition', 0.3)
      sketch.restrictions.push({ ref, op: 'exists', at })
    } else sketch.shown.push({ kind: 'property', ref, at, ...ownerOf(reader, at) })
  }
  // "which lamps": a value that names a kind of thing stands for the things
  const head = reader.elements.findIndex(isTerm)
  const kind = reader.value(head)
  if (kind !== null && sketch.shown.length === 0 && ASKING.has(reader.word(head - 1))) {
    const next = reader.cls(head + 1)
    if (next === null || next.cls.name !== kind.cls.name) sketch.shown.push({ kind: 'record', cls: kind.cls, at: head })
  }
  const classes = free.filter((at) => reader.cls(at) !== null)
  for (const at of classes) {
    const { cls } = reader.cls(at)!
    reader.take(at)
    // "garden chairs" are chairs
    if (reader.cls(at + 1) !== null && !reader.paused(at + 1)) {
      sketch.named.push(cls)
      continue
    }
    const described = sketch.shown.length > 0 || sketch.groups.length > 0
    if (!described || isListed(reader, at, manySentences)) sketch.shown.push({ kind: 'record', cls, at })
    else sketch.named.push(cls)
  }
  readEverything(reader)
  readAsked(reader)
  readUnsaid(reader)
  const [only] = sketch.shown
  if (sketch.shown.length === 1 && only?.kind === 'property') {
    const { ref: { cls, property }, at } = only
    const names = isKey(only.ref) || property.name === cls.labelProperty
    // "which colours", "what makers" ask for the colours and makers, each once
    if (!names && ['which', 'what'].includes(reader.word(at - 1))) sketch.distinct = true
  }
  // the order in which things were asked for is the order in which they are shown
  sketch.shown.sort((a, b) => a.at - b.at)
}

const ASKING: ReadonlySet<string> = new Set('which what list show find give me the all display any a an'.split(' '))
const termsBeside = (reader: Reader, at: number): number =>
  reader.elements.filter(({ kind }, i) => i !== at && (kind === 'class' || kind === 'property' || kind === 'value')).length

/** "the colours of lamps": a name that stands for its record, where another property of the record is asked for. */
function standsFor(reader: Reader, at: number): boolean {
  const own = reader.property(at)!
  if (!isText(own)) return false
  let i = at - 1
  while (i > 0 && ['the', 'all', 'each', 'different', 'these', 'any'].includes(reader.word(i))) i -= 1
  if (reader.word(i) !== 'of' && reader.word(i) !== 'for') return false
  const shown = reader.sketch.shown.some((item) => item.kind === 'property' && item.ref.cls.name === own.cls.name && item.at < at)
  return shown || reader.sketch.groups.length > 0
}

/** "the average weight in kilograms": the unit is a part of the column's name, and the figure is shown already. */
const isFoldedBefore = (reader: Reader, at: number): boolean =>
  reader.sketch.shown.some((item) => item.kind === 'fold' && item.at < at && item.ref.property.iri === reader.property(at)?.property.iri)

/** "the colour of shelves": whose property it is said to be. "The lamp colours of shelves" says itself whose they are. */
function ownerOf(reader: Reader, at: number): { owner?: string } {
  let i = at + 1
  if (reader.word(i) !== 'of' || reader.property(at)?.qualified === true) return {}
  while (['of', 'the', 'all', 'each', 'our'].includes(reader.word(i))) i += 1
  const cls = reader.cls(i)
  return cls === null ? {} : { owner: cls.cls.name }
}

/** "How many lamps were in the broken state": behind a count, and not joined to it, a property only says more of what is counted. */
function qualifiesCount(reader: Reader, at: number): boolean {
  const { sketch } = reader
  const count = sketch.shown.findLast((item) => item.kind === 'count' && item.at < at && reader.sentence(item.at) === reader.sentence(at))
  if (count === undefined || sketch.groups.length > 0 || sketch.shown.length > 1) return false
  const between = reader.elements.slice(count.at + 1, at + 1)
  return !between.some((_, i) => JOINING.has(reader.word(count.at + 1 + i)) || reader.paused(count.at + 1 + i))
}
const JOINING: ReadonlySet<string> = new Set(['and', 'with', 'for', 'their', 'its', 'by', 'each', 'per', 'corresponding', 'along'])

/** "placed by guests": the verb relates two things. */
const GOES_ON: ReadonlySet<string> = new Set(['by', 'to', 'from', 'in', 'on', 'at', 'with', 'for'])
const HAVING: ReadonlySet<string> = new Set(['have', 'has', 'had', 'having', 'with'])

/** What says yes or no says yes; anything else is there. */
const holds = ({ yes }: OntologyProperty): Pick<Restriction, 'op' | 'value'> => (yes === undefined ? { op: 'exists' } : { op: '=', value: yes })

/** A verb that stands for a moment that may be unknown, or for a yes, and that no period or value goes with. */
function isDone(reader: Reader, at: number): boolean {
  const { property, cls } = reader.property(at)!
  const asked = reader.elements.some(({ kind }, i) => kind === 'operation' && reader.operation(i, 'ask')?.word === 'when')
  if (asked || GOES_ON.has(reader.word(at + 1))) return false
  return property.yes !== undefined || (!property.required && isMoment({ cls, property }))
}

/** A property in a relative clause that no condition came of says that there is one. */
function isRestrictive(reader: Reader, at: number): boolean {
  if (reader.sketch.shown.length === 0) return false
  for (let i = at - 1; i >= 0 && !reader.opens(i + 1); i -= 1) {
    const word = reader.word(i)
    if (word === 'their' || word === 'its' || word === 'corresponding') return false
    if (word === 'and' && reader.word(i + 1) === 'the') return false
    const relative = word === 'that' || word === 'which' || word === 'who' || reader.operation(i, 'ask') !== null
    if (word === 'whose' || word === 'having' || (relative && i > 0 && !reader.opens(i))) return true
  }
  return false
}

/** "guests and their gifts", "the lamps and prices of": a class in the row of what is shown. */
function isListed(reader: Reader, at: number, manySentences: boolean): boolean {
  if (manySentences) return false
  const joined = (from: number, to: number) => reader.wordsBetween(from, to).includes('and') || reader.paused(to)
  const near = (i: number, from: number, to: number) => (reader.cls(i) ?? reader.property(i)) !== null && joined(from, to)
  const before = reader.beside(at, -1)
  if (before !== -1 && near(before, before, at)) return !hasRelative(reader, before)
  const after = reader.beside(at, 1)
  if (after === -1 || !near(after, at, after) || hasRelative(reader, at)) return false
  return [at - 1, at - 2].map((i) => reader.word(i)).every((word) => !RELATIVE.has(word) && word !== 'of')
}

function hasRelative(reader: Reader, before: number): boolean {
  let seenTerm = false
  for (let i = 0; i < before; i += 1) {
    if (reader.cls(i) !== null || reader.property(i) !== null) seenTerm = true
    if (seenTerm && RELATIVE.has(reader.word(i))) return true
  }
  return false
}

function readEverything(reader: Reader): void {
  for (const { at } of reader.operations('everything')) {
    const record = reader.sketch.shown.findIndex(({ kind }) => kind === 'record')
    const shown = reader.sketch.shown[record]
    if (shown?.kind !== 'record') continue
    const { cls, at: place } = shown
    const all = cls.properties.map((property): Shown => ({ kind: 'property', ref: { cls, property }, at: place }))
    reader.sketch.shown.splice(record, 1, ...all)
    reader.take(at)
  }
}

/** "What began in May?", "Is lamp X broken?": what is asked for is whatever the conditions speak of. */
function readUnsaid(reader: Reader): void {
  const { sketch } = reader
  if (sketch.shown.length > 0 || sketch.groups.length > 0) return
  const first = sketch.restrictions[0]?.ref.cls ?? sketch.named[0]
  if (first === undefined) return
  sketch.shown.push({ kind: 'record', cls: first, at: 0 })
  if (!isYesNo(reader.tokens)) bend(sketch, 'nothing asked for', 0.5)
}

const YES_NO: ReadonlySet<string> = new Set(['is', 'are', 'was', 'were', 'do', 'does', 'did', 'has', 'have', 'can'])

/** A question that begins with a verb asks whether something is so. */
export const isYesNo = ([first]: readonly Token[]): boolean => first !== undefined && !first.quoted && YES_NO.has(first.lower)

const PLACES: ReadonlySet<string> = new Set('location place city address country venue region site state'.split(' '))
const isPlace = ({ property: { kind, name } }: Ref): boolean =>
  kind === 'data' && name.split('_').some((part) => PLACES.has(part))

/** who, where and when ask for a name, a place, a moment of what else the question speaks of. */
function readAsked(reader: Reader): void {
  const { sketch } = reader
  for (const { at } of reader.operations('ask')) {
    const { word } = reader.operation(at, 'ask')!
    if (at > 0 && !reader.opens(at)) {
      reader.take(at) // a relative pronoun
      continue
    }
    const only = sketch.shown.length === 1 ? sketch.shown[0] : undefined
    if (word === 'who') {
      if (sketch.shown.length > 0) {
        reader.take(at)
        continue
      }
      const cls = person(reader)
      if (cls === null) continue
      sketch.shown.push({ kind: 'record', cls, at })
      reader.take(at)
      continue
    }
    const cls = only?.kind === 'record' ? only.cls : only === undefined ? reader.classAround(at) : null
    if (cls === null) {
      if (sketch.shown.length > 0) reader.take(at)
      continue
    }
    const refs = cls.properties.map((property): Ref => ({ cls, property }))
    const fit = refs.filter(word === 'when' ? isMoment : isPlace)
    if (fit.length !== 1) continue
    sketch.shown.splice(0, sketch.shown.length, { kind: 'property', ref: fit[0]!, at })
    reader.take(at)
  }
}

const PERSON_WORDS = /(?:^|_)(?:first|last|given|family|sur)_?name$|birth|gender|^sex$/

/** The class of people among those that the question speaks of. */
function person(reader: Reader): OntologyClass | null {
  const classes = [...new Set([
    ...reader.sketch.restrictions.map(({ ref }) => ref.cls),
    ...reader.sketch.orders.flatMap(({ measure }) => (measure.kind === 'count' ? [] : [measure.ref.cls])),
    ...reader.sketch.named,
  ])]
  const people = classes.filter((cls) => cls.properties.some(({ name }) => PERSON_WORDS.test(name)))
  if (people.length === 1) return people[0]!
  const [only] = classes
  return classes.length === 1 && only!.labelProperty?.endsWith('name') === true ? only! : null
}
