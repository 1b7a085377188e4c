/** Cuts a question into elements. Several cuts and several meanings of each part are kept, the likeliest first. */
import type { Element, PropertyElement, TermElement, WordElement } from './elements.ts'
import { isTerm } from './elements.ts'
import { passedOver } from './passed-over.ts'
import type { Token } from './tokens.ts'
import { isInflectedVerb } from './word-kinds.ts'
import { NOWADAYS, isGlue } from './words.ts'

export interface Reading {
  readonly elements: readonly Element[]
  readonly score: number
}

const CUTS = 8
const READINGS = 24
const MEANINGS = 16
/** A term that is named whole, or nearly. */
const WHOLE = 0.9
/** A long question is read with fewer readings in mind, so that it takes no longer. */
const LONG = 40
/** How far behind a verb its object may begin. */
const REACH = 4
const UNREAD = { none: 0, verb: -0.35, other: -2 } as const
// each for every word of the part, by how well it matches
const NAMED = 0.4 // its class is named in the question as well
const BESIDE = 0.35 // and stands right before or after it
const OWNED = 0.4 // and comes next: "the id, name and age of the guests"
const SAME_PROPERTY = 0.9 // a value beside the name of its property
const STRAY = 0.6
const HALVED = 2 // half of a full name without the other half
const FURTHER_CLASS = 0.3 // each further class that the reading needs

type KindOf = (at: number) => WordElement['content']

/** `kindOf` tells verbs from words that name something. */
export function readingsOf(tokens: readonly Token[], mentions: readonly Element[], kindOf: KindOf): Reading[] {
  const width = tokens.length > LONG ? 4 : READINGS
  const cuts = cutsOf(tokens, mentions, kindOf).slice(0, tokens.length > LONG ? 2 : CUTS)
  return cuts.flatMap((cut) => meaningsOf(cut, width)).toSorted((a, b) => b.score - a.score).slice(0, width * 2)
}

interface Part {
  readonly start: number
  readonly end: number
  readonly score: number
  readonly options: readonly Element[]
}

interface Cut {
  readonly parts: readonly Part[]
  readonly score: number
}

/** What begins at each token: the meanings of one kind that the same words have, as one part. */
function partsOf(mentions: readonly Element[]): Map<number, Part[]> {
  const starting = new Map<number, Part[]>()
  for (const options of Map.groupBy(mentions, ({ kind, start, end }) => `${start} ${end} ${kind}`).values()) {
    const { start, end } = options[0]!
    const best = Math.max(...options.map(({ score }) => score))
    const whole = options.some((option) => option.kind === 'class' && option.weight >= WHOLE)
    const kept = options
      // far weaker meanings of the same words would only fill the beam
      .filter((option) => option.score >= best - 1)
      // nor is a class meant by a part of its name where another has it whole
      .filter((option) => !(whole && option.kind === 'class' && option.weight < 0.5))
      .toSorted((a, b) => b.score - a.score)
      .slice(0, MEANINGS)
    starting.set(start, [...(starting.get(start) ?? []), { start, end, score: best, options: kept }])
  }
  return starting
}

function cutsOf(tokens: readonly Token[], mentions: readonly Element[], kindOf: KindOf): Cut[] {
  const starting = partsOf(mentions)
  const best: Cut[][] = Array.from({ length: tokens.length + 1 }, () => [])
  best[0] = [{ parts: [], score: 0 }]
  for (let at = 0; at < tokens.length; at += 1) {
    const here = (best[at] ?? []).toSorted((a, b) => b.score - a.score).slice(0, CUTS)
    const parts = starting.get(at) ?? []
    const named = parts.some((part) => isPlainMatch(part, tokens[at]!))
    const state = NOWADAYS.has(tokens[at]!.lower) && isBesideValue(mentions, at)
    const word = state ? { kind: 'word' as const, start: at, end: at + 1, score: 0, lower: tokens[at]!.lower, content: 'none' as const } : wordAt(tokens[at]!, at, named ? () => 'other' : kindOf)
    const steps = [...parts, { start: at, end: at + 1, score: word.score, options: [word] }]
    const after = (starting.get(at + 1) ?? []).flatMap(({ options }) => options)
    // "availability percent": a word of a name belongs to it
    const inside = mentions.some((mention) => isNamed(mention) && mention.start <= at && mention.end > at)
    const coming = mentions.filter(({ start }) => start > at && start <= at + REACH)
    for (const { parts: done, score } of here) {
      const passed = word.content === 'other' && !inside ? passedOver(tokens, at, { before: done.at(-1)?.options ?? [], after, said: done.flatMap(({ options }) => options), coming }) : null
      const more = passed === null ? [] : [{ start: at, end: at + 1, score: passed.score, options: [passed] }]
      for (const step of [...steps, ...more]) best[step.end]?.push({ parts: [...done, step], score: score + step.score })
    }
  }
  return (best[tokens.length] ?? []).toSorted((a, b) => b.score - a.score).slice(0, CUTS)
}

const isNamed = (mention: Element): boolean =>
  (mention.kind === 'class' || mention.kind === 'property') && (mention.link === 'whole' || mention.link === 'part')

const STATE = /(?:^|_)(?:status|state|phase|stage)$/

/** A state, or what a rule says, right before or after, but for one word. */
const isBesideValue = (mentions: readonly Element[], at: number): boolean =>
  mentions.some((mention) => {
    const { start, end } = mention
    const state = mention.kind === 'rule' || (mention.kind === 'value' && (mention.describes === true || STATE.test(mention.property.name)))
    return state && ((start > at && start <= at + 2) || (end <= at && end >= at - 1))
  })

/** A word that names something here, or is a value as it stands, is not a mere verb. */
const isPlainMatch = ({ start, end, options }: Part, { lower }: Token): boolean =>
  end === start + 1 &&
  options.some((element) => {
    if (element.kind === 'value') return element.how === 'exact' || element.how === 'folded'
    const names = element.kind === 'class' || (element.kind === 'property' && !isInflectedVerb(lower))
    return names && element.weight >= WHOLE
  })

function wordAt(token: Token, at: number, kindOf: KindOf): WordElement {
  const content = token.quoted ? 'other' : isGlue(token) ? 'none' : kindOf(at)
  return { kind: 'word', start: at, end: at + 1, score: UNREAD[content], lower: token.lower, content }
}

/** Chooses one meaning for each part; what belongs together scores more. */
function meaningsOf({ parts }: Cut, width: number): Reading[] {
  let partial: Reading[] = [{ elements: [], score: 0 }]
  for (const { options } of parts) {
    partial = partial.flatMap(({ elements }) =>
      options.map((option) => {
        const longer = [...elements, option]
        return { elements: longer, score: options.length === 1 && !isTerm(option) ? -1 : scoreOf(longer) }
      }),
    )
    if (partial.length > width) {
      const scored = partial.map(({ elements, score }) => ({ elements, score: score === -1 ? scoreOf(elements) : score }))
      partial = scored.toSorted((a, b) => b.score - a.score).slice(0, width)
    }
  }
  return partial.map(({ elements }) => ({ elements, score: scoreOf(elements) }))
}

function scoreOf(elements: readonly Element[]): number {
  const named = new Set(elements.flatMap((element) => (element.kind === 'class' ? [element.cls.name] : [])))
  const needed = new Set(elements.flatMap((element) => (isTerm(element) ? [element.cls.name] : [])))
  let total = -FURTHER_CLASS * Math.max(0, needed.size - 1)
  for (const [at, element] of elements.entries()) {
    total += element.score
    if (element.kind !== 'property' && element.kind !== 'value') continue
    const own = element.cls.name
    if (isHalf(element) && ![elements[at - 1], elements[at + 1]].some((other) => isHalf(other) && other.cls.name === own)) total -= HALVED
    const qualified = element.kind === 'property' && element.qualified === true
    const [before, after] = [termBefore(elements, at), termAfter(elements, at)]
    let bonus = 0
    if (qualified || named.has(own)) bonus += NAMED
    if (qualified || before?.cls.name === own || after?.cls.name === own) bonus += BESIDE
    const previous = elements[at - 1]
    const possessed = previous?.kind === 'class' && previous.cls.name === own
    if (element.kind === 'property' && (qualified || possessed || ownerAfter(elements, at) === own)) bonus += OWNED
    // "their names and the colours of their lamps": the pronoun right before it is whose it is
    if (possessed && previous.back === true) bonus += OWNED
    total += bonus * (element.kind === 'property' ? element.score : 1)
    if (element.kind === 'value') {
      const said = [before, after].some((other) => other?.kind === 'property' && other.property.iri === element.property.iri)
      if (said) total += SAME_PROPERTY
      if (element.property.name === element.cls.labelProperty) total += 0.05
      // a common word that happens to stand in a column nobody has spoken of
      const spokenOf = named.has(own) || elements.some((other, i) => i !== at && isTerm(other) && other.cls.name === own)
      if (element.plain === true && !spokenOf) total -= STRAY
    }
  }
  return total
}

const isHalf = (element: Element | undefined): element is PropertyElement => element?.kind === 'property' && element.link === 'half'

/** The class that the row of properties around this one is said to be of: the first one behind them. */
function ownerAfter(elements: readonly Element[], at: number): string | null {
  for (let i = at + 1; i < elements.length; i += 1) {
    const element = elements[i]!
    if (element.kind === 'class') return element.cls.name
    if (element.kind === 'value' || element.kind === 'rule') return null
    if (element.kind === 'word' && (element.content !== 'none' || STOPS.has(element.lower))) return null
  }
  return null
}
const STOPS: ReadonlySet<string> = new Set(['that', 'which', 'whose', 'with', 'where', 'having'])

const termBefore = (elements: readonly Element[], at: number): TermElement | undefined => {
  for (let i = at - 1; i >= Math.max(0, at - 4); i -= 1) {
    const element = elements[i]
    if (isTerm(element)) return element
    if (element?.kind !== 'word' || element.content !== 'none') return undefined
  }
  return undefined
}
const termAfter = (elements: readonly Element[], at: number): TermElement | undefined => {
  for (let i = at + 1; i <= Math.min(elements.length - 1, at + 4); i += 1) {
    const element = elements[i]
    if (isTerm(element)) return element
    if (element?.kind !== 'word' || element.content !== 'none') return undefined
  }
  return undefined
}
