/** How near two words are in use: cosines of word vectors, packed by scripts/make-vectors.ts. Loaded at the first question. */
import { readFileSync } from 'node:fs'

const DIMENSIONS = 100

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
