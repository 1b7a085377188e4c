/** Chooses among the meanings of the words: each combination is a reading, scored by how well its parts belong together. */
import type { Meaning } from './lexicon.ts'
import type { Operation, Segment } from './segments.ts'

export interface Element {
  readonly segment: Segment
  /** exactly one of the two is set */
  readonly meaning: Meaning | null
  readonly operation: Operation | null
}

export interface Reading {
  readonly elements: readonly Element[]
  readonly score: number
}

const MAX_READINGS = 64

/** How much a kind of match says by itself: a rule phrase most, then a class, then a value, then a property. */
const WEIGHT = { rule: 4, class: 3, value: 2.4, property: 2 } as const
const CLASS_MENTIONED = 1 // the word's class is named in the question as well
const NEIGHBOUR = 0.5 // and stands right beside it
const EXTRA_CLASS = 0.8 // each further class that the reading needs

export function readings(segments: readonly Segment[]): Reading[] {
  let partial: Reading[] = [{ elements: [], score: 0 }]
  for (const segment of segments) {
    const options: Element[] =
      segment.operation === null
        ? segment.meanings.map((meaning) => ({ segment, meaning, operation: null }))
        : [{ segment, meaning: null, operation: segment.operation }]
    partial = partial.flatMap(({ elements }) =>
      options.map((option) => {
        const longer = [...elements, option]
        return { elements: longer, score: score(longer) }
      }),
    )
    if (partial.length > MAX_READINGS) partial = partial.toSorted((a, b) => b.score - a.score).slice(0, MAX_READINGS)
  }
  return partial.toSorted((a, b) => b.score - a.score)
}

export const classOf = (meaning: Meaning | null): string | null => (meaning === null || meaning.kind === 'rule' ? null : meaning.cls.name)

function score(elements: readonly Element[]): number {
  const mentioned = new Set(elements.filter(({ meaning }) => meaning?.kind === 'class').map(({ meaning }) => classOf(meaning)))
  const needed = new Set(elements.map(({ meaning }) => classOf(meaning)).filter((name) => name !== null))
  let total = -EXTRA_CLASS * Math.max(0, needed.size - 1)
  for (const [at, { meaning }] of elements.entries()) {
    if (meaning === null) continue
    total += WEIGHT[meaning.kind]
    if (meaning.kind !== 'property' && meaning.kind !== 'value') continue
    if (mentioned.has(meaning.cls.name)) total += CLASS_MENTIONED
    const beside = [elements[at - 1], elements[at + 1]].some((other) => classOf(other?.meaning ?? null) === meaning.cls.name)
    if (beside) total += NEIGHBOUR
  }
  return total
}
