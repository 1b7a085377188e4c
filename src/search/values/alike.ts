/**
 * Texts that differ by a slip: one letter too many, missing or wrong, or three quarters of their trigrams in common.
 *
 * Candidates are found by prefix filtering. With all trigrams in one order, two sets that share at least t elements also share
 * one among the first |A| - t + 1 of the one and the first |B| - t + 1 of the other; so only those few are noted per text. One
 * edit changes at most three trigrams, hence t = min(n - 3, 3/4 n).
 */
import { hashOf } from './normalise.ts'

export const MIN_FUZZY_CHARS = 5
const SIMILAR = 0.75

/** Two blanks before and one after: beginnings count for more than ends. */
const padded = (norm: string): string => `  ${norm} `

/** The different trigrams of a text as hashes. */
export function trigrams(norm: string): number[] {
  const text = padded(norm)
  const found: number[] = []
  for (let at = 0; at + 3 <= text.length; at += 1) {
    const hash = hashOf(text, at, at + 3)
    if (!found.includes(hash)) found.push(hash) // names are short: a set would cost more than looking through
  }
  return found
}

/** How many of a text's trigrams have to be noted, so that nothing alike is missed. */
export const tellingTrigrams = (all: number): number => all - Math.max(1, Math.min(all - 3, Math.ceil(SIMILAR * all))) + 1

/** What is compared before the texts are: few of those that are not alike get past it. */
export interface Trait {
  /** how many different trigrams */
  readonly size: number
  /** which letters, by the last five bits of their codes */
  readonly letters: number
  /** a hash of the digits */
  readonly digits: number
}

export function traitOf(norm: string, size = trigrams(norm).length): Trait {
  let letters = 0
  for (let at = 0; at < norm.length; at += 1) letters |= 1 << (norm.charCodeAt(at) & 31)
  return { size, letters, digits: hashOf(digitsOf(norm)) & 0xffff }
}

/**
 * False only for texts that are not alike. One edit changes at most two letters. With 3/4 of all trigrams in common at most a
 * seventh of |A| + |B| are not, and each letter that only one of two texts has stands in one of those.
 */
export function mayBeAlike(a: Trait, size: number, letters: number, digits: number): boolean {
  if (a.digits !== digits) return false
  const both = a.size + size
  if (Math.abs(a.size - size) > Math.max(3, both / 7)) return false
  const different = bitsOf(a.letters ^ letters)
  return different <= 2 || different <= both / 7
}

function bitsOf(mask: number): number {
  let count = 0
  for (let rest = mask; rest !== 0; rest &= rest - 1) count += 1
  return count
}

/** A digit more or less makes another number, not a slip: "crt-07" does not mean "crt-08". */
const digitsOf = (norm: string): string => (/\p{N}/u.test(norm) ? norm.replace(/\P{N}+/gu, ' ').trim() : '')

/** A text with all that is needed to compare it with many. */
export interface Asked {
  readonly norm: string
  readonly grams: readonly number[]
  readonly pieces: readonly string[]
  readonly trait: Trait
}

export function askedFor(norm: string): Asked {
  const text = padded(norm)
  const pieces = [...new Set(Array.from({ length: text.length - 2 }, (_, at) => text.slice(at, at + 3)))]
  const grams = trigrams(norm)
  return { norm, grams, pieces, trait: traitOf(norm, grams.length) }
}

/** `size` is the number of trigrams of the stored text. */
export function isAlike(asked: Asked, stored: string, size: number): boolean {
  if (asked.norm === stored || digitsOf(asked.norm) !== digitsOf(stored)) return false
  return isOneEdit(asked.norm, stored) || similarity(asked, stored, size) >= SIMILAR
}

/** Shared trigrams over all trigrams of both; 0 as soon as it is clear that they are not similar. */
export function similarity({ pieces }: Asked, stored: string, size: number): number {
  const text = padded(stored)
  const both = pieces.length + size
  let mayMiss = pieces.length - Math.ceil((SIMILAR / (1 + SIMILAR)) * both)
  let shared = 0
  for (const piece of pieces) {
    if (text.includes(piece)) shared += 1
    else if ((mayMiss -= 1) < 0) return 0
  }
  return shared / (both - shared)
}

/** Whether one letter put in, taken out or replaced makes one text the other. */
export function isOneEdit(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  if (long.length - short.length > 1) return false
  let same = 0
  while (same < short.length && short.charCodeAt(same) === long.charCodeAt(same)) same += 1
  const rest = short.length === long.length ? same + 1 : same
  return short.slice(rest) === long.slice(same + 1)
}
