import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { partsOf, shapeOf, shownText } from './shape.ts'
import { isValue, tokenise } from './tokens.ts'

const piece = fc.constantFrom(...'ab17="\'\\ ,.(:@/', '\u00e9', '\ud83d', '\u2028', '10.0.0.1', 'node=')

describe('tokenise', () => {
  it('reads a statement as words and named values', () => {
    const seen = tokenise('link down node=crt-07 port=ge-0/0/1 reason=los').map(({ text, key, kind }) => [text, key, kind])
    expect(seen).toEqual([
      ['link', '', 'word'],
      ['down', '', 'word'],
      ['crt-07', 'node', 'identifier'],
      ['ge-0/0/1', 'port', 'identifier'],
      ['los', 'reason', 'word'],
    ])
  })

  it('every token lies where it says it lies', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join('')), (message) => {
        let reached = 0
        for (const token of tokenise(message)) {
          expect(message.slice(token.start, token.end)).toBe(token.text)
          expect(token.start).toBeGreaterThanOrEqual(reached)
          reached = token.end
        }
      }),
    )
  })

  it('a hostile line takes time in proportion to its length', () => {
    const started = performance.now()
    const unclosed = `"${'\\"'.repeat(3_000_000)}`
    for (const line of [unclosed, "'".repeat(60_001), 'a='.repeat(30_000), '('.repeat(60_000)]) tokenise(line)
    expect(performance.now() - started).toBeLessThan(1000)
  })

  it('a line of ten thousand words ends in free text', () => {
    const tokens = tokenise('a '.repeat(10_000))
    expect(tokens).toHaveLength(257)
    expect(tokens.at(-1)?.kind).toBe('text')
  })
})

describe('shapeOf', () => {
  it.each([
    ['link down node=crt-07 port=3', 'link down node=<*> port=<*>'],
    ['Connection to 10.0.0.1:443 closed after 12ms.', 'Connection to <*> closed after <*>.'],
    ['user "Ann Lee" (id 7) failed', 'user "<*>" (id <*>) failed'],
    ["msg='two words' code=5", "msg='<*>' code=<*>"],
    ['deleting blk_1, blk_2, blk_3 now', 'deleting <*> now'],
    ['deleting blk_1 now', 'deleting <*> now'],
    ['from 10.0.0.1 7 on', 'from <*> <*> on'],
    ['say "a \\"b\\" c" end', 'say "<*>" end'],
    ['empty= value', 'empty=<*> value'],
    ['=x a==b', '=x a=<*>'],
    ['  many\t spaces  ', 'many spaces'],
    ['an "unclosed quote', 'an "unclosed quote'],
    ['', ''],
  ])('%j has the shape %j', (message, shape) => {
    expect(shapeOf(message)).toBe(shape)
  })

  it('does not depend on the numbers inside', () => {
    fc.assert(fc.property(fc.nat(), fc.nat(), (x, y) => shapeOf(`took ${x} of ${y}`) === shapeOf('took 1 of 2')))
  })

  it('holds every value that it masks', () => {
    const parts = partsOf('charge imsi=262011234567890 amount=3.50')
    expect(parts.filter((part) => part.slot).map(({ key, value }) => [key, value])).toEqual([
      ['imsi', '262011234567890'],
      ['amount', '3.50'],
    ])
    expect(shownText(parts)).toBe('charge imsi=<*> amount=<*>')
  })

  it('a word alone is no value', () => {
    expect(tokenise('link down').some(isValue)).toBe(false)
  })
})
