import { expect, it } from 'vitest'
import { clockJumps, jumpLine } from './clock-jumps.ts'

const lines = (file: string, ...seconds: number[]) => seconds.map((second, i) => ({ file, offset: i * 10, tsMs: second * 1000 }))

it.each([
  ['a clock that runs on', [0, 5, 5, 4, 3600], []],
  ['a clock set back', [0, 100, 10, 20, 110], [{ file: 'a', jumps: 1, worstMs: 90_000 }]],
  ['a clock set forward and back again', [0, 5, 9000, 10, 15], [{ file: 'a', jumps: 1, worstMs: 8_990_000 }]],
  ['a clock set back twice', [100, 0, 100, 40], [{ file: 'a', jumps: 2, worstMs: 100_000 }]],
])('%s', (_, seconds, expected) => {
  expect(clockJumps(lines('a', ...seconds))).toEqual(expected)
})

it('looks at each file by itself, in the order of its lines', () => {
  const all = [...lines('b', 100, 200), ...lines('a', 0, 50)]
  expect(clockJumps(all.toReversed())).toEqual([])
  expect(jumpLine({ file: 'router.log', jumps: 1, worstMs: 90_000 })).toMatch(/^the clock of router\.log jumps back once, by up to 90 s/)
})
