import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LogEvent } from './candidate.ts'
import { columnsOf, ENTITIES_PER_LINE, entityHash } from './columns.ts'

const event = (change: Partial<LogEvent>): LogEvent => ({
  clusterId: 'a', tsMs: 0, service: 's', trace: '', entities: [], severity: 'INFO', file: 'f', offset: 0, ...change,
})

describe('columnsOf', () => {
  it('matches the worked example', () => {
    const columns = columnsOf([
      event({ clusterId: 'b', tsMs: 5, entities: ['node=n1'], severity: 'ERROR', trace: 't' }),
      event({ clusterId: 'a', tsMs: NaN, entities: ['host=n1', 'node=n2'], file: 'e', offset: 7 }),
    ])
    expect(columns).toMatchObject({ length: 2, templates: ['a', 'b'], services: ['s'], files: ['e', 'f'], slots: ['host', 'node'] })
    expect([...columns.template]).toEqual([1, 0])
    expect([...columns.ts]).toEqual([5, NaN])
    expect([...columns.severity]).toEqual([3, 1])
    expect([...columns.file]).toEqual([1, 0])
    expect([...columns.offset]).toEqual([0, 7])
    expect(columns.trace[0]).toBeGreaterThan(0)
    expect(columns.trace[1]).toBe(0)
    // the same value under two names is the same thing
    expect(columns.entity[0]).toBe(columns.entity[ENTITIES_PER_LINE])
    expect(Array.from(columns.entitySlot.subarray(ENTITIES_PER_LINE, ENTITIES_PER_LINE + 2))).toEqual([0, 1])
  })

  it('keeps the first entities of a line and leaves further ones out', () => {
    const entities = Array.from({ length: 9 }, (_, i) => `s${i}=v${i}`)
    expect([...columnsOf([event({ entities })]).entity]).toEqual(entities.slice(0, ENTITIES_PER_LINE).map((each) => entityHash(each.slice(3))))
  })

  it('holds nothing of nothing', () => {
    expect(columnsOf([])).toMatchObject({ length: 0, templates: [], slots: [] })
  })
})

it('entityHash is a number of 32 bits, never 0, and equal only for equal texts', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string(), { maxLength: 50 }), (texts) => {
      const hashes = texts.map((text) => entityHash(text))
      expect(hashes.every((hash) => Number.isInteger(hash) && hash > 0 && hash <= 0xffff_ffff)).toBe(true)
      expect(new Set(hashes).size).toBe(texts.length)
    }),
    { seed: 7, numRuns: 50 },
  )
})
