/** The different values of one text column, to be found by their words: whole, in another form, in part, or nearly. */
import { setImmediate } from 'node:timers/promises'
import { compareText } from '../../kernel/term.ts'
import { type Asked, MIN_FUZZY_CHARS, isAlike, mayBeAlike, tellingTrigrams, traitOf, trigrams } from './alike.ts'
import { formOf, hashOf, normalise } from './normalise.ts'
import { type Postings, PostingsBuilder } from './postings.ts'

/** So many fit the two bytes of a posting. */
export const MAX_COLUMN_VALUES = 50_000
/** Longer texts are found whole, but neither by a part nor nearly. */
const MAX_NAME_CHARS = 120
/** What a word leads to in more values than this says nothing. */
const MAX_CANDIDATES = 1000
const MAX_SCANNED = 3000
/** After so many values others get a turn. */
const AT_A_TIME = 500
const STRING_HEAD_BYTES = 16

/** A text as it is looked for. */
export interface Spelled {
  readonly norm: string
  readonly form: string
  readonly normHash: number
  readonly formHash: number
}

export type StoredValue = readonly [value: string, count: number]

export class ColumnValues {
  private readonly values: readonly string[]
  private readonly counts: readonly number[]
  private readonly whole: Postings
  private readonly words: Postings
  private readonly pieces: Postings
  private readonly frequency: Uint16Array
  private readonly traits: Traits
  /** what its texts take in memory; the rest is about as much */
  readonly bytes: number

  private constructor(stored: readonly StoredValue[], parts: Parts) {
    this.values = stored.map(([value]) => value)
    this.counts = stored.map(([, count]) => count)
    this.whole = parts.whole
    this.words = parts.words
    this.pieces = parts.pieces
    this.frequency = parts.frequency
    this.traits = parts.traits
    this.bytes = this.values.reduce((sum, value) => sum + STRING_HEAD_BYTES + value.length, 0)
  }

  /** Takes at most MAX_COLUMN_VALUES values. */
  static async of(values: readonly StoredValue[]): Promise<ColumnValues> {
    const stored = values.toSorted(([a], [b]) => compareText(a, b))
    return new ColumnValues(stored, await partsOf(stored.map(([value]) => value)))
  }

  /** how many different values */
  get size(): number {
    return this.values.length
  }

  at(id: number): StoredValue {
    return [this.values[id] ?? '', this.counts[id] ?? 0]
  }

  /** Those that are the same once normalised, or would be in the singular. In the order of their spelling. */
  equal({ norm, form, normHash, formHash }: Spelled): number[] {
    const plain = this.whole.under(normHash)
    const found = form === norm ? plain : plain.concat(this.whole.under(formHash))
    if (found.length === 0) return found
    return [...new Set(found)]
      .filter((id) => {
        const stored = normalise(this.values[id]!)
        return stored === norm || formOf(stored) === form
      })
      .toSorted((a, b) => a - b)
  }

  /** Those that contain the words (with these hashes) in this order, and more; at most one more than `most`. null: too many to tell. */
  containing(norm: string, hashes: readonly number[], most: number): number[] | null {
    const rarest = hashes.reduce((a, b) => (this.words.atMost(b) < this.words.atMost(a) ? b : a))
    if (this.words.atMost(rarest) > MAX_CANDIDATES) return null
    const found: number[] = []
    for (const id of new Set(this.words.under(rarest))) {
      const stored = normalise(this.values[id]!)
      if (stored !== norm && ` ${stored} `.includes(` ${norm} `)) found.push(id)
      if (found.length > most) break
    }
    return found
  }

  /** Those that differ by a slip. null: too many to tell. */
  alike(asked: Asked): number[] | null {
    const { norm, grams, trait } = asked
    if (norm.length < MIN_FUZZY_CHARS || norm.length > MAX_NAME_CHARS) return []
    const first = telling(grams, this.frequency)
    if (first.reduce((sum, trigram) => sum + this.pieces.atMost(trigram), 0) > MAX_SCANNED) return null
    const { sizes, letters, digits } = this.traits
    const found = new Set<number>()
    for (const trigram of first) {
      this.pieces.each(trigram, (id) => {
        if (mayBeAlike(trait, sizes[id]!, letters[id]!, digits[id]!)) found.add(id)
      })
    }
    return [...found].filter((id) => isAlike(asked, normalise(this.values[id]!), sizes[id]!)).toSorted((a, b) => a - b)
  }
}

/** By number of the value. */
interface Traits {
  readonly sizes: Uint8Array
  readonly letters: Int32Array
  readonly digits: Uint16Array
}

interface Parts {
  readonly whole: Postings
  readonly words: Postings
  readonly pieces: Postings
  readonly frequency: Uint16Array
  readonly traits: Traits
}

async function partsOf(values: readonly string[]): Promise<Parts> {
  const [whole, words, pieces] = [new PostingsBuilder(), new PostingsBuilder(), new PostingsBuilder()]
  const pending: (readonly number[])[] = []
  const traits: Traits = { sizes: new Uint8Array(values.length), letters: new Int32Array(values.length), digits: new Uint16Array(values.length) }
  const frequency = new Uint16Array(2 ** Math.min(16, Math.ceil(Math.log2(Math.max(16, values.length * 4)))))
  for (const [id, value] of values.entries()) {
    if (id % AT_A_TIME === AT_A_TIME - 1) await setImmediate()
    const norm = normalise(value)
    const form = formOf(norm)
    whole.note(hashOf(norm), id)
    if (form !== norm) whole.note(hashOf(form), id)
    if (norm.length > MAX_NAME_CHARS) continue
    for (const word of norm.includes(' ') ? new Set(norm.split(' ')) : []) words.note(hashOf(word), id)
    const grams = trigrams(norm)
    const { size, letters, digits } = traitOf(norm, grams.length)
    traits.sizes[id] = size
    traits.letters[id] = letters
    traits.digits[id] = digits
    for (const trigram of grams) count(frequency, trigram)
    // one letter less than the shortest that is looked for
    if (norm.length >= MIN_FUZZY_CHARS - 1) pending[id] = grams
  }
  for (const [id, grams] of pending.entries()) {
    if (id % AT_A_TIME === AT_A_TIME - 1) await setImmediate()
    for (const trigram of telling(grams ?? [], frequency)) pieces.note(trigram, id)
  }
  return { whole: whole.done(), words: words.done(), pieces: pieces.done(), frequency, traits }
}

/** The rarest first: what few values have leads to few. */
function telling(grams: readonly number[], frequency: Uint16Array): number[] {
  const often = (trigram: number): number => frequency[trigram & (frequency.length - 1)]!
  return grams.toSorted((a, b) => often(a) - often(b) || a - b).slice(0, tellingTrigrams(grams.length))
}

function count(frequency: Uint16Array, trigram: number): void {
  const at = trigram & (frequency.length - 1)
  if (frequency[at]! < 0xffff) frequency[at]! += 1
}
