import { describe, expect, it } from 'vitest'
import { NOTICED_MS, REFERENCE, SETTLING_MS, WINDOW_MS, isQuiet, segmentsOf } from './segments.ts'

const MINUTE = 60_000
const starts = [20 * MINUTE, 26 * MINUTE]

describe('segments', () => {
  const segments = segmentsOf(starts, 0, 40 * MINUTE)
  const minutesOf = (places: readonly number[]): number[] =>
    Array.from({ length: 400 }, (_, i) => i * (MINUTE / 10)).filter((at) => places.includes(segments.at(at))).map((at) => at / MINUTE)

  it('of an incident: its window, what was quiet before it, and what came just before it apart', () => {
    const { window, baseline, doubtful } = segments.parts(26 * MINUTE)
    expect(minutesOf(window)).toEqual(minutesOf(window).filter((minute) => minute >= 26 && minute < 26 + WINDOW_MS / MINUTE))
    expect(minutesOf(window)[0]).toBe(26)
    expect(minutesOf(window).at(-1)).toBeCloseTo(26 + WINDOW_MS / MINUTE - 0.1, 6)
    const quiet = minutesOf(baseline)
    expect(baseline).toContain(REFERENCE)
    expect(quiet.some((minute) => minute >= 20 && minute < 20 + SETTLING_MS / MINUTE)).toBe(false)
    expect(quiet.every((minute) => minute < 26 - NOTICED_MS / MINUTE)).toBe(true)
    expect(minutesOf(doubtful).every((minute) => minute >= 24 && minute < 26)).toBe(true)
  })

  it('hold every time, also one outside the day', () => {
    for (const at of [-5, 0, 1, 40 * MINUTE, 99 * MINUTE]) expect(segments.at(at)).toBeGreaterThan(REFERENCE)
    expect(segments.at(99 * MINUTE)).toBeLessThan(segments.count)
  })

  it.each([
    [10, true],
    [19.99, true],
    [20, false],
    [24.9, false],
    [25, true],
    [26, false],
    [30, false],
  ])('minute %d is quiet before the second: %s', (minute, quiet) => expect(isQuiet(minute * MINUTE, 26 * MINUTE, starts)).toBe(quiet))
})
