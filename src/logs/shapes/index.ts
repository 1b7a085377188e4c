/**
 * Messages as shapes, and the table that counts them. This is the reference, on strings; a version over the bytes of UTF-8 must
 * give the same: `key` is FNV-1a over the constants with one space where there was any and a zero byte for each slot, values are
 * ordered by `valueHash`, and a value's text is cut at SKETCH_CHARS characters.
 */
export * from './kinds.ts'
export * from './shape.ts'
export * from './sketch.ts'
export * from './table.ts'
export * from './tokens.ts'
