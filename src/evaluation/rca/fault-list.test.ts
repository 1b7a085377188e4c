import { describe, expect, it } from 'vitest'
import { placeFaults } from './fault-list.ts'

const at = (text: string): number => Date.parse(`2023-01-29T${text}Z`)
const fault = (time?: string, epoch?: number) => ({
  ...(time === undefined ? {} : { inject_time: `2023-01-29 ${time}` }),
  ...(epoch === undefined ? {} : { inject_timestamp: String(epoch / 1000) }),
  inject_pod: 'a-5f6585d649-fnmft', inject_type: 'x',
})
/** Something was recorded behind these times only. */
const seenAt = (...times: string[]) => (from: number, to: number): boolean => times.some((time) => at(time) >= from && at(time) < to)

describe('the list of faults', () => {
  it('is placed by inject_time, in the zone in which most have records', () => {
    const seen = seenAt('08:43:10', '09:00:10')
    expect(placeFaults([fault('08:43:04'), fault('09:00:00')], seen)).toMatchObject({
      faults: [{ startMs: at('08:43:04'), service: 'a' }, { startMs: at('09:00:00') }], flags: [],
    })
    const local = placeFaults([fault('16:43:04'), fault('17:00:00')], seen)
    expect(local.faults.map(({ startMs }) => startMs)).toEqual([at('08:43:04'), at('09:00:00')])
    expect(local.flags).toEqual([expect.stringContaining('8 h off the records')])
  })

  it('says where its two times disagree, and takes the epoch where there is no other', () => {
    const seen = seenAt('08:43:10', '09:00:10')
    const { faults, flags } = placeFaults([fault('08:43:04', at('08:40:00')), fault(undefined, at('09:00:00'))], seen)
    expect(faults.map(({ startMs }) => startMs)).toEqual([at('08:43:04'), at('09:00:00')])
    expect(flags).toEqual([expect.stringContaining('another time in inject_timestamp'), expect.stringContaining('its inject_timestamp counts')])
  })

  it('leaves out what has no time, and flags what has nothing recorded behind it', () => {
    const { faults, flags } = placeFaults([fault('08:43:04'), fault('12:00:00'), { ...fault(), inject_time: 'noon' }], seenAt('08:43:10'))
    expect(faults).toHaveLength(2)
    expect(flags).toEqual([expect.stringMatching(/12:00:00.* nothing recorded/), expect.stringMatching(/noon.* left out/)])
  })
})
