/** Texts in quotation marks, letters and parts of names. */
import type { Reader } from '../reader.ts'
import { type Ref, bend, isText, labelsOf } from '../sketch.ts'

type Place = 'inside' | 'start' | 'end'

/** Nouns that say that a text is meant as such: "the letter a", "the word 'lamp'". */
const TEXT_NOUNS: ReadonlySet<string> = new Set(
  'letter letters word words substring substrings string strings phrase text character characters prefix'.split(' '),
)
const BEFORE_TEXT: ReadonlySet<string> = new Set(['the', 'a', 'an', 'of', 'with', 'either', 'single', 'capital'])
const HAVING = /^(?:has|have|having|had|with|include|includes|including|contain|contains)$/

/** "whose name contains 'ee'", "starting with A", "names not ending with s". */
export function readLikes(reader: Reader): void {
  for (const { at } of reader.operations('like')) {
    const { place } = reader.operation(at, 'like')!
    const not = reader.beside(at, -1, true)
    const negated = reader.operation(not, 'negation') !== null
    const said = textAfter(reader, at)
    const before = negated ? reader.beside(not, -1, true) : not
    const of = said === null ? null : spokenOf(reader, before, said.last)
    if (said === null || of === null) continue
    reader.take(at, ...(negated ? [not] : []))
    pushTexts(reader, { ...of, texts: said, place, negated, at })
  }
}

/** "has the letter 'a' in it", "without the letter M in their name", "with 'senior' in their title": no verb says so. */
export function readLetters(reader: Reader): void {
  for (const [at, element] of reader.elements.entries()) {
    if (reader.used.has(at)) continue
    const noun = element.kind === 'word' && TEXT_NOUNS.has(element.lower)
    const [said, start] = noun ? [textAfter(reader, at - 1), at] : [textAt(reader, at), at]
    if (said === null) continue
    const asPart = noun || isPart(reader, said.last)
    const before = beforeText(reader, start)
    const negated = reader.operation(before, 'negation') !== null
    const verbs = reader.wordsBetween(before, start)
    const holds = negated || verbs.some((word) => HAVING.test(word))
    const of = asPart && (holds || noun) ? spokenOf(reader, negated ? reader.beside(before, -1, true) : before, said.last) : null
    if (of === null || (!noun && !of.after)) continue
    if (negated) reader.take(before)
    const place = reader.word(at) === 'prefix' ? 'start' : 'inside'
    pushTexts(reader, { ...of, texts: said, place, negated, at })
  }
}

const beforeText = (reader: Reader, at: number): number => reader.beside(at, -1, true)

interface Texts {
  /** where each text stands, and the words around them that say no more */
  readonly places: readonly number[]
  readonly spent: readonly number[]
  readonly last: number
}

/** The text after a verb, past "the letter" and the like; or several that "or" joins. */
function textAfter(reader: Reader, at: number): Texts | null {
  let next = at + 1
  const spent: number[] = []
  while (BEFORE_TEXT.has(reader.word(next)) || TEXT_NOUNS.has(reader.word(next))) {
    // a single letter is a letter here, not an article
    if (isLetter(reader, next) && !isSaid(reader, next + 1)) break
    spent.push(next)
    next += 1
  }
  const found = textAt(reader, next, spent.some((i) => TEXT_NOUNS.has(reader.word(i))) || reader.operation(at, 'like') !== null)
  return found === null ? null : { ...found, spent: [...spent, ...found.spent] }
}

function textAt(reader: Reader, at: number, bare = false): Texts | null {
  const fits = (i: number): boolean => (bare ? isSaid(reader, i) || reader.word(i) !== '' : isQuoted(reader, i))
  if (!fits(at) || !reader.free(at)) return null
  const places = [at]
  const spent: number[] = []
  for (let last = at; ; ) {
    const or = last + 1
    let second = or + 1
    while (reader.word(second) === 'the' || TEXT_NOUNS.has(reader.word(second))) second += 1
    if (reader.operation(or, 'or') === null || !isSaid(reader, second)) break
    spent.push(...Array.from({ length: second - or }, (_, i) => or + i))
    places.push(second)
    last = second
  }
  return { places, spent, last: places.at(-1)! }
}

const isLetter = (reader: Reader, at: number): boolean => /^\p{L}$/u.test(reader.text(at))

const isQuoted = (reader: Reader, at: number): boolean =>
  reader.elements[at]?.kind === 'text' || (reader.value(at) !== null && reader.tokens[reader.elements[at]!.start]!.quoted)

/** Something that is a text by itself: quoted, a value, a figure, one letter. */
const isSaid = (reader: Reader, at: number): boolean => {
  const kind = reader.elements[at]?.kind
  return kind === 'text' || kind === 'value' || kind === 'number' || (kind === 'word' && isLetter(reader, at))
}

/** "'senior' in their title", "as part of its name". */
const isPart = (reader: Reader, last: number): boolean => reader.word(last + 1) === 'in' || reader.word(last + 1) === 'as'

interface Of {
  readonly ref: Ref
  readonly spent: readonly number[]
  /** it stands behind the text */
  readonly after: boolean
}

/** What the text is in: the property before, "in their title" behind, or what names the class that is spoken of. */
function spokenOf(reader: Reader, before: number, last: number): Of | null {
  const behind = propertyBehind(reader, last)
  if (behind !== null) return behind
  const own = reader.property(before)
  if (own !== null && isText(own) && reader.free(before)) {
    return { ref: { cls: own.cls, property: own.property }, spent: [before, ...inIt(reader, last)], after: false }
  }
  const earlier = reader.sketch.restrictions.find(({ at, op }) => at === before && (op === 'like' || op === 'not_like'))
  if (earlier !== undefined) return { ref: earlier.ref, spent: [], after: false }
  const [label] = reader.cls(before) === null ? [] : labelsOf(reader.cls(before)!.cls)
  return label === undefined || !isText(label) ? null : { ref: label, spent: inIt(reader, last), after: false }
}

/** "... in it" */
const inIt = (reader: Reader, last: number): number[] =>
  reader.word(last + 1) === 'in' && /^(?:it|them)$/.test(reader.text(last + 2).toLowerCase()) ? [last + 1, last + 2] : []

const TO_PROPERTY: ReadonlySet<string> = new Set('in part of as a the its their his her it some any substring anywhere'.split(' '))

function propertyBehind(reader: Reader, last: number): Of | null {
  const spent: number[] = []
  let next = last + 1
  for (; TO_PROPERTY.has(reader.word(next)); next += 1) spent.push(next)
  const property = reader.property(next)
  const words = spent.map((i) => reader.word(i))
  if (property === null || !isText(property) || !words.includes('in') && !words.includes('of') || !reader.free(next)) return null
  return { ref: { cls: property.cls, property: property.property }, spent: [...spent, next], after: true }
}

interface Found extends Of {
  readonly texts: Texts
  readonly place: Place
  readonly negated: boolean
  readonly at: number
}

function pushTexts(reader: Reader, { ref, spent, texts, place, negated, at }: Found): void {
  const { places } = texts
  const alone = !reader.elements.some((_, i) => !spent.includes(i) && reader.free(i) && (reader.property(i) ?? reader.cls(i)) !== null)
  const shown = reader.sketch.shown.length > 0
  // "names starting with A": they are what is asked for as well
  reader.take(...spent.filter((i) => !(alone && !shown && reader.property(i) !== null)), ...texts.spent, ...places)
  for (const i of places) {
    const value = `${place === 'start' ? '' : '%'}${reader.text(i)}${place === 'end' ? '' : '%'}`
    // none of several, but any of several
    const alternative = places.length > 1 && !negated ? { alternative: at } : {}
    reader.sketch.restrictions.push({ ref, op: negated ? 'not_like' : 'like', value, ...alternative, at: i })
  }
}

/** A quoted text that stands nowhere in the data, beside the property it is said to be of: it finds nothing, and says so. */
export function readTexts(reader: Reader): void {
  for (const [at, element] of reader.elements.entries()) {
    if (element.kind !== 'text' || reader.used.has(at)) continue
    const not = reader.beside(at, -1)
    const before = reader.negated.has(at) && reader.operation(not, 'negation') !== null ? reader.beside(not, -1) : not
    const property = reader.property(before)
    if (property === null || !isText(property) || !reader.free(before)) continue
    const ref = { cls: property.cls, property: property.property }
    // a name may be given by a part of it
    const part = reader.choices.turned('part of a text', at)
    const op = reader.negated.has(at) ? (part ? 'not_like' as const : '!=' as const) : part ? 'like' as const : '=' as const
    reader.sketch.restrictions.push({ ref, op, value: part ? `%${element.text}%` : element.text, at })
    bend(reader.sketch, 'text not in the data', 0.4)
    reader.take(at, before)
  }
}
