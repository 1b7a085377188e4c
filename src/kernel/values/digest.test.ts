import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import * as digests from './digest.ts'

it.each(['md5', 'sha1', 'sha256', 'sha384', 'sha512'] as const)('%s is what other programs make of it', (name) => {
  const expected = (text: string) => createHash(name).update(text).digest('hex')
  // where the length of the message just fits into a block, and where it just does not
  for (const length of [0, 1, 55, 56, 63, 64, 65, 111, 112, 119, 120, 127, 128, 129, 1000]) {
    const text = 'x'.repeat(length)
    expect(digests[name](text), `${length} characters`).toBe(expected(text))
  }
  fc.assert(fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => digests[name](text) === expected(text)))
})
