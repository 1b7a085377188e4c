/** How near two words are in use: cosines of word vectors, packed by scripts/make-vectors.ts. Loaded at the first question. */
import { readFileSync } from 'node:fs'

const DIMENSIONS = 100
/** Smooth inverse frequency (Arora et al., 2017) with a = .001, where the k-th of n words has the share 1 / (k ln n). */
const HALF_WEIGHT_RANK = 90

interface Vectors {
  /** the place of each word, which is also its rank by frequency */
  readonly placeOf: ReadonlyMap<string, number>
  readonly bytes: Int8Array
  /** lengths of the vectors; 0 until asked for */
  readonly lengths: Float64Array
}

let loaded: Vectors | undefined

/** The cosine of two lower-case words, from -1 to 1; null when one of them is not among the 60,000 known ones. */
export function similarity(a: string, b: string): number | null {
  const vectors = load()
  const [x, y] = [vectors.placeOf.get(a), vectors.placeOf.get(b)]
  if (x === undefined || y === undefined) return null
  return x === y ? 1 : clamp(dot(vectors, x, y) / (lengthOf(vectors, x) * lengthOf(vectors, y)))
}

export const isKnownWord = (word: string): boolean => load().placeOf.has(word)

/**
 * The cosine of two phrases, each the sum of its words' directions, where words of every sentence ("of", "the") weigh little.
 * An unknown word is a direction of its own: it agrees with itself only. Null when either side has no known word.
 */
export function phraseSimilarity(wordsA: readonly string[], wordsB: readonly string[]): number | null {
  const { placeOf } = load()
  if (![wordsA, wordsB].every((words) => words.some((word) => placeOf.has(word)))) return null
  const product = (left: readonly string[], right: readonly string[]) => {
    let sum = 0
    for (const a of left) for (const b of right) sum += weightOf(a) * weightOf(b) * (a === b ? 1 : (similarity(a, b) ?? 0))
    return sum
  }
  return clamp(product(wordsA, wordsB) / Math.sqrt(product(wordsA, wordsA) * product(wordsB, wordsB)))
}

function weightOf(word: string): number {
  const place = load().placeOf.get(word)
  return place === undefined ? 1 : (place + 1) / (place + 1 + HALF_WEIGHT_RANK)
}

function lengthOf(vectors: Vectors, place: number): number {
  const known = vectors.lengths[place] ?? 0
  if (known > 0) return known
  const length = Math.sqrt(dot(vectors, place, place))
  vectors.lengths[place] = length
  return length
}

function dot({ bytes }: Vectors, x: number, y: number): number {
  let sum = 0
  for (let i = 0; i < DIMENSIONS; i += 1) sum += (bytes[x * DIMENSIONS + i] ?? 0) * (bytes[y * DIMENSIONS + i] ?? 0)
  return sum
}

/** Rounding may lead a hair beyond. */
const clamp = (cosine: number): number => Math.min(1, Math.max(-1, cosine))

function load(): Vectors {
  if (loaded !== undefined) return loaded
  const words = readFileSync(new URL('./data/vectors.txt', import.meta.url), 'utf8').trimEnd().split('\n')
  const packed = readFileSync(new URL('./data/vectors.bin', import.meta.url))
  if (packed.length !== words.length * DIMENSIONS) throw new Error('the word vectors are damaged: run scripts/make-vectors.ts')
  loaded = {
    placeOf: new Map(words.map((word, place) => [word, place])),
    bytes: new Int8Array(packed.buffer, packed.byteOffset, packed.length),
    lengths: new Float64Array(words.length),
  }
  return loaded
}
