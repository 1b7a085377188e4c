/**
 * The hash by which a scanned line finds its shape: 64 bits in two halves of different making, byte by byte, so that a word is
 * hashed in the pass that reads it. It lives in one process only; the key of a shape is made of its text.
 */
export const HASH_START = { HASH_ONE: 0x811c9dc5 | 0, HASH_TWO: 0x9e3779b9 | 0 } as const

export const textHashOne = (hash: number, byte: number): number => Math.imul(hash ^ byte, 0x01000193)
export const textHashTwo = (hash: number, byte: number): number => (Math.imul(hash, 0x2c1b3c6d) + byte) | 0

/** Takes in the hash of a part: the turn lets upper bits reach lower ones. */
export function folded(hash: number, by: number): number {
  const mixed = hash ^ by
  return Math.imul((mixed << 13) | (mixed >>> 19), 0x85ebca6b)
}
