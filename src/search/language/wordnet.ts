/** WordNet's common words as scripts/make-synonyms.ts packed them: senses, what they are kinds of, derived words. Loaded once. */
import { readFileSync } from 'node:fs'

export type WordClass = 'noun' | 'verb' | 'adj' | 'adv'

/** One meaning and the words for it. */
export interface Sense {
  readonly words: readonly SenseWord[]
  /** of a noun: a letter for the field it is of, such as people, places, times */
  readonly field: string
  /** places of the senses that this one is a kind of */
  readonly above: readonly number[]
}

export interface SenseWord {
  readonly lemma: string
  /** 1 where this is the first meaning of the word, less the rarer the word is meant so */
  readonly worth: number
}

/** A word with the letter of its class in front. */
type Entry = string

const LETTERS = { noun: 'n', verb: 'v', adj: 'a', adv: 'r' } as const
export const WORD_CLASSES: readonly WordClass[] = ['noun', 'verb', 'adj', 'adv']

const DIGIT_0 = 48
const DIGIT_9 = 57

/** What every question needs; lines are read when somebody asks for them, since few ever are. */
interface Index {
  readonly lines: readonly string[]
  readonly derivedLines: readonly string[]
  readonly opposites: ReadonlySet<string>
  /** places of the senses of a word */
  readonly sensesOf: ReadonlyMap<Entry, readonly number[]>
}

let index: Index | undefined
let below: ReadonlyMap<number, readonly number[]> | undefined
let derived: ReadonlyMap<Entry, readonly Entry[]> | undefined

/** Whether the word is a base form of that class. */
export const isLemma = (word: string, pos: WordClass): boolean => load().sensesOf.has(LETTERS[pos] + word)

/** Places of the meanings of a word. */
export const sensesOf = (word: string, pos: WordClass): readonly number[] => load().sensesOf.get(LETTERS[pos] + word) ?? []

/** The meaning at a place. A line reads `ndcar,machine2;bp8`: class, field, words with their worth in ninths, places above in base 36. */
export function senseAt(place: number): Sense {
  const line = load().lines[place] ?? ''
  return { words: wordsIn(line).map(readWord), field: line.startsWith('n') ? line[1]! : '', above: placesAbove(line) }
}

/** The fields that the usual meanings of a noun are of: people, places, times, ... */
export function fieldsOf(noun: string): readonly string[] {
  const senses = sensesOf(noun, 'noun').map(senseAt)
  const usual = senses.filter(({ words }) => words.some(({ lemma, worth }) => lemma === noun && worth >= USUAL))
  return [...new Set(usual.map(({ field }) => field))]
}
const USUAL = 0.5

/** Places of the meanings that are kinds of this one. */
export function sensesBelow(place: number): readonly number[] {
  below ??= inverted(load().lines.map((line, at) => [at, placesAbove(line)]))
  return below.get(place) ?? []
}

/** Nouns that exclude each other: buyer and seller. */
export const areOpposite = (one: string, other: string): boolean =>
  load().opposites.has(one < other ? `${one};${other}` : `${other};${one}`)

/** Words of another class with the same root. */
export function derivedFrom(word: string, pos: WordClass): readonly string[] {
  derived ??= bothWays(load().derivedLines)
  return (derived.get(LETTERS[pos] + word) ?? []).map((entry) => entry.slice(1))
}

function load(): Index {
  if (index !== undefined) return index
  const text = readFileSync(new URL('./data/wordnet.txt', import.meta.url), 'utf8')
  const [senses = '', pairs = '', opposites = ''] = text.trimEnd().split('\n\n')
  const lines = senses.split('\n')
  const places = new Map<Entry, number[]>()
  for (const [place, line] of lines.entries()) {
    for (const word of wordsIn(line)) push(places, (line[0] ?? '') + (hasDigit(word) ? word.slice(0, -1) : word), place)
  }
  index = { lines, derivedLines: pairs.split('\n'), opposites: new Set(opposites.split('\n')), sensesOf: places }
  return index
}

function wordsIn(line: string): readonly string[] {
  const end = line.indexOf(';')
  return line.slice(line.startsWith('n') ? 2 : 1, end === -1 ? undefined : end).split(',')
}

function placesAbove(line: string): readonly number[] {
  const end = line.indexOf(';')
  return end === -1 ? [] : line.slice(end + 1).split(',').map((place) => Number.parseInt(place, 36))
}

function hasDigit(word: string): boolean {
  const last = word.charCodeAt(word.length - 1)
  return last >= DIGIT_0 && last <= DIGIT_9
}

const readWord = (word: string): SenseWord =>
  hasDigit(word) ? { lemma: word.slice(0, -1), worth: Number(word.at(-1)) / 9 } : { lemma: word, worth: 1 }

function inverted(links: readonly (readonly [number, readonly number[]])[]): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, number[]>()
  for (const [from, all] of links) for (const to of all) push(found, to, from)
  return found
}

/** A line reads `nteacher;vteach`. */
function bothWays(lines: readonly string[]): ReadonlyMap<Entry, readonly Entry[]> {
  const found = new Map<Entry, Entry[]>()
  for (const line of lines) {
    const [one = '', others = ''] = line.split(';')
    for (const other of others.split(',')) {
      push(found, one, other)
      push(found, other, one)
    }
  }
  return found
}

function push<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}
