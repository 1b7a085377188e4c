import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { line } from './lines.test-support.ts'
import { shapeOf } from './shape.ts'


const shown = (message: string): string =>
  shapeOf(message).parts.map((part, i) => (part.spaced && i > 0 ? ' ' : '') + (part.slot ? '<*>' : part.text)).join('')

describe('shapeOf', () => {
  it.each([
    ['link down node=crt-07 port=3', 'link down node=<*> port=<*>'],
    ['ask 10.0.0.1:50010 to delete blk_1 blk_2 blk_3', 'ask <*>:<*> to delete <*>'],
    ['in pipeline 10.0.0.1:50, 10.0.0.2:50: bad', 'in pipeline <*>: bad'],
    ['speeds ( 3552 3534 3375 )', 'speeds ( <*> )'],
    ['steps = 15##69##54##86', 'steps = <*>'],
    ['rank 3, symbol 4', 'rank <*>, symbol <*>'],
    ['3 L3 errors', '<*> <*> errors'],
    ['stations: [shanghai, suzhou] of 2', 'stations: [<*>] of <*>'],
    ['stations=[shanghai] now', 'stations=[<*>] now'],
    ['closed [preauth]', 'closed [preauth]'],
    ['at Fri Jun 17 07:07:00 2005', 'at <*>'],
    ['connection from 10.0.0.1 () at 12:30:01', 'connection from <*> (<*>) at <*>'],
  ])('%j has the shape %j', (message, shape) => {
    expect(shown(message)).toBe(shape)
  })

  it('lists of any length have one key, other words another', () => {
    const key = (message: string): string => shapeOf(message).key
    expect(key('delete blk_1')).toBe(key('delete blk_1 blk_22 blk_333'))
    expect(key('delete   blk_1')).toBe(key('delete blk_1'))
    expect(key('delete blk_1')).not.toBe(key('remove blk_1'))
    expect(key('delete <*>')).not.toBe(key('delete 7'))
    expect(key('a b')).toMatch(/^[0-9a-f]{16}$/)
  })

  it('parts lie in order, and what is constant stands in the message', () => {
    fc.assert(
      fc.property(line, (message) => {
        let reached = 0
        for (const part of shapeOf(message).parts) {
          expect(part.start).toBeGreaterThanOrEqual(reached)
          if (!part.slot) expect(message.slice(part.start, part.end)).toBe(part.text)
          reached = part.end
        }
      }),
    )
  })
})
