/**
 * Kinds and classes of bytes as numbers. A hot file takes them into constants of its own: the engine compiles those in as numbers,
 * while an imported or exported one is loaded and checked at each use, which made the scanner about a tenth slower.
 */
import { VALUE_KINDS } from './kinds.ts'
import type { TokenKind, ValueKind } from './kinds.ts'

/** Kinds as numbers: values in the order of VALUE_KINDS, then word and punctuation. */
export const KIND_NAMES: readonly TokenKind[] = [...VALUE_KINDS, 'word', 'punctuation']
const kind = (name: TokenKind): number => KIND_NAMES.indexOf(name)
const value = (name: ValueKind): number => VALUE_KINDS.indexOf(name)
export const KINDS = {
  WORD: kind('word'), PUNCTUATION: kind('punctuation'), NUMBER: value('number'), DURATION: value('duration'), BYTES: value('bytes'),
  HEX: value('hex'), UUID: value('uuid'), IP: value('ip'), IRI: value('iri'), EMAIL: value('email'), PATH: value('path'),
  TIMESTAMP: value('timestamp'), VERSION: value('version'), HOST: value('host'), IDENTIFIER: value('identifier'), NAME: value('name'),
  QUOTED: value('quoted'), LIST: value('list'), EMPTY: value('empty'), TEXT: value('text'),
} as const

/** What a byte can be, as bits. */
export const BITS = {
  SPACE_BIT: 1, DIGIT_BIT: 2, LETTER_BIT: 4, WORD_BITS: 6, ALONE_BIT: 8, TRAILING_BIT: 16, INNER_BIT: 32, ENDS_PATH_BIT: 64, HEX_BIT: 128,
  SLASH_BIT: 256, BACKSLASH_BIT: 512, COLON_BIT: 1024,
} as const

const marked = (bit: number, chars: string): void => {
  for (const char of chars) BYTE_CLASS[char.charCodeAt(0)]! |= bit
}

/** By byte. */
export const BYTE_CLASS = new Uint16Array(256)
for (let byte = 0; byte < 256; byte += 1) {
  if (byte <= 32) BYTE_CLASS[byte]! |= BITS.SPACE_BIT
  if (byte >= 48 && byte <= 57) BYTE_CLASS[byte]! |= BITS.DIGIT_BIT | BITS.HEX_BIT
  if ((byte >= 97 && byte <= 122) || (byte >= 65 && byte <= 90) || byte === 95 || byte >= 128) BYTE_CLASS[byte]! |= BITS.LETTER_BIT
  if ((byte >= 97 && byte <= 102) || (byte >= 65 && byte <= 70)) BYTE_CLASS[byte]! |= BITS.HEX_BIT
}
marked(BITS.ALONE_BIT, '()[]{}<>,;|"=\'')
marked(BITS.ENDS_PATH_BIT, '()[]{}<>,;|"\'')
marked(BITS.TRAILING_BIT, '.:!?*')
marked(BITS.INNER_BIT, '.-$\'')
marked(BITS.SLASH_BIT, '/')
marked(BITS.BACKSLASH_BIT, '\\')
marked(BITS.COLON_BIT, ':')
