import { afterAll, describe, expect, it } from 'vitest'
import { TIERS, type Tier } from '../../src/contracts/index.ts'
import { CHANNELS, SLOW } from './twin-channels.ts'
import { type Comparison, compareTwins, compareWithout, shown } from './twin-compare.ts'

/**
 * Non-interference: for a caller under a ceiling, every byte that leaves is the same for two databases that differ only above it.
 * Pairs are drafted from a seed; a case is one channel under one ceiling for one seed.
 */
const FULL = process.env['WHEREFORE_FULL'] !== undefined
const SEEDS = Array.from({ length: FULL ? 34 : 3 }, (_, at) => at + 1)
const CEILINGS = TIERS.slice(0, -1)
const SIZE = FULL ? 4 : 2
const LIMIT = { timeout: 180_000 }

const ALL = Object.keys(CHANNELS)
/** The slow channels are tried once, and when there is time once for each seed. */
const isSlowTurn = (seed: number, ceiling: Tier): boolean =>
  CEILINGS.indexOf(ceiling) === seed % CEILINGS.length && (FULL || seed === 1)
const channelsFor = (seed: number, ceiling: Tier): string[] => ALL.filter((channel) => !SLOW.has(channel) || isSlowTurn(seed, ceiling))

const done: Comparison[] = []
const expectSame = (compared: Comparison): void => {
  done.push(compared)
  expect(compared.differences.map(shown).join('\n')).toBe('')
  expect(compared.bugs).toEqual([])
}
afterAll(() => {
  const sum = (of: (each: Comparison) => number): number => done.reduce((total, each) => total + of(each), 0)
  console.log(`${sum(({ cases }) => cases)} cases, ${sum(({ differences }) => differences.length)} differences, ${sum(({ answered }) => answered)} answers`)
})

describe('TRUST-1 two databases that differ only above the ceiling send the same bytes through every channel', () => {
  for (const ceiling of CEILINGS) {
    it.each(SEEDS)(`${ceiling}, seed %i`, LIMIT, async (seed) => {
      const compared = await compareTwins({ seed, ceiling, size: SIZE, channels: channelsFor(seed, ceiling) })
      expectSame(compared)
      // a service that refused everything would tell nothing either
      expect(compared.answered).toBeGreaterThan(20)
    })
  }
})

/** Each of these once told the two apart. */
describe('TRUST-1 leaks that were found stay closed', () => {
  it('a reference that only the values of a hidden table gave away', LIMIT, async () => {
    expectSame(await compareTwins({ seed: 1, ceiling: 'Public', size: SIZE, channels: ['vocabulary', 'sources and health'] }))
  })

  it.runIf(FULL)('a kind of event, known by a hidden value, that hid its records from rules', LIMIT, async () => {
    for (const ceiling of ['Public', 'Internal'] as const) {
      expectSame(await compareTwins({ seed: 2, ceiling, size: SIZE, channels: ['files of others'] }))
    }
  })
})

describe('TRUST-4 what is above the grant is as unknown as what does not exist', () => {
  const seeds = FULL ? SEEDS : [1]
  const FEW = ['questions within the ceiling', 'questions that name what is hidden', 'questions that quote hidden values', 'reasons', 'errors', 'vocabulary', 'completion', 'metadata', 'MCP', 'review']
  const without = FULL ? ALL.filter((channel) => !SLOW.has(channel)) : FEW
  for (const ceiling of CEILINGS) {
    it.each(seeds)(`${ceiling}, seed %i`, LIMIT, async (seed) => {
      expectSame(await compareWithout({ seed, ceiling, size: SIZE, channels: without }))
    })
  }
})
