import { describe, expect, it } from 'vitest'
import type { LogRecord } from './candidate.ts'
import { ENTITIES_PER_LINE } from './columns.ts'
import { mine } from './mine.ts'
import { moreEvents } from './more-events.ts'
import { reduceStates, stateOfRecords } from './state/index.ts'

const START = Date.parse('2026-03-14T08:00:00Z')
/** One kind of line a second on nodes in turn; every hundredth names a node that no earlier line does. */
const records = (count: number): LogRecord[] =>
  Array.from({ length: count }, (_, i) => ({
    file: 'a.log', offset: i * 60, tsMs: START + i * 1000, severity: 'WARN' as const, service: 'nrf', trace: i % 2 === 0 ? `t-${i}` : '',
    message: `heartbeat lost node=crt-${i % 100 === 99 ? 1000 + i : i % 7} after ${i} tries`,
  }))
const reduced = (count: number) => reduceStates([stateOfRecords(records(count))])

describe('events beyond the earliest', () => {
  it('are stored like them: every line, with the name of its node where an earlier line gives it', () => {
    const { columns, events } = reduced(1000)
    expect(events).toHaveLength(300)
    const all = moreEvents(columns, events, [])
    expect(all.map(({ offset }) => offset)).toEqual(records(1000).map(({ offset }) => offset))
    expect(all.slice(0, 300)).toEqual(events)
    expect(all[500]).toEqual({
      clusterId: events[0]?.clusterId, tsMs: START + 500_000, service: 'nrf', trace: expect.stringMatching(/^#[0-9a-f]+$/),
      entities: ['node=crt-3'], severity: 'WARN', file: 'a.log', offset: 30_000,
    })
    // nobody has seen this name: the same thing keeps one mark, another thing has another
    expect(all[699]?.entities).toEqual([expect.stringMatching(/^node=#[0-9a-f]+$/)])
    expect(all[699]?.entities).not.toEqual(all[799]?.entities)
  })

  it('are whole templates within the room there is', () => {
    const { columns, events } = reduced(1000)
    expect(moreEvents(columns, events, [], 999)).toEqual(events)
    expect(moreEvents(columns, events, [], 1000)).toHaveLength(1000)
  })

  it('hold no mark of a value where one was withheld in an earlier line', () => {
    // the slot has named many nodes before a subscriber's number stands in it: it is one that names things
    const isSubscriber = (i: number): boolean => i >= 200 && i % 50 === 7
    const lines = records(1000).map((record, i) =>
      ({ ...record, message: `heartbeat lost node=${isSubscriber(i) ? `2620117315${10_000 + i}` : `crt-${i % 120}`} after ${i} tries` }))
    const { columns, events } = reduceStates([stateOfRecords(lines)])
    const bare = (some: typeof events): number[] => some.flatMap(({ entities, offset }) => (entities.length === 0 ? [offset / 60] : []))
    expect(bare(events)).toEqual([207, 257])
    // the columns know every value by its hash, also those
    expect(columns.entity[307 * ENTITIES_PER_LINE]).toBeGreaterThan(0)
    const all = moreEvents(columns, events, [])
    expect(bare(all)).toEqual(Array.from({ length: 1000 }, (_, i) => i).filter(isSubscriber))
    expect(all.flatMap(({ entities }) => entities).filter((entity) => entity.includes('#'))).toEqual([])
  })

  it('change no candidate', () => {
    const few = mine(records(1000))
    expect(few.events).toHaveLength(1000)
    expect(few.candidates.find(({ proposalType }) => proposalType === 'LOG_EVENT')?.evidence['hits']).toBe(1000)
  })
})
