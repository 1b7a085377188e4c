/** A text without what people leave out when they type it: case, accents, punctuation, the kind of gap between words. */
import { singular } from '../../kernel/text/index.ts'

/** Accents of alphabets. The vowel signs of other scripts are marks as well, but a word without them is another word. */
const ACCENTS = /[\u0300-\u036f]|[\u1ab0-\u1aff]|[\u1dc0-\u1dff]|[\u20d0-\u20ff]|[\ufe20-\ufe2f]/g
/** Signs that tell two names apart (C, C#, C++) stay; all other punctuation is a gap. */
const GAPS = /(?:(?![#%@*])[\s\p{Z}\p{C}\p{P}])+/gu
const PLAIN = /^[\x20-\x7e]*$/
const PLAIN_GAPS = /[^a-z0-9#%@*+<>=$^`|~]+/g

/** `normalise('Ōsaka_Bay–North')` is `'osaka bay north'`. What consists of punctuation alone stays as it is, but for case. */
export function normalise(text: string): string {
  const folded = PLAIN.test(text) ? text.toLowerCase().replace(PLAIN_GAPS, ' ').trim() : fold(text).replace(GAPS, ' ').trim()
  if (folded !== '') return folded
  const trimmed = text.trim()
  return trimmed === '' ? text : trimmed.toLowerCase()
}

function fold(text: string): string {
  const bare = text.normalize('NFKD').replace(ACCENTS, '')
  // upper case first: ß becomes ss, and every sigma the same sigma
  return bare.toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFKD').replace(ACCENTS, '')
}

/** The same with the last word in the singular: `formOf('open alarms')` is `'open alarm'`. */
export function formOf(norm: string): string {
  const at = norm.lastIndexOf(' ') + 1
  const word = norm.slice(at)
  return /^\p{L}{3,}$/u.test(word) ? norm.slice(0, at) + singular(word) : norm
}

/** FNV-1a over the UTF-16 units of a part of a text, 32 bits. */
export function hashOf(text: string, from = 0, to = text.length): number {
  let hash = 0x811c9dc5
  for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  // the low bits choose a bucket: mix the high ones in
  hash ^= hash >>> 15
  return Math.imul(hash, 0x2c1b3c6d) >>> 0
}
