/** Sequences of symbols laid end to end, equal ones once with a weight: real sessions repeat, and fitting reads them many times. */

export type Symbols = readonly number[] | Uint32Array

export interface Packed {
  /** symbols are 0..symbols-1 */
  readonly symbols: number
  /** how many of them occur: only these cost a parameter */
  readonly observed: number
  readonly data: Uint32Array
  /** sequence i is data[offsets[i]] up to data[offsets[i + 1]] */
  readonly offsets: Uint32Array
  readonly weights: Float64Array
  /** symbols in all sequences, weights counted */
  readonly total: number
  readonly longest: number
}

/** Empty sequences say nothing and are left out. */
export function packSequences(sequences: readonly Symbols[], symbols: number): Packed {
  const seen = new Map<string, { readonly sequence: Symbols; weight: number }>()
  const used = new Set<number>()
  let total = 0
  let longest = 0
  for (const sequence of sequences) {
    if (sequence.length === 0) continue
    total += sequence.length
    const key = sequence.join(' ')
    const known = seen.get(key)
    if (known !== undefined) {
      known.weight += 1
      continue
    }
    seen.set(key, { sequence, weight: 1 })
    longest = Math.max(longest, sequence.length)
    for (const symbol of sequence) {
      if (!Number.isInteger(symbol) || symbol < 0 || symbol >= symbols) throw new RangeError(`no symbol ${symbol} below ${symbols}`)
      used.add(symbol)
    }
  }
  const distinct = [...seen.values()]
  const offsets = new Uint32Array(distinct.length + 1)
  for (const [i, { sequence }] of distinct.entries()) offsets[i + 1] = offsets[i]! + sequence.length
  const data = new Uint32Array(offsets[distinct.length]!)
  for (const [i, { sequence }] of distinct.entries()) data.set(sequence, offsets[i])
  return {
    symbols, observed: used.size, data, offsets, weights: Float64Array.from(distinct, ({ weight }) => weight), total, longest,
  }
}
