/** Chance from a seed: sfc32 (Chris Doty-Humphrey's PractRand), 32-bit arithmetic only, so every host draws the same numbers. */

export type Rng = () => number

/** A stream of numbers in [0, 1). Any finite seed will do; equal seeds give equal streams. */
export function rng(seed: number): Rng {
  let a = 0x9e3779b9
  let b = Math.trunc(seed / 0x1_0000_0000) | 0
  let c = seed | 0
  let counter = 1
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + sum) | 0
    return (sum >>> 0) / 0x1_0000_0000
  }
  // neighbouring seeds start alike: the first rounds mix them apart
  for (let i = 0; i < 15; i += 1) next()
  return next
}

/** A whole number in [from, to). */
export const integerIn = (random: Rng, from: number, to: number): number => from + Math.floor(random() * (to - from))
