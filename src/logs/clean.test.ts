import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cleanText } from './clean.ts'

it.each([
  ['\u001b[31mERROR\u001b[0m \u001b]0;title\u0007 link', 'ERROR  link'],
  ['a\u001b]0;x\u001b\\b', 'ab'],
  ['nul\u0000byte', 'nul byte'],
  ['tab\tstays', 'tab\tstays'],
  ['\u202eevil\u2066', 'evil'],
  ['größe 顧客', 'größe 顧客'],
  ['cut \u001b[', 'cut '],
  ['', ''],
])('%j becomes %j', (text, clean) => {
  expect(cleanText(text)).toBe(clean)
})

it('leaves no control character behind, and nothing to clean twice', () => {
  const text = fc.array(fc.integer({ min: 0, max: 0x2100 })).map((codes) => String.fromCharCode(...codes))
  fc.assert(
    fc.property(text, (given) => {
      const clean = cleanText(given)
      // eslint-disable-next-line no-control-regex
      expect(clean).not.toMatch(/[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/)
      expect(cleanText(clean)).toBe(clean)
    }),
  )
})
