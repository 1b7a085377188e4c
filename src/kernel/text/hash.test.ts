import fc from 'fast-check'
import { expect, it } from 'vitest'
import { hash64 } from './hash.ts'

// vectors of the FNV reference code (fnv1a-64)
it.each([
  ['', 'cbf29ce484222325'],
  ['a', 'af63dc4c8601ec8c'],
  ['foobar', '85944171f73967e8'],
])('hash64(%j) is the reference value', (text, hex) => {
  expect(hash64(text)).toBe(hex)
})

function reference(text: string): string {
  let hash = 0xcbf29ce484222325n
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  return hash.toString(16).padStart(16, '0')
}

// lone surrogates too: a log may hold half a character
const anyText = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units))

it('agrees with the definition written in BigInt', () => {
  fc.assert(fc.property(anyText, (text) => hash64(text) === reference(text)))
})
