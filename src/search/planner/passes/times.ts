/** Periods, and the moments that they are said of. */
import { splitIdentifier } from '../../../kernel/text/index.ts'
import type { OntologyClass } from '../../../ontology/index.ts'
import type { TimeElement } from '../elements.ts'
import type { Reader } from '../reader.ts'
import { type Ref, type Restriction, bend, isMoment, isNumeric } from '../sketch.ts'

/** Periods: of the moment that stands beside them, that a verb of the sentence names, or the only one of what is asked for. */
export function readTimes(reader: Reader): void {
  for (const [at, element] of reader.elements.entries()) {
    if (element.kind !== 'time' || reader.used.has(at)) continue
    const ref = momentFor(reader, at)
    if (ref === null) continue
    const { from, to } = sideOf(reader, element, at)
    if (reader.negated.has(at)) deny(reader, ref, element, at)
    else if (isNumeric(ref)) {
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

/** "fairs held between 2021 and 2024": of the moment that what is spoken of has, both years included. */
export function readPeriod(reader: Reader, at: number, first: number, last: number): boolean {
  const [low, high] = [reader.elements[first], reader.elements[last]]
  if (low?.kind !== 'time' || high?.kind !== 'time' || low.from === null || high.to === null) return false
  const ref = momentFor(reader, at)
  if (ref === null) return false
  if (isNumeric(ref)) {
    if (!low.bare || !high.bare) return false
    push(reader, ref, '>=', Number(low.from.slice(0, 4)), at)
    push(reader, ref, '<', Number(high.to.slice(0, 4)), at)
  } else {
    push(reader, ref, '>=', low.from, at)
    push(reader, ref, '<', high.to, at)
  }
  return true
}

/** "before the year 2024", "after the month of May": the side is said before the name of what is measured. */
function sideOf(reader: Reader, { from, to }: TimeElement, at: number): { from: string | null; to: string | null } {
  let i = at - 1
  while (['of', 'the', 'year', 'in'].includes(reader.word(i)) || (reader.property(i) !== null && i > at - 4)) i -= 1
  const word = i === at - 1 ? '' : reader.word(i)
  if (from === null || to === null || (word !== 'before' && word !== 'after')) return { from, to }
  reader.take(i)
  return word === 'before' ? { from: null, to: from } : { from: to, to: null }
}

/** "not in 2024": before it or after it; of what belongs to another, none in it. */
function deny(reader: Reader, ref: Ref, { from, to }: TimeElement, at: number): void {
  const bound = (moment: string): string | number => (isNumeric(ref) ? Number(moment.slice(0, 4)) : moment)
  const sides: Restriction[] = [
    ...(from === null ? [] : [{ ref, op: '>=' as const, value: bound(from), at }]),
    ...(to === null ? [] : [{ ref, op: '<' as const, value: bound(to), at }]),
  ]
  const focus = reader.elements.find((element) => 'cls' in element)
  if (focus !== undefined && 'cls' in focus && focus.cls.name !== ref.cls.name) reader.sketch.absent.push({ cls: ref.cls, where: sides, at })
  else reader.sketch.restrictions.push(...sides.map((side, i) => ({ ...side, denied: true, alternative: at, branch: i })))
}

const push = (reader: Reader, ref: Ref, op: Restriction['op'], value: string | number | null | undefined, at: number): void => {
  if (value !== null && value !== undefined) reader.sketch.restrictions.push({ ref, op, value, at })
}

function momentFor(reader: Reader, at: number): Ref | null {
  const before = reader.beside(at, -1, true)
  const own = reader.property(before)
  if (own !== null && (isMoment(own) || isNumeric(own)) && reader.free(before)) {
    reader.take(before)
    return { cls: own.cls, property: own.property }
  }
  // "without an order in 2024": what stands right before it
  const [nearest, ...further] = momentsOf(reader.cls(before)?.cls)
  if (nearest !== undefined && further.length === 0) return nearest
  // "arrived in Oslo before August": the verb names the moment, wherever it stands
  for (const [i] of reader.elements.entries()) {
    const said = reader.property(i)
    if (said !== null && isMoment(said) && reader.free(i) && reader.saidByVerb(i) && reader.sentence(i) === reader.sentence(at)) {
      reader.take(i)
      return { cls: said.cls, property: said.property }
    }
  }
  const classes = [...new Set(reader.elements.flatMap((element) => ('cls' in element ? [element.cls] : [])))]
  const moments = classes.flatMap(momentsOf)
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

const isYear = (ref: Ref): boolean =>
  isNumeric(ref) && splitIdentifier(ref.property.name).some((word) => /^years?$/i.test(word))

export const momentsOf = (cls: OntologyClass | undefined): Ref[] =>
  (cls?.properties ?? []).map((property): Ref => ({ cls: cls!, property })).filter((ref) => isMoment(ref) || isYear(ref))

const stem = (word: string): string => word.replace(/(?:ing|ed|ment|ion|ions|s|e|ed|er|ers|or)$/, '').slice(0, 6)
