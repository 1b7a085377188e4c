/** What an adjective of degree measures: the property of a class that "oldest" or "cheaper" speaks of, and which way it runs. */
import { splitIdentifier } from '../../kernel/text/index.ts'
import type { OntologyClass } from '../../ontology/index.ts'
import type { Degree } from '../language/degrees.ts'
import { lemmaOf } from '../language/lemma.ts'
import { isPerson } from './answer-type.ts'
import type { Reader } from './reader.ts'
import { type Ref, bend, isKey, isMoment, isNumeric, isText } from './sketch.ts'

export interface Measured {
  readonly ref: Ref
  /** the adjective means much of it: its far end comes first when ordered downwards */
  readonly descending: boolean
  /** one of several moments, none of which the question names */
  readonly guessed: boolean
}

/** The likeliest property; where several fit, each of the first few is a reading of its own. */
export function measured(reader: Reader, cls: OntologyClass, degree: readonly Degree[], at: number): Measured | null {
  const all = candidates(reader, cls, degree)
  const way = all.length < 2 ? 0 : reader.choices.pick('what is measured', at, Math.min(all.length, MEASURES))
  const found = all[way] ?? null
  if (found?.guessed === true) bend(reader.sketch, 'one of several moments', 0.6)
  if (found !== null && isText(found.ref)) bend(reader.sketch, 'figure kept as text', 0.3)
  return found
}

const MEASURES = 3

/** Of a property that is named beside the adjective: the earliest date of birth, the oldest age. */
export function runsDown(degree: readonly Degree[], { property }: Ref, up: boolean): boolean {
  const words = splitIdentifier(property.name)
  const own = degree.find(({ nouns, also }) => [...nouns, ...also].some((noun) => isSaid(noun, words)))
  return own === undefined ? up : own.end === 'more'
}

/** An adjective of time first of all: "latest", "first". */
export const isTime = (degree: readonly Degree[]): boolean => degree[0]?.nouns.includes('date') === true

function candidates(reader: Reader, cls: OntologyClass, degree: readonly Degree[]): Measured[] {
  const figures = cls.properties.map((property): Ref => ({ cls, property })).filter((ref) => !isKey(ref))
  const [numbers, moments, texts] = [figures.filter(isNumeric), figures.filter(isMoment), figures.filter(isText)]
  const found: Measured[] = []
  for (const { nouns, also, end } of degree) {
    const time = nouns.includes('date')
    const named = (fit: readonly Ref[]) =>
      [...nouns, ...also].flatMap((noun) => fit.filter(({ property }) => isSaid(noun, splitIdentifier(property.name))))
    const said = time ? [...moments, ...numbers].filter(({ property }) => saidByVerb(reader, property.name)) : []
    const sure = [...said, ...(time ? [...named(moments), ...named(numbers)] : [...named(numbers), ...named(moments)]), ...named(texts)]
    // a class has its moments, whatever they are called: "the latest order" is the one placed last
    const only = time && moments.length === 1
    // how old somebody is does not follow from when he joined
    const any = time && !(degree[0]?.nouns.includes('age') === true && isPerson(cls))
    const fit = [...sure.map((ref) => ({ ref, guessed: false })), ...(any ? moments : []).map((ref) => ({ ref, guessed: !only }))]
    found.push(...fit.map((each) => ({ ...each, descending: end === 'more' })))
  }
  return found.filter(({ ref }, at) => found.findIndex((other) => other.ref.property.iri === ref.property.iri) === at)
}

/** All words of a noun are among those of a column: "birth date", "date of birth". */
const isSaid = (noun: string, words: readonly string[]): boolean =>
  noun.split(' ').filter((word) => word !== 'of').every((word) => words.some((own) => own === word || own === `${word}s`))

/** "launched last", where there is a launch date. */
function saidByVerb({ elements }: Reader, name: string): boolean {
  const own = new Set(splitIdentifier(name).map((word) => lemmaOf(word, 'verb')))
  return elements.some((element) => element.kind === 'word' && element.content !== 'none' && own.has(lemmaOf(element.lower, 'verb')))
}
