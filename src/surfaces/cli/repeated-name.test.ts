import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { repeatedName } from './repeated-name.ts'

describe('a name that stands twice in one object', () => {
  it.each([
    ['{"a":1,"a":2}', 'a'],
    ['{"a":1, "b":{"c":[{"d":1,\n"d" :2}]}}', 'd'],
    [String.raw`{"a":1,"\u0061":2}`, 'a'],
    [String.raw`{"\"":1,"x\\":"\"","\"":2}`, '"'],
    ['{"":1,"":2}', ''],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
  ])('is found in %s', (text, name) => {
    expect(repeatedName(text)).toBe(name)
  })

  it.each(['{"a":{"a":1},"b":{"a":2}}', '[{"a":1},{"a":2}]', '["a","a"]', '{"a":"a","b":"a"}', String.raw`{"a":"{\"a\":1,\"a\":2}"}`, '7', '"a"', ' null '])(
    'is not seen in %s', (text) => {
      expect(repeatedName(text)).toBeNull()
    },
  )

  it('is never seen in what a program wrote, and always where a pair is put in front again', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), fc.nat(), fc.nat(2), (value, which, indent) => {
        const text = JSON.stringify(value, null, indent)
        expect(repeatedName(text)).toBeNull()
        const names = Object.keys(value)
        const name = names[which % names.length]!
        expect(repeatedName(text.replace('{', () => `{${JSON.stringify(name)}:0,`))).toBe(name)
      }),
    )
  })
})
