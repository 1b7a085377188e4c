/** Understands a reading: each pass claims the elements it can place. What nobody claims makes the reading fail. */
import { splitIdentifier } from '../../kernel/text/index.ts'
import { lemmaOf } from '../language/lemma.ts'
import { isLemma } from '../language/wordnet.ts'
import { Choices } from './choices.ts'
import type { Element } from './elements.ts'
import { readAgainst } from './passes/against.ts'
import { readBack } from './passes/back.ts'
import { readComparisons } from './passes/comparisons.ts'
import { readFlags } from './passes/flags.ts'
import { readNegations } from './passes/negations.ts'
import { readExtremes, readMost, readOrders, readTop, readTopOrder } from './passes/ordering.ts'
import { readCounts, readFolds, readHow, readNumbers } from './passes/quantities.ts'
import { readShared } from './passes/shared.ts'
import { readLetters, readLikes, readTexts } from './passes/texts.ts'
import { readTimes } from './passes/times.ts'
import { readBoth, readContrasts, readOr, readValues } from './passes/values.ts'
import { isYesNo, readGroups, readShown } from './passes/showing.ts'
import { Reader } from './reader.ts'
import type { VerbRole } from './roles.ts'
import type { Sketch } from './sketch.ts'
import type { Token } from './tokens.ts'
import { FUNCTION_WORDS } from './words.ts'

export interface Understood {
  readonly sketch: Sketch
  /** elements that found no place, by their words */
  readonly unplaced: readonly string[]
  readonly reader: Reader
}

/** In this order: what an earlier pass claims, a later one does not see. */
const PASSES = [
  readBack, readTop, readOrders, readLikes, readLetters, readComparisons, readFlags, readAgainst, readExtremes, readMost, readTopOrder,
  readFolds, readHow, readCounts, readNegations, readValues, readNumbers, readTexts, readGroups, readTimes, readOr,
  readContrasts, readBoth, readShared, readShown,
] as const

export function interpret(question: string, tokens: readonly Token[], elements: readonly Element[], choices = new Choices(), verbs: readonly VerbRole[] = []): Understood {
  const reader = new Reader(question, tokens, elements, choices)
  for (const [at, element] of elements.entries()) {
    if (element.kind === 'class' && element.via !== undefined) reader.sketch.roles.push({ via: element.via, cls: element.cls.name, at })
    // "start date" names no station, a verb alone may
    const alone = element.end - element.start === 1 && !(element.kind === 'class' && element.via !== undefined)
    if (alone) for (const { token, via, cls, by } of verbs) if (token === element.start) reader.sketch.roles.push({ via, cls, at, verb: true, by })
  }
  reader.sketch.whether = isYesNo(tokens)
  reader.sketch.asksOther = elements.some((element) => (element.kind === 'word' && element.content === 'verb')
    || (element.kind === 'operation' && element.operation.kind === 'ask'))
  for (const pass of PASSES) pass(reader)
  const unplaced = elements.flatMap((element, at) => {
    if (reader.used.has(at)) return []
    if (element.kind === 'word') return element.content === 'other' ? [reader.text(at)] : []
    return element.kind === 'operation' && element.operation.kind === 'both' ? [] : [reader.text(at)]
  })
  return { sketch: reader.sketch, unplaced: [...unplaced, ...othersNamed(reader)], reader }
}

const NAMING = /^(?:name|first|last|full|title|label|code|number)s?$/i

/** A verb that says more than what something is or is called. */
const isDeed = (word: string): boolean =>
  !FUNCTION_WORDS.has(word) && !/^(?:named|called|name|names|equal|equals|like)$/.test(word) && isLemma(lemmaOf(word, 'verb'), 'verb')

/**
 * "products in the box of X", "products with the colour of X": the value names another record of the class
 * asked for, which a plan of single records cannot say. A value right after its class ("product X") names the record itself.
 */
function othersNamed(reader: Reader): string[] {
  const { elements, sketch } = reader
  return sketch.restrictions.flatMap(({ ref, at }) => {
    const value = reader.value(at)
    if (value === null || ref.property.name !== ref.cls.labelProperty) return []
    const own = elements.slice(0, at).findLastIndex(
      (element) => element.kind === 'class' && element.cls.name === ref.cls.name && element.back !== true,
    )
    if (own === -1) return []
    const done = elements.slice(own + 1, at).some((element) => element.kind === 'word' && isDeed(element.lower))
    const bound = sketch.roles.some(({ via, cls }) => cls === ref.cls.name && via.startsWith(`${cls}.`))
    // "staff report to X", "guests invited by X": X is another one
    const naming = splitIdentifier(ref.property.name).every((word) => NAMING.test(word) || splitIdentifier(ref.cls.name).includes(word))
    if (done && naming && !bound && ['by', 'to', 'under', 'with'].includes(reader.word(at - 1))) return [reader.text(at)]
    if (!['of', 'as', 'like'].includes(reader.word(at - 1))) return []
    // "with the name as X"
    if (reader.property(reader.beside(at, -1))?.property.iri === ref.property.iri) return []
    const between = elements.slice(own + 1, at)
    const other = between.some(
      (element) => element.kind === 'class' || (element.kind === 'property' && element.property.iri !== ref.property.iri),
    )
    return other ? [reader.text(at)] : []
  })
}
